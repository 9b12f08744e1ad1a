import { Random } from '#ingest/sample/random.ts';
import type { Facts } from './facts.ts';
import { draw as drawFilters, type FamilyName } from './families.ts';
import { MARKET_KINDS, marketPath, marketRequests } from './market.ts';
import { queryOf } from './sides.ts';

/** Percentage of each kind of request in the mixed load. */
const SHARES = {
  'newest, 25 rows': 30,
  'newest, 100 rows': 5,
  'bounding box, 25 rows': 12,
  'Arabic words, 25 rows': 10,
  count: 10,
  'one listing': 12,
  'price history': 3,
  'listings by id': 4,
  'market data': 8,
  comparables: 3,
  'price band': 3,
} as const;
type Kind = keyof typeof SHARES;

const FAMILIES: Partial<Record<Kind, FamilyName>> = {
  'newest, 25 rows': 'newest-25',
  'newest, 100 rows': 'newest-100',
  'bounding box, 25 rows': 'bbox',
  'Arabic words, 25 rows': 'text',
  count: 'count',
};
const OF_LISTING: Partial<Record<Kind, string>> = {
  'one listing': '',
  'price history': '/price-history',
  comparables: '/comparables',
  'price band': '/price-band',
};
const BATCH = 20;
const SEED = 64_000;

/** Paths of different requests in random order, as on a production day. @param ids ids of existing listings */
export function* mixedPaths(facts: Facts, ids: readonly number[], length: number): Generator<string> {
  const random = new Random(SEED, 0);
  const market = marketPaths(
    facts,
    Math.ceil(((length * SHARES['market data']) / 100 / MARKET_KINDS.length) * 1.1) + 100,
  );
  const seen = new Set<string>();
  let made = 0;
  for (let tries = 0; made < length; tries++) {
    if (tries > length * 50) throw new Error('not enough different requests exist for this few listings');
    const path = pathOf(pickKind(random), { facts, ids, random, market });
    if (seen.has(path)) continue;
    seen.add(path);
    made++;
    yield path;
  }
}

interface Draw {
  facts: Facts;
  ids: readonly number[];
  random: Random;
  market: Iterator<string, undefined>;
}

function pathOf(kind: Kind, { facts, ids, random, market }: Draw): string {
  const family = FAMILIES[kind];
  if (family !== undefined) {
    const limit = family === 'newest-100' ? 100 : 25;
    const filters = drawFilters(family, facts, random, 1);
    // Most requests differ in this bound, because users rarely choose the same minimum price.
    const whole = random.chance(0.5) ? { ...filters, price_min: Math.round(random.between(1, 20_000)) } : filters;
    return family === 'count'
      ? `/v1/listings/count?${queryOf(whole)}`
      : `/v1/listings?${queryOf(whole)}&limit=${limit}`;
  }
  if (kind === 'listings by id')
    return `/v1/listings/batch?ids=${Array.from({ length: BATCH }, () => random.pick(ids)).join(',')}`;
  const sub = OF_LISTING[kind];
  if (sub !== undefined) return `/v1/listings/${random.pick(ids)}${sub}`;
  const next = market.next();
  if (next.done) throw new Error('too few market data requests were made');
  return next.value;
}

function pickKind(random: Random): Kind {
  let mark = random.next() * 100;
  for (const [kind, share] of Object.entries(SHARES) as [Kind, number][]) {
    mark -= share;
    if (mark < 0) return kind;
  }
  return 'count';
}

function* marketPaths(facts: Facts, length: number): Generator<string, undefined> {
  const lists = MARKET_KINDS.map((kind) => marketRequests(kind, facts, length));
  for (let at = 0; at < length; at++) for (const list of lists) yield marketPath(list[at] as (typeof list)[number]);
  return undefined;
}
