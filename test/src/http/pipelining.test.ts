import { connect, type Socket } from 'node:net';
import { createApp } from '#app/app.ts';
import { createHttpServer } from '#src/http/server.ts';
import { startTestApp } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization } from '#test/factories.ts';
import { listen } from '#test/listen.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

/** Time in milliseconds within which the test server requires clients to read a response. */
const READING = 700;

test('a client is disconnected that does not read responses, or has more than 16 requests in progress', async (t) => {
  let handled = 0;
  const large = testEndpoint('/v1/test/large', {
    load: async () => {
      handled++;
      return { body: { data: 'x'.repeat(2 ** 20) } };
    },
  });
  const app = await startTestApp({ endpoints: [large] });
  t.teardown(app.close);
  const limits = { headers: 10_000, request: 30_000, idle: READING, keepAlive: 65_000 };
  const server = createHttpServer(createApp(app.services, [large]), 'http://docs.test', app.services, limits);
  const { port, close } = await listen(server);
  t.teardown(close);
  const { key } = await createOrganization(app.services);
  const request = `GET ${large.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const open = (): Socket => connect(port, '127.0.0.1').on('error', () => {});

  const deaf = open().pause();
  const begun = performance.now();
  for (let n = 0; n < 4; n++) deaf.write(request);
  // The client keeps sending, so that it is never idle.
  const sending = setInterval(() => deaf.write(request), 100);
  t.teardown(() => {
    clearInterval(sending);
    deaf.destroy();
  });
  await eventually(() => deaf.destroyed);
  t.true(performance.now() - begun >= READING);
  t.true(handled <= 16, `${handled} handled`);

  handled = 0;
  const greedy = open().resume();
  greedy.write(request.repeat(3_000));
  await t.notThrowsAsync(eventually(() => greedy.destroyed));
  t.true(handled <= 16, `${handled} handled`);
  t.is((await app.request(large.path, { key })).status, 200);
});
