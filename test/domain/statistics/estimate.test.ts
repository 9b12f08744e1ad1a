import fc from 'fast-check';
import { type EstimateSubject, estimateOf, type Neighbor } from '#domain/statistics/estimate.ts';
import { dwellingKey } from '#domain/statistics/price-band.ts';
import { sphericalMeters } from '#test/distance.ts';
import { test } from '#test/test.ts';

const CENTER = { lat: 24.7, lng: 46.7 };

const attributes = {
  area: fc.integer({ min: 90, max: 150 }),
  bedrooms: fc.constantFrom(null, 2, 3, 4),
  age: fc.constantFrom(null, 0, 1, 4, 9, 20),
};
const point = {
  lat: fc.integer({ min: -40, max: 40 }).map((step) => CENTER.lat + step * 0.0002),
  lng: fc.integer({ min: -40, max: 40 }).map((step) => CENTER.lng + step * 0.0002),
};

const neighborsOf = (most: number) =>
  fc
    .array(
      fc.record({
        ...attributes,
        ...point,
        bathrooms: fc.constantFrom(null, 2, 3),
        price: fc.integer({ min: 80, max: 200 }).map((thousands) => thousands * 5_000),
        compound: fc.constantFrom(null, null, null, 'palm court'),
        advertiser: fc.constantFrom(null, null, null, 'a', 'b'),
      }),
      { maxLength: most, size: 'max' },
    )
    .map((homes) =>
      homes.map((home, index): Neighbor => ({ ...home, id: index + 1, distance: sphericalMeters(CENTER, home) })),
    );

const subjects = fc.record({ ...attributes, price: fc.constantFrom(null, 500_000) }).map(
  (home): EstimateSubject => ({
    id: 1_000,
    city: 'riyadh',
    listing_type: 'sale',
    property_type: 'apartment',
    ...home,
    ...CENTER,
  }),
);

/** Reference implementation in the words of docs/estimate.md.  */
function plainEstimate(subject: EstimateSubject, nearby: readonly Neighbor[]) {
  const own = dwellingKey({ ...CENTER, area: subject.area, price: subject.price });
  const units = new Map(
    [...nearby]
      .reverse()
      .filter((home) => dwellingKey(home) !== own)
      .map((home) => [`${dwellingKey(home)} ${home.bathrooms}`, home]),
  );
  const homes = [...units.values()].sort((a, b) => a.id - b.id);
  type Facts = Pick<Neighbor, 'area' | 'bedrooms' | 'age'> & { lat: number | null; lng: number | null };
  const center: Facts = { ...subject, ...CENTER };
  const gap = (a: number | null, b: number | null, reach: number): number =>
    a === null || b === null ? (a === b ? 0 : Math.log(2)) : Math.abs(a - b) / reach;
  const root = (age: number | null): number | null => (age === null ? null : Math.sqrt(age));
  const meters = (degrees: number): number => (degrees * Math.PI * 6_371_008.8) / 180;
  const weight = (a: Facts, b: Facts): number =>
    Math.exp(
      -Math.hypot(
        meters((a.lat as number) - (b.lat as number)),
        meters((a.lng as number) - (b.lng as number)) * Math.cos((CENTER.lat * Math.PI) / 180),
      ) /
        400 -
        Math.abs(Math.log(a.area / b.area)) / 0.07 -
        gap(a.bedrooms, b.bedrooms, 1.5) -
        gap(root(a.age), root(b.age), 0.5),
    );
  const weights = homes.map((home) => weight(center, home));
  /** Weighted median over the 40 homes of the largest weight. */
  const expected = (of: Facts, among: readonly Neighbor[]): number => {
    const nearest = among
      .map((home) => ({ home, weight: weight(of, home) }))
      .sort((a, b) => b.weight - a.weight || a.home.id - b.home.id)
      .slice(0, 40)
      .map(({ home, weight: share }) => ({ share, log: Math.log(home.price) + Math.log(of.area / home.area) / 2 }))
      .sort((a, b) => a.log - b.log);
    const half = nearest.reduce((all, { share }) => all + share, 0) / 2;
    let reached = 0;
    for (const { share, log } of nearest) {
      reached += share;
      if (reached >= half) return log;
    }
    return Number.NaN;
  };
  const buildings = homes.map((home) => new Set([home]));
  for (let joined = true; joined; ) {
    joined = false;
    for (const [at, first] of homes.entries())
      for (const [other, second] of homes.entries())
        if (buildings[at] !== buildings[other] && sphericalMeters(placeOf(first), placeOf(second)) <= 30) {
          const all = new Set([...(buildings[at] as Set<Neighbor>), ...(buildings[other] as Set<Neighbor>)]);
          for (const [index, home] of homes.entries()) if (all.has(home)) buildings[index] = all;
          joined = true;
        }
  }
  const errors = homes
    .map((home, at) => ({ home, at, weight: weights[at] as number }))
    .sort((a, b) => b.weight - a.weight || a.home.id - b.home.id)
    .slice(0, 40)
    .map(({ home, at }) =>
      Math.abs(
        Math.log(home.price) -
          expected(
            home,
            homes.filter((other) => !buildings[at]?.has(other)),
          ),
      ),
    )
    .sort((a, b) => a - b);
  const bound = (level: number): number =>
    errors[Math.min(Math.ceil((errors.length + 1) * level), errors.length) - 1] as number;
  const log = expected(center, homes);
  return { log, wide: bound(0.8), narrow: bound(0.5) };
}

const placeOf = ({ lat, lng }: { lat: number | null; lng: number | null }) => ({ lat: lat ?? 0, lng: lng ?? 0 });

test('the estimate and its intervals match those of the reference implementation', (t) => {
  const near = (found: number, exact: number): void => {
    t.true(Math.abs(found - exact) < 1e-6, `${found}, ${exact}`);
  };
  fc.assert(
    fc.property(subjects, neighborsOf(60), (subject, nearby) => {
      const found = estimateOf(subject, nearby);
      if (found === null) return;
      const { log, wide, narrow } = plainEstimate(subject, nearby);
      near(Math.log(found.price), log);
      near(Math.log(found.interval80.high), log + wide);
      near(Math.log(found.interval80.low), log - wide);
      near(Math.log(found.interval50.high), log + narrow);
    }),
    { numRuns: 60 },
  );
});

test('there is no estimate from fewer than 10 homes or 6 independent groups', (t) => {
  const facts = { area: 120, bedrooms: 3, age: 4 };
  const homes = Array.from(
    { length: 24 },
    (_, at): Neighbor => ({
      ...{ ...facts, id: at + 1, price: 500_000 + at * 1_000, bathrooms: 2, compound: null, advertiser: null },
      ...{ lat: CENTER.lat + at * 0.001, lng: CENTER.lng, distance: at * 111 },
    }),
  );
  const market = { city: 'riyadh', listing_type: 'sale', property_type: 'apartment' };
  const subject: EstimateSubject = { ...CENTER, ...market, ...facts, id: 1_000, price: null };
  t.is(estimateOf(subject, homes.slice(0, 9)), null);
  const ofFive = homes.map((each) => ({ ...each, advertiser: `adv_${each.id % 5}` }));
  t.is(estimateOf(subject, ofFive), null);
  t.is(estimateOf(subject, homes.slice(0, 10))?.limited, true);
  t.is(estimateOf(subject, homes)?.limited, false);
});
