FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Optional packages are installed, because the binaries of sharp are among them.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force

FROM node:24.21.0-bookworm-slim AS site
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY embedded embedded
COPY domain domain
COPY src src
COPY site site
RUN node --input-type=module -e "import { buildSite } from './embedded/install/site.mjs'; await buildSite('/app')"
# The clients that users download are generated from the endpoints.
RUN apt-get update && apt-get install -y --no-install-recommends python3-venv && rm -rf /var/lib/apt/lists/*
COPY stores stores
COPY queries queries
COPY index-templates index-templates
COPY openapi openapi
COPY clients clients
RUN node clients/build/downloads.ts

# The service without the site: `docker build --target service .`, with SITE=off.
FROM node:24.21.0-bookworm-slim AS service
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY index-templates index-templates
COPY openapi openapi
COPY domain domain
COPY queries queries
COPY stores stores
COPY ingest ingest
COPY src src
COPY app app
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD node -e "fetch('http://127.0.0.1:8080/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
CMD ["node", "app/main.ts", "api"]

FROM service
USER root
# Preview images of pages are drawn with these fonts, which have Latin and Arabic letters.
RUN apt-get update && apt-get install -y --no-install-recommends fontconfig-config fonts-dejavu-core && rm -rf /var/lib/apt/lists/*
COPY --from=site /app/site site
USER node
