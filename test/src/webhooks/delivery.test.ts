import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { removeWebhookHistory } from '#app/workers/housekeeping/jobs.ts';
import { claimDeliveries } from '#src/webhooks/queue.ts';
import { secretEncryption } from '#src/webhooks/secrets.ts';
import { administered, verdict } from '#test/administration.ts';
import { eventually } from '#test/eventually.ts';
import { test } from '#test/test.ts';
import { type ReceivedRequest, type Receiver, startReceiver, startWebhookApp, type WebhookApp } from './app.ts';

const PROCESS = fileURLToPath(new URL('./worker-process.ts', import.meta.url));
const MINUTE = 60_000;
const RECEIVERS = 4;
/** Number of unresponsive receivers in one organization. */
const CROWD = 20;

/** Lookups of host names. The first one returns a public address, later ones a private address. */
let lookups = 0;
let receivers: Receiver[];
let crowd: Receiver[];
let app: WebhookApp;
test.before(async () => {
  receivers = await Promise.all(Array.from({ length: RECEIVERS }, startReceiver));
  crowd = await Promise.all(Array.from({ length: CROWD }, startReceiver));
  app = await startWebhookApp('webhooks_delivery', {
    privateHosts: [...receivers, ...crowd].map(({ host }) => host),
    overrides: { resolve: async () => [{ address: lookups++ === 0 ? '93.184.216.34' : '127.0.0.1', family: 4 }] },
  });
});
test.after(async () => {
  await app.close();
  await Promise.all([...(receivers ?? []), ...(crowd ?? [])].map((each) => each.close()));
});
test.beforeEach(() => {
  for (const receiver of receivers) {
    receiver.received = [];
    receiver.answer = (_, response) => response.end('ok');
  }
});
test.afterEach(() => app.services.pool.query('delete from webhook_endpoints; delete from webhook_deliveries'));

const receiver = (index = 0): Receiver => receivers[index] as Receiver;
const eventOf = ({ body }: ReceivedRequest) => JSON.parse(body);

/** Returns the digests in a signature header, and the digests expected by an independent implementation. */
function digests(
  { headers, body }: ReceivedRequest,
  secrets: readonly string[],
): [given: string[], expected: string[]] {
  const match = /^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(String(headers['service-signature']));
  const [, time, rest = ''] = match ?? [];
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'));
  return [rest.split(',v1=').slice(1), expected];
}

test('an event is sent with a signature and headers, and the receiver’s response is recorded', async (t) => {
  const { id, secret } = await app.subscribe(`${receiver().url}in?from=here`);
  receiver().answer = (_, response) => response.writeHead(201, { 'content-type': 'text/plain' }).end('é\0'.repeat(400));
  const stop = app.startWorker();
  const [event] = await app.run([{ listing: app.listing() }]);
  await app.until(async () => (await app.deliveries(id, 'delivered')).length === 1);
  await stop();
  const [call] = receiver().received as [ReceivedRequest];
  t.is(receiver().received.length, 1);
  t.is(call.path, '/in?from=here');
  t.like(call.headers, {
    'content-type': 'application/json',
    'service-event-id': event,
    'service-event-type': 'listing.created',
    'service-delivery-attempt': '1',
  });
  t.regex(call.headers['user-agent'] ?? '', /^Service-Webhooks\/1 \(\+https?:\/\/\S+\)$/);
  const [given, expected] = digests(call, [secret]);
  t.deepEqual(given, expected);
  t.is(eventOf(call).id, event);
  const [delivery] = await app.deliveries(id);
  t.like(delivery, { event_id: event, sequence: 1, status: 'delivered', attempts_made: 1, next_attempt_at: null });
  t.like(delivery.attempts[0], { number: 1, status: 201, error: null, reply: 'é\uFFFD'.repeat(250) });
  const [shown] = await app.owner.all('/webhooks');
  t.like(shown, { last_sequence: 1, lag: { pending: 0, seconds: 0, behind: false } });
  t.like(shown.deliveries, { delivered: 1, failed: 0, success_rate_pct: 100 });
});

