import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createHttpServer } from '#http/server.ts';
import { createApp } from '#src/app.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization } from '#test/factories.ts';
import { listen } from '#test/listen.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

/** Time in milliseconds within which the test server requires clients to read a response. */
const READING = 700;

let handled = 0;
/** Odd numbers whose request has been loaded, or is awaited by that of the number before. */
const loaded = new Map<number, PromiseWithResolvers<void>>();
function loadOf(n: number): PromiseWithResolvers<void> {
  const load = loaded.get(n) ?? Promise.withResolvers<void>();
  loaded.set(n, load);
  return load;
}
const LARGE = testEndpoint('/v1/test/large', {
  load: async () => {
    handled++;
    return { body: { data: 'x'.repeat(2 ** 20) } };
  },
});
const NUMBERED = testEndpoint('/v1/test/numbered/{n}', {
  pathParameters: [{ name: 'n', schema: { type: 'integer' }, description: 'A number.', required: true }],
  // An even number finishes after the next one, so that responses would be out of order without a queue.
  load: async ({ path }) => {
    const n = Number(path.n);
    if (n % 2 === 0) await loadOf(n + 1).promise;
    else loadOf(n).resolve();
    return { body: { data: path.n } };
  },
});

let app: TestApp;
const limits = { headers: 10_000, request: 30_000, idle: READING, keepAlive: 65_000 };
let server: Server;
let port: number;
let close: () => Promise<void>;
let key: string;
test.before(async () => {
  app = await startTestApp({ endpoints: [LARGE, NUMBERED] });
  server = createHttpServer(createApp(app.services, [LARGE, NUMBERED]), 'http://docs.test', app.services, limits);
  ({ port, close } = await listen(server));
  ({ key } = await createOrganization(app.services));
});
test.after(async () => {
  await close();
  await app.close();
});

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

function open(): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  return socket;
}

test('responses to pipelined requests are sent in order', async (t) => {
  const socket = open();
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const numbers = Array.from({ length: 16 }, (_, n) => n);
  for (const n of numbers) socket.write(request(`/v1/test/numbered/${n}`));
  while (text.split('{"data":').length <= numbers.length) await once(socket, 'data');
  t.deepEqual(
    [...text.matchAll(/\{"data":(\d+)\}/g)].map(([, n]) => Number(n)),
    numbers,
  );
  socket.destroy();
});

test('a client that does not read responses is disconnected, with at most 16 of its requests handled', async (t) => {
  handled = 0;
  const socket = open();
  socket.pause();
  const begun = performance.now();
  for (let n = 0; n < 4; n++) socket.write(request(LARGE.path));
  // The client keeps sending, so that it is never idle.
  const sending = setInterval(() => socket.write(request(LARGE.path)), 100);
  t.teardown(() => {
    clearInterval(sending);
    socket.destroy();
  });
  await eventually(() => socket.destroyed);
  const took = performance.now() - begun;
  t.true(took >= READING, `closed after ${took} ms`);
  t.true(handled <= 16, `${handled} handled`);
});

test('a client with more than 16 requests in progress is disconnected', async (t) => {
  const socket = open();
  socket.write(request(`/v1/test/numbered/1`).repeat(3_000));
  socket.resume();
  await t.notThrowsAsync(eventually(() => socket.destroyed));
  t.is((await app.request('/v1/test/numbered/1', { key })).status, 200);
});
