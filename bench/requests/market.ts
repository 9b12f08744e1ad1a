import { chunks } from '#domain/chunks.ts';
import { compareBody } from '#queries/analytics/compare.ts';
import { rentalYieldBody } from '#queries/analytics/rental-yield.ts';
import type { FilterValues } from '#queries/filters/table.ts';
import {
  AREA,
  distributionBody,
  neighborhoodsBody,
  priceMeasure,
  summaryBody,
  supplyBody,
  vacancyBody,
} from '#queries/market/statistics.ts';
import { type Hour, hourOf } from '#queries/market/window.ts';
import { Random } from '#sample/random.ts';
import { type Corpus, countMatches } from '../corpus/corpus.ts';
import type { Cohort } from './cohorts.ts';
import { distinct } from './distinct.ts';
import { weighted } from './families.ts';
import { queryOf } from './sides.ts';

/** The kinds of market data requests. */
export const MARKET_KINDS = [
  'summary',
  'price-distribution',
  'area-distribution',
  'supply',
  'vacancy',
  'neighborhoods',
  'rental-yield',
  'neighborhoods/compare',
] as const;
export type MarketKind = (typeof MARKET_KINDS)[number];

export interface MarketRequest {
  kind: MarketKind;
  filters: FilterValues & { city: string };
}

type Body = (filters: FilterValues, hour: Hour) => Record<string, unknown>;

const BODIES: Readonly<Record<MarketKind, Body>> = {
  summary: summaryBody,
  'price-distribution': (filters, hour) => distributionBody(priceMeasure(filters.listing_type), filters, hour),
  'area-distribution': (filters, hour) => distributionBody(AREA, filters, hour),
  supply: supplyBody,
  vacancy: vacancyBody,
  neighborhoods: neighborhoodsBody,
  'rental-yield': rentalYieldBody,
  'neighborhoods/compare': compareBody,
};

/** Comparisons of neighborhoods cover whole cities. */
const WHOLE_CITIES: readonly MarketKind[] = ['neighborhoods', 'rental-yield'];
const SEED = 31_000;

/**
 * Creates different requests of one kind, mostly for large cities. Most differ in the two to four neighborhoods that
 * they exclude, so that nearly all the work remains but no response is cached.
 * @param largest whether all requests cover the whole largest city
 */
export function marketRequests(
  kind: MarketKind,
  cohorts: readonly Cohort[],
  length: number,
  largest = false,
  seed = SEED,
): MarketRequest[] {
  const random = new Random(seed, MARKET_KINDS.indexOf(kind) * 2 + Number(largest));
  return [...distinct(kind, length, () => ({ kind, filters: draw(kind, cohorts, random, largest) }))];
}

/** Creates requests for cohorts with a number of listings in a range. Returns fewer if there are too few cohorts. */
export async function marketRequestsOfSize(
  corpus: Corpus,
  kind: MarketKind,
  cohorts: readonly Cohort[],
  length: number,
  fits: (size: number) => boolean,
): Promise<MarketRequest[]> {
  const found: MarketRequest[] = [];
  const drawn = marketRequests(kind, cohorts, length * 6);
  const hour = hourOf(Date.parse(corpus.manifest.at));
  for (const some of chunks(drawn, 500)) {
    const sizes = await countMatches(
      corpus,
      some.map(({ filters }) => ({ query: BODIES[kind](filters, hour).query })),
    );
    found.push(...some.filter((_, at) => fits(sizes[at] as number)));
    if (found.length >= length) break;
  }
  return found.slice(0, length);
}

/** Warm-up requests of all kinds in rotation, none of which is measured later. */
export function marketWarmUp(cohorts: readonly Cohort[]): MarketRequest[] {
  const lists = MARKET_KINDS.map((kind) => marketRequests(kind, cohorts, 60, false, SEED + 1_000));
  return Array.from({ length: 60 }, (_, at) => lists.map((list) => list[at] as MarketRequest)).flat();
}

/** In the order of the filter table, as the service decodes them. */
function draw(
  kind: MarketKind,
  cohorts: readonly Cohort[],
  random: Random,
  largest: boolean,
): MarketRequest['filters'] {
  const [first] = cohorts;
  const wide = cohorts.filter(({ neighborhoods }) => neighborhoods.length >= 8);
  const cohort = largest && first ? first : weighted(wide, random);
  const { city, listing_type, neighborhoods, property_types } = cohort;
  const some = (count: number): number[] => [
    ...new Set(Array.from({ length: count }, () => random.pick(neighborhoods))),
  ];
  const type = kind === 'rental-yield' ? {} : { listing_type };
  const left = () => ({ neighborhood_id_exclude: some(2 + Math.floor(random.between(0, 3))) });
  if (largest) return { city, ...type, ...left() };
  const narrowed = {
    ...(random.chance(0.4) ? { property_type: [random.pick(property_types)] } : {}),
    ...(random.chance(0.2) ? { beds: [Math.floor(random.between(2, 5))] } : {}),
  };
  if (kind === 'neighborhoods/compare') {
    const ids = some(5);
    return ids.length < 2 ? draw(kind, cohorts, random, largest) : { city, ...type, neighborhood_id: ids, ...narrowed };
  }
  if (!WHOLE_CITIES.includes(kind) && random.chance(1 / 3))
    return { city, ...type, neighborhood_id: some(random.chance(0.5) ? 1 : 3), ...narrowed };
  return { city, ...type, ...left(), ...narrowed };
}

/** The path that a client of the API requests. */
export const marketPath = ({ kind, filters }: MarketRequest): string => `/v1/market/${kind}?${queryOf(filters)}`;

/** The query that the API sends to OpenSearch. @param now epoch milliseconds */
export const marketBody = ({ kind, filters }: MarketRequest, now: number): Record<string, unknown> =>
  BODIES[kind](filters, hourOf(now));