test('a delivery follows the complete retry schedule and can be replayed with the same event id', async (t) => {
  const { id } = await app.subscribe(receiver().url);
  receiver().answer = (_, response) => response.writeHead(410).end('gone');
  const stop = app.startWorker({ pollMs: 20 });
  await app.run([{ listing: app.listing() }]);
  const made = async (attempts: number) => {
    await app.until(async () => (await app.deliveries(id))[0]?.attempts_made === attempts);
    return (await app.deliveries(id))[0];
  };
  for (const [index, minutes] of [1, 5, 30, 120, 360].entries()) {
    const { attempts, next_attempt_at } = await made(index + 1);
    const wait = Date.parse(next_attempt_at) - Date.parse(attempts[0].at);
    t.true(wait >= minutes * MINUTE && wait <= minutes * MINUTE * 1.1 + 10_000, `${wait} ms after ${index + 1}`);
    app.pass(minutes * MINUTE * 1.1 + 10_000);
  }
  const failed = await made(6);
  t.like(failed, { status: 'failed', next_attempt_at: null });
  t.deepEqual(
    receiver().received.map(({ headers }) => headers['service-delivery-attempt']),
    ['1', '2', '3', '4', '5', '6'],
  );
  t.like((await app.owner.all('/webhooks'))[0], {
    status: 'enabled',
    deliveries: { failed: 1, exhausted_since_enabled: 1 },
  });

  receiver().answer = (_, response) => response.end();
  t.is((await app.owner.post(`/webhooks/${id}/deliveries/${failed.id}/replay`)).status, 200);
  await app.until(async () => (await app.deliveries(id, 'delivered')).length === 1);
  await stop();
  t.is(new Set(receiver().received.map(({ body }) => body)).size, 1, 'identical bytes');
  t.is(new Set(receiver().received.map(({ headers }) => headers['service-event-id'])).size, 1);
  t.deepEqual(
    (await app.deliveries(id))[0].attempts.map(({ number }: { number: number }) => number),
    [7, 6, 5, 4, 3, 2, 1],
  );
});

test('an endpoint is disabled at twenty failed deliveries, and each counts once however often it is replayed', async (t) => {
  const { pool } = app.services;
  const { id } = await app.subscribe(receiver().url);
  const shown = async () => (await app.owner.all('/webhooks'))[0];
  const replay = (delivery: string) => app.owner.post(`/webhooks/${id}/deliveries/${delivery}/replay`);
  const queue = async (count: number) => {
    await app.run(Array.from({ length: count }, () => ({ listing: app.listing() })));
    await app.match();
  };
  /** Sends the pending deliveries, each of which has one attempt left, until a condition holds. */
  const send = async (isSo: () => Promise<boolean>) => {
    await pool.query(`update webhook_deliveries set tries = 5, due_at = created_at where status = 'pending'`);
    const stop = app.startWorker();
    await app.until(isSo);
    await stop();
  };
  receiver().answer = (_, response) => response.writeHead(500).end();
  await queue(12);
  for (let round = 0; round < 3; round++) {
    await pool.query('delete from sending_limits');
    for (const delivery of await app.deliveries(id, 'failed')) t.is((await replay(delivery.id)).status, 200);
    await send(async () => (await app.deliveries(id, 'failed')).length === 12);
  }
  t.like(await shown(), { status: 'enabled', deliveries: { failed: 12, exhausted_since_enabled: 12 } });
  receiver().answer = (_, response) => response.end();
  await replay((await app.deliveries(id))[0].id);
  await send(async () => (await app.deliveries(id, 'delivered')).length === 1);
  t.deepEqual(Object.values((await shown()).deliveries), [1, 11, 8.33, 11]);

  receiver().answer = (_, response) => response.writeHead(500).end();
  await queue(14);
  await send(async () => (await shown()).status === 'disabled');
  t.is((await shown()).disabled_reason, 'exhausted');
  t.true((await app.deliveries(id, 'failed')).length >= 20);
  const disabled = (await app.owner.all('/audit-events')).find(({ action }) => action === 'webhook.disabled');
  t.like(disabled, { target_id: id, actor: { type: 'system' } });

  receiver().answer = (_, response) => response.end();
  receiver().received.length = 0;
  await replay((await app.deliveries(id, 'failed'))[0].id);
  await app.owner.post(`/webhooks/${id}/test`);
  await send(async () => (await app.deliveries(id, 'delivered')).length === 3);
  const isTest = receiver().received.map((call) => eventOf(call).test ?? false);
  t.deepEqual(isTest.sort(), [false, true], 'only the test and the replay of the owner');
  await pool.query(`update webhook_endpoints set enabled_at = enabled_at + interval '1 year'`);
  t.is((await shown()).deliveries.exhausted_since_enabled, 0, 'failures before the endpoint was enabled do not count');
});

