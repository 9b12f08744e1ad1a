import { type Presentation, type PresentedListing, prepareHits, presentRows } from '#domain/listings/present.ts';
import type { ListingsResponse } from '#domain/listings/stored-form.ts';
import type { Clause } from '#queries/clause.ts';
import { exportByIdsBody, exportCountBody, exportPageBody } from '#queries/exports/listings.ts';
import type { Services } from '#src/services.ts';
import type { DatasetSource, Snapshot } from '../dataset.ts';
import type { Terms } from '../files.ts';

/** Enough to keep OpenSearch busy, but few enough that other searches run in between. */
export const PAGE_SIZE = 500;
/** Short, so that the view of a crashed worker is released soon. */
const KEEP_ALIVE = '3m';

type Engine = Pick<DatasetSource['services'], 'search'>;

/** The `pit` clause of a search body: a view of an index without later writes. Each search extends its lifetime. */
export interface PointInTime {
  id: string;
  keep_alive: string;
}

/** The point in time is closed with the snapshot, or if `open` fails. */
export async function openSnapshot(
  { services }: DatasetSource,
  name: 'listings' | 'transactions' | 'history',
  open: (pit: PointInTime) => Promise<Omit<Snapshot, 'close'>>,
): Promise<Snapshot> {
  const { opensearch, indexGuard } = services;
  const path = `/${opensearch.aliases[name]}/_search/point_in_time`;
  const query = { keep_alive: KEEP_ALIVE };
  const { pit_id: id } = await opensearch.send<{ pit_id: string }>('POST', path, { query });
  // Never fails, because an unclosed point in time expires.
  const close = async (): Promise<void> => {
    await opensearch.send('DELETE', '/_search/point_in_time', { body: { pit_id: [id] } }).catch(() => {});
  };
  try {
    await indexGuard.confirm(name);
    return { ...(await open({ id, keep_alive: KEEP_ALIVE })), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The current time is the same for all rows. */
export function presentationOf({ services, asOf }: DatasetSource, sourceLinks: boolean): Presentation {
  const { siteUrl, cdnUrl } = services.config;
  // Later rows would show a newer time if a source is crawled meanwhile.
  const seen = new Map(services.sourceClock.sources().map((source) => [source, services.sourceClock.lastSeen(source)]));
  return { siteUrl, cdnUrl, sourceLinks, now: asOf, lastSeen: (source) => seen.get(source) };
}

export async function countMatches({ search }: Engine, filter: readonly Clause[], pit: PointInTime): Promise<number> {
  const answer = await search.search<{ hits: { total: { value: number } } }>(null, exportCountBody(filter, pit));
  return answer.hits.total.value;
}

/** Yields pages of hits, sorted by a number. The next page is requested before one is yielded. */
export async function* readPages<Hit extends { sort: readonly unknown[] }>(
  { search }: Engine,
  filter: readonly Clause[],
  pit: PointInTime,
  signal: AbortSignal,
  fields?: readonly string[],
): AsyncGenerator<readonly Hit[]> {
  type Answer = { hits: { hits: readonly Hit[] } };
  const read = (after: number | null): Promise<Answer> => {
    const answer = search.search<Answer>(
      null,
      exportPageBody({ filter, pit, size: PAGE_SIZE, after, ...(fields && { fields }) }),
    );
    // Until it is awaited, a failure must not become an unhandled rejection.
    answer.catch(() => {});
    return answer;
  };
  let coming: Promise<Answer> | null = read(null);
  while (coming !== null) {
    const { hits }: Answer['hits'] = (await coming).hits;
    signal.throwIfAborted();
    const last = hits.at(-1);
    coming = hits.length === PAGE_SIZE && last ? read(Number(last.sort.at(-1))) : null;
    if (hits.length > 0) yield hits;
  }
}

export async function listingsOf(
  { search }: Engine,
  ids: readonly number[],
  pit: PointInTime,
  presentation: Presentation,
): Promise<Map<number, PresentedListing>> {
  const { hits } = await search.search<ListingsResponse>(null, exportByIdsBody(ids, pit));
  const listings = presentRows(prepareHits(hits.hits, presentation), presentation);
  return new Map(listings.map((listing) => [listing.id, listing]));
}

export function listingTerms({ config }: Pick<Services, 'config'>, caveats: readonly string[]): Terms {
  return {
    licence: {
      name: `${config.serviceName} data-use terms`,
      url: config.siteUrl,
      terms: [
        'Keep retrieved data for at most 30 days, then refresh or delete it. Aggregate statistics that cannot be reversed into listing-level data may be kept longer.',
        'Stop showing a listing within 7 days after the service stops returning it; delete it within 3 business days of a takedown notice.',
        `Where data is shown, name ${config.serviceName} with a link to ${config.siteUrl}; for a single listing link source.url or credit the source by name.`,
        'Listing text and images may carry personal data chosen by the advertiser: you are an independent controller of what you store.',
      ],
    },
    caveats: [
      'Prices are asking prices, not transaction prices. Data is third-party and may be incomplete or stale.',
      ...caveats,
    ],
    attribution: null,
  };
}
