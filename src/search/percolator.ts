import type { Client } from '@opensearch-project/opensearch';
import type { ListingDocument } from '#domain/listings/document.ts';
import type { JsonFilters } from '#queries/filters/json.ts';
import { percolateBody, subscriptionQuery } from '#queries/webhooks/percolator.ts';
import { indexNames } from './client.ts';
import { deleteFromDerivedIndex, syncDerivedIndex, writeDerivedIndex } from './derived-index/index.ts';

/** Filters to be kept under a number. They never change. */
export interface Subscription {
  number: number;
  filters: JsonFilters;
}

/** Where subscriptions are recorded. */
export interface SubscriptionRecord {
  /** Uuid of the index that some of them are in already; null where none is in any. */
  indexedIn(): Promise<string | null>;
  /** All of them, or those that are in no index yet, in batches. */
  read(which: 'all' | 'changed'): AsyncIterable<readonly Subscription[]>;
  /** Every number. */
  numbers(): Promise<readonly number[]>;
}

const REQUEST_LIMIT = 60_000;

/** Brings the index of kept queries up to the record. @returns its uuid */
export async function syncSubscriptions(client: Client, prefix: string, record: SubscriptionRecord): Promise<string> {
  const alias = indexNames(prefix).webhooks;
  const uuid = await syncDerivedIndex(client, prefix, 'webhooks', await record.indexedIn(), async (target, which) => {
    for await (const batch of record.read(which))
      await writeDerivedIndex(
        client,
        target,
        batch.map(({ number, filters }) => ({
          op: 'index',
          id: String(number),
          listing: number,
          version: 1,
          json: JSON.stringify({ query: subscriptionQuery(filters) }),
        })),
      );
  });
  const numbers = await record.numbers();
  const { body } = await client.transport.request({ method: 'GET', path: `/${alias}/_count` });
  if ((body as { count: number }).count > numbers.length)
    await deleteFromDerivedIndex(client, prefix, 'webhooks', {
      bool: { must_not: [{ ids: { values: numbers.map(String) } }] },
    });
  return uuid;
}

/**
 * Which kept queries match which of the listings, by the places of the listings.
 * @param only the subscriptions that are asked; all of them when null
 * @param size how many subscriptions there are
 */
export async function percolate(
  client: Client,
  prefix: string,
  listings: readonly ListingDocument[],
  only: readonly number[] | null,
  size: number,
): Promise<number[][]> {
  const matches: number[][] = listings.map(() => []);
  if (listings.length === 0 || size === 0) return matches;
  const { body } = await client.transport.request(
    {
      method: 'POST',
      path: `/${indexNames(prefix).webhooks}/_search`,
      querystring: { filter_path: 'hits.hits._id,hits.hits.fields,timed_out,_shards.failed' },
      body: percolateBody(listings, only?.map(String) ?? null, size),
    },
    { requestTimeout: REQUEST_LIMIT },
  );
  const answer = body as PercolateAnswer;
  // A part of the answer would be events that nobody hears of.
  if (answer.timed_out || answer._shards.failed > 0) throw new Error('the percolator answered in part');
  for (const { _id, fields } of answer.hits?.hits ?? [])
    for (const slot of fields._percolator_document_slot) matches[slot]?.push(Number(_id));
  return matches;
}

interface PercolateAnswer {
  timed_out: boolean;
  _shards: { failed: number };
  hits?: { hits: { _id: string; fields: { _percolator_document_slot: number[] } }[] };
}