/** Sends a response body that never ends. */
const drip: Receiver['answer'] = (_, response) => {
  response.writeHead(200).write('d');
  const timer = setInterval(() => response.write('d'), 50);
  response.on('close', () => clearInterval(timer));
};

/** Sends a response header that never ends. */
const dripHead: Receiver['answer'] = (_, { socket }) => {
  const head = 'HTTP/1.1 200 OK\r\nx-drip: ';
  let at = 0;
  const timer = setInterval(() => socket?.write(head[at++] ?? 'x'), 50);
  socket?.on('close', () => clearInterval(timer));
};

test('slow, oversized, invalid and missing responses are recorded with a status or an error', async (t) => {
  /** How a receiver responds, and the status, HTTP status and error that are recorded. */
  const ways: Readonly<Record<string, readonly [answer: Receiver['answer'], ...recorded: unknown[]]>> = {
    drip: [drip, 'delivered', 200, null],
    'drip-head': [dripHead, 'pending', null, 'timeout'],
    huge: [(_, response) => response.writeHead(500).end(Buffer.alloc(10_000_000, 'x')), 'pending', 500, 'status'],
    packed: [
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
      'delivered',
      200,
    ],
    nothing: [() => {}, 'pending', null, 'timeout'],
    interim: [
      (_, response) => {
        response.writeContinue();
        response.writeProcessing();
        response.end('ok');
      },
      'delivered',
      200,
      null,
    ],
    close: [(_, { socket }) => socket?.destroy(), 'pending', null],
    inside: [(_, response) => response.writeHead(302, { location: receiver(1).url }).end(), 'pending', 302, 'status'],
    later: [(_, response) => response.writeHead(503, { 'retry-after': '1800' }).end('busy'), 'pending'],
  };
  const ids = new Map<string, string>();
  // Each on a separate host, because deliveries to a new host are sent one at a time.
  for (const [index, [way, [answer]]] of Object.entries(ways).entries()) {
    const own = crowd[index] as Receiver;
    own.answer = answer;
    ids.set(way, (await app.subscribe(own.url)).id);
  }
  const begun = app.now();
  await app.run([{ listing: app.listing() }]);
  const stop = app.startWorker({ receiverMs: 1_500 });
  const first = async (way: string) => (await app.deliveries(ids.get(way) as string))[0];
  for (const way of ids.keys()) await app.until(async () => (await first(way))?.attempts_made === 1);
  await stop();
  for (const [way, [, ...recorded]] of Object.entries(ways)) {
    const { status, attempts } = await first(way);
    const [{ status: httpStatus, error, duration_ms }] = attempts;
    t.deepEqual([status, httpStatus, error].slice(0, recorded.length), recorded, way);
    t.true(duration_ms < 10_000, way);
  }
  t.is((await first('huge')).attempts[0].reply, 'x'.repeat(500));
  t.is(receiver(1).received.length, 0, 'the redirect was not followed');
  t.true(Date.parse((await first('later')).next_attempt_at) >= begun + 30 * MINUTE - 1_000);
});

