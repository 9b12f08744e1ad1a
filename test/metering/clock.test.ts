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

test('usage is grouped by UTC month and day across the end of a minute, a month and a year', async (t) => {
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

  await app.services.requestLog.flush();
  const days = async (count: number) =>
    (await org.all(`/usage?days=${count}`))
      .filter(({ endpoint, result }) => endpoint === 'searchListings' && result === '2xx')
      .map(({ day, units }) => `${day} ${units}`);
  t.deepEqual(await days(7), ['2028-01-01 1', '2027-12-31 2']);
  at('2028-01-06T23:59:59Z');
  t.deepEqual(await days(7), ['2028-01-01 1', '2027-12-31 2']);
  at('2028-01-07T00:00:00Z');
  t.deepEqual(await days(7), ['2028-01-01 1']);
  at('2028-01-30T00:00:00Z');
  t.deepEqual(await days(30), ['2028-01-01 1']);
  t.deepEqual(await days(90), ['2028-01-01 1', '2027-12-31 2']);
});

test('an expired key, an expired term and a suspension take effect at the exact millisecond', async (t) => {
  const edge = '2028-02-29T12:00:00Z';
  const before = new Date(Date.parse(edge) - 1).toISOString();
  const org = await administered(app);
  const key = await createKey(app.services, org.id, { columns: { expires_at: edge } });
  const ended = await administered(app, { columns: { term_ends_at: edge } });
  const suspended = await administered(app, { columns: { suspended_at: edge } });
  const ask = async () =>
    Promise.all(
      [key, ended.key, suspended.key].map(async (each) => verdict(await app.request('/v1/limits', { key: each }))),
    );
  at(before);
  t.deepEqual(await ask(), ['200', '200', '200']);
  at(edge);
  t.deepEqual(await ask(), ['401 expired_api_key', '403 client_expired', '403 client_suspended']);
});

test('request logs expire exactly when their retention period ends, even in a leap year', async (t) => {
  at('2028-02-25T08:30:00Z');
  const org = await administered(app, { columns: { log_retention_days: 7 } });
  await app.request('/v1/limits', { key: org.key });
  await app.services.requestLog.flush();
  const seen = async () => (await org.all('/request-logs?route=/limits')).length;
  at('2028-03-03T08:30:00Z');
  t.is(await seen(), 1);
  at('2028-03-03T08:30:00.001Z');
  t.is(await seen(), 0);
  await app.services.pool.query('update organizations set log_retention_days = 30 where id = $1', [org.id]);
  t.is(await seen(), 1, 'a longer retention shows logs that still exist');
});
