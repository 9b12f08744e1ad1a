import { secretEncryption } from '#src/webhooks/secrets.ts';
import { type Administered, administered, verdict } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import { test } from '#test/test.ts';

/** Names that the test resolver can resolve. Any other name does not exist. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'hooks.test': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'burst.test': ['93.184.216.34'],
  'limits.test': ['93.184.216.34'],
  'half.test': ['93.184.216.34', '127.0.0.1'],
};
/** Lookups of names under `slow.test` wait for this promise. */
let slow = Promise.withResolvers<void>();
let waiting = 0;
/** Time of the app in epoch milliseconds; null for the system clock. */
let clock: number | null = null;
let app: TestApp;
let city: string;
test.before(async () => {
  app = await startTestApp({
    overrides: {
      clock: { now: () => clock ?? Date.now(), chargeTime: () => null },
      resolve: async (name) => {
        if (name.endsWith('.slow.test')) {
          waiting++;
          await slow.promise;
        }
        const found = NAMES[name.replace('.slow.', '.')];
        if (!found) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
        return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      },
    },
  });
  city = (await app.addCity()).slug;
});
test.after(() => app.close());

const wanted = (changes: object = {}) => ({
  url: 'https://hooks.test/listings?x=1',
  event_types: ['listing.price_changed', 'listing.created'],
  filters: { city, beds_min: 2, property_type: 'villa' },
  ...changes,
});

test('a webhook endpoint is created, listed without its secret, and deleted with its history', async (t) => {
  const owner = await administered(app);
  const made = await owner.post('/webhooks', wanted());
  t.is(made.status, 201, made.text);
  const { secret, ...shown } = made.body.data;
  t.regex(secret, /^whsec_[A-Za-z0-9+/]{43}=$/, 'the form of Standard Webhooks');
  t.like(shown, {
    url: 'https://hooks.test/listings?x=1',
    event_types: ['listing.created', 'listing.price_changed'],
    filters: { city: [city], beds_min: 2, property_type: ['villa'] },
    status: 'enabled',
    last_sequence: 0,
    lag: { pending: 0, oldest_pending_at: null, seconds: 0, behind: false },
  });
  t.deepEqual(await owner.all('/webhooks'), [shown]);

  const { rows } = await app.services.pool.query('select secret from webhook_endpoints where public_id = $1', [
    shown.id,
  ]);
  t.false(rows[0].secret.includes(secret.slice(6, 20)));
  t.is(secretEncryption(app.services.config.encryptionKeys, app.services.random).decrypt(rows[0].secret), secret);

  const tested = await owner.post(`/webhooks/${shown.id}/test`, { event_type: 'listing.delisted' });
  t.is(verdict(tested), '201');
  t.like(tested.body.data, {
    sequence: 1,
    event_type: 'listing.delisted',
    test: true,
    status: 'pending',
    attempts: [],
  });
  t.deepEqual(await owner.all(`/webhooks/${shown.id}/deliveries?status=pending`), [tested.body.data]);
  t.like(JSON.parse(tested.body.data.body), { type: 'listing.delisted', sequence: 1, test: true });
  const { created_at: created } = tested.body.data;
  const later = new Date(Date.parse(created) + 1_000).toISOString().replace('.000', '');
  for (const [filter, found] of [
    ['status=failed', 0],
    ['event_type=listing.delisted&status=pending', 1],
    ['event_type=listing.created', 0],
    [`since=${created}&until=${later}`, 1],
    [`since=${later}`, 0],
    [`until=${created}`, 0],
  ] as const)
    t.is((await owner.all(`/webhooks/${shown.id}/deliveries?${filter}`)).length, found, filter);
  t.like((await owner.all('/webhooks'))[0], { last_sequence: 1, lag: { pending: 1 } });
  const replay = `/webhooks/${shown.id}/deliveries/${tested.body.data.id}/replay`;
  const lease = (seconds: number) =>
    app.services.pool.query(
      `update webhook_deliveries set due_at = now() + interval '1 hour', leased_until = now() + make_interval(secs => $2)
        where public_id = $1`,
      [tested.body.data.id, seconds],
    );
  await lease(45);
  t.is(verdict(await owner.post(replay)), '409 conflict', 'an attempt is in flight');
  await lease(0);
  const replayed = await owner.post(replay);
  t.true(Date.parse(replayed.body.data.next_attempt_at) <= Date.now(), 'it waited for an hour');
  t.like(replayed.body.data, { status: 'pending', event_id: tested.body.data.event_id, sequence: 1 });
  t.is(verdict(await owner.post(`/webhooks/${shown.id}/deliveries/dlv_none/replay`)), '404 not_found');

  t.deepEqual((await owner.post(`/webhooks/${shown.id}/delete`)).body.data, { id: shown.id, deleted: true });
  t.is(verdict(await owner.post(`/webhooks/${shown.id}/delete`)), '404 not_found');
  t.deepEqual(await owner.all('/webhooks'), []);
  t.is(verdict(await owner.get(`/webhooks/${shown.id}/deliveries`)), '404 not_found');
  const actions = (await owner.all('/audit-events')).map(({ action }) => action);
  t.deepEqual(actions, ['webhook.deleted', 'webhook.replayed', 'webhook.tested', 'webhook.created']);
  t.false(JSON.stringify(await owner.all('/audit-events')).includes('whsec_'));
});

