import { isPlausibleRent, meanOfRents, type RentRow, rentUnitOf } from '#domain/official/rents.ts';
import { test } from '#test/test.ts';

test('the unit of mean rents is the one that fits all cells of a type except rare outliers, and otherwise unknown', (t) => {
  for (const [type, means, unit] of [
    // Smallest, median and largest cells of the published files.
    ['apartment', [4_200, 12_041.2, 65_000], 'year'],
    ['floor', [5_000, 15_866.67, 480_000], 'year'],
    ['office', [2.517855, 302.08, 2_250], 'year_per_sqm'],
    ['shop', [4.16667, 361.62, 3_400], 'year_per_sqm'],
    ['showroom', [7.06292, 400, 3_673.46939], 'year_per_sqm'],
    // One outlier among many cells.
    ['showroom', [561, 22_500, 113, 898, 429, 290], 'year_per_sqm'],
    // Monthly rents.
    ['apartment', [1_000, 1_100, 900], null],
    ['office', [4_500], null],
    ['shop', [300, 400, 24_000, 30_000], null],
  ] as const)
    t.is(rentUnitOf(type, means), unit, `${type} ${means}`);
  t.false(isPlausibleRent('showroom', 'year_per_sqm', 22_500));
});

test('the mean over all contracts is weighted, and null if any cell has a different unit', (t) => {
  const cell = (contract_count: number, mean_rent_sar: number | null, mean_rent_per_sqm_sar: number | null) =>
    ({ contract_count, mean_rent_sar, mean_rent_per_sqm_sar }) as RentRow;
  const perSqm = [cell(3, null, 400), cell(1, null, 800)];
  t.is(meanOfRents(perSqm, 'mean_rent_per_sqm_sar'), 500);
  for (const unit of ['mean_rent_per_sqm_sar', 'mean_rent_sar'] as const)
    t.is(meanOfRents([...perSqm, cell(2, 40_000, null)], unit), null);
});
