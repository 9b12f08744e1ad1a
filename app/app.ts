import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import Koa from 'koa';
import { serveDocuments } from '#src/documents/serve-documents.ts';
import { endpoints as allEndpoints } from '#src/endpoints/index.ts';
import { readClientAddress } from '#src/http/client-address.ts';
import { compressResponses } from '#src/http/compress.ts';
import type { RequestState } from '#src/http/context.ts';
import { refuseKeysInUrl } from '#src/http/credentials.ts';
import { crossOrigin } from '#src/http/cross-origin.ts';
import type { Endpoint } from '#src/http/endpoint.ts';
import { renderFailures } from '#src/http/errors/render.ts';
import { createInternalCall, recognizeInternal, refuseApi } from '#src/http/internal-caller.ts';
import { limitFreeBytes } from '#src/http/limits/free-bytes.ts';
import { limitRequest } from '#src/http/limits/request-size.ts';
import { recordCalls } from '#src/http/record-calls.ts';
import { assignRequestId } from '#src/http/request-id.ts';
import { serveEndpoints } from '#src/http/serve.ts';

import { serveMcp } from '#src/mcp/http.ts';
import { CallerLimits } from '#src/metering/limits.ts';
import type { Services } from '#src/services.ts';
import { createSignIn } from '#src/sign-in/sign-in.ts';
import { createSiteData } from '#src/site-data/site-data.ts';

/**
 * Every request passes through these steps in order. The site is loaded only if it is served.
 * @param bearer with which the process calls its own operations
 */
export async function createApp(
  services: Services,
  endpoints: readonly Endpoint[] = allEndpoints,
  bearer = randomBytes(32).toString('base64url'),
): Promise<Koa<RequestState, object>> {
  const app = new Koa<RequestState, object>();
  const limits = new CallerLimits(services.config.limits);
  const { config, logger, clock, downloads, demoKey = null } = services;
  app.use(assignRequestId(() => services.clock.now(), services.random));
  app.use(recognizeInternal(bearer));
  app.use(readClientAddress(services.config.trustedProxies));
  app.use(recordCalls(services));
  app.use(crossOrigin);
  app.use(renderFailures(services.logger, `${services.config.siteUrl}/docs/errors`));
  app.use(limitFreeBytes(limits));
  app.use(compressResponses);
  app.use(limitRequest);
  app.use(refuseKeysInUrl(services, limits));
  let listener: RequestListener | undefined;
  const listen = (): RequestListener => {
    listener ??= app.callback();
    return listener;
  };
  if (config.hasApi) app.use(serveMcp(services, limits, endpoints, listen, bearer));
  if (config.hasSite) {
    const [{ createApi }, { serveSite }] = await Promise.all([
      import('#site/server/api-client.ts'),
      import('#site/server/serve-site.ts'),
    ]);
    const api = createApi(listen, bearer);
    const call = createInternalCall(listen, bearer);
    const [signIn, data] = [createSignIn(services), createSiteData(services)];
    app.use(serveSite({ config, logger, clock, downloads, demoKey, limits, api, call, signIn, data }));
  }
  app.use(serveDocuments(services, limits));
  if (!config.hasApi) app.use(refuseApi);
  app.use(serveEndpoints(endpoints, services, limits));
  // An error here is a bug in error rendering. Koa returns a plain 500 response.
  app.on('error', (error: unknown) => services.logger.error({ err: error }, 'unrendered error'));
  return app;
}
