import type pg from 'pg';
import { isModified, type LastPublished, type Published, publishedState } from '#domain/listings/modified.ts';
import { messageOf } from '#domain/message-of.ts';
import type { Queryable } from '#postgres/transaction.ts';
import type { ListingOp } from '#search/listing-index/index.ts';
import { copyIn } from '../postgres/copy-in.ts';
import type { ModificationClock } from './modification-clock.ts';
import { type ListingRow, lastPublished } from './rows.ts';

export interface Publication extends LastPublished {
  id: number;
  /** Whether the listing has been published before. */
  known: boolean;
}

type IndexOp = Extract<ListingOp, { op: 'index' }>;

/**
 * Creates the writes for rows. Compares the served state with the last published one, regardless of which stages
 * changed it. A listing that is no longer served keeps its `modified_at` value until it is served again.
 * @param keep returns the value that a listing keeps; null if it needs a new one
 * @returns writes, publications, and the reasons for rows that cannot be rendered
 */
export async function publish(
  rows: readonly ListingRow[],
  write: (row: ListingRow) => ListingOp | null,
  clock: ModificationClock,
  keep: (row: ListingRow, now: Published) => number | null = keptModified,
): Promise<{ ops: ListingOp[]; publications: Publication[]; failed: Map<number, string> }> {
  const ops: ListingOp[] = [];
  const publications: Publication[] = [];
  const moved: { op: IndexOp; publication: Publication }[] = [];
  const failed = new Map<number, string>();
  for (const row of rows) {
    const before = lastPublished(row);
    let op: ListingOp | null = null;
    let now: Published | null = null;
    try {
      op = write(row);
      if (op?.op === 'index') now = publishedState(op.stored);
    } catch (error) {
      op = null;
      failed.set(row.id, messageOf(error));
    }
    if (op !== null) ops.push(op);
    if (op?.op !== 'index' || now === null) {
      if (before !== null && before.content !== null)
        publications.push({ ...before, id: row.id, known: true, content: null, shown: 0 });
      continue;
    }
    const kept = keep(row, now);
    const publication = { id: row.id, known: before !== null, modified: kept ?? 0, ...now };
    if (kept === null) moved.push({ op, publication });
    else if (before?.content !== now.content || before.shown !== now.shown) publications.push(publication);
  }
  const values = await clock.take(moved.length);
  for (const [at, { op, publication }] of moved.entries()) {
    const modified = values[at] as number;
    op.stored.private.modified = modified;
    publications.push({ ...publication, modified });
  }
  return { ops, publications, failed };
}

function keptModified(row: ListingRow, now: Published): number | null {
  const before = lastPublished(row);
  return before === null || isModified(before, now) ? null : before.modified;
}

/**
 * Marks listings that a new index lacks as unpublished: no longer served, or added by an unfinished run.
 * @param indexed the last published run
 */
export async function withdrawPublications(db: Queryable, indexed: number): Promise<void> {
  await db.query(
    `update listing_publications p set content = null, shown = 0 from listings l
      where l.id = p.listing_id and p.content is not null
        and not case when l.changed_run > $1 then l.was_served else l.served end`,
    [indexed],
  );
}

/** Writes publications. Must be called inside a transaction. */
export async function savePublications(client: pg.ClientBase, changed: readonly Publication[]): Promise<void> {
  const added = changed.filter(({ known }) => !known);
  const updated = changed.filter(({ known }) => known);
  await copyIn(
    client,
    'listing_publications (listing_id, modified, content, shown)',
    added.map(({ id, modified, content, shown }) => `${id}\t${modified}\t${content ?? '\\N'}\t${shown}`),
  );
  if (updated.length === 0) return;
  await client.query({
    name: 'save-publications',
    text: `update listing_publications p set modified = s.modified, content = s.content, shown = s.shown
             from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[]) as s (id, modified, content, shown)
            where p.listing_id = s.id`,
    values: [
      updated.map(({ id }) => id),
      updated.map(({ modified }) => modified),
      updated.map(({ content }) => content),
      updated.map(({ shown }) => shown),
    ],
  });
}
