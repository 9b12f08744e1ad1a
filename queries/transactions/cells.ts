import { LAND_USE_CLASSES } from '#domain/official/vocabulary.ts';
import { RANK_PERCENTS } from '#domain/statistics/percents.ts';
import type { Clause } from '../clause.ts';
import { transactionClauses } from './filters.ts';

/** Calendar quarters of one request. */
export const MAX_QUARTERS = 40;
/** More than any city has neighborhoods. */
const MAX_NEIGHBORHOODS = 2_000;

export interface CellsInput {
  city: string;
  neighborhood_id?: readonly number[] | undefined;
  land_use_class?: readonly string[] | undefined;
  /** Both included, counted as `parseQuarter` does. */
  quarterFrom: number;
  quarterTo: number;
  /** A cell for each neighborhood, or one of all that is asked for. */
  byNeighborhood: boolean;
  /** What is measured beside the number of deals. */
  measures: readonly CellMeasure[];
}

export const CELL_MEASURES = { price: 'filter.price', price_per_sqm: 'filter.price_per_sqm' } as const;
export type CellMeasure = keyof typeof CELL_MEASURES;

/**
 * Deals by quarter and land-use class, by neighborhood first where that is asked for. Quarters that rules leave out are
 * not in the index. Cells are many and mostly small: digests of a fineness that keeps the values of some hundreds
 * apart; a city's few large cells have finer ones.
 */
export function cellsBody(input: CellsInput): Record<string, unknown> {
  const { city, neighborhood_id, land_use_class, quarterFrom, quarterTo, byNeighborhood, measures } = input;
  const compression = byNeighborhood ? 200 : 1_000;
  const quarters: Clause = {
    terms: { field: 'filter.quarter', size: MAX_QUARTERS },
    aggs: {
      classes: {
        terms: { field: 'filter.land_use_class', size: LAND_USE_CLASSES.length },
        aggs: Object.fromEntries(
          measures.map((measure) => [
            measure,
            {
              percentiles: {
                field: CELL_MEASURES[measure],
                percents: RANK_PERCENTS,
                keyed: false,
                tdigest: { compression },
              },
            },
          ]),
        ),
      },
    },
  };
  return {
    size: 0,
    track_total_hits: true,
    query: {
      bool: {
        filter: [
          ...transactionClauses({ city, neighborhood_id, land_use_class }),
          { range: { 'filter.quarter': { gte: quarterFrom, lte: quarterTo } } },
          ...(byNeighborhood ? [{ exists: { field: 'filter.neighborhood_id' } }] : []),
        ],
      },
    },
    aggs: byNeighborhood
      ? { neighborhoods: { terms: { field: 'filter.neighborhood_id', size: MAX_NEIGHBORHOODS }, aggs: { quarters } } }
      : { quarters },
  };
}
