import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createApp } from '#app/app.ts';
import { createHttpServer } from '#src/http/server.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { listen } from '#test/listen.ts';
import { test } from '#test/test.ts';
import { sendRaw } from './raw.ts';

let app: TestApp;
let key: string;
test.before(async () => {
  app = await sharedApp();
  ({ key } = await createOrganization(app.services));
});

test('a URL over 8 KB returns 400', async (t) => {
  const url = (length: number) => `/v1/cities?q=${'x'.repeat(length - '/v1/cities?q='.length)}`;
  const fits = await app.request(url(8_192), { key });
  t.is(fits.body.error.code, 'unknown_parameter');
  const response = await app.request(url(8_193), { key });
  t.is(response.status, 400);
  t.is(response.body.error.code, 'invalid_value');
  t.is(response.body.error.request_id, response.headers.get('X-Request-Id'));
});

test('a request that is not HTTP, or has an unknown method, receives an error body, and the connection is closed', async (t) => {
  const long = `GET /v1/cities HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`;
  for (const [piece, status, code] of [
    ['\x16\x03\x01\x02\x00', 400, 'invalid_value'],
    ['hello\r\n\r\n', 400, 'invalid_value'],
    ['GET /v1/cities HTTP/9.9\r\n\r\n', 400, 'invalid_value'],
    [long, 400, 'invalid_value'],
    ['get /v1/cities HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
    ['CONNECT example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
  ] as const) {
    const answer = await sendRaw(app.url, [piece]);
    t.deepEqual([answer.status, answer.body.error.code], [status, code], piece);
    t.regex(answer.head, /Content-Type: application\/json/);
    t.is(/^Allow: GET, HEAD, POST, OPTIONS\r$/m.test(answer.head), status === 405, piece);
    t.true(answer.head.includes(`X-Request-Id: ${answer.body.error.request_id}`));
  }
});

test('clients that send too slowly, or do not close their side of the connection, are disconnected', async (t) => {
  const limits = { headers: 400, request: 800, idle: 30_000, keepAlive: 500 };
  const server = createHttpServer(createApp(app.services), 'http://docs.test', app.services, limits);
  const { url, port } = await listen(server);
  t.teardown(() => server.close());
  const post = `POST /v1/exports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  for (const pieces of [
    ['GET / HTTP/1.1\r\nHost: x\r\n', ...Array.from({ length: 40 }, (_, index) => `X-${index}: 1\r\n`)],
    [`${post}Content-Length: 1000\r\n\r\n`, ...Array.from({ length: 40 }, () => ' ')],
  ]) {
    const answer = await sendRaw(url, pieces, 100);
    t.is(answer.status, 400);
    t.is(answer.body.error.message, 'The request timed out before it was received completely.');
  }
  await t.notThrowsAsync(sendRaw(url, []));
  const client = connect({ port, allowHalfOpen: true }).resume();
  t.teardown(() => client.destroy());
  client.on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  await once(socket, 'close');
});
