import fc from 'fast-check';
import { CAPS } from '#domain/listings/caps.ts';
import { PROPERTY_TYPE_TABLE, PROPERTY_TYPES, type PropertyType } from '#domain/listings/vocabulary.ts';
import type { Judged } from '#ingest/quality/fences.ts';
import { Market } from '#ingest/quality/market.ts';
import { test } from '#test/test.ts';

const anyAd = fc.record({
  city: fc.constantFrom('riyadh', 'abha'),
  listing_type: fc.constantFrom('rent', 'sale'),
  // Two frequent types set the pooled fences, and the rare types have too few prices for own fences.
  property_type: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<PropertyType>('apartment', 'office') },
    { weight: 3, arbitrary: fc.constantFrom(...PROPERTY_TYPES) },
  ),
  neighborhood_id: fc.constantFrom(null, 1001, 1002),
  bedrooms: fc.constantFrom(null, 0, 2, 3, 5),
  area_sqm: fc.constantFrom(null, 120, 400, 5_000),
  price: fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 8, arbitrary: fc.integer({ min: 30_000, max: 90_000 }) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 100_000_000 }) },
  ),
});

type Verdicts = readonly { ad: Judged; typed: boolean; pooled: boolean }[];

function verdictsOf(ads: readonly Judged[]): Verdicts {
  const market = new Market();
  for (const [id, { price, area_sqm, ...rest }] of ads.entries())
    market.add(id, JSON.stringify(rest), () => ({ ...rest, price: null, area_sqm: null }), price, area_sqm);
  const verdicts: { ad: Judged; typed: boolean; pooled: boolean }[] = [];
  market.forEach(market.fences(), (index, _, typed, pooled) => {
    verdicts.push({ ad: ads[index] as Judged, typed, pooled });
  });
  return verdicts;
}

/** Number of listings that a search for the types shows: by the bounds of one type, or by the pooled bounds. */
const countOf = (verdicts: Verdicts, types: readonly string[]): number =>
  verdicts.filter(({ ad, typed, pooled }) => types.includes(ad.property_type) && (types.length === 1 ? typed : pooled))
    .length;

test('a search of several types shows every listing that a search of one of them shows', (t) => {
  let rare = 0;
  fc.assert(
    fc.property(fc.array(anyAd, { minLength: 1, maxLength: 300, size: 'max' }), (rows) => {
      const verdicts = verdictsOf(
        rows.map((row) => ({ ...row, listing_category: PROPERTY_TYPE_TABLE[row.property_type].category })),
      );
      const singles = PROPERTY_TYPES.map((type) => countOf(verdicts, [type]));
      const all = countOf(verdicts, PROPERTY_TYPES);
      if (verdicts.some(({ typed, pooled }) => typed && !pooled)) return false;
      if (all < singles.reduce((sum, count) => sum + count, 0)) return false;
      rare += singles.filter((count) => count > 0 && count < 30).length;
      return PROPERTY_TYPES.every((one, at) =>
        PROPERTY_TYPES.slice(at + 1).every(
          (other, next) =>
            countOf(verdicts, [one, other]) >= Math.max(singles[at] as number, singles[at + 1 + next] as number),
        ),
      );
    }),
    { numRuns: 100 },
  );
  t.true(rare > 100, 'types without own fences occur');
});

test('a type with too few prices for a fence is hidden by caps alone, also among other types', (t) => {
  const judged = (property_type: PropertyType, price: number, area_sqm: number | null): Judged => ({
    city: 'jeddah',
    listing_type: 'sale',
    listing_category: 'commercial',
    property_type,
    neighborhood_id: null,
    bedrooms: null,
    area_sqm,
    price,
  });
  const offices = Array.from({ length: 60 }, (_, at) => judged('office', 500_000 + at * 1_000, null));
  const [least, most] = CAPS.commercial_building.area;
  const found = verdictsOf([
    ...offices,
    judged('commercial_building', 40_000_000, null),
    judged('commercial_building', 40_000_000, most * 2),
    judged('commercial_land', 90_000_000, least * 2),
    judged('office', 40_000_000, null),
  ]).slice(offices.length);
  t.deepEqual(
    found.map(({ typed, pooled }) => [typed, pooled]),
    [
      [true, true],
      [false, false],
      [true, true],
      [false, false],
    ],
  );
});
