import {
  arrayOf,
  component,
  described,
  integer,
  type MutableValueOf,
  nullable,
  number,
  object,
  oneOf,
  string,
} from '../json-schema.ts';
import { COVERAGE_FLAGS } from '../official/rules.ts';
import {
  FREQUENCIES,
  INDEX_PROPERTIES,
  INDEX_SOURCES,
  type IndexSource,
  KINDS,
  METHODS,
  PRICE_SOURCES,
} from './kinds.ts';

export const SCOPES = component('SeriesScope', ['national', 'city'] as const);

const WITHHELD_REASONS = component('WithheldReason', [
  'not_published',
  'incomplete',
  'excluded',
  'too_few_neighborhoods',
] as const);
export type WithheldReason = (typeof WITHHELD_REASONS)[number];
const NO_SERIES_REASONS = component('NoSeriesReason', [
  'too_few_deals',
  'not_stable',
  'too_few_neighborhoods',
] as const);
export type NoSeriesReason = (typeof NO_SERIES_REASONS)[number];

/** 95% confidence interval from resampling neighborhoods, in the unit of its figure. */
const BOUNDS = nullable(object({ low: number, high: number }));

const POINT = object({
  period: string,
  interval: BOUNDS,
  change_pct: nullable(number),
  change_interval_pct: BOUNDS,
  change_year_pct: nullable(number),
  sample_size: integer,
  matched_sample_size: integer,
  matched_neighborhoods: integer,
  coverage_flag: oneOf(COVERAGE_FLAGS),
});

export const SERIES_SCHEMA = object({
  kind: oneOf(KINDS),
  series_version: described(
    integer,
    'Version of the method of this series. Points of different versions are not comparable.',
  ),
  method: oneOf(METHODS),
  method_note: described(nullable(string), 'Changes in this version; null for a first version.'),
  property: oneOf(INDEX_PROPERTIES),
  scope: oneOf(SCOPES),
  city: nullable(string),
  frequency: oneOf(FREQUENCIES),
  price_source: oneOf(PRICE_SOURCES),
  source_key: oneOf(component('SeriesSource', Object.keys(INDEX_SOURCES) as IndexSource[])),
  source: string,
  base_period: string,
  chain_drift_pct: nullable(number),
  points: arrayOf({
    ...POINT,
    properties: {
      ...POINT.properties,
      // 100 in the base period, under the `index_name` of the kind.
      rent_index: number,
      land_price_index: number,
      home_price_index: number,
      median_price_per_sqm: nullable(number),
    },
  }),
  withheld_periods: arrayOf(object({ period: string, reason: oneOf(WITHHELD_REASONS) })),
});
export type Series = MutableValueOf<typeof SERIES_SCHEMA>;

/** A city that has deals of a kind but no series. */
export const CITY_WITHOUT_SCHEMA = object({ kind: oneOf(KINDS), city: string, reason: oneOf(NO_SERIES_REASONS) });
export type CityWithout = MutableValueOf<typeof CITY_WITHOUT_SCHEMA>;

export interface ReleaseContent {
  series: Series[];
  cities_without_series: CityWithout[];
}
