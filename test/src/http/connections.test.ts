import { once } from 'node:events';
import { connect } from 'node:net';
import type { ExecutionContext } from 'ava';
import { Client } from 'undici';
import { isUnavailable } from '#domain/store-error.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import { test } from '#test/test.ts';
import { type RawAnswer, sendRaw } from './raw.ts';

const GET = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

async function start(t: ExecutionContext, env: Record<string, string>): Promise<TestApp> {
  const app = await startTestApp({ env });
  t.teardown(app.close);
  return app;
}

function isRefusal(t: ExecutionContext, { status, head, body }: RawAnswer, message: RegExp): void {
  t.is(status, 503);
  t.regex(head, /^Retry-After: 5\r$/m);
  t.regex(head, /^Connection: close\r?$/m);
  t.is(body.error.code, 'internal_error');
  t.regex(body.error.message, message);
  t.true(head.includes(`X-Request-Id: ${body.error.request_id}`));
}

test('idle connections do not block clients that send requests', async (t) => {
  const app = await start(t, { MAX_CONNECTIONS: '2' });
  const cut = sendRaw(app.url, ['GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ']);
  for (let count = 0; count < 100; count++) {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1').on('error', () => {});
    t.teardown(() => socket.destroy());
    await once(socket, 'connect');
  }
  isRefusal(t, await cut, /Too many connections are open\./);
  t.is((await sendRaw(app.url, [GET])).status, 200);
});

test('connections over the limit per address receive 503 until another connection of the address is closed', async (t) => {
  // The limit per address does not apply to proxies.
  const proxy = { MAX_CONNECTIONS: '3', MAX_CONNECTIONS_PER_ADDRESS: '1', TRUSTED_PROXIES: '127.0.0.1' };
  for (const [env, message] of [
    [{ MAX_CONNECTIONS: '100', MAX_CONNECTIONS_PER_ADDRESS: '3' }, /from your address/],
    [proxy, /Too many connections are open\./],
  ] as const) {
    const app = await start(t, env);
    // Each client has one connection.
    const clients = Array.from({ length: 3 }, () => new Client(app.url));
    t.teardown(() => Promise.all(clients.map((client) => client.destroy())));
    const areServed = async () => {
      for (const client of clients) {
        const { statusCode, body } = await client.request({ method: 'GET', path: '/healthz' });
        await body.dump();
        t.is(statusCode, 200);
      }
    };
    await areServed();
    const post = 'POST /v1/exports HTTP/1.1\r\nHost: x\r\nContent-Length: 10000\r\n\r\n';
    for (const request of [GET, `${post}${'x'.repeat(10_000)}`])
      isRefusal(t, await sendRaw(app.url, [request]), message);
    await areServed();
    await clients[0]?.destroy();
    // The server detects a closed connection later than the client.
    await t.notThrowsAsync(eventually(async () => (await sendRaw(app.url, [GET])).status === 200));
  }
});

test('a process without free file descriptors, buffers or ports is unavailable for a time, and has not failed', (t) => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'EADDRNOTAVAIL']) {
    const error = Object.assign(new Error(code), { code });
    for (const each of [error, new AggregateError([new Error(''), error])]) t.true(isUnavailable(each), code);
  }
});
