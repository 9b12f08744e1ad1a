import type { PropertyType } from '#domain/listings/vocabulary.ts';
import type { LandUseClass } from '#domain/official/vocabulary.ts';
import { LEVEL_PERCENTS } from '#domain/statistics/median-ratio.ts';
import type { PercentilesResult } from '#domain/statistics/quantiles.ts';
import type { Clause } from '../clause.ts';
import { compileFilters } from '../filters/compile.ts';
import { hdrPercentiles } from '../market/percentiles.ts';
import { aggregationBody } from '../page.ts';
import { transactionClauses } from '../transactions/filters.ts';

/** Types whose asking and registered prices are compared. */
export const COMPARED_TYPES = ['land', 'apartment'] as const satisfies readonly PropertyType[];
export type ComparedType = (typeof COMPARED_TYPES)[number];

/** The class whose deals are compared with plots. */
const LAND_CLASS: LandUseClass = 'residential';

export const MAX_SERIES = 20;

export interface LevelsInput {
  city: string;
  /** Each has its own sample. Undefined for one sample of the city. */
  neighborhood_id?: readonly number[] | undefined;
  /** Quarter numbers as returned by `parseQuarter`, both inclusive. */
  quarterFrom: number;
  quarterTo: number;
}

const MONTHS = 3;

/** Requests first prices per square meter of listings for sale by type and quarter in which they were first found. */
export function askingBody(input: LevelsInput): Record<string, unknown> {
  const { city, neighborhood_id, quarterFrom, quarterTo } = input;
  const filter = [
    ...compileFilters({ city, listing_type: 'sale', neighborhood_id, property_type: COMPARED_TYPES }, { now: 0 }),
    { term: { 'new_listings.plausible_typed': true } },
    { exists: { field: 'new_listings.price_per_sqm' } },
    { range: { 'new_listings.months': { gte: quarterFrom * MONTHS, lt: (quarterTo + 1) * MONTHS } } },
  ];
  const quarters = { field: 'new_listings.months', interval: MONTHS };
  return bodyOf(input, filter, { group: 'filter.property_type', quarters, price: 'new_listings.price_per_sqm' });
}

/** Requests prices per square meter of registered deals of plots by quarter. */
export function landBody(input: LevelsInput): Record<string, unknown> {
  const { city, neighborhood_id, quarterFrom, quarterTo } = input;
  const filter = [
    ...transactionClauses({ city, neighborhood_id, land_use_class: [LAND_CLASS] }),
    { range: { 'filter.quarter': { gte: quarterFrom, lte: quarterTo } } },
  ];
  const quarters = { field: 'filter.quarter', interval: 1 };
  return bodyOf(input, filter, { group: 'filter.land_use_class', quarters, price: 'filter.price_per_sqm' });
}

function bodyOf(
  { neighborhood_id }: LevelsInput,
  filter: readonly Clause[],
  { group, quarters, price }: { group: string; quarters: { field: string; interval: number }; price: string },
) {
  const prices = { price_per_sqm: hdrPercentiles(price, LEVEL_PERCENTS) };
  const aggs = {
    groups: {
      terms: { field: group },
      aggs: { quarters: { histogram: { ...quarters, min_doc_count: 1 }, aggs: prices } },
    },
  };
  const places = { places: { terms: { field: 'filter.neighborhood_id', size: MAX_SERIES }, aggs } };
  return aggregationBody(filter, neighborhood_id === undefined ? aggs : places);
}

interface Groups {
  groups: {
    buckets: readonly {
      key: string;
      quarters: { buckets: readonly { key: number; doc_count: number; price_per_sqm: PercentilesResult }[] };
    }[];
  };
}

export interface LevelsResponse {
  aggregations: Partial<Groups> & { places?: { buckets: readonly ({ key: string } & Groups)[] } };
}

/** Reads the samples in the response to either body. */
export function readSamples({ aggregations }: LevelsResponse) {
  const { groups, places } = aggregations;
  const each = (neighborhood: number | null, { buckets }: Groups['groups']) =>
    buckets.flatMap(({ key, quarters }) =>
      quarters.buckets.map(({ key: period, doc_count: size, price_per_sqm: prices }) => ({
        neighborhood,
        type: key === LAND_CLASS ? 'land' : key,
        // Listings have months, deals have quarters.
        quarter: key === LAND_CLASS ? period : period / MONTHS,
        size,
        prices,
      })),
    );
  return groups === undefined
    ? (places?.buckets ?? []).flatMap((place) => each(Number(place.key), place.groups))
    : each(null, groups);
}
