import { chunks } from '#domain/chunks.ts';
import type { CountedIndex } from '#domain/index-state.ts';
import type { ListingDocument } from '#domain/listings/document.ts';
import type { JsonFilters } from '#queries/filters/compile.ts';
import { compareLikeness, keptQueries, percolateBody } from '#queries/webhooks/percolator.ts';
import type { OpenSearch } from '../client.ts';
import { type DerivedOp, type Registration, syncDerivedIndex, writeDerivedIndex } from './index.ts';

export interface Subscription {
  number: number;
  filters: JsonFilters;
}

export interface SubscriptionRecord extends Registration {
  /** Reads all subscriptions, or only those that are not yet indexed, in batches. */
  read(which: 'all' | 'changed'): AsyncIterable<readonly Subscription[]>;
  numbers(): Promise<readonly number[]>;
}

const REQUEST_LIMIT = 60_000;
/** Listings per percolation. */
const LISTINGS_PER_PERCOLATION = 200;
const PERCOLATIONS_PER_REQUEST = 16;

/** Suffix of a query without its search words. The complete query has the subscription number. */
const WITHOUT_WORDS = '-without-words';
const numberOf = (id: string): number => Number.parseInt(id, 10);

export async function syncSubscriptions(client: OpenSearch, record: SubscriptionRecord): Promise<CountedIndex> {
  const sync = (filled: SubscriptionRecord['filled']): Promise<CountedIndex> =>
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
  const numbers = await record.numbers();
  const held = await countSubscriptions(client);
  // A missing subscription would receive no events, and a deleted one only takes time, so all are written again.
  return held === numbers.length ? synced : sync(null);
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
  const context = { client, listings, size };
  const at = (place: number): ListingDocument => listings[place] as ListingDocument;
  const similar = listings.map((_, place) => place).sort((a, b) => compareLikeness(at(a), at(b)));
  const ids = only === null ? null : only.flatMap((number) => [`${number}`, number + WITHOUT_WORDS]);
  /** By listing position: subscriptions with words whose other filters match. */
  const open = new Map<number, Set<number>>();
  const listingsOf = (places: readonly number[]) => [...chunks(places, LISTINGS_PER_PERCOLATION)];
  const all = listingsOf(similar).map((places) => ({ places, worded: false, only: ids }));
  await runPercolations(context, all, (place, id) => {
    if (!id.endsWith(WITHOUT_WORDS)) matches[place]?.push(numberOf(id));
    else open.set(place, (open.get(place) ?? new Set()).add(numberOf(id)));
  });
  const texts = listingsOf([...open.keys()]).map((places) => {
    const numbers = new Set(places.flatMap((place) => [...(open.get(place) ?? [])]));
    return { places, worded: true, only: [...numbers].map(String) };
  });
  await runPercolations(context, texts, (place, id) => matches[place]?.push(numberOf(id)));
  return matches;
}

interface Percolation {
  places: readonly number[];
  worded: boolean;
  only: readonly string[] | null;
}

interface PercolationContext {
  client: OpenSearch;
  listings: readonly ListingDocument[];
  size: number;
}

async function runPercolations(
  { client, listings, size }: PercolationContext,
  percolations: readonly Percolation[],
  onMatch: (place: number, id: string) => void,
): Promise<void> {
  for (const some of chunks(percolations, PERCOLATIONS_PER_REQUEST)) {
    const bulkBody = some.flatMap(({ places, worded, only }) => {
      const documents = places.map((place) => listings[place] as ListingDocument);
      return ['{}', JSON.stringify(percolateBody(documents, { worded, only, size }))];
    });
    type Answers = { responses: PercolateAnswer[] };
    const { responses } = await client.send<Answers>('POST', `/${client.aliases.webhooks}/_msearch`, {
      query: {
        filter_path: ['hits.hits._id', 'hits.hits.fields', 'timed_out', '_shards.failed', 'error', 'status']
          .map((path) => `responses.${path}`)
          .join(),
      },
      bulkBody: `${bulkBody.join('\n')}\n`,
      requestTimeout: REQUEST_LIMIT,
    });
    for (const [index, answer] of responses.entries()) {
      // Accepting a partial response would lose events.
      if (answer.error !== undefined || answer.timed_out !== false || answer._shards?.failed !== 0)
        throw new PercolateError(answer);
      for (const { _id, fields } of answer.hits?.hits ?? [])
        for (const slot of fields._percolator_document_slot) {
          const place = some[index]?.places[slot];
          if (place !== undefined) onMatch(place, _id);
        }
    }
  }
}

export class PercolateError extends Error {
  override name = 'PercolateError';
  /** Whether a retry fails as well, because the engine refuses the documents or queries. */
  readonly isRefusal: boolean;

  constructor({ error, status }: PercolateAnswer) {
    super(`the percolator returned a partial response: ${JSON.stringify(error ?? null).slice(0, 500)}`);
    this.isRefusal = status === 400;
  }
}

interface PercolateAnswer {
  status?: number;
  error?: unknown;
  timed_out?: boolean;
  _shards?: { failed: number };
  hits?: { hits: { _id: string; fields: { _percolator_document_slot: number[] } }[] };
}
