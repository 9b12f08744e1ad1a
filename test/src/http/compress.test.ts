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

let app: TestApp;
test.before(async () => {
  app = await startTestApp({ endpoints: [CHARGED, FREE] });
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
