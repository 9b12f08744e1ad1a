import { Random, weighted } from '#sample/random.ts';
import type { Corpus } from '../corpus.ts';
import type { Cohort } from './cohorts.ts';
import { distinct, draw, type FamilyName } from './families.ts';
import { queryOf } from './listing-requests.ts';
import { drawMarketPath } from './market.ts';

const BATCH = 20;
const SEED = 64_000;

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

/** Yields paths of different requests in random order, as on a production day. */
export async function mixedPaths(
  { pool }: Corpus,
  cohorts: readonly Cohort[],
  length: number,
): Promise<Generator<string, void>> {
  const { rows } = await pool.query<{ id: number }>('select id from listings where served order by id');
  const random = new Random(SEED, 0);
  const kinds = weighted<keyof typeof SHARES>(SHARES);
  const listing = () => `/v1/listings/${random.pick(rows).id}`;
  const search = (family: FamilyName) => {
    const filters = draw(family, cohorts, random);
    // Most requests differ in this bound, because users rarely choose the same minimum price.
    return queryOf(random.chance(0.5) ? { ...filters, price_min: Math.round(random.between(1, 20_000)) } : filters);
  };
  return distinct('the mixed load', length, () => {
    const kind = kinds.pick(random);
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
  });
}
