import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts';
import { buildOpenApi } from '../../openapi/build.ts';

/** The description of a set of endpoints, itself included. */
export function openApiEndpoint(described: () => readonly Endpoint[]): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/openapi.json',
    operationId: 'getOpenApi',
    area: 'Service',
    summary: 'OpenAPI description',
    description: 'This API as OpenAPI 3.1. Needs no key.',
    audience: 'public',
    scope: null,
    units: () => 0,
    pathParameters: [],
    parameters: [],
    response: { type: 'object' },
    errors: [],
    handle: async ({ services }) => ({
      headers: { 'Cache-Control': 'public, max-age=300' },
      body: buildOpenApi(described(), services.config),
    }),
  });
}
