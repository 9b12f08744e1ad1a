import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { openServices } from '#src/open-services.ts';
import { startApiProcess } from '#test/api-process.ts';
import { createDatabase } from '#test/engines.ts';
import { testConfig, testEnv } from '#test/env.ts';
import { createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';

const DESCRIPTORS = 200;
const CONFIG = join(import.meta.dirname, '..', '..', 'src', 'config.ts');

test('the default limit of connections leaves file descriptors for the datastores', (t) => {
  const script = `import { readConfig } from ${JSON.stringify(CONFIG)}; console.log(readConfig(process.env).connections.total)`;
  const args = [process.execPath, '--input-type=module', '-e', script];
  for (const [descriptors, connections] of [
    [200, 85],
    [1_024, 435],
  ] as const) {
    const command = `ulimit -n ${descriptors}; exec "$0" "$@"`;
    const printed = execFileSync('sh', ['-c', command, ...args], { env: { ...process.env, ...testEnv() } });
    t.is(Number(printed), connections);
  }
});

test('a process that runs out of file descriptors returns 503 with Retry-After, never 500', async (t) => {
  t.timeout(120_000);
  // The process records its own indexes in it.
  const DATABASE_URL = await createDatabase('descriptors');
  const { services, close } = await openServices(testConfig({ DATABASE_URL }));
  t.teardown(close);
  const { key } = await createOrganization(services);
  const api = await startApiProcess(
    { DATABASE_URL, MAX_CONNECTIONS: '10000', LOG_LEVEL: 'error' },
    { descriptors: DESCRIPTORS },
  );
  t.teardown(() => api.end('SIGTERM'));
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1').setEncoding('utf8');
    t.teardown(() => socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  /** Sends a request, and reads the first part of its response. */
  const send = async (socket: Socket, path: string): Promise<string> => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    return (await once(socket, 'data'))[0] as string;
  };
  const search = (minPrice: number) => `/v1/listings?city=riyadh&listing_type=rent&price_min=${minPrice}`;
  const clients = await Promise.all(Array.from({ length: 40 }, open));
  for (const client of clients) t.regex(await send(client, '/healthz'), /^HTTP\/1\.1 200 /);
  // Opens connections to the datastores, which serve some of the requests below.
  t.regex(await send(clients[0] as Socket, search(0)), /^HTTP\/1\.1 200 /);
  // More connections than file descriptors, so that the process opens no other to a datastore. It closes those that it
  // cannot accept: the first one shows that all file descriptors are in use.
  const beyond = await Promise.all(Array.from({ length: DESCRIPTORS }, open));
  await Promise.race(beyond.map((socket) => once(socket.resume(), 'close')));
  const answers = await Promise.all(clients.map((client, index) => send(client, search(1_000 + index))));
  for (const text of answers) {
    t.regex(text, /^HTTP\/1\.1 (200|503) /);
    t.is(/^Retry-After: \d+\r$/m.test(text), text.startsWith('HTTP/1.1 503 '), text);
  }
  t.true(answers.some((text) => text.startsWith('HTTP/1.1 503 ')));
});
