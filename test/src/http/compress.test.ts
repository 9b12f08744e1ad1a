import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

let version = 0;
const changing = async () => ({ body: { data: `${'شقة فاخرة '.repeat(500)}${version}` } });
/** Compressed before the charge, and afterwards. */
const CHARGED = testEndpoint('/v1/charged', { load: changing });
const FREE = testEndpoint('/v1/free', { price: { units: 0 }, handle: changing });

/** Half a megabyte, of different text for each value of the parameter. */
const LARGE = testEndpoint('/v1/large', {
  price: { units: 0 },
  parameters: [{ name: 'text', schema: { type: 'integer', default: 0 }, description: 'Seed.' }],
  handle: async ({ query }) => ({ body: { data: largeText(query.text as number) } }),
});
const largeText = (seed: number): string =>
  Array.from({ length: 40_000 }, (_, at) => ((at + 1) * (seed + 7_919)).toString(36)).join(' ');

let app: TestApp;
test.before(async () => {
  app = await startTestApp({ endpoints: [CHARGED, FREE, LARGE] });
});
test.after(() => app.close());

test('a response over a kilobyte is compressed with an accepted encoding', async (t) => {
  const { key } = await createOrganization(app.services);
  // The client does not decompress responses.
  const get = async (path: string, accept: string) => {
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': accept };
    const response = await request(`${app.url}${path}`, { headers });
    return { headers: response.headers, bytes: Buffer.from(await response.body.arrayBuffer()) };
  };
  for (const { path } of [CHARGED, FREE])
    for (version = 0; version < 3; version++) {
      const text = JSON.stringify((await changing()).body);
      for (const [accept, encoding, decode] of [
        ['br', 'br', brotliDecompressSync],
        ['gzip, deflate, br', 'gzip', gunzipSync],
        ['br;q=0.1, gzip', 'gzip', gunzipSync],
        ['*', 'br', brotliDecompressSync],
        ['deflate', undefined, (bytes: Buffer) => bytes],
        ['br;q=0, gzip;q=0', undefined, (bytes: Buffer) => bytes],
      ] as const)
        for (const { headers, bytes } of await Promise.all([get(path, accept), get(path, accept)])) {
          t.is(headers['content-encoding'], encoding, accept);
          t.is(headers['content-type'], 'application/json; charset=utf-8');
          t.is(Number(headers['content-length']), bytes.length);
          t.regex(String(headers.vary), /Accept-Encoding/);
          t.is(decode(bytes).toString(), text);
        }
    }
  t.is((await get('/healthz', 'gzip, br')).headers['content-encoding'], undefined);
});

test('a flood of large free responses is compressed once, or sent as it is', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'enterprise' });
  const get = async (text: number, accept: string) => {
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': accept };
    const response = await request(`${app.url}${LARGE.path}?text=${text}`, { headers });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    return response.headers['content-encoding'] === 'br' ? [1, brotliDecompressSync(bytes)] : [0, bytes];
  };
  const flood = async (accept: string, seedOf: (at: number) => number) => {
    const begun = process.cpuUsage();
    const found = await Promise.all(Array.from({ length: 24 }, (_, at) => get(seedOf(at), accept)));
    const { user, system } = process.cpuUsage(begun);
    for (const [at, [, bytes]] of found.entries())
      t.is(JSON.parse(String(bytes)).data, largeText(seedOf(at)), `${accept} ${at}`);
    return { ms: (user + system) / 1_000, compressed: found.filter(([isBr]) => isBr === 1).length };
  };
  const plain = await flood('identity', () => 0);
  await flood('br', () => 0);
  const same = await flood('br', () => 0);
  t.is(same.compressed, 24);
  t.true(same.ms < 2 * plain.ms + 200, `${same.ms} ms, uncompressed ${plain.ms} ms`);
  const different = await flood('br', (at) => at + 1);
  t.true(different.compressed < 24, `${different.compressed} of 24`);
});
