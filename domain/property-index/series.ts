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
import { monthLabel } from '../months.ts';
import { quarterLabel } from '../official/quarters.ts';
import { COVERAGE_FLAGS } from '../official/rules.ts';
import type { IndexRules } from './matched-index.ts';

export const INDEX_SOURCES = {
  regulator_rent_index: 'Real Estate General Authority, rental indicators',
  justice_transactions: 'Ministry of Justice, real estate transactions',
  regulator_rei: 'Real Estate General Authority, real estate indicators',
  service_listings: 'Listings of this service',
} as const;
export type IndexSource = keyof typeof INDEX_SOURCES;

export const INDEX_PROPERTIES = component('SeriesProperty', ['apartment', 'land', 'home', 'residential_land'] as const);
const FREQUENCIES = component('SeriesFrequency', ['quarterly', 'monthly'] as const);

export const PRICE_SOURCES = component('SeriesPriceSource', ['registered', 'asking'] as const);

export interface SeriesKind {
  property: (typeof INDEX_PROPERTIES)[number];
  source_key: IndexSource;
  price_source: (typeof PRICE_SOURCES)[number];
  frequency: (typeof FREQUENCIES)[number];
  index_name: 'rent_index' | 'land_price_index' | 'home_price_index';
  has_median: boolean;
  /** First period, numbered according to `frequency`; null for the earliest available one. */
  first: number | null;
  version: SeriesVersion;
  /** Whether the neighborhoods are a sample, so that confidence intervals are meaningful. */
  sampled: boolean;
  /** Whether a city must meet `CITY_RULES` for its own series. */
  city_rules: boolean;
  description: string;
}

const METHODS = component('SeriesMethod', ['chained_tornqvist', 'geks_tornqvist'] as const);

interface SeriesVersion {
  number: number;
  method: (typeof METHODS)[number];
  rules: IndexRules;
  note: string | null;
}

const CHAINED = {
  minCell: 5,
  maxRelative: 2,
  links: 'adjacent',
  maxSpread: Number.POSITIVE_INFINITY,
  maxShare: 1,
  minWorth: 0,
} as const;
/** The regulator counts every contract in a town, so there is no sampling error and one town suffices. */
const WHOLE: SeriesVersion = {
  number: 1,
  method: 'chained_tornqvist',
  rules: { ...CHAINED, minClusters: 1 },
  note: null,
};
const SAMPLED: SeriesVersion = { ...WHOLE, rules: { ...CHAINED, minClusters: 10 } };
/**
 * Plot prices vary more within a neighborhood than those of apartments, and large subdivisions enter the market in some
 * quarters. A chained index of plots would drift.
 */
const MULTILATERAL: SeriesVersion = {
  number: 2,
  method: 'geks_tornqvist',
  rules: { ...SAMPLED.rules, links: 'all', maxSpread: 4, maxShare: 0.05, minWorth: 0.5 },
  note: 'Version 2 compares each quarter with every other (GEKS-Törnqvist) and has no chain drift. Neighborhoods whose prices spread by more than a factor of 4 in a quarter are left out, and none weighs more than 5%. Version 1 is the chained index of earlier releases: do not join the two.',
};

/** 2023-Q2 as a quarter number. */
const SECOND_OF_2023 = 2023 * 4 + 1;

const REGISTERED = {
  price_source: 'registered',
  frequency: 'quarterly',
  has_median: false,
  first: SECOND_OF_2023,
  sampled: true,
  city_rules: true,
} as const;

export const SERIES_KINDS = {
  rent_registered: {
    ...REGISTERED,
    property: 'apartment',
    source_key: 'regulator_rent_index',
    index_name: 'rent_index',
    first: null,
    version: WHOLE,
    sampled: false,
    city_rules: false,
    description: 'Contracted rent of apartments',
  },
  land_registered: {
    ...REGISTERED,
    property: 'land',
    source_key: 'regulator_rei',
    index_name: 'land_price_index',
    version: MULTILATERAL,
    description:
      'Registered prices of residential and commercial plots per square meter: unit values, not quality-adjusted',
  },
  home_registered: {
    ...REGISTERED,
    property: 'home',
    source_key: 'regulator_rei',
    index_name: 'home_price_index',
    has_median: true,
    version: SAMPLED,
    description: 'Registered prices of apartments and floors per square meter of deed area',
  },
  residential_land_registered: {
    ...REGISTERED,
    property: 'residential_land',
    source_key: 'justice_transactions',
    index_name: 'land_price_index',
    version: MULTILATERAL,
    description:
      'Prices per square meter of deals in the residential class of the ministry, as in `/transactions`: unit values, not quality-adjusted',
  },
  rent_asking: {
    ...REGISTERED,
    property: 'apartment',
    source_key: 'service_listings',
    price_source: 'asking',
    frequency: 'monthly',
    index_name: 'rent_index',
    first: null,
    version: SAMPLED,
    city_rules: false,
    description: "Asking rent of apartments among this service's listings",
  },
} as const satisfies Record<string, SeriesKind>;
export type Kind = keyof typeof SERIES_KINDS;
export const KINDS = component('SeriesKind', Object.keys(SERIES_KINDS) as readonly Kind[]);

/** Conditions for a city's own land and home series. */
export const CITY_RULES = {
  /** Deals in every period, including those that do not affect the price. */
  minDeals: 500,
  /** Mean half-width of the 95% confidence intervals for changes in a stable index. */
  maxMargin: 0.1,
  /** Difference between the chained index and a direct link from the first to the last period. */
  maxDrift: 0.1,
} as const;

/** Returns `2025-Q3` or `2025-07`. */
export const periodLabel = (frequency: SeriesKind['frequency'], period: number): string =>
  frequency === 'quarterly' ? quarterLabel(period) : monthLabel(period);

export const perYear = (frequency: SeriesKind['frequency']): number => (frequency === 'quarterly' ? 4 : 12);

/** Returns the last period that has ended when the month begins. */
export const lastPeriodBefore = (frequency: SeriesKind['frequency'], month: number): number =>
  frequency === 'quarterly' ? Math.floor(month / 3) - 1 : month - 1;

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

export const CITY_WITHOUT_SERIES_SCHEMA = object({
  kind: oneOf(KINDS),
  city: string,
  reason: oneOf(NO_SERIES_REASONS),
});
export type CityWithoutSeries = MutableValueOf<typeof CITY_WITHOUT_SERIES_SCHEMA>;

export interface ReleaseContent {
  series: Series[];
  cities_without_series: CityWithoutSeries[];
}
