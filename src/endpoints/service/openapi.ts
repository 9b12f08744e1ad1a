import { definePublicEndpoint, type Endpoint } from '#http/endpoint.ts';
import { PRICES } from '#metering/prices.ts';
import { buildOpenApi } from '#openapi/build.ts';
import type { Config } from '#src/config.ts';

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
    handle: async ({ services: { config } }) => {
      const bytes = built.get(config) ?? Buffer.from(JSON.stringify(buildOpenApi(described(), config)));
      built.set(config, bytes);
      return { headers: { 'Cache-Control': 'public, max-age=300' }, bytes: [bytes] };
    },
  });
}