test('workers with different clocks send a delivery once, and a delivery in flight is not replayed', async (t) => {
  const { id } = await app.subscribe(receiver().url);
  const open: ServerResponse[] = [];
  receiver().answer = (_, response) => open.push(response);
  const stop = app.startWorker();
  const { id: delivery } = (await app.owner.post(`/webhooks/${id}/test`)).body.data;
  await app.until(() => open.length === 1);
  const claim = await app.services.pool.connect();
  t.teardown(() => claim.release());
  const late = { now: new Date(app.now() + 10 * MINUTE), leaseMs: 45_000, limit: 10, perHost: 8, perOrganization: 8 };
  t.deepEqual(await claimDeliveries(claim, { ...late, hosts: new Map(), organizations: new Map() }), []);
  t.is(verdict(await app.owner.post(`/webhooks/${id}/deliveries/${delivery}/replay`)), '409 conflict');
  t.like((await app.owner.post(`/webhooks/${id}/recover`, { since: SINCE })).body.data, { recovered: 0, remaining: 0 });
  open[0]?.end();
  await app.until(async () => (await app.deliveries(id, 'delivered')).length === 1);
  await stop();
  t.is(receiver().received.length, 1);
});

test('a delivery that waits for its next attempt is sent when it is replayed', async (t) => {
  const { id } = await app.subscribe(receiver().url);
  receiver().answer = (_, response) => response.writeHead(500).end();
  const stop = app.startWorker();
  const { id: delivery } = (await app.owner.post(`/webhooks/${id}/test`)).body.data;
  await app.until(async () => (await app.deliveries(id))[0].attempts_made === 1);
  t.is(receiver().received.length, 1);
  receiver().answer = (_, response) => response.end();
  t.is(verdict(await app.owner.post(`/webhooks/${id}/deliveries/${delivery}/replay`)), '200');
  await app.until(async () => (await app.deliveries(id, 'delivered')).length === 1);
  await stop();
  const attempts = receiver().received.map(({ headers }) => headers['service-delivery-attempt']);
  t.deepEqual(attempts, ['1', '2']);
  t.like((await app.owner.all('/webhooks'))[0].deliveries, { delivered: 1, failed: 0 });
});

const SINCE = '2026-01-01T00:00:00Z';

