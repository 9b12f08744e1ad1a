import { chunks } from '#domain/chunks.ts';
import type { IndexSize } from '#domain/index-state.ts';
import type { ListingDocument } from '#domain/listings/document.ts';
import type { JsonFilters } from '#queries/filters/compile.ts';
import { compareLikeness, keptQueries, percolateBody } from '#queries/webhooks/percolator.ts';
import type { OpenSearch } from '../opensearch-client.ts';
import { type DerivedOp, type Registration, syncDerivedIndex, writeDerivedIndex } from './derived-index.ts';

export interface Subscription {
  number: number;
  filters: JsonFilters;
}

export interface SubscriptionRecord extends Registration {
  /** Reads all subscriptions, or only those that are not yet indexed, in batches. */
  read(which: 'all' | 'changed'): AsyncIterable<readonly Subscription[]>;
  /** Number of subscriptions. */
  count(): Promise<number>;
}

const REQUEST_LIMIT = 60_000;
/** Listings per percolation. */
const LISTINGS_PER_PERCOLATION = 200;

/** Suffix of a query without its search words. The complete query has the subscription number. */
const WITHOUT_WORDS = '-without-words';
const numberOf = (id: string): number => Number.parseInt(id, 10);

export async function syncSubscriptions(client: OpenSearch, record: SubscriptionRecord): Promise<IndexSize> {
  const sync = (filled: SubscriptionRecord['filled']): Promise<IndexSize> =>
    syncDerivedIndex(client, 'webhooks', { ...record, filled }, async (target, which) => {
      let written = 0;
      for await (const batch of record.read(which)) {
        const ops = batch.flatMap(writes);
        await writeDerivedIndex(client, target, ops);
        written += ops.filter(({ op }) => op === 'index').length;
      }
      return written;
    });
  const synced = await sync(record.filled);
  const isComplete = (await countSubscriptions(client)) === (await record.count());
  // A missing subscription would receive no events, and a deleted one only takes time, so all are written again.
  return isComplete ? synced : sync(null);
}

/** Each subscription has exactly one query without words. */
async function countSubscriptions(client: OpenSearch): Promise<number> {
  const body = { query: { term: { worded: false } } };
  return (await client.send<{ count: number }>('GET', `/${client.aliases.webhooks}/_count`, { body })).count;
}

function writes({ number, filters }: Subscription): DerivedOp[] {
  const queries = keptQueries(filters);
  const common = { listing: number, version: 1 };
  const written: DerivedOp[] = queries.map((kept, at) => ({
    op: 'index',
    id: at === queries.length - 1 ? `${number}` : number + WITHOUT_WORDS,
    ...common,
    json: JSON.stringify(kept),
  }));
  // The filters may have had words before.
  return queries.length > 1 ? written : [...written, { op: 'delete', id: number + WITHOUT_WORDS, ...common }];
}

/**
 * Returns the matching subscriptions of each listing. Similar listings are percolated together, because OpenSearch can
 * then exclude more queries; those that match all filters of a subscription except its words are percolated again with
 * their texts.
 * @param only subscriptions to check; all if null
 * @param size number of subscriptions
 */
export async function percolate(
  client: OpenSearch,
  listings: readonly ListingDocument[],
  only: readonly number[] | null,
  size: number,
): Promise<number[][]> {
  const matches: number[][] = listings.map(() => []);
  if (listings.length === 0 || size === 0) return matches;
  const at = (place: number): ListingDocument => listings[place] as ListingDocument;
  const run = async (places: readonly number[], worded: boolean, ids: readonly string[] | null) => {
    type Hit = { _id: string; fields: { _percolator_document_slot: number[] } };
    type Answer = { timed_out?: boolean; hits?: { hits: Hit[] } };
    // A partial response would lose events.
    const query = {
      allow_partial_search_results: 'false',
      filter_path: 'timed_out,hits.hits._id,hits.hits.fields',
    };
    const body = percolateBody(places.map(at), { worded, only: ids, size });
    const options = { query, body, requestTimeout: REQUEST_LIMIT };
    const path = `/${client.aliases.webhooks}/_search`;
    const { timed_out, hits } = await client.send<Answer>('POST', path, options);
    if (timed_out !== false) throw new Error('the percolator returned a partial response');
    return (hits?.hits ?? []).flatMap(({ _id, fields }) =>
      fields._percolator_document_slot.map((slot) => ({ place: places[slot] as number, id: _id })),
    );
  };
  const similar = listings.map((_, place) => place).sort((a, b) => compareLikeness(at(a), at(b)));
  const ids = only === null ? null : only.flatMap((number) => [`${number}`, number + WITHOUT_WORDS]);
  /** By listing position: subscriptions with words whose other filters match. */
  const open = new Map<number, Set<number>>();
  const first = [...chunks(similar, LISTINGS_PER_PERCOLATION)].map((places) => run(places, false, ids));
  for (const { place, id } of (await Promise.all(first)).flat()) {
    if (!id.endsWith(WITHOUT_WORDS)) matches[place]?.push(numberOf(id));
    else open.set(place, (open.get(place) ?? new Set()).add(numberOf(id)));
  }
  const second = [...chunks([...open.keys()], LISTINGS_PER_PERCOLATION)].map((places) => {
    const numbers = new Set(places.flatMap((place) => [...(open.get(place) ?? [])]));
    return run(places, true, [...numbers].map(String));
  });
  for (const { place, id } of (await Promise.all(second)).flat()) matches[place]?.push(numberOf(id));
  return matches;
}
