import type pg from 'pg';
import type { StoredListing } from '#domain/listings/listing.ts';
import { firstModified, publishedState, rebuiltModified } from '#domain/listings/modified.ts';
import { readDisk } from '#stores/opensearch/fill.ts';
import { readListings, readModified } from '#stores/opensearch/listing-index/listing-index.ts';
import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { readServing } from './fill.ts';
import { lastPublished, readRows } from './indexing/listing-rows.ts';
import { storedListing } from './indexing/render-listing.ts';
import { pagesById } from './postgres/pages.ts';

const BATCH = 1_000;
/** Number of changed listings whose fields are compared. */
const PLANNED_SAMPLE = 1_000;

/**
 * Compares what a fill of the listings would serve with what is served. Changes nothing, and holds no lock: runs continue.
 * @returns `rows` that get a new `modified_at`, which copies of the data receive, and the served fields of a sample of
 * them that differ, with the number of listings of the sample
 */
export async function planListings(pool: pg.Pool, client: OpenSearch, signal: AbortSignal) {
  const { indexed, shown, restored, compared, watermark } = await readServing(pool, client);
  let [documents, rows] = [0, 0];
  const changed = new Map<number, StoredListing>();
  for (const which of [{ published: indexed }, { before: indexed }])
    for await (const page of pagesById(signal, (after) => readRows(pool, which, after, BATCH))) {
      const served = page.filter((row) => row.served);
      const ids = served.map(({ id }) => id);
      const inIndex = compared === null ? null : await readModified(client, compared, ids);
      documents += served.length;
      for (const row of served) {
        const stored = storedListing(row, row.firstSeen);
        const kept = rebuiltModified(lastPublished(row), publishedState(stored), firstModified(row.firstSeen, row.id), {
          watermark,
          indexed: inIndex === null ? undefined : (inIndex.get(row.id) ?? null),
          restored,
        });
        if (kept !== null) continue;
        rows += 1;
        if (changed.size < PLANNED_SAMPLE) changed.set(row.id, stored);
      }
    }
  const fields: Record<string, number> = {};
  const found = shown === null ? [] : await readListings(client, shown.index, [...changed.keys()]);
  for (const { id, stored } of found)
    for (const name of changedFields(stored, changed.get(id) as StoredListing)) fields[name] = (fields[name] ?? 0) + 1;
  const disk = shown && (await readDisk(client, shown.index));
  return {
    serving: shown?.index ?? null,
    documents: { serving: shown?.documents ?? 0, filled: documents },
    disk,
    rows,
    fields,
  };
}

function changedFields(before: StoredListing, after: StoredListing): string[] {
  const [one, other] = [before.display, after.display] as Record<string, unknown>[];
  const names = Object.keys({ ...one, ...other }).filter((name) => !OBSERVED.includes(name));
  // As in the document, an undefined field is a missing one.
  return names.filter((name) => JSON.stringify(one?.[name]) !== JSON.stringify(other?.[name]));
}

/** Times that are unknown to a fill, or that runs write without another change. */
const OBSERVED: readonly string[] = ['updated_at', 'last_seen_at'];
