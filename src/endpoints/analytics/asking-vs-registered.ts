import type pg from 'pg';
import { historyFrom } from '#domain/coverage.ts';
import {
  arrayOf,
  component,
  integer,
  nullable,
  number,
  object,
  oneOf,
  single,
  string,
  type ValueOf,
} from '#domain/json-schema.ts';
import { monthOf } from '#domain/months.ts';
import { ATTRIBUTION_SCHEMA, attributionOf } from '#domain/official/attribution.ts';
import { quarterLabel, quarterOfMonth } from '#domain/official/quarters.ts';
import {
  COVERAGE_FLAGS,
  classedQuarters,
  completeQuarters,
  coverageFlag,
  coverageOfCity,
  OFFICIAL_RULES,
} from '#domain/official/rules.ts';
import { rounded } from '#domain/statistics/figures.ts';
import { type Level, levelOfMean, levelOfMeans, ratioOf } from '#domain/statistics/median-ratio.ts';
import {
  askingBody,
  COMPARED_TYPES,
  landBody,
  readAskingSamples,
  readLandSamples,
  type SamplesInput,
  type SamplesResponse,
} from '#queries/analytics/asking-vs-registered.ts';
import { dataResponse, defineEndpoint, type LoadCall, type Parameter } from '#src/http/endpoint.ts';
import { PRICES } from '#src/metering/prices.ts';
import { cachedAggregation } from '#stores/opensearch/aggregation-cache.ts';
import { readApartmentMeans } from '#stores/postgres/official.ts';
import { amount } from '../market/schemas.ts';
import { cityParameter, coverageSchema, minSampleSizeParameter, neighborhoodParameter } from '../official/common.ts';

const MAX_QUARTERS = 12;
/** Quarters in which the latest relation is searched. */
const MAX_AGE = 4;
const LEAST = OFFICIAL_RULES.min_sample_size;

const STATUSES = ['available', 'not_published', 'too_few_deals', 'too_few_listings'] as const;
const STATISTICS = component('RegisteredStatistic', ['median', 'mean', 'median_of_means'] as const);
const SOURCES = component('RegisteredSource', ['justice_transactions', 'regulator_rei'] as const);
const side = { sample_size: integer, price_per_sqm_sar: amount } as const;

const RELATION = {
  quarter: string,
  status: oneOf(component('RelationStatus', STATUSES)),
  ratio: nullable(number),
  ratio_interval: nullable(object({ low: number, high: number })),
  asking: object({ price_source: oneOf(['asking']), statistic: oneOf(['median']), ...side }),
  registered: object({
    price_source: oneOf(['registered']),
    source_key: oneOf(SOURCES),
    statistic: oneOf(STATISTICS),
    coverage_flag: oneOf(COVERAGE_FLAGS),
    ...side,
  }),
} as const;
const relationSchema = object(RELATION);

const parameters = [
  cityParameter,
  neighborhoodParameter,
  {
    ...minSampleSizeParameter,
    description: `Minimum number of listings or deals for which a side has a price, at least ${LEAST}.`,
  },
] as const satisfies readonly Parameter[];

export const askingVsRegistered = defineEndpoint({
  path: '/v1/market/asking-vs-registered',
  operationId: 'getAskingVsRegistered',
  area: 'Market data',
  audience: 'data',
  scope: 'market',
  price: PRICES.market,
  caching: 'fresh',
  summary: 'Compare asking with registered prices',
  description: `Returns asking and registered prices per square meter and their ratio by quarter, for a city or for a set of neighborhoods together. Covers sales only, of plots (\`land\`) and flats (\`apartment\`), in the last ${MAX_QUARTERS} complete quarters of the listing history. \`asking\` is the median of the first prices of listings first found in the quarter. \`registered\` is, for plots, the median of the ministry's deals of residential land use, as in \`/market/land-prices\`; for flats, the regulator's mean of a neighborhood, or the median of these means for at least ${LEAST} neighborhoods. \`ratio\` is the asking divided by the registered figure, and \`ratio_interval\` its 95% confidence interval. The two sides are different properties, so that a ratio is not a discount. A side with fewer than \`min_sample_size\` listings or deals has no price, and \`status\` states why there is no ratio. \`coverage\` applies to plots; the regulator's figures do not have these gaps. Publish the \`attribution\` with the data.`,
  parameters,
  response: single(
    object({
      filters: object({ city: string, neighborhood_ids: arrayOf(integer) }),
      min_sample_size: integer,
      price_basis: oneOf(['price_per_sqm']),
      series: arrayOf(
        object({
          property_type: oneOf(component('ComparedPropertyType', COMPARED_TYPES)),
          points: arrayOf(relationSchema),
        }),
      ),
      coverage: object(coverageSchema),
      attribution: ATTRIBUTION_SCHEMA,
    }),
  ),
  load: async (call) => {
    const { query, services } = call;
    const { city, neighborhood_id, min_sample_size: least } = query;
    const quarters = lastQuarters(call, MAX_QUARTERS);
    const [loaded, ...relations] = await Promise.all([
      services.loadedQuarters.read(),
      ...COMPARED_TYPES.map((type) => readRelations(call, { city, neighborhood_id, type, quarters, least })),
    ]);
    return dataResponse({
      filters: { city, neighborhood_ids: neighborhood_id ?? [] },
      min_sample_size: least,
      price_basis: 'price_per_sqm',
      series: COMPARED_TYPES.map((type, at) => ({ property_type: type, points: relations[at] ?? [] })),
      coverage: coverageOfCity(city, loaded),
      attribution: attributionOf('justice_transactions'),
    });
  },
  present: (_call, response) => response,
});

