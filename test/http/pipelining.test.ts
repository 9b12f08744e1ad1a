import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpServer } from '#http/server.ts';
import { createApp } from '#src/app.ts';
import { startTestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { listen } from '#test/listen.ts';
import { test } from '#test/serial.ts';
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
const NUMBERED = testEndpoint('/v1/test/numbered/{n}', {
  pathParameters: [{ name: 'n', schema: { type: 'integer' }, description: 'A number.', required: true }],
  // Later requests finish sooner, so that responses would be out of order without a queue.
  load: async ({ path }) => {
    await sleep(20 - (Number(path.n) % 20));
    return { body: { data: path.n } };
  },
});

const app = await startTestApp({ endpoints: [LARGE, NUMBERED] });
const limits = { headers: 10_000, request: 30_000, idle: READING, keepAlive: 65_000 };
const server = createHttpServer(createApp(app.services, [LARGE, NUMBERED]), 'http://docs.test', app.services, limits);
const { port, close } = await listen(server);
const { key } = await createOrganization(app.services);
test.after.always(async () => {
  await close();
  await app.close();
});

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

function open(): { socket: Socket; closed: Promise<unknown> } {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  return { socket, closed };
}

test('responses to pipelined requests are sent in order', async (t) => {
  const { socket } = open();
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const numbers = Array.from({ length: 200 }, (_, n) => n);
  for (const n of numbers) socket.write(request(`/v1/test/numbered/${n}`));
  while (text.split('{"data":').length <= numbers.length) await once(socket, 'data');
  t.deepEqual(
    [...text.matchAll(/\{"data":(\d+)\}/g)].map(([, n]) => Number(n)),
    numbers,
  );
  socket.destroy();
});

test('a client that does not read responses is disconnected within 10 s, with fewer than 40 of its requests handled', async (t) => {
  handled = 0;
  const { socket, closed } = open();
  socket.pause();
  const begun = performance.now();
  for (let n = 0; n < 400; n++) socket.write(request(LARGE.path));
  // The client keeps sending, so that it is never idle.
  const sending = setInterval(() => socket.write(request(LARGE.path)), 100);
  t.teardown(() => {
    clearInterval(sending);
    socket.destroy();
  });
  await Promise.race([closed, sleep(15_000)]);
  const took = performance.now() - begun;
  t.true(socket.destroyed);
  t.true(took >= READING && took < 10_000, `closed after ${took} ms`);
  t.true(handled < 40, `${handled} handled`);
});

test('a client with too many queued requests is disconnected', async (t) => {
  const { socket, closed } = open();
  socket.write(request(`/v1/test/numbered/1`).repeat(3_000));
  socket.resume();
  await Promise.race([closed, sleep(10_000)]);
  t.true(socket.destroyed);
  t.is((await app.request('/v1/test/numbered/1', { key })).status, 200);
});
