import { historyFrom } from '#domain/coverage.ts';
import { component, integer, nullable, number, object, oneOf, string, type ValueOf } from '#domain/json-schema.ts';
import { monthOf } from '#domain/months.ts';
import { quarterLabel } from '#domain/official/quarters.ts';
import {
  COVERAGE_FLAGS,
  classedQuarters,
  completeQuarters,
  coverageFlag,
  OFFICIAL_RULES,
} from '#domain/official/rules.ts';
import type { IndexSource } from '#domain/property-index/kinds.ts';
import { rounded } from '#domain/statistics/figures.ts';
import { type Level, levelOfMean, levelOfMeans, medianLevel, ratioOf } from '#domain/statistics/median-ratio.ts';
import type { LoadCall } from '#http/endpoint.ts';
import { readApartmentMeans } from '#postgres/official.ts';
import {
  askingBody,
  type ComparedType,
  type LevelsInput,
  type LevelsResponse,
  landBody,
  readSamples,
} from '#queries/analytics/asking-vs-registered.ts';
import { cachedAggregation } from '#search/aggregation-cache.ts';
import { amount } from '../market/schemas.ts';

const STATUSES = component('RelationStatus', [
  'available',
  'not_published',
  'too_few_deals',
  'too_few_listings',
] as const);
const STATISTICS = component('RegisteredStatistic', ['median', 'mean', 'median_of_means'] as const);
const SOURCES = component('RegisteredSource', [
  'justice_transactions',
  'regulator_rei',
] as const satisfies readonly IndexSource[]);

const SIDE = { sample_size: integer, price_per_sqm_sar: amount } as const;

/** The relation of asking to registered prices in a quarter. */
export const RELATION = {
  quarter: string,
  status: oneOf(STATUSES),
  ratio: nullable(number),
  ratio_interval: nullable(object({ low: number, high: number })),
  asking: object({ price_source: oneOf(['asking']), statistic: oneOf(['median']), ...SIDE }),
  registered: object({
    price_source: oneOf(['registered']),
    source_key: oneOf(SOURCES),
    statistic: oneOf(STATISTICS),
    coverage_flag: oneOf(COVERAGE_FLAGS),
    ...SIDE,
  }),
} as const;
const RELATION_OBJECT = object(RELATION);
type Relation = ValueOf<typeof RELATION_OBJECT>;

type ReadCall = Pick<LoadCall, 'services' | 'now' | 'deadline' | 'requester'>;

/** Returns the complete quarters of the listing history, ascending. */
export function quartersOfHistory({ services, now }: Pick<ReadCall, 'services' | 'now'>): number[] {
  const first = Math.ceil(historyFrom(services.config.historyStart).firstComplete / 3);
  const current = Math.floor(monthOf(now) / 3);
  return Array.from({ length: Math.max(current - first, 0) }, (_, at) => first + at);
}

export interface RelationInput {
  city: string;
  /** Undefined for the whole city. */
  neighborhood_id?: readonly number[] | undefined;
  /** Consecutive, ascending. */
  quarters: readonly number[];
  types: readonly ComparedType[];
  /** Minimum sample size of both sides. */
  least: number;
}

/**
 * Reads both sides in parallel.
 * @returns a function that returns the relations of a type in a neighborhood (null for the city), by quarter
 */
export async function readRelations(call: ReadCall, input: RelationInput) {
  const { city, neighborhood_id, quarters, types, least } = input;
  const { officialRules: rules, pool, loadedQuarters } = call.services;
  const [quarterFrom = 0, quarterTo = 0] = [quarters[0], quarters.at(-1)];
  const filters = { city, neighborhood_id, quarterFrom, quarterTo };
  const [asking, deals, means, loaded] = await Promise.all([
    readAsking({ ...call, filters }).then(parseSamples),
    types.includes('land') ? readLand({ ...call, filters }).then(parseSamples) : [],
    types.includes('apartment') ? readApartmentMeans(pool, city, quarterFrom, quarterTo) : [],
    loadedQuarters.read(),
  ]);
  const [classed, complete] = [classedQuarters(rules, city, loaded), completeQuarters(rules, city, loaded)];

  const sampleOf = (samples: readonly Sample[], id: number | null, type: ComparedType, quarter: number): Sized => {
    const found = samples.find((each) => each.neighborhood === id && each.type === type && each.quarter === quarter);
    return { size: found?.size ?? 0, level: found?.level ?? null };
  };

  const landOf = (id: number | null, quarter: number): Registered => ({
    source_key: 'justice_transactions',
    statistic: 'median',
    coverage_flag: coverageFlag(rules, city, quarter, complete.includes(quarter)),
    isPublished: classed.includes(quarter),
    ...sampleOf(deals, id, 'land', quarter),
  });
  const apartmentOf = (id: number | null, quarter: number): Registered => {
    const published = means.filter((each) => each.quarter === quarter);
    const priced = published.flatMap(({ neighborhood_id: place, count, mean, low, high }) =>
      (id === null || id === place) && mean !== null && low !== null && high !== null
        ? [{ count, mean, low, high }]
        : [],
    );
    const [one] = priced;
    const isCity = id === null;
    return {
      source_key: 'regulator_rei',
      statistic: isCity ? 'median_of_means' : 'mean',
      // The gaps of the ministry's deals do not apply to the regulator's figures.
      coverage_flag: published.length > 0 ? 'full' : 'incomplete',
      isPublished: published.length > 0,
      size: priced.reduce((sum, { count }) => sum + count, 0),
      level: isCity ? (priced.length < MIN_MEANS ? null : levelOfMeans(priced)) : one ? levelOfMean(one) : null,
    };
  };

  return (id: number | null, type: ComparedType): Relation[] =>
    quarters.map((quarter) =>
      relationOf(
        quarter,
        sampleOf(asking, id, type, quarter),
        type === 'land' ? landOf(id, quarter) : apartmentOf(id, quarter),
        least,
      ),
    );
}

