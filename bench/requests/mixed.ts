import { Random, weighted } from '#sample/random.ts';
import type { Corpus } from '../corpus.ts';
import type { Cohort } from './cohorts.ts';
import { distinct, draw, type FamilyName } from './families.ts';
import { queryOf } from './listing-requests.ts';
import { drawMarketPath } from './market.ts';

const BATCH = 20;
const SEED = 64_000;

export type MixedKind = keyof typeof SHARES;
/** Statistics have a limit of their own. */
export const isStatistic = (kind: string): boolean => ['market', 'comparables', 'price-band'].includes(kind);

export interface MixedRequest {
  kind: MixedKind;
  path: string;
}

/** Percentage of each kind of request in the mixed load: families of searches, and other requests. */
const SHARES = {
  'newest-25': 30,
  'newest-100': 5,
  bbox: 12,
  text: 10,
  count: 10,
  listing: 12,
  'price-history': 3,
  batch: 4,
  market: 8,
  comparables: 3,
  'price-band': 3,
} as const;
export const MIXED_KINDS = Object.keys(SHARES) as MixedKind[];

/** Yields different requests in random order, as on a production day, or of one kind. */
export async function mixedRequests(
  { pool }: Corpus,
  cohorts: readonly Cohort[],
  length: number,
  { only, seed = SEED }: { only?: MixedKind; seed?: number } = {},
): Promise<Generator<MixedRequest, void>> {
  const { rows } = await pool.query<{ id: number }>('select id from listings where served order by id');
  const random = new Random(seed, 0);
  const kinds = weighted<MixedKind>(SHARES);
  const listing = () => `/v1/listings/${random.pick(rows).id}`;
  const search = (family: FamilyName) => {
    const filters = draw(family, cohorts, random);
    // Most requests differ in this bound, because users rarely choose the same minimum price.
    return queryOf(random.chance(0.5) ? { ...filters, price_min: Math.round(random.between(1, 20_000)) } : filters);
  };
  const pathOf = (kind: MixedKind): string => {
    switch (kind) {
      case 'listing':
        return listing();
      case 'price-history':
      case 'comparables':
      case 'price-band':
        return `${listing()}/${kind}`;
      case 'batch':
        return `/v1/listings/batch?ids=${Array.from({ length: BATCH }, () => random.pick(rows).id).join(',')}`;
      case 'market':
        return drawMarketPath(cohorts, random);
      case 'count':
        return `/v1/listings/count?${search(kind)}`;
      default:
        return `/v1/listings?${search(kind)}&limit=${kind === 'newest-100' ? 100 : 25}`;
    }
  };
  return distinct('the mixed load', length, () => {
    const kind = only ?? kinds.pick(random);
    return { kind, path: pathOf(kind) };
  });
}