test('a recovery sends what failed or waits, once, in the order of events and within the limit of replays', async (t) => {
  const { pool } = app.services;
  const FAILED = 19;
  const WAITING = 41;
  await pool.query('delete from sending_limits');
  const { id } = await app.subscribe(receiver().url);
  const recover = async (since = SINCE) => (await app.owner.post(`/webhooks/${id}/recover`, { since })).body.data;
  await app.run(Array.from({ length: FAILED + WAITING + 2 }, () => ({ listing: app.listing() })));
  await app.match();
  t.like(await recover(), { recovered: 0, remaining: 0 }, 'no attempt has failed');
  await pool.query(
    `update webhook_deliveries set tries = case when sequence > $1 then 3 else 6 end, attempts = 6,
            status = case when sequence > $2 then 'delivered' when sequence > $1 then 'pending' else 'failed' end,
            due_at = $3, finished_at = case when sequence <= $1 or sequence > $2 then now() end`,
    [FAILED, FAILED + WAITING, new Date(app.now() + 60 * MINUTE)],
  );
  await pool.query(`update webhook_deliveries set created_at = created_at - interval '1 day' where sequence = 1`);
  const later = new Date(app.now() - 12 * 60 * MINUTE).toISOString();
  t.deepEqual(await recover(later), { id, recovered: FAILED + WAITING - 1, remaining: 0 });
  t.like(await recover(later), { recovered: 0, remaining: 0 }, 'they wait for their turn');
  const { rows } = await pool.query<{ wait: number }>(
    `select extract(epoch from due_at - $1::timestamptz)::float8 as wait from webhook_deliveries
      where requested order by sequence`,
    [new Date(app.now())],
  );
  const waits = rows.map(({ wait }) => Math.round(Math.max(0, wait)));
  t.deepEqual(waits.slice(0, 20), Array(20).fill(0));
  t.true(Math.abs((waits.at(-1) ?? 0) - ((FAILED + WAITING - 1 - 20) * 3_600) / 580) < 10, waits.join());

  const stop = app.startWorker();
  await app.until(() => receiver().received.length >= 20);
  await stop();
  const sequences = receiver().received.map((call) => eventOf(call).sequence);
  t.deepEqual(sequences.sort((a, b) => a - b).slice(0, 20), range(2, 21));
  const audits = (await app.owner.all('/audit-events')).filter(({ action }) => action === 'webhook.recovered');
  t.deepEqual(
    audits.map(({ details }) => details.deliveries),
    [FAILED + WAITING - 1],
  );

  // What has failed again, and what waits because failures disabled the endpoint. Replays and recoveries share a limit.
  await pool.query(`update webhook_deliveries set tries = 1 where status = 'pending'`);
  await app.owner.post(`/webhooks/${id}`, { status: 'disabled' });
  t.is(verdict(await app.owner.post(`/webhooks/${id}/recover`, { since: SINCE })), '409 conflict', 'it is paused');
  await pool.query(`update webhook_endpoints set disabled_reason = 'exhausted'`);
  await pool.query(
    `insert into webhook_deliveries (public_id, endpoint_id, sequence, event_id, event_type, body, created_at, due_at)
     select 'dlv_r' || n, e.id, n, 'evt_r' || n, 'listing.created', '{}', now(), now()
       from webhook_endpoints e, generate_series(1001, 1600) n`,
  );
  let answer = await app.owner.post(`/webhooks/${id}/recover`, { since: SINCE });
  t.is(answer.body.data.recovered, 500);
  t.true(answer.body.data.remaining >= 100);
  let total = FAILED + WAITING - 1;
  for (; answer.status === 200; answer = await app.owner.post(`/webhooks/${id}/recover`, { since: SINCE }))
    total += answer.body.data.recovered;
  t.is(verdict(answer), '429 rate_limited');
  // A message more for each six seconds of this test.
  t.true(total >= 600 && total < 615, `${total} in the next hour`);
  const { id: one } = (await app.deliveries(id, 'delivered'))[0];
  t.is(verdict(await app.owner.post(`/webhooks/${id}/deliveries/${one}/replay`)), '429 rate_limited');
});

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

