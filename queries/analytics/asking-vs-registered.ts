import type { PropertyType } from '#domain/listing-vocabulary.ts';
import { LEVEL_PERCENTS, medianLevel } from '#domain/statistics/median-ratio.ts';
import type { PercentilesResult } from '#domain/statistics/quantiles.ts';
import { aggregationBody, type Clause } from '../clause.ts';
import { compileFilters } from '../filters/compile.ts';
import { plausible } from '../listings/search.ts';
import { hdrPercentiles } from '../market/cohort.ts';
import { transactionClauses } from '../transactions/filters.ts';

export const COMPARED_TYPES = ['land', 'apartment'] as const satisfies readonly PropertyType[];
type ComparedType = (typeof COMPARED_TYPES)[number];

const MONTHS = 3;

export interface SamplesInput {
  city: string;
  /** Together. Undefined for the city. */
  neighborhood_id?: readonly number[] | undefined;
  type: ComparedType;
  /** Quarter numbers as returned by `parseQuarter`, both inclusive. */
  quarterFrom: number;
  quarterTo: number;
}

/** Requests the first prices of listings for sale, by the quarter in which they were first found. */
export function askingBody({ city, neighborhood_id, type, quarterFrom, quarterTo }: SamplesInput) {
  const filters = { city, neighborhood_id, listing_type: 'sale', property_type: [type] };
  const filter = [
    ...compileFilters(filters, { now: 0 }),
    plausible(filters, 'new_listings.plausible'),
    { exists: { field: 'new_listings.price_per_sqm' } },
    { range: { 'new_listings.months': { gte: quarterFrom * MONTHS, lt: (quarterTo + 1) * MONTHS } } },
  ];
  return bodyOf(filter, { field: 'new_listings.months', interval: MONTHS }, 'new_listings.price_per_sqm');
}

export function landBody({ city, neighborhood_id, quarterFrom, quarterTo }: SamplesInput) {
  const filter = [
    ...transactionClauses({ city, neighborhood_id, land_use_class: ['residential'] }),
    { range: { 'filter.quarter': { gte: quarterFrom, lte: quarterTo } } },
  ];
  return bodyOf(filter, { field: 'filter.quarter', interval: 1 }, 'filter.price_per_sqm');
}

function bodyOf(filter: readonly Clause[], quarters: Clause, price: string) {
  const aggs = { prices: hdrPercentiles(price, LEVEL_PERCENTS) };
  return aggregationBody(filter, { quarters: { histogram: { ...quarters, min_doc_count: 1 }, aggs } });
}

export interface SamplesResponse {
  aggregations: { quarters: { buckets: readonly { key: number; doc_count: number; prices: PercentilesResult }[] } };
}

const readSamples =
  (interval: number) =>
  ({ aggregations: { quarters } }: SamplesResponse) =>
    quarters.buckets.map(({ key, doc_count: size, prices }) => ({
      quarter: key / interval,
      size,
      level: medianLevel(prices, size),
    }));
export const readAskingSamples = readSamples(MONTHS);
export const readLandSamples = readSamples(1);