test('creations that wait for name resolution hold no connections, and a repeated one returns the same secret without it', async (t) => {
  const { pool } = app.services;
  const owner = await administered(app);
  const create = (key: string) => owner.post('/webhooks', wanted({ url: 'https://hooks.slow.test/' }), key);
  const made = Array.from({ length: 40 }, (_, index) => create(`key-${index}`));
  // There are more waiting requests than connections. If they held connections, all would be in use.
  await eventually(() => waiting >= 40);
  t.true(pool.totalCount - pool.idleCount < 8, `${pool.totalCount - pool.idleCount} connections in use`);
  t.is(pool.waitingCount, 0);
  t.is(verdict(await create('late')), '400 invalid_value', 'the name does not resolve in time');
  slow.resolve();
  await Promise.all(made);
  await Promise.all((await owner.all('/webhooks')).map(({ id }) => owner.post(`/webhooks/${id}/delete`)));
  const first = await create('repeated');
  t.is(first.status, 201, first.text);
  slow = Promise.withResolvers();
  t.is((await create('repeated')).body.data.secret, first.body.data.secret);
  t.is((await owner.all('/webhooks')).length, 1);
});

test('an error for an invalid webhook endpoint names the parameter', async (t) => {
  const owner = await administered(app);
  const urls = ['http://hooks.test/', 'https://[::ffff:10.0.0.1]/', 'https://half.test/', 'https://nowhere.test/'];
  const timely = { days_on_market_min: 7, updated_since: '2026-01-01T00:00:00Z' };
  for (const [changes, expected, param] of [
    ...urls.map((url) => [{ url }, 'invalid_value', 'url'] as const),
    ...Object.entries(timely).map(
      ([name, value]) => [{ filters: { city, [name]: value } }, 'invalid_value', `filters.${name}`] as const,
    ),
    [{ event_types: [] }, 'invalid_body', 'event_types'],
    [{ filters: {} }, 'invalid_body', 'filters.city'],
    [{ filters: { city: 'atlantis' } }, 'unknown_city', 'filters.city'],
    [{ filters: { city, beds_min: 4, beds_max: 2 } }, 'invalid_value', 'filters.beds_min'],
    [{ secret: 'mine' }, 'invalid_body', 'secret'],
  ] as const) {
    const { status, body, text } = await owner.post('/webhooks', wanted(changes));
    t.deepEqual([status, body.error.code, body.error.param], [400, expected, param], text);
  }
  t.deepEqual(await owner.all('/webhooks'), []);
});