type ReadCall = Pick<LoadCall, 'services' | 'now' | 'deadline' | 'requester'>;

/** Ascending. */
function lastQuarters({ services, now }: Pick<ReadCall, 'services' | 'now'>, most: number): number[] {
  const start = Math.ceil(historyFrom(services.config.historyStart).firstComplete / 3);
  const current = quarterOfMonth(monthOf(now));
  const first = Math.max(start, current - most);
  return Array.from({ length: Math.max(current - first, 0) }, (_, at) => first + at);
}

interface Sample {
  quarter: number;
  size: number;
  level: Level | null;
}

// Estimates already have a place in the queue of statistics.
const queue = 'searches';
const readAsking = cachedAggregation<SamplesInput, SamplesResponse>({
  name: 'asking-vs-registered/asking',
  index: 'history',
  queue,
  body: askingBody,
  present: readAskingSamples,
});
const readLand = cachedAggregation<SamplesInput, SamplesResponse>({
  name: 'asking-vs-registered/land',
  index: 'transactions',
  queue,
  body: landBody,
  present: readLandSamples,
});

const isOne = ({ neighborhood_id }: Pick<SamplesInput, 'neighborhood_id'>): boolean =>
  new Set(neighborhood_id).size === 1;

async function readFlats(pool: pg.Pool, input: SamplesInput): Promise<Sample[]> {
  const { city, neighborhood_id: ids, quarterFrom, quarterTo } = input;
  const means = await readApartmentMeans(pool, city, quarterFrom, quarterTo);
  return [...Map.groupBy(means, ({ quarter }) => quarter)].map(([quarter, all]) => {
    const each = all.filter(({ neighborhood_id: id }) => ids === undefined || (id !== null && ids.includes(id)));
    const [mean] = each;
    const size = each.reduce((sum, { count }) => sum + count, 0);
    if (isOne(input)) return { quarter, size, level: mean ? levelOfMean(mean) : null };
    return { quarter, size, level: each.length < LEAST ? null : levelOfMeans(each) };
  });
}

interface RelationInput extends Pick<SamplesInput, 'city' | 'neighborhood_id' | 'type'> {
  /** Consecutive, ascending. */
  quarters: readonly number[];
  /** Minimum sample size of both sides. */
  least: number;
}

async function readRelations(call: ReadCall, { quarters, least, ...cohort }: RelationInput) {
  const { pool, loadedQuarters } = call.services;
  const { city, type } = cohort;
  const isLand = type === 'land';
  const filters = { ...cohort, quarterFrom: quarters[0] ?? 0, quarterTo: quarters.at(-1) ?? 0 };
  const [asking, registered, loaded] = await Promise.all([
    readAsking({ ...call, filters }).then(parseSamples),
    isLand ? readLand({ ...call, filters }).then(parseSamples) : readFlats(pool, filters),
    loadedQuarters.read(),
  ]);
  const published = isLand ? classedQuarters(city, loaded) : registered.map(({ quarter }) => quarter);
  const complete = completeQuarters(city, loaded);
  return quarters.map((quarter): ValueOf<typeof relationSchema> => {
    const [one, other] = [asking, registered].map((samples) => samples.find((sample) => sample.quarter === quarter));
    const levelOf = (sample?: Sample) => (sample && sample.size >= least ? sample.level : null);
    const [asked, sold] = [levelOf(one), levelOf(other)];
    const found = asked && sold && ratioOf(asked, sold);
    const isPublished = published.includes(quarter);
    return {
      quarter: quarterLabel(quarter),
      status: found ? 'available' : !isPublished ? 'not_published' : sold ? 'too_few_listings' : 'too_few_deals',
      ratio: found && thousandths(found.ratio),
      ratio_interval: found && { low: thousandths(found.interval.low), high: thousandths(found.interval.high) },
      asking: {
        price_source: 'asking',
        statistic: 'median',
        sample_size: one?.size ?? 0,
        price_per_sqm_sar: rounded(asked?.value),
      },
      registered: {
        price_source: 'registered',
        source_key: isLand ? 'justice_transactions' : 'regulator_rei',
        statistic: isLand ? 'median' : isOne(cohort) ? 'mean' : 'median_of_means',
        // The gaps of the ministry's deals do not apply to the regulator's means.
        coverage_flag: isLand
          ? coverageFlag(city, quarter, complete.includes(quarter))
          : isPublished
            ? 'full'
            : 'incomplete',
        sample_size: other?.size ?? 0,
        price_per_sqm_sar: rounded(sold?.value),
      },
    };
  });
}

const parseSamples = (json: string): Sample[] => JSON.parse(json) as Sample[];
const thousandths = (value: number): number => Math.round(value * 1e3) / 1e3;

/** In the neighborhood of a home. */
export const latestRelationSchema = nullable(object({ neighborhood_id: integer, ...RELATION }));

export interface PlacedHome {
  city: string;
  listing_type: string;
  property_type: string;
  neighborhood_id: number | null;
}

/** Null if there is none, or if the home is no flat for sale. */
export async function latestRelation(
  call: ReadCall,
  { city, listing_type, property_type, neighborhood_id: id }: PlacedHome,
): Promise<ValueOf<typeof latestRelationSchema>> {
  if (listing_type !== 'sale' || property_type !== 'apartment' || id === null) return null;
  const quarters = lastQuarters(call, MAX_AGE);
  const input = { city, neighborhood_id: [id], type: property_type, quarters, least: LEAST } as const;
  const latest = (await readRelations(call, input)).findLast(({ status }) => status === 'available');
  return latest ? { neighborhood_id: id, ...latest } : null;
}
