import { MEDIAN_PERCENTS } from '#domain/statistics/percents.ts';
import type { Clause } from '../clause.ts';
import type { FilterValues } from '../filters/table.ts';
import { aggregateBody, cohortQuery } from '../market/cohort.ts';
import { MAX_NEIGHBORHOODS } from '../market/neighborhoods.ts';
import { hdrPercentiles, tdigestPercentiles } from '../market/percentiles.ts';
import type { Hour } from '../market/window.ts';

/** Both sides of a yield: yearly rents, and total prices of the same cohort for sale. */
function sides(median: Clause): Record<string, Clause> {
  return {
    rent: { filter: { term: { 'filter.listing_type': 'rent' } }, aggs: { price: median } },
    sale: { filter: { term: { 'filter.listing_type': 'sale' } }, aggs: { price: median } },
  };
}

/** Rents and sale prices of a cohort, in the city and in each neighborhood. */
export function rentalYieldBody(filters: FilterValues, hour: Hour): Record<string, unknown> {
  return aggregateBody(cohortQuery(filters, hour), {
    ...sides(hdrPercentiles('filter.price', MEDIAN_PERCENTS)),
    neighborhoods: {
      terms: { field: 'filter.neighborhood_id', size: MAX_NEIGHBORHOODS },
      aggs: sides(tdigestPercentiles('filter.price', MEDIAN_PERCENTS)),
    },
  });
}
