import { component, object, oneOf, single } from '#domain/json-schema.ts';
import { READINESS_REASONS } from '#domain/readiness.ts';
import type { Config } from '#src/config.ts';
import { dataResponse, definePublicEndpoint, type Endpoint } from '#src/http/endpoint.ts';
import { PRICES } from '#src/metering/prices.ts';
import { buildOpenApi } from '#src/openapi/build.ts';

const SERVICE = { area: 'Service', scope: null, price: PRICES.service } as const;

export const healthz = definePublicEndpoint({
  path: '/healthz',
  operationId: 'healthz',
  ...SERVICE,
  summary: 'Liveness check',
  description: 'Returns 200 while the process runs. Does not query datastores.',
  response: single(object({ status: oneOf(['ok']) })),
  handle: async () => dataResponse({ status: 'ok' as const }),
});

const STORE_STATUSES = component('StoreStatus', ['ok', 'unavailable']);

export const readyz = definePublicEndpoint({
  path: '/readyz',
  operationId: 'readyz',
  ...SERVICE,
  summary: 'Readiness check',
  description:
    'Returns 200 when this node can serve reads, and 503 with the `reason` when it cannot. The result is cached for a second; the endpoint has no rate limit.',
  response: single(
    object({
      status: oneOf(component('Readiness', ['ready', 'not_ready'])),
      opensearch: oneOf(STORE_STATUSES),
      postgres: oneOf(STORE_STATUSES),
      index_writes: oneOf(component('IndexWrites', ['ok', 'blocked'])),
      reason: { type: ['string', 'null'], enum: component('ReadinessReason', [...READINESS_REASONS, null]) },
    }),
  ),
  otherResponses: { 503: 'The node cannot serve reads.' },
  handle: async ({ services }) => {
    const { opensearch, postgres, isBlocked } = await services.readiness.read();
    const reason = opensearch ?? postgres ?? (services.startup.isWarm ? null : 'starting');
    const state = (fault: string | null) => (fault === null ? 'ok' : 'unavailable');
    const index_writes = isBlocked ? 'blocked' : 'ok';
    const states = { opensearch: state(opensearch), postgres: state(postgres), index_writes, reason } as const;
    if (reason === null) return dataResponse({ status: 'ready', ...states });
    return { ...dataResponse({ status: 'not_ready', ...states }), status: 503, headers: { 'Retry-After': '5' } };
  },
});

/** The document also describes this endpoint. */
export function openApiEndpoint(described: () => readonly Endpoint[]): Endpoint {
  // Building is expensive, and the endpoint is public.
  const built = new WeakMap<Config, Buffer>();
  return definePublicEndpoint({
    path: '/v1/openapi.json',
    operationId: 'getOpenApi',
    area: 'Service',
    summary: 'Get the OpenAPI document',
    description: 'Returns the OpenAPI 3.1 document of this API. No key is required.',
    scope: null,
    price: PRICES.service,
    caching: 'fresh',
    response: { type: 'object' },
    errors: ['rate_limited'],
    handle: async ({ services: { config, downloads } }) => {
      const build = () => JSON.stringify(buildOpenApi(described(), config, downloads.clients));
      const bytes = built.get(config) ?? Buffer.from(build());
      built.set(config, bytes);
      return { headers: { 'Cache-Control': 'public, max-age=300' }, bytes: [bytes] };
    },
  });
}
