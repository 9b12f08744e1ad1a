import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { freePort } from '#embedded/ports.ts';
import { cli as run, startCli } from '#test/cli.ts';
import { test } from '#test/test.ts';
import { secretEncryption } from '#webhooks/secrets.ts';
import { isSigned, signatureHeader } from '#webhooks/signature.ts';
import { type Received, startReceiver, startWebhookApp, type WebhookApp } from './app.ts';

const OLD = 'old:the old key of thirty-two characters or more';

let port: number;
let app: WebhookApp;
test.before(async () => {
  port = await freePort();
  app = await startWebhookApp('webhooks_cli', {
    privateHosts: ['127.0.0.1:1', `127.0.0.1:${port}`],
    env: { ENCRYPTION_KEYS: OLD },
  });
});
test.after(() => app.close());

const environment = (keys: string) => ({ DATABASE_URL: app.services.config.databaseUrl, ENCRYPTION_KEYS: keys });

async function cli(args: readonly string[], keys = OLD) {
  const { code, out } = await run(['--json', 'webhook', ...args], environment(keys));
  return { code, body: JSON.parse(out) };
}

test('webhook commands list, disable and enable endpoints, rotate and reencrypt secrets and replay events, and are audited', async (t) => {
  const { id, secret } = await app.subscribe('http://127.0.0.1:1/');
  t.like((await cli(['list'])).body[0], { id, status: 'enabled', url: 'http://127.0.0.1:1/', pending: 0 });
  await cli(['disable', id]);
  t.like((await app.owner.all('/webhooks'))[0], { status: 'disabled', disabled_reason: 'operator' });
  t.is((await app.owner.post(`/webhooks/${id}/test`)).status, 409);
  await cli(['enable', id]);
  t.like((await app.owner.all('/webhooks'))[0], { status: 'enabled', disabled_reason: null });
  t.deepEqual(await cli(['enable', id]), { code: 1, body: { error: 'The endpoint is already enabled.' } });
  t.is((await cli(['disable', 'whk_none'])).code, 1);

  const rotated = (await cli(['rotate', id, '--overlap', '1h'])).body.secret;
  t.regex(rotated, /^whsec_/);
  t.not(rotated, secret);
  const until = (await app.owner.all('/webhooks'))[0].old_secret_until;
  t.truthy(until);
  const refused = await cli(['rotate', id]);
  t.is(refused.code, 1);
  t.regex(refused.body.error, new RegExp(`signs deliveries until ${until}.*--force`));
  t.not((await cli(['rotate', id, '--overlap', '1h', '--force'])).body.secret, rotated);

  await app.run([{ listing: app.listing() }, { listing: app.listing() }]);
  await app.match();
  await app.services.pool.query(`update webhook_deliveries set status = 'failed' where sequence = 1`);
  const range = ['--from', '2020-01-01T00:00:00Z', '--to', '2199-01-01T00:00:00Z'];
  t.is((await cli(['replay', id, ...range, '--failed'])).body.deliveries, 1);
  t.is((await cli(['replay', id, ...range])).body.deliveries, 0, 'all deliveries are already pending');

  const keys = `new:the new key of thirty-two characters or more,${OLD}`;
  t.deepEqual((await cli(['reencrypt'], keys)).body, { secrets: 1 });
  const bytes = (await app.services.pool.query('select secret from webhook_endpoints')).rows[0].secret as Buffer;
  t.is(bytes.toString('utf8', 1, 4), 'new');
  t.is((await cli(['reencrypt'], OLD)).code, 1, 'the new key is required');
  await cli(['reencrypt'], keys.split(',').reverse().join(','));

  const actions = (await app.owner.all('/audit-events')).map(({ action }) => action);
  t.deepEqual(actions, [
    'webhook.replayed',
    'webhook.replayed',
    'webhook.secret_rotated',
    'webhook.secret_rotated',
    'webhook.enabled',
    'webhook.disabled',
    'webhook.created',
  ]);
});

