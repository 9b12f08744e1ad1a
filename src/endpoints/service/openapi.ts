import { defineEndpoint, type Endpoint } from '#http/endpoint.ts';
import { PRICES } from '#metering/prices.ts';
import { buildOpenApi } from '#openapi/build.ts';
import type { Config } from '#src/config.ts';

/** The endpoint that serves the OpenAPI description of all endpoints, itself included. */
export function openApiEndpoint(described: () => readonly Endpoint[]): Endpoint {
  // Built once for each configuration: anyone may request it, and building it is expensive.
  const built = new WeakMap<Config, Buffer>();
  return defineEndpoint({
    method: 'GET',
    path: '/v1/openapi.json',
    operationId: 'getOpenApi',
    area: 'Service',
    summary: 'OpenAPI description',
    description: 'This API as OpenAPI 3.1. Needs no key.',
    audience: 'public',
    scope: null,
    price: PRICES.service,
    pathParameters: [],
    parameters: [],
    response: { type: 'object' },
    errors: ['rate_limited'],
    handle: async ({ services: { config } }) => {
      const bytes = built.get(config) ?? Buffer.from(JSON.stringify(buildOpenApi(described(), config)));
      built.set(config, bytes);
      return { headers: { 'Cache-Control': 'public, max-age=300' }, bytes: [bytes] };
    },
  });
}
