import { cohortOf, type Observation } from '#domain/statistics/price-band.ts';
import { test } from '#test/test.ts';

const market = { city: 'riyadh', listing_type: 'rent', property_type: 'apartment', bedrooms: 3 };
const home = { id: 1, area: 120, age: null, price: 50_000, lat: 24.8, lng: 46.6 };
const observation = (id: number, age: number | null = null): Observation => ({
  ...{ ...home, id, age, lat: 24.8 + id / 1_000, price: 50_000 + id },
  ...{ bathrooms: 2, compound: null, advertiser: `a${id}`, distance: 111 * id },
});

test('other ads of the dwelling, and repeated ads of another one, are no comparables', (t) => {
  const others = Array.from({ length: 12 }, (_, at) => observation(at + 2));
  const own = { ...observation(100), lat: home.lat, price: home.price, distance: 0 };
  const repeated = { ...observation(2), id: 200 };
  const idsOf = (nearby: readonly Observation[]) => cohortOf({ ...market, ...home }, nearby)?.units.map(({ id }) => id);
  t.is(idsOf(others)?.length, 12);
  t.deepEqual(idsOf([own, ...others, repeated]), idsOf(others));
});

test('a home is compared with its age class, whose both ends belong to it', (t) => {
  for (const [min, max] of [
    [0, 2],
    [3, 6],
    [7, 14],
  ] as const)
    for (const age of [min, max]) {
      const alike = Array.from({ length: 12 }, (_, at) => observation(at + 2, at % 2 === 0 ? min : max));
      const others = Array.from({ length: 12 }, (_, at) => observation(at + 20, max + 1));
      const cohort = cohortOf({ ...market, ...home, age }, [...alike, ...others]);
      t.deepEqual([cohort?.ages, cohort?.units.length], [{ min, max }, 12], `${age} years`);
    }
});
