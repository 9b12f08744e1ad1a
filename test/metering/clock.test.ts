import { administered, verdict } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createKey } from '#test/factories.ts';
import { test } from '#test/test.ts';

/**
 * Current time for the service. A separate database is used, because the test creates log partitions for months far in
 * the future.
 */
let time = 0;
const at = (text: string): void => {
  time = Date.parse(text);
};
let app: TestApp;
test.before(async () => {
  app = await startTestApp({
    env: { DATABASE_URL: await createDatabase('clock') },
    overrides: { clock: { now: () => time, chargeTime: () => new Date(time) } },
  });
});
test.after(() => app.close());

test('usage is counted by UTC month, and the rate limit across the end of a year', async (t) => {
  at('2027-12-31T23:59:59.999Z');
  const { slug } = await app.addCity();
  const org = await administered(app, { plan: 'free', columns: { units_per_month: 3, units_per_minute: 2 } });
  const search = () => app.request(`/v1/listings?city=${slug}&listing_type=rent`, { key: org.key });
  const month = async () => (await org.get('')).body.data.usage;
  for (const answer of ['200', '200', '429 rate_limited']) t.is(verdict(await search()), answer);
  t.deepEqual(await month(), { month: '2027-12', units: 2, overage_units: 0 });
  at('2028-01-01T00:00:00Z');
  t.deepEqual(await month(), { month: '2028-01', units: 0, overage_units: 0 });
  t.is(verdict(await search()), '429 rate_limited', 'the rate limit window does not restart at the new year');
  at('2028-01-01T00:00:59.999Z');
  t.is((await search()).headers.get('X-Quota-Reset'), String(31 * 86_400 - 59));
  t.deepEqual(await month(), { month: '2028-01', units: 1, overage_units: 0 });
});

test('a revocation, an expiry, the end of a term and a suspension take effect at the exact millisecond', async (t) => {
  const edge = '2028-02-29T12:00:00Z';
  const { id } = await administered(app);
  const [expired, revoked] = await Promise.all(
    ['expires_at', 'revoked_at'].map((column) => createKey(app.services, id, { columns: { [column]: edge } })),
  );
  const [ended, suspended] = await Promise.all(
    ['term_ends_at', 'suspended_at'].map(
      async (column) => (await administered(app, { columns: { [column]: edge } })).key,
    ),
  );
  const ask = () =>
    Promise.all(
      [expired, revoked, ended, suspended].map(async (key) => verdict(await app.request('/v1/limits', { key }))),
    );
  time = Date.parse(edge) - 1;
  t.deepEqual(await ask(), ['200', '200', '200', '200']);
  at(edge);
  t.deepEqual(await ask(), [
    '401 expired_api_key',
    '401 revoked_api_key',
    '403 client_expired',
    '403 client_suspended',
  ]);
});
