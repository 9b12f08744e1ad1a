import { endpoints } from '#src/endpoints/index.ts';
import type { Endpoint } from '#src/http/endpoint.ts';
import { examplePath } from '#src/http/example-path.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';

const GETS = endpoints.filter(({ method }) => method === 'GET');
/** Every GET operation. Those that cost units load nothing, and return a response that is large enough to compress. */
const STUBS = GETS.map(
  (endpoint): Endpoint =>
    endpoint.load === undefined
      ? endpoint
      : ({
          ...endpoint,
          load: async () => null,
          hasResult: () => true,
          rows: () => 1,
          present: () => ({ body: { data: { text: 'x'.repeat(2_000) } } }),
        } as Endpoint),
);

let app: TestApp;
test.before(async () => {
  app = await startTestApp({ endpoints: STUBS });
  const named = GETS.flatMap(({ parameters }) => parameters.filter(({ name }) => name === 'neighborhood_id'));
  const ids = new Set(named.flatMap(({ example = '' }) => example.split(',').map(Number)));
  await app.addCity(
    { slug: 'riyadh' },
    [...ids].map((id) => ({ id })),
  );
});
test.after(() => app?.close());

/** `fetch` closes the connection after HEAD. */
const VARYING = new Set([
  'connection',
  'keep-alive',
  'date',
  'x-request-id',
  'ratelimit-remaining',
  'ratelimit-reset',
  'x-quota-remaining',
]);

async function headersOf(method: string, url: string, key: string) {
  const response = await fetch(new URL(url, app.url), { method, headers: { Authorization: `Bearer ${key}` } });
  const text = await response.text();
  const headers = [...response.headers].filter(([name]) => !VARYING.has(name));
  return { status: response.status, text, headers: Object.fromEntries(headers) as Record<string, string> };
}

test('HEAD of every GET operation costs, returns and refuses what GET does, without the body', async (t) => {
  const paying = await createOrganization(app.services, { plan: 'enterprise' });
  const admin = await createKey(app.services, paying.id, { kind: 'admin' });
  const spent = await createOrganization(app.services, { plan: 'enterprise', columns: { units_per_month: 0 } });
  for (const endpoint of STUBS) {
    const url = examplePath(endpoint);
    const key = endpoint.audience === 'admin' ? admin : paying.key;
    let [get, head] = [await headersOf('GET', url, key), await headersOf('HEAD', url, key)];
    // Calls are logged between two reads of the log.
    if (get.headers['content-length'] !== head.headers['content-length'])
      [get, head] = [await headersOf('GET', url, key), await headersOf('HEAD', url, key)];
    t.deepEqual([head.status, head.headers, head.text], [get.status, get.headers, ''], url);
    if (endpoint.price.units === 0) continue;
    t.is(head.status, 200, get.text);
    t.true(Number(head.headers['x-request-units']) > 0, url);
    for (const method of ['GET', 'HEAD']) t.is((await headersOf(method, url, spent.key)).status, 429, url);
  }
});