test('a replay and a reencryption of thousands of rows process each delivery and each secret exactly once', async (t) => {
  const MANY = 2_345;
  const { pool } = app.services;
  const { id, secret } = await app.subscribe('http://127.0.0.1:1/');
  await pool.query(
    `insert into webhook_deliveries (public_id, endpoint_id, sequence, event_id, event_type, body, status, created_at, due_at)
     select 'dlv_' || n, e.id, n, 'evt_' || n, 'listing.created', '{}', case when n % 2 = 0 then 'failed' else 'delivered' end,
            '2021-06-01'::timestamptz + n * interval '1 second', now() from webhook_endpoints e, generate_series(0, $2::int + 1) n where e.public_id = $1`,
    [id, MANY],
  );
  // The range includes its start and excludes its end.
  const end = new Date(Date.parse('2021-06-01T00:00:01Z') + MANY * 1_000).toISOString().replace('.000', '');
  const range = ['--from', '2021-06-01T00:00:01Z', '--to', end];
  t.is((await cli(['replay', id, ...range, '--failed'])).body.deliveries, Math.floor(MANY / 2));
  t.is((await cli(['replay', id, ...range])).body.deliveries, Math.ceil(MANY / 2));
  const { rows: others } = await pool.query(
    `select sequence::int from webhook_deliveries where event_id like 'evt_%' and status <> 'pending' order by 1`,
  );
  t.deepEqual(others, [{ sequence: 0 }, { sequence: MANY + 1 }]);
  const audits = (await app.owner.all('/audit-events')).filter(({ target_id }) => target_id === id);
  const counts = audits.map(({ details }) => details.deliveries ?? 0);
  t.is(
    counts.reduce((sum, count) => sum + count, 0),
    MANY,
  );
  t.true(Math.max(...counts) <= 1_000);

  await pool.query(
    `insert into webhook_endpoints (public_id, organization_id, url, host, event_types, filters, secret, created_at, matched_run,
       matched_listing)
     select public_id || n, organization_id, url, host, event_types, filters, secret, created_at, matched_run, matched_listing
       from webhook_endpoints, generate_series(1, $2::int) n where public_id = $1`,
    [id, MANY],
  );
  const keys = `new:the new key of thirty-two characters or more,${OLD}`;
  const all = (await pool.query('select count(*)::int as count from webhook_endpoints')).rows[0].count;
  t.deepEqual((await cli(['reencrypt'], keys)).body, { secrets: all });
  const [newest] = keys.split(',');
  const encryption = secretEncryption([{ id: 'new', secret: newest?.split(':')[1] ?? '' }], app.services.random);
  const { rows } = await pool.query('select secret from webhook_endpoints where public_id like $1', [`${id}%`]);
  t.is(rows.length, MANY + 1);
  for (const row of rows) t.is(encryption.decrypt(row.secret), secret);
  await pool.query('delete from webhook_endpoints');
});

test('the listen command receives events and distinguishes valid from invalid signatures', async (t) => {
  const { id, secret } = await app.subscribe('http://127.0.0.1:1/');
  const child = startCli(['--json', 'webhook', 'listen', id, '--port', '0'], environment(OLD));
  t.teardown(() => child.kill('SIGKILL'));
  const [said] = (await once(child.stderr, 'data')) as [Buffer];
  const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(said.toString('utf8'))?.[0];
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = async (signedBy: string) => {
    const body = '{"id":"evt_1"}';
    const header = signatureHeader(body, [signedBy], Math.floor(Date.now() / 1_000));
    const headers = { 'service-signature': header, 'service-delivery-attempt': '2' };
    const { status } = await fetch(url ?? '', { method: 'POST', body, headers });
    return { status, ...JSON.parse(String((await lines.next()).value)) };
  };
  t.deepEqual(await send(secret), { status: 200, verified: true, attempt: 2, event: { id: 'evt_1' } });
  t.like(await send('whsec_other'), { status: 401, verified: false });

  // Simulates a sender that disconnects before the body is complete.
  const { hostname, port } = new URL(url ?? '');
  const sender = connect(Number(port), hostname);
  await once(sender, 'connect');
  const complaining = once(child.stderr, 'data');
  sender.write('POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 1000\r\n\r\nhalf', () => sender.destroy());
  const [complaint] = (await complaining) as [Buffer];
  t.regex(complaint.toString('utf8'), /could not be received/);
  t.like(await send(secret), { status: 200, verified: true });
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('the listen command forwards deliveries with a valid signature to a local server', async (t) => {
  const local = await startReceiver();
  const { id, secret } = await app.subscribe(`http://127.0.0.1:${port}/`);
  const child = startCli(['webhooks', 'listen', '--to', `${local.url}hook?a=1`, '--port', String(port)]);
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stderr, 'data');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const stop = app.startWorker();
  const deliver = async (): Promise<string> => {
    await app.owner.post(`/webhooks/${id}/test`);
    return String((await lines.next()).value);
  };

  t.regex(await deliver(), /^listing\.created evt_\w+ attempt 1: 200$/);
  await app.until(async () => (await app.deliveries(id, 'delivered')).length === 1);
  const [{ path, headers, body }] = local.received as [Received];
  t.is(path, '/hook?a=1');
  t.is(headers['content-type'], 'application/json');
  t.is(headers['service-event-id'], JSON.parse(body).id);
  const now = Math.floor(app.now() / 1_000);
  t.true(isSigned(String(headers['service-signature']), Buffer.from(body), [secret], now));

  local.answer = (_, response) => response.writeHead(418).end('no coffee');
  t.regex(await deliver(), /: 418$/);
  await local.close();
  t.regex(await deliver(), /: 502 \(.*ECONNREFUSED.*\)$/);
  await app.until(async () => {
    const attempts = (await app.deliveries(id)).flatMap((delivery) => delivery.attempts);
    return [200, 418, 502].every((status) => attempts.some((attempt) => attempt.status === status));
  });
  await stop();
  child.kill('SIGINT');
  await once(child, 'exit');
});

test('the listen command refuses to forward to another machine', async (t) => {
  for (const url of ['http://192.0.2.1/hook', 'https://127.0.0.1/', 'http://127.0.0.1.example.com/', 'nonsense'])
    t.regex((await cli(['listen', '--to', url])).body.error, /--to must be an http URL on this machine/);
});
