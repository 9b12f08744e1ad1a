import type { Endpoint, GetEndpoint, MeteredEndpoint, PostEndpoint } from '#src/http/endpoint.ts';

type Changes<Kind> = Partial<Kind & Pick<Endpoint, 'pathParameters' | 'parameters' | 'errors'>>;
type Load = MeteredEndpoint['load'];

/**
 * Creates a test endpoint that returns its input. A GET endpoint costs a unit unless `price` states another number, and
 * its response is loaded by `load`. Other endpoints cost no units and have a `handle`.
 */
export function testEndpoint(path: string, changes: Changes<PostEndpoint> & { method: 'POST' }): Endpoint;
export function testEndpoint(path: string, changes?: Changes<GetEndpoint> | Changes<MeteredEndpoint>): Endpoint;
export function testEndpoint(
  path: string,
  changes: Changes<PostEndpoint | GetEndpoint | MeteredEndpoint> = {},
): Endpoint {
  const { method = 'GET', price = { units: method === 'GET' ? 1 : 0 } } = changes;
  const echo = async ({ query, body }: { query: unknown; body?: unknown }) => ({
    body: { data: { query, body: body ?? null } },
  });
  const steps =
    price.units > 0 ? { load: echo as Load, present: (_call: unknown, loaded: unknown) => loaded } : { handle: echo };
  const endpoint = {
    method,
    path,
    operationId: `test${path.replaceAll(/\W+/g, '_')}`,
    area: 'Test',
    summary: 'A test',
    description: 'A test.',
    audience: 'data',
    scope: 'listings',
    price,
    pathParameters: [],
    parameters: [],
    response: { type: 'object' },
    errors: [],
    ...steps,
  };
  return { ...endpoint, ...changes } as Endpoint;
}
