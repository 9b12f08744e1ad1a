import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Pool } from 'undici';
import { openServices } from '#src/open-services.ts';
import { finisher } from '#start/http.ts';
import { startApiProcess } from '#test/api-process.ts';
import { createDatabase } from '#test/engines.ts';
import { testConfig } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';

const CLIENTS = 60;
const SEARCH = '/v1/listings?city=riyadh&listing_type=rent&limit=25';

test('stopping a process under load fails no request and loses no usage', async (t) => {
  // The process records its own indexes in it.
  const DATABASE_URL = await createDatabase('stop');
  const { services, close } = await openServices(testConfig({ DATABASE_URL }));
  t.teardown(close);
  const { id, key } = await createOrganization(services, { plan: 'pro', columns: { units_per_minute: 1_000_000 } });
  const api = await startApiProcess({ DATABASE_URL });
  t.teardown(() => api.end('SIGKILL'));
  const pool = new Pool(api.url, { connections: CLIENTS, pipelining: 1 });
  t.teardown(() => pool.destroy());

  let answered = 0;
  let units = 0;
  const failures: string[] = [];
  const loaded = Promise.withResolvers<void>();
  const client = async (): Promise<void> => {
    for (;;) {
      try {
        const headers = { authorization: `Bearer ${key}` };
        const { statusCode, headers: got, body } = await pool.request({ method: 'GET', path: SEARCH, headers });
        await body.text();
        if (statusCode !== 200) failures.push(String(statusCode));
        units += Number(got['x-request-units']);
        if (++answered === 3 * CLIENTS) loaded.resolve();
      } catch (error) {
        // The process no longer accepts new connections.
        if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return;
        failures.push(String(error));
        return;
      }
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  await loaded.promise;
  t.is(await api.end('SIGTERM'), 0);
  await clients;
  t.deepEqual(failures, []);
  t.log(`${answered} searches completed`);
  const { rows } = await services.pool.query(
    `select (select sum(units)::bigint from unit_counters where subject = 'organization' and subject_id = $1) as charged,
            (select sum(units)::bigint from usage_days where organization_id = $1) as used,
            (select count(*) from request_logs where organization_id = $1) as logged`,
    [id],
  );
  t.deepEqual(rows, [{ charged: units, used: units, logged: answered }]);
});

test('a stopping server finishes open requests, closes keep-alive connections, then accepts no new ones', async (t) => {
  const waiting: ServerResponse[] = [];
  const arrived = new EventTarget();
  const server = createServer((_request, response) => {
    waiting.push(response);
    arrived.dispatchEvent(new Event('request'));
  });
  const finish = finisher(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (agent: Agent) => {
    const came = once(arrived, 'request');
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      get({ port, host: '127.0.0.1', agent }, (response) => resolve(response.resume())).on('error', reject);
    });
    await came;
    return { answer, response: waiting.at(-1) as ServerResponse };
  };
  const [busy, idle] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
  t.teardown(() => {
    busy.destroy();
    idle.destroy();
  });
  const first = await ask(idle);
  const free = once(idle, 'free');
  first.response.end('first');
  t.is((await first.answer).headers.connection, 'keep-alive');
  await free;
  const second = await ask(busy);

  const finished = finish();
  let outcome: string | undefined;
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1');
    outcome = await once(socket, 'connect').then(
      () => 'connected',
      (error: NodeJS.ErrnoException) => error.code,
    );
    socket.destroy();
    return outcome !== 'connected';
  });
  t.is(outcome, 'ECONNREFUSED');
  const third = await ask(idle);
  for (const { response, answer } of [second, third]) {
    response.end('done');
    t.is((await answer).headers.connection, 'close');
  }
  await finished;
});
