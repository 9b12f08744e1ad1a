import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import { networkCheck } from '#http/client-address.ts';
import { boundConnections } from '#http/limits/connections.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { test } from '#test/test.ts';

interface Client {
  /** Sends bytes and waits for one response or until the connection is closed. */
  send(text: string): Promise<{ status: number; text: string }>;
  socket: Socket;
  closed: Promise<void>;
}

const GET = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

async function open(t: ExecutionContext, url: string): Promise<Client> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  t.teardown(() => socket.destroy());
  let text = '';
  let received = (): void => {};
  socket.on('data', (chunk) => {
    text += chunk;
    received();
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  void closed.then(() => received());
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return {
    socket,
    closed,
    async send(bytes) {
      text = '';
      socket.write(bytes);
      while (!isWhole(text) && !socket.closed)
        await new Promise<void>((resolve) => {
          received = resolve;
        });
      return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text };
    },
  };
}

function isWhole(text: string): boolean {
  const [head, body] = text.split('\r\n\r\n');
  return body !== undefined && Buffer.byteLength(body) >= Number(/content-length: (\d+)/i.exec(head ?? '')?.[1] ?? 0);
}

async function start(t: ExecutionContext, env: Record<string, string>): Promise<TestApp> {
  const app = await startTestApp({ env });
  t.teardown(app.close);
  return app;
}

function isRefusal(t: ExecutionContext, { status, text }: { status: number; text: string }, message: RegExp): void {
  t.is(status, 503);
  t.regex(text, /^Retry-After: 5\r$/m);
  t.regex(text, /^Connection: close\r$/m);
  const { error } = JSON.parse(text.split('\r\n\r\n')[1] ?? '') as { error: Record<string, string> };
  t.is(error.code, 'internal_error');
  t.regex(error.message ?? '', message);
  t.true(text.includes(`X-Request-Id: ${error.request_id}`));
}

test('idle connections do not block clients that send requests', async (t) => {
  const app = await start(t, { MAX_CONNECTIONS: '2' });
  const slow = await open(t, app.url);
  const cut = slow.send('GET /healthz HTTP/1.1\r\nX-Slow: ');
  for (let count = 0; count < 100; count++) await open(t, app.url);
  isRefusal(t, await cut, /Too many connections are open\./);
  await slow.closed;
  t.is((await (await open(t, app.url)).send(GET)).status, 200);
});

test('connections over the limit per address receive 503 until another connection of the address is closed', async (t) => {
  const app = await start(t, { MAX_CONNECTIONS: '100', MAX_CONNECTIONS_PER_ADDRESS: '3' });
  const clients = [await open(t, app.url), await open(t, app.url), await open(t, app.url)];
  for (const client of clients) t.is((await client.send(GET)).status, 200);
  const post = 'POST /v1/exports HTTP/1.1\r\nHost: x\r\nContent-Length: 10000\r\n\r\n';
  for (const request of [GET, `${post}${'x'.repeat(10_000)}`]) {
    const beyond = await open(t, app.url);
    isRefusal(t, await beyond.send(request), /from your address/);
    await beyond.closed;
  }
  for (const client of clients) t.is((await client.send(GET)).status, 200, 'the others are served');
  clients[0]?.socket.destroy();
  // The server detects a closed connection later than the client.
  let status = 0;
  while (status !== 200) ({ status } = await (await open(t, app.url)).send(GET));
  t.is(status, 200);
});

test('IPv4-mapped addresses and ranges of trusted proxies match IPv4 addresses', (t) => {
  const isProxy = networkCheck(['::ffff:10.0.0.0/104', '::ffff:192.0.2.1', '2001:db8::/32']);
  for (const address of ['10.1.2.3', '192.0.2.1', '2001:db8::1']) t.true(isProxy(address), address);
  for (const address of ['11.0.0.1', '192.0.2.2', '2001:db9::1']) t.false(isProxy(address), address);
  t.throws(() => networkCheck(['10.0.0.0/33']), { message: /^TRUSTED_PROXIES: "10\.0\.0\.0\/33"/ });
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
