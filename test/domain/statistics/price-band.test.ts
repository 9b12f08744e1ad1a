import { cohortOf, type Observation } from '#domain/statistics/price-band.ts';
import { test } from '#test/test.ts';

type Subject = Parameters<typeof cohortOf>[0];
const subject: Subject = {
  id: 1,
  city: 'riyadh',
  listing_type: 'rent',
  property_type: 'apartment',
  bedrooms: 3,
  area: 120,
  age: null,
  price: 50_000,
  lat: 24.8,
  lng: 46.6,
};
const observation = (id: number, changes: Partial<Observation> = {}): Observation => ({
  id,
  lat: 24.8 + id / 1_000,
  lng: 46.6,
  area: 120,
  price: 50_000 + id,
  bathrooms: 2,
  age: null,
  compound: null,
  advertiser: `a${id}`,
  distance: 111 * id,
  ...changes,
});

test('other ads of the dwelling, and repeated ads of another one, are no comparables', (t) => {
  const others = Array.from({ length: 12 }, (_, at) => observation(at + 2));
  const own = observation(100, { lat: 24.8, price: 50_000, distance: 0 });
  const repeated = { ...others[0], id: 200 } as Observation;
  const idsOf = (nearby: readonly Observation[]) => cohortOf(subject, nearby)?.units.map(({ id }) => id);
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
      const alike = Array.from({ length: 12 }, (_, at) => observation(at + 2, { age: at % 2 === 0 ? min : max }));
      const others = Array.from({ length: 12 }, (_, at) => observation(at + 20, { age: max + 1 }));
      const cohort = cohortOf({ ...subject, age }, [...alike, ...others]);
      t.deepEqual([cohort?.ages, cohort?.units.length], [{ min, max }, 12], `${age} years`);
    }
});
