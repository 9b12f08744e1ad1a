import type { StoredListing } from '#domain/listings/listing.ts';
import { timestamp } from '#domain/listings/present.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing, recordListing } from '#test/factories.ts';
import { pull } from '#test/market.ts';
import { test } from '#test/test.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const DAY = 86_400;

let app: TestApp;
let paid: string;
let free: string;
let city: string;
/** A listing that searches return, and ones that are implausible with and without a single property type. */
let plain: StoredListing;
let untyped: StoredListing;
let unpooled: StoredListing;
let priceless: StoredListing;
/** Without a photo. */
let land: StoredListing;
test.before(async () => {
  app = await startTestApp({ overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  paid = (await createOrganization(app.services, { plan: 'enterprise' })).key;
  free = (await createOrganization(app.services, { plan: 'free' })).key;
  city = (await app.addCity()).slug;
  const make = (display: Parameters<typeof makeListing>[0], hidden: Parameters<typeof makeListing>[1] = {}) =>
    makeListing({ ...display, location: { city } }, hidden);
  plain = make({});
  untyped = make({}, { plausible_typed: false });
  unpooled = make({}, { plausible_pooled: false });
  priceless = make({ price: { yearly_sar: null, as_posted: null } });
  land = make({ property_type: 'land' }, { photos: [] });
  await indexListings(app.services, [plain, untyped, unpooled, priceless, land]);
});
test.after(() => app.close());

const idOf = ({ display }: StoredListing): number => display.id;
const get = (path: string, key = paid) => app.request(path, { key });
const batch = (ids: readonly (number | string)[]) => get(`/v1/listings/batch?ids=${ids}`);

test('lookups return listings that searches hide, and state which ones these are', async (t) => {
  const all = [plain, untyped, unpooled, priceless, land];
  const shown = (await pull(app, paid, { city, listing_type: 'rent' })).map(({ id }) => id);
  const pending = makeListing();
  await recordPrices(pending, [[-1, 40_000]], { photos: '' });
  // Repeated, because listings that are already in memory are read by digest.
  for (let time = 0; time < 3; time++) {
    const { body } = await batch([...all, pending].map(idOf));
    t.deepEqual(
      body.data.map(({ id, in_search }: { id: number; in_search: boolean }) => [id, in_search]),
      all.map((listing, at) => [idOf(listing), [true, true, false, false, true][at]]),
    );
    for (const { id, in_search } of body.data) t.is(shown.includes(id), in_search);
    t.deepEqual(body.missing_ids, [idOf(pending)]);
  }
  for (const id of all.map(idOf)) {
    t.like((await get(`/v1/listings/${id}`)).body.data, { id, in_search: shown.includes(id) });
    t.deepEqual((await get(`/v1/listings/${id}?fields=in_search`)).body.data, { id, in_search: shown.includes(id) });
    t.false('in_search' in (await get(`/v1/listings/${id}?fields=price`)).body.data);
  }
  const { data } = (await get(`/v1/listings/${idOf(untyped)}/market-position`)).body;
  t.like(data, { listing_in_sample: false, city: { sample_size: 2 } });
});

test('a repeated property type has the bounds of one type', async (t) => {
  const { property_type: type } = plain.display;
  for (const property_type of [type, `${type},${type}`]) {
    const found = await pull(app, paid, { city, listing_type: 'rent', property_type });
    t.deepEqual(found.map(({ id }) => id).sort(), [idOf(plain), idOf(unpooled)].sort());
  }
});

test('a batch returns each of at most 100 ids once in the requested order, and lists missing ids', async (t) => {
  const [a, b] = [idOf(untyped), idOf(plain)];
  const { body } = await batch([7, b, 5, ` ${a}`, b, 7]);
  t.deepEqual(
    [body.data.map(({ id }: { id: number }) => id), body.missing_ids],
    [
      [b, a],
      [7, 5],
    ],
  );
  const many = Array.from({ length: 101 }, (_, at) => 9_000_000_000_000 + at);
  t.is((await batch(many.slice(1))).body.missing_ids.length, 100);
  for (const wrong of [many, ['1', '', '2'], [0], ['01']]) {
    const { status, body } = await batch(wrong);
    t.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_value', 'ids'], `${wrong}`);
  }
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

test('price history returns every price, oldest first, and only the last 90 days on the Free plan, of a served listing', async (t) => {
  const listing = makeListing();
  await recordPrices(listing, [
    [-5, 45_000],
    [-200, 40_000],
    [-91, 50_000],
    [-90, null],
    [-30, 60_000],
  ]);
  const path = `/v1/listings/${idOf(listing)}/price-history`;
  const prices = [
    { at: at(-200), price_yearly_sar: 40_000, previous_price_yearly_sar: null, change_pct: null },
    { at: at(-91), price_yearly_sar: 50_000, previous_price_yearly_sar: 40_000, change_pct: 25 },
    { at: at(-30), price_yearly_sar: 60_000, previous_price_yearly_sar: 50_000, change_pct: 20 },
    { at: at(-5), price_yearly_sar: 45_000, previous_price_yearly_sar: 60_000, change_pct: -25 },
  ];
  t.deepEqual((await get(path)).body.data, { listing_id: idOf(listing), history_window_days: null, prices });
  const limited = { listing_id: idOf(listing), history_window_days: 90, prices: prices.slice(2) };
  t.deepEqual((await get(path, free)).body.data, limited);
  for (const column of [`withdrawn_at = '${at(-91)}'`, 'withdrawn_at = null, duplicate_of = 5']) {
    await app.services.pool.query(`update listings set ${column} where id = $1`, [idOf(listing)]);
    t.is((await get(path)).status, 404, column);
  }
});

test('`/r/{id}` redirects to the original ad of a served listing and returns 404 for a withdrawn one', async (t) => {
  const encoded = encodeURI('/شقق-للبيع/الرياض/123?حي=الملقا&a=').concat('%D8%A7#', encodeURIComponent('صور'));
  for (const [url, withdrawn_at, expected] of [
    ['https://homes.example/ads/7?a=1', null, 'https://homes.example/ads/7?a=1'],
    ['https://homes.example/ads/8', new Date(NOW), null],
    [
      'https://إعلان.example/شقق-للبيع/الرياض/123?حي=الملقا&a=%D8%A7#صور',
      null,
      `https://xn--kgbe7c1bl.example${encoded}`,
    ],
    // Only web addresses are followed. Without one, the link leads to the listing's page on the site.
    ['javascript:alert(1)', null, 'page'],
    ['https://homes.example:port/ads/9', null, 'page'],
    [null, null, 'page'],
  ] as const) {
    const listing = makeListing();
    await recordPrices(listing, [], { withdrawn_at });
    await app.services.pool.query(`insert into listing_records (id, url, record) values ($1, $2, '{}')`, [
      idOf(listing),
      url,
    ]);
    const { status, headers } = await app.request(`/r/${idOf(listing)}`);
    const page = `${app.services.config.siteUrl}/listings/${idOf(listing)}`;
    const location = expected === 'page' ? page : expected;
    t.deepEqual([status, headers.get('location')], [expected === null ? 404 : 302, location], `${url}`);
  }
});

test('selected fields are those of the whole listing, in its order and with its id, also on a page that continues another', async (t) => {
  const city = (await app.addCity()).slug;
  const listings = [30_000, 40_000].map((yearly_sar) => makeListing({ price: { yearly_sar }, location: { city } }));
  await indexListings(app.services, listings);
  const search = `/v1/listings?city=${city}&listing_type=rent&sort=price_asc`;
  const whole = (await get(search)).body;
  const expected = whole.data.map(({ id, headline, price }: Record<string, unknown>) => ({ id, headline, price }));
  const selected = (await get(`${search}&fields=price&fields=headline,price`)).body;
  t.is(JSON.stringify(selected.data), JSON.stringify(expected));
  const { next_cursor } = (await get(`${search}&limit=1`)).body.pagination;
  t.deepEqual(
    (await get(`${search}&limit=1&cursor=${next_cursor}&fields=headline,price`)).body.data,
    expected.slice(1),
  );
  const [id] = listings.map(({ display }) => display.id);
  t.deepEqual((await get(`/v1/listings/batch?ids=${id}&fields=in_search`)).body.data, [{ id, in_search: true }]);
  for (const [as, url] of [
    [paid, whole.data[0].source.url],
    [free, null],
  ] as const)
    t.is((await get(`/v1/listings/${id}?fields=source`, as)).body.data.source.url, url);
});
