import { defineEndpoint, type Endpoint } from '#http/endpoint.ts';

/** An endpoint of a test's own; it answers with what it was called with. */
export function testEndpoint(path: string, changes: Partial<Endpoint> = {}): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path,
    operationId: `test${path.replaceAll(/\W+/g, '_')}`,
    area: 'Test',
    summary: 'A test',
    description: 'A test.',
    audience: 'data',
    scope: 'listings',
    price: { units: 1 },
    pathParameters: [],
    parameters: [],
    response: { type: 'object' },
    errors: [],
    handle: async ({ query, body }) => ({ body: { data: { query, body: body ?? null } } }),
    ...changes,
  });
}
