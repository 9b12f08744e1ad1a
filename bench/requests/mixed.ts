import { Random, weighted } from '#sample/random.ts';
import type { Stores } from '../corpus/corpus.ts';
import type { Cohort } from './cohorts.ts';
import { distinct } from './distinct.ts';
import { draw as drawFilters, type FamilyName } from './families.ts';
import { MARKET_KINDS, marketPath, marketRequests } from './market.ts';
import { queryOf } from './sides.ts';

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
  stores: Stores,
  cohorts: readonly Cohort[],
  length: number,
): Promise<Generator<string, void>> {
  const { rows } = await stores.pool.query<{ id: number }>('select id from listings where served order by id');
  const random = new Random(SEED, 0);
  const kinds = weighted<keyof typeof SHARES>(SHARES);
  const ofKind = Math.ceil(((length * SHARES.market) / 100 / MARKET_KINDS.length) * 1.1) + 100;
  const lists = MARKET_KINDS.map((kind) => marketRequests(kind, cohorts, ofKind).map(marketPath));
  const market = Array.from({ length: ofKind }, (_, at) => lists.map((list) => list[at] as string)).flat();
  const listing = () => `/v1/listings/${random.pick(rows).id}`;
  const search = (family: FamilyName) => {
    const filters = drawFilters(family, cohorts, random, 1);
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
      case 'market': {
        const path = market.pop();
        if (path === undefined) throw new Error('too few market data requests were made');
        return path;
      }
      case 'count':
        return `/v1/listings/count?${search(kind)}`;
      default:
        return `/v1/listings?${search(kind)}&limit=${kind === 'newest-100' ? 100 : 25}`;
    }
  });
}