test('an organization has at most 25 webhook endpoints, and sends 20 test events at once, without gaps in their sequence', async (t) => {
  const owner = await administered(app);
  const { id } = (await owner.post('/webhooks', wanted({ url: 'https://burst.test/' }))).body.data;
  for (let made = 1; made < 25; made++) t.is((await owner.post('/webhooks', wanted())).status, 201);
  t.is(verdict(await owner.post('/webhooks', wanted())), '400 limit_reached');

  const tests = await Promise.all(Array.from({ length: 22 }, () => owner.post(`/webhooks/${id}/test`)));
  t.deepEqual(
    tests.map(verdict).sort(),
    Array.from({ length: 22 }, (_, index) => (index < 20 ? '201' : '429 rate_limited')),
  );
  const sequences = (await owner.all(`/webhooks/${id}/deliveries`)).map(({ sequence }) => sequence);
  t.deepEqual(
    sequences,
    Array.from({ length: 20 }, (_, index) => 20 - index),
  );
});

test('test events that wait for an attempt end when the endpoint moves to another host', async (t) => {
  const org = await administered(app);
  const { id } = (await org.post('/webhooks', wanted({ url: 'https://limits.test/a' }))).body.data;
  const sent = (await org.post(`/webhooks/${id}/test`)).body.data;
  const stateOf = async () =>
    (await org.all(`/webhooks/${id}/deliveries`)).find((delivery) => delivery.id === sent.id)?.status;
  t.is((await org.post(`/webhooks/${id}`, { url: 'https://limits.test/b' })).status, 200);
  t.is(await stateOf(), 'pending');
  t.is((await org.post(`/webhooks/${id}`, { url: 'https://burst.test/b' })).status, 200);
  t.is(await stateOf(), 'failed');
});

for (const [kind, perHour] of [
  ['test', 60],
  ['replay', 600],
] as const)
  test(`an organization and a host have at most ${perHour} messages of the kind ${kind} in an hour, whatever is deleted and created`, async (t) => {
    const { pool } = app.services;
    await pool.query('delete from sending_limits');
    clock = Date.now();
    const owner = await administered(app);
    /** Sends a message through a new endpoint, and deletes it. */
    const send = async (by: Administered, host: string) => {
      const { id } = (await by.post('/webhooks', wanted({ url: `https://${host}/` }))).body.data;
      let answer = await by.post(`/webhooks/${id}/test`);
      if (kind === 'replay') {
        await pool.query(`delete from sending_limits where kind = 'test'`);
        await pool.query(`update webhook_deliveries set status = 'failed' where status = 'pending'`);
        answer = await by.post(`/webhooks/${id}/deliveries/${answer.body.data.id}/replay`);
      }
      await by.post(`/webhooks/${id}/delete`);
      return answer;
    };
    for (let sent = 0; sent < 20; sent++) t.true((await send(owner, 'limits.test')).status < 300);
    const refused = await send(owner, 'limits.test');
    t.is(verdict(refused), '429 rate_limited');
    t.is(verdict(await send(owner, 'burst.test')), '429 rate_limited', 'the organization to another host');
    const other = await administered(app);
    t.is(verdict(await send(other, 'limits.test')), '429 rate_limited', 'another organization to the host');
    t.true((await send(other, 'burst.test')).status < 300);

    // At the earliest times, an hour permits the rest of the messages.
    const wait = Number(refused.headers.get('Retry-After'));
    t.true(Math.floor(3_600 / wait) <= perHour - 20, `${wait} s`);
    for (let sent = 0; sent < 3; sent++) {
      clock += wait * 1_000;
      t.true((await send(owner, 'limits.test')).status < 300);
      t.is(verdict(await send(owner, 'limits.test')), '429 rate_limited');
    }
    clock = null;
  });
