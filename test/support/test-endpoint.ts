import type { Endpoint, GetEndpoint, PostEndpoint } from '#http/endpoint.ts';

type Changes<Kind> = Partial<Kind & Pick<Endpoint, 'pathParameters' | 'parameters' | 'errors'>>;

/** Creates a test endpoint that returns its input. */
export function testEndpoint(path: string, changes: Changes<PostEndpoint> & { method: 'POST' }): Endpoint;
export function testEndpoint(path: string, changes?: Changes<GetEndpoint>): Endpoint;
export function testEndpoint(path: string, changes: Changes<PostEndpoint> | Changes<GetEndpoint> = {}): Endpoint {
  const endpoint = {
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
    handle: async ({ query, body }: { query: unknown; body?: unknown }) => ({
      body: { data: { query, body: body ?? null } },
    }),
  };
  return { ...endpoint, ...changes } as Endpoint;
}
