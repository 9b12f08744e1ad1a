import { createPool } from '#postgres/pool.ts';
import { startTestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization, indexListings, makeListing, unitsUsed } from '#test/factories.ts';
import { startLoad } from '#test/load.ts';
import { startTcpProxy } from '#test/tcp-proxy.ts';
import { test } from '#test/test.ts';

const STALLS = 2;
/** Number of calls that time out in a stall before it ends, and that succeed before the next one. */
const CALLS = 30;
/** Units of the most expensive call in the load. */
const MAX_UNITS = 3;
/** Maximum response time in milliseconds. */
const LIMIT = 10_000;

test('while Postgres is suspended, only calls with 2xx responses are charged, except one whose response is lost', async (t) => {
  const database = new URL(await createDatabase('stall'));
  // This pool bypasses the proxy.
  const pool = createPool(database.href, { max: 1 });
  const proxy = await startTcpProxy(new URL(database));
  database.hostname = '127.0.0.1';
  database.port = String(proxy.port);
  const app = await startTestApp({ env: { DATABASE_URL: database.href, TIMEOUT_FACTOR: '1' } });
  t.teardown(async () => {
    await app.close();
    await Promise.all([proxy.close(), pool.end()]);
  });
  const { id, key } = await createOrganization(app.services);
  const { slug } = await app.addCity();
  await indexListings(app.services, [makeListing({ location: { city: slug } })]);
  const search = `/v1/listings?city=${slug}&listing_type=rent`;
  const paths = [search, `${search}&limit=25`, '/v1/listings/1', '/v1/listings/count?city=x'];
  // Opens connections and prepares statements before the stall.
  await Promise.all(Array.from({ length: 64 }, () => app.request(search, { key })));
  const warm = await unitsUsed(app.services, id);

  const load = startLoad({ origins: [app.url], key, paths, perSecond: 60 });
  // If the load were still running, the test run could not end.
  t.teardown(() => load.stop().then(() => {}));
  const answered = async (kind: string): Promise<void> => {
    const before = load.report.answers[kind] ?? 0;
    await eventually(() => (load.report.answers[kind] ?? 0) >= before + CALLS);
  };
  /** Calls that may be charged without a response: one for each stall, and those in flight when it begins. */
  let uncertain = STALLS;
  for (let stall = 0; stall < STALLS; stall++) {
    await answered('200 ok');
    uncertain += load.report.sent - Object.values(load.report.answers).reduce((sum, count) => sum + count, 0);
    await proxy.set('freeze');
    // Postgres receives charges after their calls have timed out.
    await answered('503 internal_error');
    await proxy.set('pass');
  }
  await answered('200 ok');
  const report = await load.stop();
  // Postgres has processed the statements of the stalls when a later charge has its response.
  t.is((await app.request(search, { key })).status, 200);

  const drift = (await unitsUsed(app.services, id)) - warm - report.units - 1;
  t.true(drift >= 0 && drift <= uncertain * MAX_UNITS, `${drift} units`);
  t.is(report.lost, 0);
  t.true(report.slowest < LIMIT, `${report.slowest} ms`);
  t.true((report.answers['503 internal_error'] ?? 0) > 0);
  t.deepEqual(
    Object.keys(report.answers).filter((answer) => /^5/.test(answer)),
    ['503 internal_error'],
  );
  t.log(JSON.stringify(report));
});
