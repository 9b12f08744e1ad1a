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
const LARGE = testEndpoint('/v1/test/large', {
  load: async () => {
    handled++;
    return { body: { data: 'x'.repeat(2 ** 20) } };
  },
});
let app: TestApp;
const limits = { headers: 10_000, request: 30_000, idle: READING, keepAlive: 65_000 };
let server: Server;
let port: number;
let close: () => Promise<void>;
let key: string;
test.before(async () => {
  app = await startTestApp({ endpoints: [LARGE] });
  server = createHttpServer(createApp(app.services, [LARGE]), 'http://docs.test', app.services, limits);
  ({ port, close } = await listen(server));
  ({ key } = await createOrganization(app.services));
});
test.after(async () => {
  await close();
  await app.close();
});

const request = (): string => `GET ${LARGE.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

function open(): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  return socket;
}

test('a client that does not read responses is disconnected, with at most 16 of its requests handled', async (t) => {
  handled = 0;
  const socket = open();
  socket.pause();
  const begun = performance.now();
  for (let n = 0; n < 4; n++) socket.write(request());
  // The client keeps sending, so that it is never idle.
  const sending = setInterval(() => socket.write(request()), 100);
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
  socket.write(request().repeat(3_000));
  socket.resume();
  await t.notThrowsAsync(eventually(() => socket.destroyed));
  t.is((await app.request(LARGE.path, { key })).status, 200);
});
