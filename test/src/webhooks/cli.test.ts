import { secretEncryption } from '#src/webhooks/secrets.ts';
import { cli as run } from '#test/cli.ts';
import { test } from '#test/test.ts';
import { startWebhookApp, type WebhookApp } from './app.ts';

const OLD = 'old:the old key of thirty-two characters or more';

let app: WebhookApp;
test.before(async () => {
  app = await startWebhookApp('webhooks_cli', { privateHosts: ['127.0.0.1:1'], env: { ENCRYPTION_KEYS: OLD } });
});
test.after(() => app.close());

const environment = (keys: string) => ({ DATABASE_URL: app.services.config.databaseUrl, ENCRYPTION_KEYS: keys });

async function cli(args: readonly string[], keys = OLD) {
  const { code, out } = await run(['--json', 'webhook', ...args], environment(keys));
  return { code, body: JSON.parse(out) };
}

test('webhook commands list, disable and enable endpoints, and are audited', async (t) => {
  const { id } = await app.subscribe('http://127.0.0.1:1/');
  t.like((await cli(['list'])).body[0], { id, status: 'enabled', url: 'http://127.0.0.1:1/', pending: 0 });
  await cli(['disable', id]);
  t.like((await app.owner.all('/webhooks'))[0], { status: 'disabled', disabled_reason: 'operator' });
  t.is((await app.owner.post(`/webhooks/${id}/test`)).status, 409);
  await cli(['enable', id]);
  t.like((await app.owner.all('/webhooks'))[0], { status: 'enabled', disabled_reason: null });
  t.deepEqual(await cli(['enable', id]), { code: 1, body: { error: 'The endpoint is already enabled.' } });
  t.is((await cli(['disable', 'whk_none'])).code, 1);
  const actions = (await app.owner.all('/audit-events')).map(({ action }) => action);
  t.deepEqual(actions, ['webhook.enabled', 'webhook.disabled', 'webhook.created']);
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

test('the listen command refuses to forward to another machine', async (t) => {
  for (const url of ['http://192.0.2.1/hook', 'https://127.0.0.1/', 'http://127.0.0.1.example.com/', 'nonsense'])
    t.regex((await cli(['listen', '--to', url])).body.error, /--to must be an http URL on this machine/);
});