/** Minimum number of neighborhoods for the median of their means. */
const MIN_MEANS = OFFICIAL_RULES.min_sample_size.value;

interface Sized {
  size: number;
  level: Level | null;
}
type Registered = Sized &
  Pick<Relation['registered'], 'source_key' | 'statistic' | 'coverage_flag'> & { isPublished: boolean };

function relationOf(
  quarter: number,
  asking: Sized,
  { size, level, isPublished, ...registered }: Registered,
  least: number,
): Relation {
  const asked = asking.size < least ? null : asking.level;
  const sold = size < least ? null : level;
  const found = asked && sold && ratioOf(asked, sold);
  const missing = sold === null ? 'too_few_deals' : 'too_few_listings';
  return {
    quarter: quarterLabel(quarter),
    status: found ? 'available' : isPublished ? missing : 'not_published',
    ratio: found && thousandths(found.ratio),
    ratio_interval: found && { low: thousandths(found.interval.low), high: thousandths(found.interval.high) },
    asking: {
      price_source: 'asking',
      statistic: 'median',
      sample_size: asking.size,
      price_per_sqm_sar: rounded(asked?.value),
    },
    registered: {
      price_source: 'registered',
      ...registered,
      sample_size: size,
      price_per_sqm_sar: rounded(sold?.value),
    },
  };
}

const thousandths = (value: number): number => Math.round(value * 1e3) / 1e3;

type Sample = ReturnType<typeof present>[number];

const present = (response: LevelsResponse) =>
  readSamples(response).map(({ prices, ...sample }) => ({ ...sample, level: medianLevel(prices, sample.size) }));

const parseSamples = (json: string): Sample[] => JSON.parse(json) as Sample[];

// Reads of estimates already have a place in the queue of statistics.
const QUEUE = 'searches';
const readAsking = cachedAggregation<LevelsInput, LevelsResponse>({
  ...{ name: 'asking-vs-registered/asking', index: 'history', queue: QUEUE },
  body: askingBody,
  present,
});
const readLand = cachedAggregation<LevelsInput, LevelsResponse>({
  ...{ name: 'asking-vs-registered/land', index: 'transactions', queue: QUEUE },
  body: landBody,
  present,
});

/** Quarters among which the latest relation is found. */
const LATEST = 4;

/** A relation in the neighborhood of a home; null if there is none. Only flats for sale have one. */
export const LATEST_RELATION = nullable(object({ neighborhood_id: integer, ...RELATION }));

export interface PlacedHome {
  city: string;
  listing_type: string;
  property_type: string;
  neighborhood_id: number | null;
}

export async function latestRelation(
  call: ReadCall,
  { city, listing_type, property_type, neighborhood_id }: PlacedHome,
): Promise<ValueOf<typeof LATEST_RELATION>> {
  const quarters = quartersOfHistory(call).slice(-LATEST);
  if (listing_type !== 'sale' || property_type !== 'apartment') return null;
  if (neighborhood_id === null || quarters.length === 0) return null;
  const least = OFFICIAL_RULES.min_sample_size.value;
  const input = { city, neighborhood_id: [neighborhood_id], quarters, types: ['apartment'], least } as const;
  const relations = (await readRelations(call, input))(neighborhood_id, 'apartment');
  const latest = relations.findLast(({ status }) => status === 'available');
  return latest ? { neighborhood_id, ...latest } : null;
}
