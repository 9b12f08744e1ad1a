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

interface Sent {
  type?: string | null;
  headers?: Record<string, string>;
}

async function post(body: string | null, { type = 'application/json', headers = {} }: Sent = {}) {
  return app.request(POST.path, {
    key,
    method: 'POST',
    ...(body === null ? {} : { body }),
    headers: { ...(type === null ? {} : { 'Content-Type': type }), ...headers },
  });
}

const whole: [title: string, body: string | null, sent?: Sent][] = [
  ['malformed JSON', '{"name": "a"'],
  ['empty', ''],
  ['missing', null],
  ['a boolean', 'true'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a form', 'name=a', { type: 'application/x-www-form-urlencoded' }],
  ['JSON sent as text/plain', JSON.stringify(GOOD), { type: 'text/plain' }],
  ['a `__proto__` property', '{"__proto__": {"name": "a"}, "name": "a", "filters": {}}'],
];
test('a body that is not a JSON object is refused', async (t) => {
  for (const [title, body, sent] of whole) {
    const response = await post(body, sent);
    t.is(response.status, 400, title);
    t.is(response.body.error.code, 'invalid_body', title);
    t.is(response.body.error.param, title === 'empty' || title === 'missing' ? 'name' : null, title);
  }
});

test('a body is decoded for the handler, in any accepted content coding and letter case', async (t) => {
  const text = JSON.stringify(GOOD);
  t.is((await post(text, { type: 'application/json; charset=utf-8' })).status, 200);
  const compressed = { gzip: gzipSync(text), br: brotliCompressSync(text), deflate: deflateSync(text) };
  for (const [coding, body] of [
    ['gzip', compressed.gzip],
    [' X-Gzip ', compressed.gzip],
    ['Br', compressed.br],
    ['Deflate', compressed.deflate],
    ['Identity', Buffer.from(text)],
  ] as const) {
    const response = await fetch(new URL(POST.path, app.url), {
      method: 'POST',
      body,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Encoding': coding },
    });
    t.is(response.status, 200, coding);
    t.like(await response.json(), { data: { body: GOOD } }, coding);
  }
});

test('an error names the Content-Encoding of a body that cannot be decoded', async (t) => {
  const unknown = (coding: string) => `\`Content-Encoding\` must be gzip, deflate, br or identity, not \`${coding}\`.`;
  const invalid = (coding: string) => `The body does not match its \`Content-Encoding\`: it is not valid ${coding}.`;
  for (const [coding, message] of [
    ['zip', unknown('zip')],
    ['gzip, br', unknown('gzip, br')],
    ['gzip', invalid('gzip')],
    ['x-gzip', invalid('gzip')],
    ['br', invalid('br')],
  ] as const) {
    const response = await post(JSON.stringify(GOOD), { headers: { 'Content-Encoding': coding } });
    t.is(response.status, 400);
    t.like(response.body.error, { code: 'invalid_body', param: null, message });
  }
});

test('an invalid parameter is reported before an invalid body', async (t) => {
  const headers = { 'Content-Type': 'application/json' };
  const response = await app.request(`${POST.path}?x=1`, { key, method: 'POST', body: '{', headers });
  t.like(response.body.error, { code: 'unknown_parameter', param: 'x' });
});

test('a deeply nested body is refused quickly', async (t) => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const body = (depth: number) => `{"name":"a","filters":{},"anything":${nested(depth)}}`;
  t.is((await post(body(20))).status, 200);
  for (const text of [body(100), body(40_000), '['.repeat(250_000), `${'['.repeat(120_000)}${']'.repeat(120_000)}`]) {
    // Processor time, because a busy machine takes longer. The app runs in the thread of the test.
    const begun = process.threadCpuUsage();
    const response = await post(text);
    t.is(response.body.error.code, 'invalid_body');
    t.true(process.threadCpuUsage(begun).user < 2_000_000);
  }
});

test('a body with thousands of invalid values is refused quickly', async (t) => {
  // Measures CPU time instead of elapsed time, so that other processes on the machine do not affect the result.
  const begun = process.cpuUsage();
  const beds = Array.from({ length: 120_000 }, () => '"').join('",');
  const response = await post(`{"name":"a","filters":{"beds":[${beds.slice(0, 250_000)}"]}}`);
  t.is(response.body.error.code, 'invalid_body');
  const { user, system } = process.cpuUsage(begun);
  const milliseconds = (user + system) / 1000;
  t.true(milliseconds < 1_000, `${milliseconds} ms`);
});

test('a body over 256 KB is refused by its Content-Length, while it is read, or when it is decompressed', async (t) => {
  const pad = (bytes: number) => JSON.stringify({ ...GOOD, anything: 'x'.repeat(bytes) });
  t.is((await post(pad(255 * KB))).status, 200);
  const stated = await post(pad(257 * KB));
  t.like(stated.body.error, { code: 'invalid_body', param: null });
  t.is(stated.status, 400);

  const aside = await fetch(new URL('/v1/cities', app.url), { method: 'DELETE', body: 'x'.repeat(257 * KB) });
  t.like(await aside.json(), { error: { code: 'invalid_value' } });

  const chunk = `${(64 * KB).toString(16)}\r\n${'x'.repeat(64 * KB)}\r\n`;
  const head = `POST ${POST.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const hidden = await sendRaw(app.url, [head, ...Array.from({ length: 6 }, () => chunk)], 20);
  t.is(hidden.status, 400);
  t.is(hidden.body.error.code, 'invalid_body');

  const packed = gzipSync(pad(50 * KB * KB));
  t.true(packed.length < 256 * KB);
  const response = await fetch(new URL(POST.path, app.url), {
    method: 'POST',
    body: packed,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
  });
  t.is(response.status, 400);
  t.like(await response.json(), { error: { code: 'invalid_body' } });
});

test('a large body from a client without a key is refused before it is read completely', async (t) => {
  const size = 50 * KB * KB;
  const head = (authorization: string) =>
    `POST ${POST.path} HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`;
  // The response is sent before any part of the body.
  const none = await sendRaw(app.url, [head('')]);
  t.is(none.status, 400);
  // A request without a stated size is refused for the missing key, and the connection is closed before the rest is
  // read.
  const chunked = `POST ${POST.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = `${(64 * KB).toString(16)}\r\n${'x'.repeat(64 * KB)}\r\n`;
  const refused = await sendRaw(app.url, [chunked, ...Array.from({ length: 50 }, () => chunk)], 10);
  t.is(refused.status, 401);
  t.is(refused.body.error.code, 'missing_api_key');
});
