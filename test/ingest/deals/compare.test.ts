import fc from 'fast-check';
import { metersBetween } from '#domain/geography/distance.ts';
import { judgePrice } from '#domain/statistics/deals.ts';
import { cohortOf, dwellingKey, MAX_NEARBY, RADII } from '#domain/statistics/price-band.ts';
import { randomFrom } from '#domain/statistics/random.ts';
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

/** The verdicts by all homes of the market, sorted by distance for each. */
function judgedSlowly(homes: readonly Home[]): [number, unknown][] {
  const dwellings = new Set<string>();
  return homes.flatMap((home): [number, unknown][] => {
    const similar = homes
      .filter((other) => other !== home && Math.abs(other.area - home.area) <= home.area / 4)
      .map((other) => ({ ...other, distance: metersBetween(home, other) }))
      .sort((a, b) => a.distance - b.distance || a.id - b.id);
    const radius = [500, ...RADII].find(
      (each) => similar.filter(({ distance }) => distance <= each).length >= MAX_NEARBY,
    );
    const nearby = similar.filter(({ distance }) => distance <= (radius ?? 5_000)).slice(0, MAX_NEARBY);
    const subject = { ...MARKET, ...home };
    const cohort = cohortOf(subject, nearby);
    const verdict = home.ownPhotos && cohort ? judgePrice(subject, cohort) : null;
    if (!verdict || (verdict.kind === 'deal' && dwellings.has(dwellingKey(home)))) return [];
    if (verdict.kind === 'deal') dwellings.add(dwellingKey(home));
    return [[home.id, verdict]];
  });
}

test('random markets have the verdicts that all homes, sorted by distance, give', (t) => {
  const kinds = new Set<string>();
  const market = fc.record({
    seed: fc.integer(),
    size: fc.integer({ min: 12, max: 500 }),
    /** Degrees. */
    spread: fc.constantFrom(0.002, 0.01, 0.05),
    lat: fc.constantFrom(17, 24.7, 32, 60),
    dispersion: fc.constantFrom(0.1, 0.3, 0.6),
  });
  fc.assert(
    fc.property(market, ({ seed, size, spread, lat, dispersion }) => {
      const random = randomFrom(String(seed));
      const homes = Array.from({ length: size }, (_, id): Home => {
        const area = 90 + Math.floor(random() * 60);
        return home(id + 1, Math.round(area * 70 * Math.exp(dispersion * (random() + random() - 1))) * 100, {
          lat: lat + (random() + random() - 1) * spread,
          lng: 46.7 + (random() + random() - 1) * spread,
          area,
          bathrooms: random() < 0.3 ? null : 2,
          age: random() < 0.5 ? null : Math.floor(random() * 20),
          advertiser: random() < 0.5 ? null : `a${Math.floor(random() * 40)}`,
          ownPhotos: random() < 0.8,
        });
      });
      // Some homes are advertised twice.
      const all = homes.map((each, at) => (at % 11 === 10 ? { ...(homes[at - 5] as Home), id: each.id } : each));
      const judged = judgeHomes(MARKET, all).map(({ id, verdict }) => [id, verdict]);
      for (const [, { kind }] of judged as [number, { kind: string }][]) kinds.add(kind);
      t.deepEqual(judged, judgedSlowly(all));
    }),
    { numRuns: 12, examples: [[{ seed: 1, size: 450, spread: 0.01, lat: 24.7, dispersion: 0.6 }]] },
  );
  t.deepEqual([...kinds].sort(), ['deal', 'far_below']);
});
