import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { endpoints } from '#endpoints/index.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

let version = 0;
/** An endpoint that costs no units, so that its compressed responses are cached. */
const changing = testEndpoint('/v1/changing', {
  price: { units: 0 },
  handle: async () => ({ body: { data: `${'text '.repeat(1_000)}${version}` } }),
});
const now = Date.now();
let app: TestApp;
test.before(async () => {
  app = await startTestApp({
    overrides: { clock: { now: () => now, chargeTime: () => null } },
    endpoints: [...endpoints, changing],
  });
});
test.after(() => app.close());

/** Returns a response without decompressing it. */
async function get(path: string, accept: string | null, key?: string) {
  const { headers, body, statusCode } = await request(`${app.url}${path}`, {
    headers: {
      ...(accept === null ? {} : { 'accept-encoding': accept }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  return { status: statusCode, headers, bytes };
}

test('a response over a kilobyte is compressed with an accepted encoding without changing its content', async (t) => {
  const { key } = await createOrganization(app.services);
  const { slug } = await app.addCity();
  const text = 'شقة فاخرة '.repeat(50);
  const listings = Array.from({ length: 20 }, () => makeListing({ location: { city: slug }, description: text }));
  await indexListings(app.services, listings);
  const path = `/v1/listings?city=${slug}&listing_type=rent&limit=20`;
  const plain = await get(path, null, key);
  t.is(plain.headers['content-encoding'], undefined);
  t.is(plain.headers.vary, 'Accept-Encoding');
  t.is(JSON.parse(plain.bytes.toString()).data.length, 20);
  for (const [accept, encoding, decode] of [
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br', 'gzip', gunzipSync],
    ['br;q=0.1, gzip', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
  ] as const) {
    const { status, headers, bytes } = await get(path, accept, key);
    t.is(status, 200);
    t.is(headers['content-encoding'], encoding, accept);
    t.is(headers['content-type'], 'application/json; charset=utf-8');
    t.is(Number(headers['content-length']), bytes.length);
    t.is(headers.vary, 'Accept-Encoding');
    t.deepEqual(decode(bytes), plain.bytes, accept);
    t.true(bytes.length < plain.bytes.length / 3);
  }
  for (const accept of ['deflate', 'br;q=0, gzip;q=0']) {
    const { headers, bytes } = await get(path, accept, key);
    t.is(headers['content-encoding'], undefined, accept);
    t.deepEqual(bytes, plain.bytes, accept);
  }
  const small = await get('/healthz', 'gzip, br');
  t.is(small.headers['content-encoding'], undefined);
});

test('a cached response is compressed again after its content changes', async (t) => {
  const { key } = await createOrganization(app.services);
  const decoders = { gzip: gunzipSync, br: brotliDecompressSync };
  for (version = 0; version < 3; version++)
    for (const encoding of ['gzip', 'br'] as const) {
      const all = await Promise.all(Array.from({ length: 5 }, () => get('/v1/changing', encoding, key)));
      for (const { headers, bytes } of [...all, await get('/v1/changing', encoding, key)]) {
        t.is(headers['content-encoding'], encoding);
        t.true(decoders[encoding](bytes).toString().endsWith(`text ${version}"}`));
      }
    }
});
