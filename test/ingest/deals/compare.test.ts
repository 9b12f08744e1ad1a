import { type Home, judgeHomes } from '#ingest/deals/compare.ts';
import { test } from '#test/test.ts';

const MARKET = { city: 'riyadh', listing_type: 'sale', property_type: 'apartment', bedrooms: 3 };

const home = (id: number, price: number, changes: Partial<Home> = {}): Home => ({
  id,
  lat: 24.7 + id * 0.0005,
  lng: 46.7,
  price,
  area: 120,
  bathrooms: 2,
  age: null,
  compound: null,
  advertiser: null,
  ownPhotos: true,
  ...changes,
});

// The deals endpoint is compared with a reference implementation, which has no dwelling that is advertised twice.
test('of a dwelling that is advertised twice the oldest ad is a deal, and a price far below is none', (t) => {
  const market = Array.from({ length: 40 }, (_, at) => home(at + 1, 900_000 + 1_000 * (at % 20)));
  const dwelling = { lat: 24.71, area: 121 };
  const low = [
    home(51, 650_000, dwelling),
    home(52, 650_000, dwelling),
    home(53, 640_000, { lat: 24.711, ownPhotos: false }),
    home(54, 400_000, { lat: 24.712 }),
  ];
  t.deepEqual(
    judgeHomes(MARKET, [...market, ...low]).map(({ id, verdict }) => [id, verdict.kind]),
    [
      [51, 'deal'],
      [54, 'far_below'],
    ],
  );
});
