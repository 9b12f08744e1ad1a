import type { StoredListing } from '#domain/listings/listing.ts';
import { timestamp } from '#domain/listings/present.ts';
import { LAND_TYPES } from '#domain/listings/vocabulary.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing, recordListing } from '#test/factories.ts';
import { allRows } from '#test/pages.ts';
import { test } from '#test/test.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const DAY = 86_400;
const ROOM = { units_per_minute: 100_000, units_per_month: 100_000 };

let app: TestApp;
let paid: string;
let free: string;
let city: string;
const make = (display: Parameters<typeof makeListing>[0], hidden: Parameters<typeof makeListing>[1] = {}) =>
  makeListing({ ...display, location: { city } }, { first_seen: NOW / 1000 - 5 * DAY, ...hidden });
/**
 * A visible listing, listings that are implausible with and without a single property type, a listing without a price, and
 * land without a photo.
 */
let plain: StoredListing;
let untyped: StoredListing;
let unpooled: StoredListing;
let priceless: StoredListing;
let land: StoredListing;
let listings: StoredListing[];
test.before(async () => {
  app = await startTestApp({ overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  paid = (await createOrganization(app.services, { plan: 'pro', columns: ROOM })).key;
  free = (await createOrganization(app.services, { plan: 'free', columns: ROOM })).key;
  city = (await app.addCity()).slug;
  plain = make({});
  untyped = make({}, { plausible_typed: false });
  unpooled = make({}, { plausible_pooled: false });
  priceless = make({ price: { yearly_sar: null, as_posted: null } });
  land = make({ property_type: 'land' }, { photos: [] });
  listings = [plain, untyped, unpooled, priceless, land, ...Array.from({ length: 115 }, () => make({}))];
  await indexListings(app.services, listings);
});
test.after(() => app.close());

const idOf = ({ display }: StoredListing): number => display.id;
const search = async (query: string): Promise<Set<number>> => {
  const rows = await allRows(app, `/v1/listings?city=${city}&listing_type=rent&limit=100${query}`, paid);
  const found = new Set<number>(rows.map(({ id }) => id));
  const counted = await app.request(
    `/v1/listings/count?city=${city}&listing_type=rent${query.replace(/&sort=\w+/, '')}`,
    { key: paid },
  );
  if (counted.body.data.total !== found.size) throw new Error(`count ${counted.body.data.total}, search ${found.size}`);
  return found;
};

test('detail returns implausible listings, listings without a price, and land without a photo', async (t) => {
  t.true(LAND_TYPES.has('land'));
  for (const listing of [plain, untyped, unpooled, priceless, land]) {
    const { status, body, headers } = await app.request(`/v1/listings/${idOf(listing)}`, { key: paid });
    t.is(status, 200);
    t.is(body.data.id, idOf(listing));
    t.is(headers.get('x-request-units'), '1');
  }
  t.deepEqual((await app.request(`/v1/listings/${idOf(land)}`, { key: paid })).body.data.images, []);
});

test('a listing is found only under its canonical id, in Latin or Arabic digits', async (t) => {
  const id = String(idOf(plain));
  const arabic = [...id].map((digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]).join('');
  // Encoded unreserved characters are the same URL (RFC 3986, section 6.2.2.2).
  for (const same of [id, encodeURIComponent(arabic), `%3${id[0]}${id.slice(1)}`])
    t.is((await app.request(`/v1/listings/${same}`, { key: paid })).body.data.id, idOf(plain), same);
  for (const other of [`${id}.0`, `0${id}`, '1.0', '%30%31', '007', '9007199254740991'])
    for (const path of ['', '/price-history', '/price-band', '/market-position', '/comparables', '/estimate']) {
      const { status, body } = await app.request(`/v1/listings/${other}${path}`, { key: paid });
      t.deepEqual([status, body.error.code, body.error.param], [404, 'listing_not_found', 'id'], other + path);
    }
  for (const wrong of ['0', '-1', '1.5', '9007199254740993', '1e3', '%20', '1%2C2']) {
    const { status, body } = await app.request(`/v1/listings/${wrong}`, { key: paid });
    t.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_value', 'id'], wrong);
  }
});

test('batch returns each id once in the requested order, and lists missing ids', async (t) => {
  const [a, b, c] = [idOf(untyped), idOf(priceless), idOf(plain)];
  const ask = async (ids: readonly (number | string)[]) => {
    const answer = await app.request(`/v1/listings/batch?ids=${ids.join(',')}`, { key: paid });
    return { ...answer, ids: answer.body.data?.map(({ id }: { id: number }) => id) };
  };
  for (const order of [[a, b, c], [c, a, b], [b, c, a], [c]]) t.deepEqual((await ask(order)).ids, order);
  const mixed = await ask([7, c, 5, a, c, 7, a]);
  t.deepEqual(mixed.ids, [c, a]);
  t.deepEqual(mixed.body.missing_ids, [7, 5]);
  const none = await ask([5, 6]);
  t.deepEqual(none.body, { data: [], missing_ids: [5, 6] });
  const spaced = await ask([` ${a}`, `${b} `]);
  t.deepEqual(spaced.ids, [a, b]);
});

test('batch includes for each listing whether a search by city and listing type returns it', async (t) => {
  const shown = await search('');
  const looked = [plain, untyped, unpooled, priceless, land];
  const pending = makeListing();
  await recordPrices(pending, [[-1, 40_000]], { photos: '' });
  // Repeated, because listings that are already in memory are read by digest.
  for (let time = 0; time < 4; time++) {
    const { body } = await app.request(`/v1/listings/batch?ids=${[...looked, pending].map(idOf)}`, { key: paid });
    t.deepEqual(
      body.data.map(({ in_search }: { in_search: boolean }) => in_search),
      [true, true, false, false, true],
    );
    t.deepEqual(
      looked.map((listing) => shown.has(idOf(listing))),
      [true, true, false, false, true],
    );
    t.deepEqual(body.missing_ids, [idOf(pending)]);
  }
  t.true(app.services.listings.reads().hits > 0);
  const detail = await app.request(`/v1/listings/${idOf(plain)}`, { key: paid });
  const { body } = await app.request(`/v1/listings/batch?ids=${idOf(plain)}`, { key: free });
  t.false('in_search' in detail.body.data);
  t.deepEqual(Object.keys(body.data[0]), [...Object.keys(detail.body.data), 'in_search']);
});

test('a batch accepts at most 100 ids, and costs 1 unit per ten of them', async (t) => {
  const ids = listings.map(idOf);
  const { body, headers } = await app.request(`/v1/listings/batch?ids=${ids.slice(0, 100)}`, { key: paid });
  t.deepEqual([body.data.length, headers.get('x-request-units')], [100, '10']);
  for (const wrong of [ids.slice(0, 101).join(','), '1,,2', '0', '1.5', '1,', '01']) {
    const { status, body } = await app.request(`/v1/listings/batch?ids=${wrong}`, { key: paid });
    t.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_value', 'ids'], wrong);
  }
  const padded = await app.request('/v1/listings/batch?ids=01,2.0,3', { key: paid });
  t.is(padded.body.error.message, '`ids` must have no leading zeros or decimals. Did you mean `1,2,3`?');
});

/** Inserts a row of `listings` with its prices, as ingest does. */
async function recordPrices(
  { display }: StoredListing,
  prices: readonly (readonly [day: number, price: number | null])[],
  columns: object = {},
): Promise<void> {
  await recordListing(app.services, display.id, columns);
  for (const [day, price] of prices) {
    await app.services.pool.query('insert into listing_prices values ($1, $2, $3)', [
      display.id,
      new Date(NOW + day * DAY * 1000),
      price,
    ]);
  }
}

const at = (day: number): string => timestamp(NOW / 1000 + day * DAY);

test('price history returns every price, oldest first, and only the last 90 days on the Free plan', async (t) => {
  const listing = makeListing();
  await recordPrices(listing, [
    [-5, 45_000],
    [-200, 40_000],
    [-91, 50_000],
    [-90, null],
    [-30, 60_000],
  ]);
  const path = `/v1/listings/${idOf(listing)}/price-history`;
  const whole = [
    { at: at(-200), price_yearly_sar: 40_000, previous_price_yearly_sar: null, change_pct: null },
    { at: at(-91), price_yearly_sar: 50_000, previous_price_yearly_sar: 40_000, change_pct: 25 },
    { at: at(-90), price_yearly_sar: null, previous_price_yearly_sar: 50_000, change_pct: null },
    { at: at(-30), price_yearly_sar: 60_000, previous_price_yearly_sar: null, change_pct: null },
    { at: at(-5), price_yearly_sar: 45_000, previous_price_yearly_sar: 60_000, change_pct: -25 },
  ];
  const seen = await app.request(path, { key: paid });
  t.deepEqual(seen.body.data, { listing_id: idOf(listing), history_window_days: null, prices: whole });
  t.is(seen.headers.get('x-request-units'), '1');
  const limited = await app.request(path, { key: free });
  t.deepEqual(limited.body.data, { listing_id: idOf(listing), history_window_days: 90, prices: whole.slice(2) });
});

test('price history returns 404 for a listing that is not served', async (t) => {
  const hidden: Readonly<Record<string, unknown>>[] = [
    { withdrawn_at: new Date(NOW) },
    { duplicate_of: 5 },
    { photos: '' },
  ];
  for (const columns of hidden) {
    const listing = makeListing();
    await recordPrices(listing, [[-1, 40_000]], columns);
    const { status, body } = await app.request(`/v1/listings/${idOf(listing)}/price-history`, { key: paid });
    t.deepEqual([status, body.error.code], [404, 'listing_not_found'], JSON.stringify(columns));
  }
  t.is((await app.request('/v1/listings/3/price-history', { key: paid })).body.error.code, 'listing_not_found');
  const bare = makeListing({ property_type: 'land' });
  await recordPrices(bare, [], { photos: '', needs_photos: false });
  const { body } = await app.request(`/v1/listings/${idOf(bare)}/price-history`, { key: paid });
  t.deepEqual(body.data.prices, []);
});

test('`/r/{id}` redirects to the original ad of a served listing and returns 404 for a withdrawn one', async (t) => {
  const { pool } = app.services;
  const way = async (listing: StoredListing): Promise<readonly [number, string | null]> => {
    const { status, headers } = await app.request(`/r/${listing.display.id}`);
    return [status, headers.get('location')];
  };
  const arabicUrl = 'https://إعلان.example/شقق-للبيع/الرياض/123?حي=الملقا&a=%D8%A7#صور';
  const [served, gone, odd, bare, arabic, broken] = (await Promise.all(
    [
      'https://homes.example/ads/7?a=1',
      'https://homes.example/ads/8',
      'javascript:alert(1)',
      null,
      arabicUrl,
      'https://homes.example:port/ads/9',
    ].map(async (url, index) => {
      const listing = makeListing();
      await recordPrices(listing, [], index === 1 ? { withdrawn_at: new Date(NOW) } : {});
      await pool.query(`insert into listing_records (id, url, record) values ($1, $2, '{}')`, [idOf(listing), url]);
      return listing;
    }),
  )) as [StoredListing, StoredListing, StoredListing, StoredListing, StoredListing, StoredListing];
  t.deepEqual(await way(served), [302, 'https://homes.example/ads/7?a=1']);
  t.deepEqual(await way(gone), [404, null]);
  const encoded = encodeURI('/شقق-للبيع/الرياض/123?حي=الملقا&a=').concat('%D8%A7#', encodeURIComponent('صور'));
  t.deepEqual(await way(arabic), [302, `https://xn--kgbe7c1bl.example${encoded}`]);
  // Only web addresses are followed. Without one, the link leads to the listing's page on the site.
  for (const listing of [odd, bare, broken])
    t.deepEqual(await way(listing), [302, `${app.services.config.siteUrl}/listings/${listing.display.id}`]);
});
