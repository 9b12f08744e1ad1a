import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import Koa from 'koa';
import { serveDocuments } from '#documents/serve.ts';
import { endpoints as allEndpoints } from '#endpoints/index.ts';
import { readClientAddress } from '#http/client-address.ts';
import { compressResponses } from '#http/compress.ts';
import type { RequestState } from '#http/context.ts';
import { refuseKeysInUrl } from '#http/credentials.ts';
import { crossOrigin } from '#http/cross-origin.ts';
import type { Endpoint } from '#http/endpoint.ts';
import { renderFailures } from '#http/errors/render.ts';
import { CallerLimits } from '#http/limits/caller-limits.ts';
import { limitFreeBytes } from '#http/limits/free-bytes.ts';
import { limitRequest } from '#http/limits/request-size.ts';
import { recordCalls } from '#http/record-calls.ts';
import { assignRequestId } from '#http/request-id.ts';
import { serveEndpoints } from '#http/serve.ts';
import { recognizeSite } from '#http/site-caller.ts';
import { serveMcp } from '#mcp/http.ts';
import { createApi } from '#site/server/api.ts';
import { serveSite } from '#site/server/site.ts';
import { createSiteData } from '#site-data/index.ts';
import type { Services } from './services.ts';

/** Every request passes through these steps in order. */
export function createApp(
  services: Services,
  endpoints: readonly Endpoint[] = allEndpoints,
): Koa<RequestState, object> {
  const app = new Koa<RequestState, object>();
  const limits = new CallerLimits(services.config.limits);
  const { config, logger, clock, demoKey = null } = services;
  const bearer = randomBytes(32).toString('base64url');
  app.use(assignRequestId(() => services.clock.now(), services.random));
  app.use(recognizeSite(bearer));
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
  app.use(serveMcp(services, limits, endpoints, listen));
  if (config.hasSite) {
    const api = createApi(listen, bearer);
    app.use(serveSite({ config, logger, clock, demoKey, limits, api, data: createSiteData(services) }));
  }
  app.use(serveDocuments(services, limits));
  app.use(serveEndpoints(endpoints, services, limits));
  // An error here is a bug in error rendering. Koa returns a plain 500 response.
  app.on('error', (error: unknown) => services.logger.error({ err: error }, 'unrendered error'));
  return app;
}
