import type { StoredListing } from '#domain/listings/listing.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings } from '#test/factories.ts';
import { errorPct, getData, marketCity, quantile } from '#test/market.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

const NOW = Date.parse('2026-06-01T12:34:37Z');
const DAY = 86_400_000;
const WINDOW_FROM = Date.parse('2026-06-01T12:00:00Z') - 30 * DAY;
const COUNT = 60_000;
const NEIGHBORHOODS = 40;
const MIN_LISTINGS = 30;
/** Percent. */
const MAX_ERROR = 1;
const QUARTILES = { p25_price_sar: 0.25, median_price_sar: 0.5, p75_price_sar: 0.75 } as const;

type Row = Readonly<Record<keyof typeof QUARTILES | 'neighborhood_id' | 'sample_size', number>>;

let app: TestApp;
let key: string;
let city: string;
let listings: StoredListing[];
test.before(async () => {
  app = await startTestApp({ overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  key = (await createOrganization(app.services)).key;
  const places = Array.from({ length: NEIGHBORHOODS }, () => ({}));
  city = (await app.addCity({}, places)).slug;
  const neighborhoods = (app.services.places.neighborhoods(city) ?? []).map(({ id }) => id);
  const now = Math.floor(NOW / 1000);
  listings = marketCity({ city, neighborhoods, now, count: COUNT, random: seeded(1) });
  await indexListings(app.services, listings);
});
test.after(() => app.close());

/** Returns the prices in the statistics of a type of homes, by neighborhood. */
function pricesOf(listing_type: string, property_type: string): Map<number | null, number[]> {
  const prices = new Map<number | null, number[]>();
  for (const { display, private: hidden } of listings) {
    const { price, location, updated_at } = display;
    if (display.listing_type !== listing_type || display.property_type !== property_type) continue;
    if (price.yearly_sar === null || !hidden.plausible_typed || Date.parse(updated_at) < WINDOW_FROM) continue;
    const own = prices.get(location.neighborhood_id) ?? [];
    own.push(price.yearly_sar);
    prices.set(location.neighborhood_id, own);
  }
  return prices;
}

/** Returns the largest error of the quartiles of a row in percent. */
const worstError = (row: Row, prices: readonly number[]): number =>
  Math.max(
    ...Object.entries(QUARTILES).map(([name, share]) => errorPct(row[name as keyof Row], quantile(prices, share))),
  );

test('quartiles of cities and neighborhoods of every size are within 1% of the exact ones', async (t) => {
  t.timeout(300_000);
  let markets = 0;
  let worst = 0;
  for (const listing_type of ['rent', 'sale'])
    for (const property_type of ['apartment', 'villa', 'floor', 'land', 'office']) {
      const query = { city, listing_type, property_type };
      const prices = pricesOf(listing_type, property_type);
      const all = [...prices.values()].flat();
      const whole: Row = await getData(app, key, '/v1/market/summary', query);
      t.is(whole.sample_size, all.length);
      worst = Math.max(worst, worstError(whole, all));
      const { neighborhoods } = await getData(app, key, '/v1/market/neighborhoods', query);
      for (const row of neighborhoods as Row[]) {
        const own = prices.get(row.neighborhood_id) ?? [];
        t.is(row.sample_size, own.length);
        if (own.length < MIN_LISTINGS) continue;
        const one: Row = await getData(app, key, '/v1/market/summary', {
          ...query,
          neighborhood_id: row.neighborhood_id,
        });
        worst = Math.max(worst, worstError(row, own), worstError(one, own));
        markets++;
      }
    }
  t.log({ markets, worst });
  t.true(markets > 200, `${markets} markets`);
  t.true(worst <= MAX_ERROR, `${worst}%`);
});
