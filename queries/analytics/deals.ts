import { type PageInput, pageBody } from '../clause.ts';
import { type FilterValues, rowsOf } from '../filters/table.ts';
import { searchFilter } from '../listings/search.ts';
import { cohortRows, hourOf, windowStart } from '../market/cohort.ts';

export const DEAL_ROWS = rowsOf([...cohortRows().map(({ name }) => name), 'price_min', 'price_max']);

/**
 * Requests a page of deals by decreasing gap, which is the order of the index within one city and listing type, so that
 * OpenSearch stops at the last row.
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
