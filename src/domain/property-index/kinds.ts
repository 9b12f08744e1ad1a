import { monthLabel } from '../months.ts';
import { quarterLabel } from '../official/quarters.ts';
import type { IndexRules } from './matched-index.ts';

/** The source of a series, with its attribution. */
export const INDEX_SOURCES = {
  regulator_rent_index: 'Real Estate General Authority, rental indicators',
  justice_transactions: 'Ministry of Justice, real estate transactions',
  regulator_rei: 'Real Estate General Authority, real estate indicators',
  service_listings: 'Listings of this service',
} as const;
export type IndexSource = keyof typeof INDEX_SOURCES;

export const INDEX_PROPERTIES = ['apartment', 'land', 'home', 'residential_land'] as const;
export const FREQUENCIES = ['quarterly', 'monthly'] as const;

export const PRICE_SOURCES = ['registered', 'asking'] as const;

export interface SeriesKind {
  property: (typeof INDEX_PROPERTIES)[number];
  source_key: IndexSource;
  price_source: (typeof PRICE_SOURCES)[number];
  frequency: (typeof FREQUENCIES)[number];
  /** Field name of the index in each point. */
  index_name: 'rent_index' | 'land_price_index' | 'home_price_index';
  /** Whether points also have `median_price_per_sqm`. */
  has_median: boolean;
  /** The first period, counted by its frequency; null for the earliest available. */
  first: number | null;
  /** Versions of the series, the current one last. A release keeps the version that it was built with. */
  versions: readonly SeriesVersion[];
  /** Whether neighborhoods are a sample, so that intervals are meaningful. */
  sampled: boolean;
  /** Whether a city must meet `CITY_RULES` for its own series. */
  city_rules: boolean;
  description: string;
}

export const METHODS = ['chained_tornqvist', 'geks_tornqvist'] as const;

export interface SeriesVersion {
  method: (typeof METHODS)[number];
  rules: IndexRules;
  /** Differences from the previous version, for users; null for the first version. */
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
/** The regulator counts every contract of a town: one town suffices, and there is no sampling. */
const WHOLE: SeriesVersion = { method: 'chained_tornqvist', rules: { ...CHAINED, minClusters: 1 }, note: null };
const SAMPLED: SeriesVersion = { method: 'chained_tornqvist', rules: { ...CHAINED, minClusters: 10 }, note: null };
/**
 * Plots of one neighborhood vary more than its apartments, and large subdivisions enter the market by quarter: a chained
 * index of plots drifts.
 */
const MULTILATERAL: SeriesVersion = {
  method: 'geks_tornqvist',
  rules: { ...SAMPLED.rules, links: 'all', maxSpread: 4, maxShare: 0.05, minWorth: 0.5 },
  note: 'Version 2 compares each quarter with every other (GEKS-Törnqvist) and has no chain drift. Neighborhoods whose prices spread by more than a factor of 4 in a quarter are left out, and none weighs more than 5%. Version 1 is the chained index of earlier releases: do not join the two.',
};
const LAND: readonly SeriesVersion[] = [SAMPLED, MULTILATERAL];

/** 2023-Q2. */
const SECOND_OF_2023 = 2023 * 4 + 1;

/** The kinds of series of a release, in order. */
export const SERIES_KINDS = {
  rent_registered: {
    property: 'apartment',
    source_key: 'regulator_rent_index',
    price_source: 'registered',
    frequency: 'quarterly',
    index_name: 'rent_index',
    has_median: false,
    first: null,
    versions: [WHOLE],
    sampled: false,
    city_rules: false,
    description: 'Contracted rent of apartments',
  },
  land_registered: {
    property: 'land',
    source_key: 'regulator_rei',
    price_source: 'registered',
    frequency: 'quarterly',
    index_name: 'land_price_index',
    has_median: false,
    first: SECOND_OF_2023,
    versions: LAND,
    sampled: true,
    city_rules: true,
    description:
      'Registered prices of residential and commercial plots per square meter: unit values, not quality-adjusted',
  },
  home_registered: {
    property: 'home',
    source_key: 'regulator_rei',
    price_source: 'registered',
    frequency: 'quarterly',
    index_name: 'home_price_index',
    has_median: true,
    first: SECOND_OF_2023,
    versions: [SAMPLED],
    sampled: true,
    city_rules: true,
    description: 'Registered prices of apartments and floors per square meter of deed area',
  },
  residential_land_registered: {
    property: 'residential_land',
    source_key: 'justice_transactions',
    price_source: 'registered',
    frequency: 'quarterly',
    index_name: 'land_price_index',
    has_median: false,
    first: SECOND_OF_2023,
    versions: LAND,
    sampled: true,
    city_rules: true,
    description:
      'Prices per square meter of deals in the residential class of the ministry, as in `/transactions`: unit values, not quality-adjusted',
  },
  rent_asking: {
    property: 'apartment',
    source_key: 'service_listings',
    price_source: 'asking',
    frequency: 'monthly',
    index_name: 'rent_index',
    has_median: false,
    first: null,
    versions: [SAMPLED],
    sampled: true,
    city_rules: false,
    description: "Asking rent of apartments among this service's listings",
  },
} as const satisfies Record<string, SeriesKind>;
export type Kind = keyof typeof SERIES_KINDS;
export const KINDS = Object.keys(SERIES_KINDS) as readonly Kind[];

/** Requirements for the land and home series of a city, in every period. */
export const CITY_RULES = {
  /** Number of deals before exclusions. */
  minDeals: 500,
  /** A stable index: the mean half-width of the 95% intervals of changes is at most this ... */
  maxMargin: 0.1,
  /** ... and the index differs from a single link between its ends by at most this. */
  maxDrift: 0.1,
} as const;

/** `2025-Q3` or `2025-07`. */
export const periodLabel = (frequency: SeriesKind['frequency'], period: number): string =>
  frequency === 'quarterly' ? quarterLabel(period) : monthLabel(period);

/** Periods per year. */
export const perYear = (frequency: SeriesKind['frequency']): number => (frequency === 'quarterly' ? 4 : 12);

/** The last period that has ended when a month begins. */
export const lastPeriodBefore = (frequency: SeriesKind['frequency'], month: number): number =>
  frequency === 'quarterly' ? Math.floor(month / 3) - 1 : month - 1;

/**
 * Returns the version of a kind with this number, or its last version if it has fewer.
 * @param number from 1; defaults to the last
 */
export function versionOf(kind: Kind, number = Number.POSITIVE_INFINITY): SeriesVersion & { number: number } {
  const { versions }: SeriesKind = SERIES_KINDS[kind];
  const at = Math.min(number, versions.length) - 1;
  return { ...(versions[at] as SeriesVersion), number: at + 1 };
}
