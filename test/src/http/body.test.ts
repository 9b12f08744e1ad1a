import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';
import { sendRaw } from './raw.ts';

const POST = testEndpoint('/v1/test/things', {
  method: 'POST',
  bodySchema: {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'filters'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 20 },
      filters: {
        type: 'object',
        additionalProperties: false,
        properties: {
          city: { type: 'string' },
          beds: { type: 'array', items: { type: 'integer' }, maxItems: 3 },
        },
      },
      anything: {},
    },
  },
});
const GOOD = { name: 'a', filters: { city: 'riyadh', beds: [1, 2] } };
const KB = 1024;

let app: TestApp;
let key: string;
test.before(async () => {
  app = await startTestApp({ endpoints: [POST] });
  ({ key } = await createOrganization(app.services, { plan: 'pro' }));
});
test.after(() => app.close());

async function post(body: string | Buffer<ArrayBuffer> | null, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(POST.path, app.url), {
    method: 'POST',
    body,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
  });
  const { data, error } = (await response.json()) as { data?: object; error?: { code: string; param: string | null } };
  return { status: response.status, data, error };
}

const BROKEN: readonly [title: string, body: string | null, param: string | null, headers?: Record<string, string>][] =
  [
    ['malformed JSON', '{"name": "a"', null],
    ['missing', null, 'name'],
    ['null', 'null', null],
    ['JSON sent as text/plain', JSON.stringify(GOOD), null, { 'Content-Type': 'text/plain' }],
    ['an unknown coding', JSON.stringify(GOOD), null, { 'Content-Encoding': 'gzip, br' }],
    ['not in its coding', JSON.stringify(GOOD), null, { 'Content-Encoding': 'gzip' }],
    ['a `__proto__` property', '{"__proto__": {"name": "a"}, "name": "a", "filters": {}}', null],
  ];
test('a body that is not a JSON object is refused', async (t) => {
  for (const [title, body, param, headers] of BROKEN)
    t.like(await post(body, headers), { status: 400, error: { code: 'invalid_body', param } }, title);
});

test('a body is decoded for the handler, in any accepted content coding and letter case', async (t) => {
  const text = JSON.stringify(GOOD);
  t.is((await post(text, { 'Content-Type': 'application/json; charset=utf-8' })).status, 200);
  for (const [coding, body] of [
    [' X-Gzip ', gzipSync(text)],
    ['Br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['Identity', Buffer.from(text)],
  ] as const)
    t.like(await post(body, { 'Content-Encoding': coding }), { status: 200, data: { body: GOOD } }, coding);
});

test('a deeply nested body and a body with thousands of invalid values are refused quickly', async (t) => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const body = (depth: number) => `{"name":"a","filters":{},"anything":${nested(depth)}}`;
  t.is((await post(body(20))).status, 200);
  const beds = Array.from({ length: 80_000 }, () => '"x"').join();
  for (const text of [body(100), body(40_000), '['.repeat(250_000), `{"name":"a","filters":{"beds":[${beds}]}}`]) {
    // Processor time, because a busy machine takes longer. The app runs in the thread of the test.
    const begun = process.threadCpuUsage();
    t.like(await post(text), { error: { code: 'invalid_body' } });
    t.true(process.threadCpuUsage(begun).user < 2_000_000);
  }
});

const CHUNK = `${(64 * KB).toString(16)}\r\n${'x'.repeat(64 * KB)}\r\n`;
const chunked = (authorization: string) =>
  `POST ${POST.path} HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

test('a body over 256 KB is refused by its Content-Length, while it is read, or when it is decompressed', async (t) => {
  const pad = (bytes: number) => JSON.stringify({ ...GOOD, anything: 'x'.repeat(bytes) });
  t.is((await post(pad(255 * KB))).status, 200);
  const packed = gzipSync(pad(50 * KB * KB));
  t.true(packed.length < 256 * KB);
  for (const refused of [await post(pad(257 * KB)), await post(packed, { 'Content-Encoding': 'gzip' })])
    t.like(refused, { status: 400, error: { code: 'invalid_body', param: null } });
  const head = chunked(`Authorization: Bearer ${key}\r\n`);
  const hidden = await sendRaw(app.url, [head, ...Array.from({ length: 6 }, () => CHUNK)], 20);
  t.is(hidden.status, 400);
  t.is(hidden.body.error.code, 'invalid_body');
});

test('a large body from a client without a key is refused before it is read completely', async (t) => {
  // A response to a stated size is sent before any part of the body.
  const stated = `POST ${POST.path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${50 * KB * KB}\r\n\r\n`;
  t.is((await sendRaw(app.url, [stated])).status, 400);
  // Otherwise the connection is closed before the rest is read.
  const refused = await sendRaw(app.url, [chunked(''), ...Array.from({ length: 50 }, () => CHUNK)], 10);
  t.is(refused.status, 401);
  t.is(refused.body.error.code, 'missing_api_key');
});
