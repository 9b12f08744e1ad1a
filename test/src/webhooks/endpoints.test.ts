import { secretEncryption } from '#src/webhooks/secrets.ts';
import { administered, verdict } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import { test } from '#test/test.ts';

/** Names that the test resolver can resolve. Any other name does not exist. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'hooks.test': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'half.test': ['93.184.216.34', '127.0.0.1'],
};
/** Lookups of names under `slow.test` wait for this promise. */
let slow = Promise.withResolvers<void>();
let waiting = 0;
let app: TestApp;
let city: string;
test.before(async () => {
  app = await startTestApp({
    overrides: {
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
  t.regex(secret, /^whsec_[\w-]{43}$/);
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
  t.deepEqual(await owner.all(`/webhooks/${shown.id}/deliveries?status=failed`), []);
  t.like((await owner.all('/webhooks'))[0], { last_sequence: 1, lag: { pending: 1 } });
  const replay = `/webhooks/${shown.id}/deliveries/${tested.body.data.id}/replay`;
  t.is(verdict(await owner.post(replay)), '409 conflict', 'the delivery has not ended');
  await app.services.pool.query(`update webhook_deliveries set status = 'failed' where public_id = $1`, [
    tested.body.data.id,
  ]);
  const replayed = await owner.post(replay);
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
  // There are at least as many waiting requests as connections. If they held connections, all would be in use.
  await eventually(() => waiting >= 16);
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

test('an organization has at most 25 webhook endpoints, and each sends at most 60 test events in an hour', async (t) => {
  const owner = await administered(app);
  const { id } = (await owner.post('/webhooks', wanted())).body.data;
  for (let made = 1; made < 25; made++) t.is((await owner.post('/webhooks', wanted())).status, 201);
  t.is(verdict(await owner.post('/webhooks', wanted())), '400 limit_reached');

  const tests = await Promise.all(Array.from({ length: 62 }, () => owner.post(`/webhooks/${id}/test`)));
  const verdicts = tests.map(verdict).sort();
  t.deepEqual([verdicts.indexOf('429 rate_limited'), verdicts.length], [60, 62]);
  const sequences = (await owner.all(`/webhooks/${id}/deliveries`)).map(({ sequence }) => sequence);
  t.deepEqual(
    sequences,
    Array.from({ length: 60 }, (_, index) => 60 - index),
    'no gap',
  );
});
