import fc from 'fast-check';
import { isPlausibleRent, meanOfRents, RENT_BOUNDS, type RentRow, rentUnitOf } from '#domain/official/rents.ts';
import { RENT_PROPERTY_TYPES } from '#domain/official/vocabulary.ts';
import { test } from '#test/test.ts';

const anyType = fc.constantFrom(...RENT_PROPERTY_TYPES);
const anyUnit = fc.constantFrom('year' as const, 'year_per_sqm' as const);

test('mean rents of published files are yearly for homes, and yearly per m² for commercial properties', (t) => {
  // Smallest, median and largest cells of the published files.
  t.is(rentUnitOf('apartment', [4_200, 12_041.2, 65_000]), 'year');
  t.is(rentUnitOf('floor', [5_000, 15_866.67, 480_000]), 'year');
  t.is(rentUnitOf('office', [2.517855, 302.08, 2_250]), 'year_per_sqm');
  t.is(rentUnitOf('shop', [4.16667, 361.62, 3_400]), 'year_per_sqm');
  t.is(rentUnitOf('showroom', [7.06292, 400, 3_673.46939]), 'year_per_sqm');
});

test('the rent unit is unknown unless one unit fits all cells except rare outliers', (t) => {
  t.is(rentUnitOf('apartment', [1_000, 1_100, 900]), null, 'rents of a month');
  t.is(rentUnitOf('office', [4_500]), null);
  t.is(rentUnitOf('shop', [300, 400, 24_000, 30_000]), null);
  t.is(rentUnitOf('villa', [0.5]), null);
  // One outlier among many cells does not change the unit.
  t.is(rentUnitOf('showroom', [561, 22_500, 113, 898, 429, 290]), 'year_per_sqm');
  t.false(isPlausibleRent('showroom', 'year_per_sqm', 22_500));
});

test('no mean rent is plausible both per year and per m² and year', (t) => {
  fc.assert(
    fc.property(anyType, fc.double({ min: 0, max: 1e9, noNaN: true }), (type, mean) => {
      t.false(isPlausibleRent(type, 'year', mean) && isPlausibleRent(type, 'year_per_sqm', mean));
    }),
  );
});

test('mean rents within the bounds of a unit have that unit, in any order of cells', (t) => {
  const cells = anyType.chain((type) =>
    anyUnit.chain((unit) => {
      const { min, max } = RENT_BOUNDS[type][unit];
      const means = fc.array(fc.double({ min, max, noNaN: true }), { minLength: 1, maxLength: 30 });
      return means.map((list) => ({ type, unit, list }));
    }),
  );
  fc.assert(
    fc.property(cells, ({ type, unit, list }) => {
      t.is(rentUnitOf(type, list), unit);
      t.is(rentUnitOf(type, list.toReversed()), unit);
    }),
  );
});

test('the mean over all contracts is null if any cell has a different unit', (t) => {
  const cell = (
    contract_count: number,
    mean_rent_sar: number | null,
    mean_rent_per_sqm_sar: number | null,
  ): RentRow => ({
    quarter: 8_099,
    neighborhood_id: null,
    neighborhood_ar: null,
    town_ar: 'الرياض',
    property_type: 'office',
    property_type_ar: 'مكتب - تجاري',
    contract_count,
    mean_rent_sar,
    mean_rent_per_sqm_sar,
  });
  const perSqm = [cell(3, null, 400), cell(1, null, 800)];
  t.is(meanOfRents(perSqm, 'mean_rent_per_sqm_sar'), 500);
  t.is(meanOfRents(perSqm, 'mean_rent_sar'), null);
  const mixed = [...perSqm, cell(2, 40_000, null)];
  t.is(meanOfRents(mixed, 'mean_rent_per_sqm_sar'), null);
  t.is(meanOfRents(mixed, 'mean_rent_sar'), null);
});
