import { listingsIn } from '#site/server/api-client.ts';
import { createVisitors } from '#site/server/visitors.ts';
import { TEXTS } from '#site/text/index.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { DailyListings } from '#src/metering/daily-listings.ts';
import { buildOpenApi } from '#src/openapi/build.ts';
import { createPool } from '#stores/postgres/pool.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { testConfig } from '#test/env.ts';
import { indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

const API = '/explorer/api';
const HTML = { Accept: 'text/html' };
const PROXY = { TRUSTED_PROXIES: '127.0.0.1' };
const LIMIT = 5;

/** Two processes that share a database, with their clock, in which a session has 5 listings a day and an address 50. */
let apps: readonly [TestApp, TestApp];
let now = Date.now();
test.before(async () => {
  const clock = { now: () => now, chargeTime: () => new Date(now) };
  const start = () => startTestApp({ env: { ...PROXY, SITE_LISTINGS_PER_DAY: `${LIMIT}` }, overrides: { clock } });
  apps = [await start(), await start()];
});
test.after(() => Promise.all(apps.map((app) => app.close())));

let address = 0;
/** Headers of a visitor with an address of its own, or the given one. */
const from = (ip = `198.51.100.${++address}`) => ({ 'X-Forwarded-For': ip });

async function rents(count: number): Promise<{ ids: number[]; search: string }> {
  const [app, other] = apps;
  const { slug } = await app.addCity();
  await other.addCity({ slug });
  const listings = Array.from({ length: count }, () => makeListing({ listing_type: 'rent', location: { city: slug } }));
  await indexListings(app.services, listings);
  return { ids: listings.map(({ display }) => display.id), search: `${API}/listings?city=${slug}&listing_type=rent` };
}

test('only a session that a page has issued is accepted, by every process and after a rotation of the secret', async (t) => {
  const [app, other] = apps;
  const { Cookie } = await app.visit('/ar/explorer', from());
  const call = (cookie?: string) => other.request(`${API}/cities`, { headers: cookie ? { Cookie: cookie } : {} });
  t.is((await call(Cookie)).status, 200);
  const [id = '', issuedAt = '', secretId = '', signature = ''] = Cookie?.split(/[=.]/).slice(1) ?? [];
  const flipped = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
  for (const forged of [
    undefined,
    'session=AAAAAAAAAAAAAAAAAAAAAA',
    `site_session=${flipped(id)}.${issuedAt}.${secretId}.${signature}`,
    `site_session=${id}.${Number(issuedAt) + 1}.${secretId}.${signature}`,
    `site_session=${id}.${issuedAt}.other.${signature}`,
    `site_session=${id}.${issuedAt}.${secretId}.${flipped(signature)}`,
    `site_session=${id}.${issuedAt}.${secretId}.`,
  ]) {
    const { status, body, headers } = await call(forged);
    t.deepEqual([status, body.error.code], [401, 'missing_api_key'], forged);
    t.regex(body.error.message, /Reload the page.*\/explorer.*\/pricing#key/);
    t.is(headers.get('set-cookie'), null, 'calls of the API open no session');
  }
  const page = await fetch(`${app.url}/explorer`, { headers: { Cookie: Cookie ?? '' } });
  t.regex(
    page.headers.get('set-cookie') ?? '',
    new RegExp(`^site_session=${id}\\..*; Path=/; .*HttpOnly; SameSite=Lax`),
  );
  t.is(page.headers.get('cache-control'), 'private, max-age=300');

  const secrets = testConfig().cursorSecrets;
  const acceptedWith = (cursorSecrets: typeof secrets, at: number) => {
    const config = { siteUrl: 'https://site.test', cursorSecrets, limits: testConfig().limits };
    const { sessionOf } = createVisitors({ config, clock: { now: () => at } } as Parameters<typeof createVisitors>[0]);
    return sessionOf({ cookies: { get: () => Cookie?.split('=')[1] } } as unknown as Parameters<typeof sessionOf>[0]);
  };
  t.is(acceptedWith([{ id: 'new', secret: 's'.repeat(32) }, ...secrets], now), id);
  t.is(acceptedWith([{ id: 'new', secret: 's'.repeat(32) }], now), null);
  t.is(acceptedWith(secrets, now + 8 * 86_400_000), null);
});

test('a session receives its listings of a day from pages, searches and the map, by all processes together', async (t) => {
  const [app, other] = apps;
  const { ids, search } = await rents(LIMIT + 1);
  const headers = await app.visit('/explorer', from());
  t.is((await app.request(`${search}&limit=3`, { headers })).status, 200);
  const seen = (await other.request(`${search}&limit=3`, { headers })).body.data.map((row: { id: number }) => row.id);
  const map = search.replace('/listings?', '/listings/map?');
  const { status, body, headers: sent } = await other.request(`${map}&bbox=34,16,56,33&zoom=5`, { headers });
  t.deepEqual([status, body.error.code, body.error.details], [429, 'rate_limited', { limit: LIMIT, per: 'day' }]);
  t.is(Number(sent.get('retry-after')), Math.ceil((86_400_000 - (now % 86_400_000)) / 1_000));
  t.is(sent.get('cache-control'), 'no-store');
  const fresh = ids.filter((id) => !seen.includes(id));
  t.is(fresh.length, 3, 'a repeated search counts no listing again, and a refused map none');
  for (const id of fresh.slice(0, 2))
    t.is((await other.request(`/listings/${id}`, { headers: { ...headers, ...HTML } })).status, 200);
  for (const language of ['en', 'ar'] as const) {
    const prefix = language === 'ar' ? '/ar' : '';
    const page = await app.request(`${prefix}/listings/${fresh[2]}`, { headers: { ...headers, ...HTML } });
    t.is(page.status, 429);
    t.true(page.text.includes(TEXTS[language].day_limit_text) && page.text.includes(`href="${prefix}/pricing#key"`));
    t.notRegex(page.headers.get('cache-control') ?? '', /max-age/);
  }
  t.is((await app.request(`/previews/en/listings/${fresh[2]}.jpg`, { headers })).status, 429);
  t.is((await app.request(`/listings/${seen[0]}`, { headers: { ...headers, ...HTML } })).status, 200);
  t.is((await app.request(`${API}/cities`, { headers })).status, 200, 'other data is not limited');
  const refused = { address: 0, session: 0 };
  for (const { services } of apps)
    for (const kind of ['address', 'session'] as const) refused[kind] += services.dailyListings.refused[kind];
  t.true(refused.session >= 4);

  now += 86_400_000;
  t.is((await app.request(`/listings/${fresh[2]}`, { headers: { ...headers, ...HTML } })).status, 200, 'the next day');
});

for (const [title, first, same, different] of [
  ['IPv4 address', '203.0.113.7', '203.0.113.7', '203.0.113.8'],
  ['/64 of IPv6', '2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:db8:0:2::1'],
] as const)
  test(`one ${title} receives ten times as many listings, without sessions and with any number of them`, async (t) => {
    const [app, other] = apps;
    const { ids, search } = await rents(10 * LIMIT + 1);
    const view = (id: number, ip: string) => app.request(`/listings/${id}`, { headers: { ...from(ip), ...HTML } });
    // A crawler stores no cookies.
    const viewed = ids.slice(0, 10 * LIMIT - 3);
    for (const id of viewed) t.is((await view(id, first)).status, 200);
    const unseen = ids.length - viewed.length;
    t.is(unseen, 4);
    const session = await other.visit('/explorer', from(same));
    for (const id of ids.slice(-4, -1)) t.is((await view(id, same)).status, 200);
    const { status, headers } = await view(ids.at(-1) as number, same);
    t.is(status, 429);
    t.regex(headers.get('retry-after') ?? '', /^\d+$/);
    t.is((await other.request(`${search}&limit=${LIMIT}&sort=newest`, { headers: session })).status, 429);
    t.is((await view(ids.at(-1) as number, different)).status, 200);
  });

test('responses with listings are refused while Postgres cannot count them, and other data is served', async (t) => {
  const pool = createPool('postgres://nobody@127.0.0.1:1/none', { max: 1, statementTimeout: 500 });
  t.teardown(() => pool.end());
  const dailyListings = new DailyListings(pool, 'pepper');
  const app = await startTestApp({ overrides: { dailyListings } });
  t.teardown(() => app.close());
  const { ids, search } = await rents(1);
  await app.addCity({ slug: /city=(\w+)/.exec(search)?.[1] ?? '' });
  const headers = await app.visit();
  for (const path of [search, `/listings/${ids[0]}`, `/previews/en/listings/${ids[0]}.jpg`]) {
    const { status, headers: sent, text } = await app.request(path, { headers });
    t.deepEqual([status, sent.get('retry-after'), text.includes(String(ids[0]))], [503, '5', false], path);
  }
  t.is((await app.request(`${API}/cities`, { headers })).status, 200);
});

test('a thousand sessions of an address have rows, and further ones count with the address', async (t) => {
  const [{ services }] = apps;
  const ip = { kind: 'address' as const, id: 'many sessions', limit: 1_000_000 };
  const take = (id: string, listing: number) =>
    services.dailyListings.take(ip, { kind: 'session', id, limit: 1 }, new Set([listing]), new Date(now));
  const count = async () => (await services.pool.query('select count(*) from listing_reads')).rows[0].count as number;
  const before = await count();
  await services.pool.query(
    `select take_listings($1, decode(md5('a'), 'hex'), 1000000, decode(md5(n::text), 'hex'), 1, array[n]) from generate_series(1, 1005) n`,
    [new Date(now)],
  );
  t.is((await count()) - before, 1_001);
  const racing = await Promise.all([take('one', 1), take('one', 2), take('one', 1), take('two', 2)]);
  t.is(racing.filter((refused) => refused !== null).length >= 1, true);
  t.is(racing.filter((refused) => refused?.kind === 'session').length <= 2, true);
});

test('the listings in the response of every operation are recognized', (t) => {
  const { paths } = buildOpenApi(endpoints, testConfig()) as unknown as {
    paths: Record<
      string,
      { get?: { 'x-audience': string; responses: { 200: { content?: Record<string, { example?: unknown }> } } } }
    >;
  };
  let recognized = 0;
  for (const [path, { get }] of Object.entries(paths)) {
    const example = get?.responses[200].content?.['application/json']?.example;
    // The site calls only these.
    if (example === undefined || get?.['x-audience'] !== 'data') continue;
    const listings = new Set(idsIn(example));
    const url = `/v1${path.replace(/\{\w+\}/g, '1')}`;
    t.deepEqual(new Set(listingsIn(url, JSON.stringify(example))), listings, path);
    recognized += Math.min(1, listings.size);
  }
  t.true(recognized >= 10, `${recognized} operations return listings`);
});

/** Ids of the objects that are listings: full ones, pins of the map, and references. */
function idsIn(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return [];
  const { id, listing_id, ...rest } = value as Record<string, unknown>;
  const isListing = 'listing_type' in rest || ('lat' in rest && 'price_sar' in rest) || 'headline' in rest;
  const own = [isListing ? id : null, listing_id].filter((each) => typeof each === 'number');
  return [...own, ...Object.values(rest).flatMap(idsIn)];
}