test('the headers of Standard Webhooks are signed with secrets of its form only', async (t) => {
  const { id, secret } = await app.subscribe(receiver().url);
  const { config, random, pool } = app.services;
  const earlier = `whsec_${Buffer.alloc(32, 251).toString('base64url')}`;
  const stop = app.startWorker();
  const sent = async (): Promise<ReceivedRequest> => {
    await app.owner.post(`/webhooks/${id}/test`);
    await app.until(() => receiver().received.length === 1);
    return receiver().received.pop() as ReceivedRequest;
  };
  const expected = ({ headers, body }: ReceivedRequest, key: string): string => {
    const hmac = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'));
    return `v1,${hmac.update(`${headers['service-event-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64')}`;
  };
  const first = await sent();
  t.is(first.headers['webhook-id'], first.headers['service-event-id']);
  t.is(first.headers['webhook-timestamp'], /t=(\d+)/.exec(String(first.headers['service-signature']))?.[1]);
  t.is(first.headers['webhook-signature'], expected(first, secret));
  const rotate = async () =>
    (await app.owner.post(`/webhooks/${id}/rotate-secret`, { grace_seconds: 100_000, force: true })).body.data.secret;
  const next = await rotate();
  const both = await sent();
  t.is(both.headers['webhook-signature'], `${expected(both, next)} ${expected(both, secret)}`);

  await pool.query('update webhook_endpoints set secret = $1, previous_secret_until = null', [
    secretEncryption(config.encryptionKeys, random).encrypt(earlier),
  ]);
  const old = await sent();
  t.is(old.headers['webhook-signature'], undefined);
  t.deepEqual(...digests(old, [earlier]));
  const newest = await rotate();
  const last = await sent();
  await stop();
  t.is(last.headers['webhook-signature'], expected(last, newest));
  t.deepEqual(...digests(last, [newest, earlier]));
});

test('events are signed with both secrets during a rotation', async (t) => {
  const { id, secret } = await app.subscribe(receiver().url);
  // The grace period is longer than earlier tests have advanced the clock.
  const rotated = await app.owner.post(`/webhooks/${id}/rotate-secret`, { grace_seconds: 100_000 });
  const next = rotated.body.data.secret;
  const stop = app.startWorker();
  await app.owner.post(`/webhooks/${id}/test`);
  await app.until(() => receiver().received.length === 1);
  await app.services.pool.query('update webhook_endpoints set previous_secret_until = created_at');
  await app.owner.post(`/webhooks/${id}/test`);
  await app.until(() => receiver().received.length === 2);
  await stop();
  const [both, one] = receiver().received as [ReceivedRequest, ReceivedRequest];
  t.deepEqual(...digests(both, [next, secret]));
  t.deepEqual(...digests(one, [next]));
  t.not(next, secret);
});

test('a webhook endpoint whose host name resolves to a private address after registration is not called', async (t) => {
  const { id } = await app.subscribe('https://flips.test/');
  const stop = app.startWorker();
  await app.owner.post(`/webhooks/${id}/test`);
  await app.until(async () => (await app.deliveries(id))[0].attempts_made === 1);
  await stop();
  t.like((await app.deliveries(id))[0].attempts[0], { status: null, error: 'address_not_allowed' });
  t.true(lookups > 1);
});

test('twenty unresponsive receivers delay neither other organizations nor other endpoints of the same organization', async (t) => {
  const EVENTS = 60;
  const open: ServerResponse[] = [];
  for (const each of crowd) {
    each.received.length = 0;
    each.answer = (_, response) => open.push(response);
    await app.subscribe(each.url);
  }
  await app.subscribe(receiver(0).url);
  await app.subscribe(receiver(1).url, {}, await administered(app));
  await app.run(Array.from({ length: EVENTS }, () => ({ listing: app.listing() })));
  await app.match();
  // The timeouts are longer than the test.
  const slow = { receiverMs: 90_000, leaseMs: 120_000 };
  const few = app.startWorker({ ...slow, atOnce: CROWD, perOrganization: CROWD / 2 });
  await app.until(() => receiver(1).received.length >= EVENTS);
  const sent = crowd.reduce((sum, { received }) => sum + received.length, 0);
  t.true(sent <= CROWD / 2, `${sent} deliveries of the organization were in flight`);
  const stop = app.startWorker({ ...slow, atOnce: CROWD * 2 });
  await app.until(() => receiver(0).received.length >= EVENTS);
  await app.services.pool.query('delete from webhook_endpoints');
  for (const each of crowd) each.answer = (_, response) => response.end();
  for (const response of open) response.end();
  await Promise.all([few(), stop()]);
});

async function startProcess(): Promise<ChildProcess> {
  const { config } = app.services;
  const child = spawn(process.execPath, [PROCESS], {
    env: {
      ...process.env,
      DATABASE_URL: config.databaseUrl,
      INDEX_PREFIX: config.opensearch.indexPrefix,
      WEBHOOK_PRIVATE_HOSTS: config.webhookPrivateHosts.join(','),
      CITY: app.city,
      WEBHOOK_WORKER: JSON.stringify({ pollMs: 20, leaseMs: 1_500, receiverMs: 1_000 }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

test('events arrive even if workers are killed at random points, and repeated deliveries are identical', async (t) => {
  t.timeout(300_000);
  const ENDPOINTS = 25;
  const EVENTS = 150;
  const subscribed = [];
  for (let made = 0; made < ENDPOINTS; made++)
    subscribed.push(await app.subscribe(`${receiver(made % RECEIVERS).url}${made}`));
  // The worker processes use the real time.
  const ids = await app.run(Array.from({ length: EVENTS }, () => ({ listing: app.listing() })));
  for (let kill = 0; kill < 8; kill++) {
    const child = await startProcess();
    const killed = receiver(kill % RECEIVERS);
    const { answer } = killed;
    if (kill % 2 === 0) await sleep(Math.random() * 300);
    else
      await new Promise<void>((resolve) => {
        // A request without a response was not received, so its event must be sent again.
        killed.answer = (call) => {
          killed.received = killed.received.filter((each) => each !== call);
          resolve();
        };
      });
    child.kill('SIGKILL');
    await once(child, 'exit');
    killed.answer = answer;
  }
  const last = await Promise.all([startProcess(), startProcess()]);
  const open = async () =>
    (
      await app.services.pool.query<{ open: boolean }>(
        `select exists (select from webhook_deliveries where status = 'pending')
             or (select count(*) from webhook_deliveries) < $1 as open`,
        [ENDPOINTS * EVENTS],
      )
    ).rows[0]?.open;
  await eventually(async () => !(await open()), 200_000, 100);
  for (const child of last) child.kill('SIGTERM');
  await Promise.all(last.map((child) => once(child, 'exit')));
  let repeats = 0;
  for (const [index, { id }] of subscribed.entries()) {
    const calls = receiver(index % RECEIVERS).received.filter(({ path }) => path === `/${index}`);
    const bodies = new Map<string, string>();
    for (const { headers, body } of calls) {
      const event = String(headers['service-event-id']);
      if (bodies.has(event)) repeats++;
      t.is(bodies.get(event) ?? body, body);
      bodies.set(event, body);
    }
    t.deepEqual([...bodies.keys()].sort(), [...ids].sort(), id);
    const sequences = [...bodies.values()].map((body) => JSON.parse(body).sequence).sort((a, b) => a - b);
    t.deepEqual(
      sequences,
      Array.from({ length: EVENTS }, (_, at) => at + 1),
    );
  }
  t.log(`${repeats} repeats of ${ENDPOINTS * EVENTS}`);
});

test('two concurrent workers send each event once to each endpoint', async (t) => {
  const { id } = await app.subscribe(receiver(0).url);
  await app.subscribe(receiver(1).url);
  const stops = [app.startWorker(), app.startWorker()];
  const ids = await app.run(Array.from({ length: 300 }, () => ({ listing: app.listing() })));
  await app.until(async () => (await app.deliveries(id, 'delivered')).length === 300);
  await app.until(() => receiver(1).received.length >= 300);
  await Promise.all(stops.map((stop) => stop()));
  for (const index of [0, 1]) {
    const sent = receiver(index).received.map(({ headers }) => String(headers['service-event-id']));
    t.deepEqual(sent.sort(), [...ids].sort());
  }
});

test('a webhook endpoint with a long history is deleted immediately, and its history later in batches', async (t) => {
  const ROWS = 12_000;
  const { pool } = app.services;
  const db = await pool.connect();
  t.teardown(() => db.release());
  await pool.query('delete from webhook_remains');
  const { id } = await app.subscribe(receiver().url);
  const other = await app.subscribe(receiver(1).url);
  await app.run([{ listing: app.listing() }]);
  await app.match();
  await pool.query(
    `insert into webhook_deliveries (public_id, endpoint_id, sequence, event_id, event_type, body, created_at, due_at)
     select 'dlv_' || n, e.id, n, 'evt_' || n, 'listing.created', '{}', now(), now()
       from webhook_endpoints e, generate_series(2, $2::int) n where e.public_id = $1`,
    [id, ROWS],
  );
  t.is((await app.owner.post(`/webhooks/${id}/delete`)).status, 200);
  t.is((await app.owner.get(`/webhooks/${id}/deliveries`)).status, 404);
  const stop = app.startWorker();
  await app.until(async () => (await app.deliveries(other.id, 'delivered')).length === 1);
  await stop();
  t.is(receiver().received.length, 0, 'deliveries of a deleted endpoint are not sent');
  t.deepEqual(await removeWebhookHistory.run(db, new Date()), { endpoints: 1, deleted: ROWS });
  t.deepEqual(await removeWebhookHistory.run(db, new Date()), { endpoints: 0, deleted: 0 });
  t.is((await app.deliveries(other.id)).length, 1);
});
