import { startTestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { getData } from '#test/market.ts';
import { test } from '#test/test.ts';

const NOW = Date.parse('2026-06-01T12:34:37Z');
const FIRST_SEEN = Math.floor(NOW / 1000) - 5 * 86_400;

let app: Awaited<ReturnType<typeof startTestApp>>;
let key: string;
test.before(async () => {
  app = await startTestApp({ overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  key = (await createOrganization(app.services)).key;
});
test.after(() => app.close());

test('flagged listings are counted in medians and left out of comparables; hidden ones are counted nowhere', async (t) => {
  const { slug: city } = await app.addCity({}, [{}]);
  const home = (index: number, price: number, hidden: Parameters<typeof makeListing>[1] = {}) =>
    makeListing(
      { price: { yearly_sar: price }, area_sqm: 120, location: { city, ...placeOf(index) } },
      { first_seen: FIRST_SEEN, ...hidden },
    );
  // All homes are within 500 m of each other.
  const placeOf = (index: number) => ({ lat: 24.7 + (index % 6) * 0.0005, lng: 46.7 + Math.floor(index / 6) * 0.0005 });
  const plain = Array.from({ length: 30 }, (_, index) => home(index, 40_000 + index * 100));
  const flagged = [
    home(30, 20_000, { quality: ['text_price_differs'] }),
    home(31, 21_000, { quality: ['starting_price'] }),
  ];
  const implausible = { quality: ['partial_price' as const], plausible_typed: false, plausible_pooled: false };
  const hidden = home(32, 10_000, implausible);
  await indexListings(app.services, [...plain, ...flagged, hidden]);

  const summary = await getData(app, key, '/v1/market/summary', { city, listing_type: 'rent' });
  t.is(summary.sample_size, 32);
  const of = (listing: typeof hidden, name: string) => getData(app, key, `/v1/listings/${listing.display.id}/${name}`);
  for (const subject of [plain[0], flagged[0], hidden]) {
    if (subject === undefined) return t.fail();
    const others = subject === plain[0] ? 29 : 30;
    t.is((await of(subject, 'comparables')).summary.sample_size, others);
    t.is((await of(subject, 'price-band')).cohort.distinct_units, others);
  }
  const positions = [await of(plain[0] as typeof hidden, 'market-position'), await of(hidden, 'market-position')];
  t.deepEqual(
    positions.map(({ city, listing_in_sample }) => [city.sample_size, city.price_percentile, listing_in_sample]),
    [
      [32, 7.81, true],
      [32, 0, false],
    ],
  );
});

test('rents per day or week are left out of price bands', async (t) => {
  const { slug: city } = await app.addCity({}, [{}]);
  const home = (index: number, price: number, frequency: 'yearly' | 'daily' | 'weekly') =>
    makeListing(
      {
        price: { yearly_sar: price, as_posted: { amount: price, frequency } },
        area_sqm: 120,
        location: { city, lat: 24.7 + index * 0.0005, lng: 46.7 },
      },
      { first_seen: FIRST_SEEN },
    );
  const yearly = Array.from({ length: 25 }, (_, index) => home(index, 40_000 + index * 100, 'yearly'));
  const short = [home(25, 90_000, 'daily'), home(26, 80_000, 'weekly')];
  await indexListings(app.services, [...yearly, ...short]);
  const { cohort } = await getData(app, key, `/v1/listings/${yearly[0]?.display.id}/price-band`);
  t.is(cohort.distinct_units, yearly.length - 1);
});
