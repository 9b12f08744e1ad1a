import fc from 'fast-check';
import { metersBetween } from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { judgePrice } from '#domain/statistics/deals.ts';
import { cohortOf, MAX_NEARBY } from '#domain/statistics/price-band.ts';
import { judgeHomes } from '#ingest/deals/compare.ts';
import { type Home, Homes } from '#ingest/deals/homes.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

const MARKET = { city: 'riyadh', listing_type: 'sale', property_type: 'apartment', bedrooms: 3 };

const isLocated = (home: Home): home is Home & LatLng => home.lat !== null && home.lng !== null;

/** Reference implementation: compares all pairs of homes, without grid or early exclusion. */
function plain(homes: readonly Home[]) {
  return [...homes]
    .sort((a, b) => a.id - b.id)
    .flatMap((home) => {
      const nearby = homes
        .filter((other) => other !== home && Math.abs(other.area - home.area) <= home.area * 0.25)
        .filter((other) => (isLocated(home) ? isLocated(other) : other.neighborhood === home.neighborhood))
        .map((other) => ({ ...other, distance: isLocated(home) ? metersBetween(home, other as LatLng) : 0 }))
        .filter(({ distance }) => distance <= 5_000)
        .sort((a, b) => (isLocated(home) ? a.distance - b.distance || a.id - b.id : b.id - a.id))
        .slice(0, MAX_NEARBY);
      const { id, area, age, price, lat, lng, neighborhood } = home;
      const place = isLocated(home)
        ? { lat: lat as number, lng: lng as number }
        : { neighborhood_id: neighborhood ?? 0 };
      const subject = { ...MARKET, id, area, age, price, ...place };
      const cohort = cohortOf(subject, nearby);
      const verdict = home.ownPhotos && cohort ? judgePrice(subject, cohort) : null;
      return verdict
        ? [
            {
              id: home.id,
              verdict,
              dwelling: `${isLocated(home) ? `${home.lat} ${home.lng}` : home.neighborhood} ${home.area} ${home.price}`,
            },
          ]
        : [];
    })
    .filter(({ verdict, dwelling }, index, all) =>
      all
        .slice(0, index)
        .every((other) => verdict.kind !== 'deal' || other.verdict.kind !== 'deal' || other.dwelling !== dwelling),
    )
    .map(({ id, verdict }) => ({ id, verdict }));
}

const found = (homes: readonly Home[]) =>
  judgeHomes(new Homes(MARKET, homes)).map(({ id, verdict }) => ({ id, verdict }));

/**
 * Homes of all ages, some of them in one building and some advertised twice.
 * @param unlocated the share of homes without a point
 */
function city(count: number, seed: number, span: number, south = 24.5, unlocated = 0): Home[] {
  const random = seeded(seed);
  const homes: Home[] = [];
  for (let id = 1; id <= count; id++) {
    const twin = random() < 0.1 ? homes[Math.floor(random() * homes.length)] : undefined;
    const area = 80 + Math.floor(random() * 120);
    homes.push({
      id,
      lat: south + random() * span,
      lng: 46.5 + random() ** 2 * span,
      price: Math.round((area * 3_000 * Math.exp((random() - 0.5) * 1.6)) / 2) * 2,
      area,
      bathrooms: random() < 0.2 ? null : 2,
      age: random() < 0.3 ? null : Math.floor(random() * 12),
      compound: random() < 0.1 ? 'gardens' : null,
      advertiser: random() < 0.5 ? null : `office${Math.floor(random() * 40)}`,
      ownPhotos: random() > 0.05,
      neighborhood: 1 + Math.floor(random() * 3),
      ...(twin && { lat: twin.lat, lng: twin.lng, area: twin.area, price: twin.price }),
    });
    const home = homes.at(-1) as Home;
    if (random() < unlocated) Object.assign(home, { lat: null, lng: null });
  }
  return homes;
}

test('the grid finds the same prices as a brute-force pairwise comparison, in dense and sparse cities at any latitude', (t) => {
  const kinds = { deal: 0, far_below: 0 };
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 1, max: 1e6 }),
      fc.constantFrom(0, 0.002, 0.02, 0.1, 0.5),
      fc.constantFrom(24.5, -33, 0, 64),
      fc.constantFrom(0, 0.3, 1),
      (count, seed, span, south, unlocated) => {
        const homes = city(count, seed, span, south, unlocated);
        const expected = plain(homes);
        for (const { verdict } of expected) kinds[verdict.kind]++;
        t.deepEqual(found(homes), expected);
      },
    ),
    { numRuns: 30 },
  );
  t.true(kinds.deal > 40 && kinds.far_below > 10, JSON.stringify(kinds));
});
