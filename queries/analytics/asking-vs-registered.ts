import type { PropertyType } from '#domain/listings/vocabulary.ts';
import { LEVEL_PERCENTS, medianLevel } from '#domain/statistics/median-ratio.ts';
import type { PercentilesResult } from '#domain/statistics/quantiles.ts';
import type { Clause } from '../clause.ts';
import { compileFilters } from '../filters/compile.ts';
import { plausible } from '../listings/search.ts';
import { hdrPercentiles } from '../market/percentiles.ts';
import { aggregationBody } from '../page.ts';
import { transactionClauses } from '../transactions/filters.ts';

export const COMPARED_TYPES = ['land', 'apartment'] as const satisfies readonly PropertyType[];
type ComparedType = (typeof COMPARED_TYPES)[number];

export const MAX_SERIES = 20;
const MONTHS = 3;

export interface SamplesInput {
  city: string;
  /** Each has its own samples. Undefined for samples of the city. */
  neighborhood_id?: readonly number[] | undefined;
  type: ComparedType;
  /** Quarter numbers as returned by `parseQuarter`, both inclusive. */
  quarterFrom: number;
  quarterTo: number;
}

/** Requests the first prices of listings for sale, by the quarter in which they were first found. */
export function askingBody(input: SamplesInput): Record<string, unknown> {
  const { city, neighborhood_id, type, quarterFrom, quarterTo } = input;
  const filters = { city, neighborhood_id, listing_type: 'sale', property_type: [type] };
  const filter = [
    ...compileFilters(filters, { now: 0 }),
    plausible(filters, 'new_listings.plausible'),
    { exists: { field: 'new_listings.price_per_sqm' } },
    { range: { 'new_listings.months': { gte: quarterFrom * MONTHS, lt: (quarterTo + 1) * MONTHS } } },
  ];
  const quarters = { field: 'new_listings.months', interval: MONTHS };
  return bodyOf(input, filter, quarters, 'new_listings.price_per_sqm');
}

/** Requests the registered deals of plots. */
export function landBody(input: SamplesInput): Record<string, unknown> {
  const { city, neighborhood_id, quarterFrom, quarterTo } = input;
  const filter = [
    ...transactionClauses({ city, neighborhood_id, land_use_class: ['residential'] }),
    { range: { 'filter.quarter': { gte: quarterFrom, lte: quarterTo } } },
  ];
  return bodyOf(input, filter, { field: 'filter.quarter', interval: 1 }, 'filter.price_per_sqm');
}

function bodyOf({ neighborhood_id }: SamplesInput, filter: readonly Clause[], quarters: Clause, price: string) {
  const prices = hdrPercentiles(price, LEVEL_PERCENTS);
  const aggs = { quarters: { histogram: { ...quarters, min_doc_count: 1 }, aggs: { prices } } };
  const places = { places: { terms: { field: 'filter.neighborhood_id', size: MAX_SERIES }, aggs } };
  return aggregationBody(filter, neighborhood_id === undefined ? aggs : places);
}

interface Quarters {
  quarters: { buckets: readonly { key: number; doc_count: number; prices: PercentilesResult }[] };
}

export interface SamplesResponse {
  aggregations: Partial<Quarters> & { places?: { buckets: readonly ({ key: string } & Quarters)[] } };
}

const readSamples =
  (interval: number) =>
  ({ aggregations: { quarters, places } }: SamplesResponse) => {
    const samplesOf = (neighborhood: number | null, { buckets }: Quarters['quarters']) =>
      buckets.map(({ key, doc_count: size, prices }) => ({
        neighborhood,
        quarter: key / interval,
        size,
        level: medianLevel(prices, size),
      }));
    return quarters
      ? samplesOf(null, quarters)
      : (places?.buckets ?? []).flatMap((place) => samplesOf(Number(place.key), place.quarters));
  };
export const readAskingSamples = readSamples(MONTHS);
export const readLandSamples = readSamples(1);
