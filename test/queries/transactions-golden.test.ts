import { type CellsInput, cellsBody } from '#queries/transactions/cells.ts';
import { transactionsBody } from '#queries/transactions/search.ts';
import { goldenTests } from '#test/golden.ts';
import { test } from '#test/test.ts';

/** Request bodies sent to OpenSearch: see `market-golden.test.ts`. */
const year: CellsInput = {
  city: 'riyadh',
  quarterFrom: 8_096,
  quarterTo: 8_099,
  byNeighborhood: false,
};

goldenTests(test, new URL('./golden/transactions/', import.meta.url), {
  page: transactionsBody({ filters: { city: 'riyadh' }, size: 26 }),
  'page-behind-a-row': transactionsBody({ filters: { city: 'riyadh' }, size: 26, after: [24_300, 4_711] }),
  'page-with-every-filter': transactionsBody({
    filters: {
      city: 'riyadh',
      neighborhood_id: [1001, 1002],
      land_use_class: ['residential'],
      month_from: '2025-01',
      month_to: '2025-12',
      price_min: 500_000,
      price_max: 2_000_000,
      area_min: 200,
      area_max: 900.5,
      price_per_sqm_min: 1_000,
      price_per_sqm_max: 8_000,
    },
    size: 11,
  }),
  'cells-of-a-city': cellsBody(year, 5),
  'cells-of-each-neighborhood': cellsBody({ ...year, byNeighborhood: true }, 5),
  'cells-of-plots': cellsBody(
    {
      ...year,
      neighborhood_id: [1001],
      land_use_class: ['commercial'],
      byNeighborhood: true,
    },
    12,
  ),
  'cells-of-neighborhoods-together': cellsBody({ ...year, neighborhood_id: [1001, 1002] }, 12),
});
