import { type PageInput, pageBody } from '../clause.ts';
import { type FilterValues, rowsOf } from '../filters/table.ts';
import { searchFilter } from '../listings/search.ts';
import { cohortRows, hourOf, windowStart } from '../market/cohort.ts';

/** Filters for market deals: the cohort filters and the price range. */
export const DEAL_ROWS = rowsOf([...cohortRows().map(({ name }) => name), 'price_min', 'price_max']);

/**
 * Requests a page of deals by decreasing gap, of listings that were updated within the statistics window. The index has
 * this order within one city and listing type, so OpenSearch stops at the last row.
 */
export function dealsBody({
  filters,
  now,
  size,
  after,
}: PageInput & { filters: FilterValues; now: number }): Record<string, unknown> {
  const filter = [
    ...searchFilter(filters, { now }),
    { range: { 'filter.updated_at': { gte: windowStart(hourOf(now)) } } },
    ...(after ? [{ range: { 'stats.deal_gap_pct': { lte: after[0] } } }] : []),
  ];
  const order = [
    { 'filter.city': 'asc' },
    { 'filter.listing_type': 'asc' },
    { 'stats.deal_gap_pct': 'desc' },
    { 'filter.id': 'desc' },
  ];
  return pageBody(filter, order, { size, after }, [filters.city, filters.listing_type]);
}
