import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import { Client } from 'undici';
import { isUnavailable } from '#domain/store-error.ts';
import { boundConnections } from '#http/limits/connections.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
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
  const app = await start(t, { MAX_CONNECTIONS: '100', MAX_CONNECTIONS_PER_ADDRESS: '3' });
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
    isRefusal(t, await sendRaw(app.url, [request]), /from your address/);
  await areServed();
  await clients[0]?.destroy();
  // The server detects a closed connection later than the client.
  while ((await sendRaw(app.url, [GET])).status !== 200);
  t.pass();
});

test('a process without free file descriptors, buffers or ports is unavailable for a time, and has not failed', (t) => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'EADDRNOTAVAIL']) {
    const error = Object.assign(new Error(code), { code });
    for (const each of [error, new AggregateError([new Error(''), error])]) t.true(isUnavailable(each), code);
  }
});

test('connection limits hold for any sequence of client actions, and closed connections free capacity', (t) => {
  const limits = { connections: { total: 5, perAddress: 3 }, trustedProxies: ['10.0.0.9'] };
  const step = fc.record({
    act: fc.constantFrom('open', 'request', 'close'),
    address: fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.9'),
    pick: fc.nat(200),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const sockets: FakeSocket[] = [];
      const served = new Set<FakeSocket>();
      let refused = false;
      const close = (socket: FakeSocket): void => {
        served.delete(socket);
        sockets.splice(sockets.indexOf(socket), 1);
        socket.destroyed = true;
        socket.emit('close');
      };
      const connections = boundConnections((request) => void served.add(fake(request.socket)), {
        limits,
        refuse: () => {
          refused = true;
        },
        evict: (socket) => {
          t.false(served.has(fake(socket)));
          close(fake(socket));
        },
      });
      const send = (socket: FakeSocket): boolean => {
        refused = false;
        connections.handle({ socket } as never, {} as never);
        return !refused;
      };
      const openFrom = (remoteAddress: string): FakeSocket => {
        const socket = Object.assign(new EventEmitter(), { remoteAddress, destroyed: false });
        sockets.push(socket);
        connections.onConnection(socket as never);
        return socket;
      };
      for (const { act, address, pick } of steps) {
        const socket = sockets[pick % Math.max(1, sockets.length)];
        if (act === 'open' || !socket) openFrom(address);
        else if (act === 'close') close(socket);
        else {
          const wasServed = served.has(socket);
          const ofAddress = [...served].filter(({ remoteAddress }) => remoteAddress === socket.remoteAddress).length;
          const isBeyond = served.size >= 5 || (ofAddress >= 3 && socket.remoteAddress !== '10.0.0.9');
          t.is(send(socket), wasServed || !isBeyond);
        }
        t.true(sockets.length <= 5 + 32);
      }
      for (const socket of [...sockets]) close(socket);
      t.true(send(openFrom('10.0.0.1')));
    }),
  );
});

type FakeSocket = EventEmitter & { remoteAddress: string; destroyed: boolean };

const fake = (socket: Socket): FakeSocket => socket as unknown as FakeSocket;
