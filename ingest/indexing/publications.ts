import { isModified, type LastPublishedState, type PublishedState, publishedState } from '#domain/listings/modified.ts';
import { messageOf } from '#domain/message-of.ts';
import type { ListingOp } from '#stores/opensearch/listing-index/listing-index.ts';
import type { Queryable, Transaction } from '#stores/postgres/transaction.ts';
import type { Writer } from '../postgres/writer.ts';
import { type ListingRow, lastPublished } from './listing-rows.ts';
import { reserveModified } from './modification-clock.ts';

interface Publication extends LastPublishedState {
  id: number;
  /** Whether a fill assigned the value. */
  reindexed?: boolean;
}

type IndexOp = Extract<ListingOp, { op: 'index' }>;

/**
 * Creates the writes for rows, and stores what they publish. Compares the served state with the last published one,
 * regardless of which stages changed it. A listing that is no longer served keeps its `modified_at` value until it is
 * served again.
 * @param keep returns the value that a listing keeps; null if it needs a new one
 * @param reindexed whether new values are those of a fill
 * @returns writes, the number of new values, and the reasons for rows that cannot be rendered
 */
export async function publish(
  rows: readonly ListingRow[],
  write: (row: ListingRow) => ListingOp | null,
  transaction: Writer['transaction'],
  keep: (row: ListingRow, now: PublishedState) => number | null = keptModified,
  reindexed = false,
): Promise<{ ops: ListingOp[]; changed: number; failed: Map<number, string> }> {
  const ops: ListingOp[] = [];
  const publications: Publication[] = [];
  const moved: { op: IndexOp; now: PublishedState }[] = [];
  const failed = new Map<number, string>();
  for (const row of rows) {
    const { id } = row;
    const before = lastPublished(row);
    let op: ListingOp | null = null;
    let now: PublishedState | null = null;
    try {
      op = write(row);
      if (op?.op === 'index') now = publishedState(op.stored);
    } catch (error) {
      op = null;
      failed.set(id, messageOf(error));
    }
    if (op !== null) ops.push(op);
    if (op?.op !== 'index' || now === null) {
      if (before !== null && before.content !== null) publications.push({ ...before, id, content: null, shown: 0 });
      continue;
    }
    const modified = keep(row, now);
    if (modified === null) moved.push({ op, now });
    else if (before?.content !== now.content || before.shown !== now.shown) publications.push({ id, modified, ...now });
  }
  if (moved.length > 0) {
    const values = await transaction((db) => reserveModified(db, moved.length), { durable: true });
    for (const [at, { op, now }] of moved.entries()) {
      const modified = values[at] as number;
      op.stored.private.modified = modified;
      publications.push({ id: op.id, modified, ...now, reindexed });
    }
  }
  if (publications.length > 0) await transaction((db) => savePublications(db, publications));
  return { ops, changed: moved.length, failed };
}

function keptModified(row: ListingRow, now: PublishedState): number | null {
  const before = lastPublished(row);
  return before === null || isModified(before, now) ? null : before.modified;
}

/**
 * Marks listings that a new index lacks as unpublished: no longer served, or added by an unfinished run. The events of
 * that run lose their positions, which would precede the watermark of the index.
 * @param indexed the last published run
 */
export async function withdrawPublications(db: Transaction, indexed: number): Promise<void> {
  await db.query(
    `update listing_publications p set content = null, shown = 0 from listings l
      where l.id = p.listing_id and p.content is not null
        and not case when l.changed_run > $1 then l.was_served else l.served end`,
    [indexed],
  );
  await db.query('update listing_events set position = null where run_id > $1 and position > 0', [indexed]);
}

async function savePublications(db: Queryable, publications: readonly Publication[]): Promise<void> {
  await db.query(
    `insert into listing_publications as p (listing_id, modified, content, shown, reindexed)
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::boolean[])
     on conflict (listing_id) do update set modified = excluded.modified, content = excluded.content,
       shown = excluded.shown, reindexed = case when p.modified = excluded.modified then p.reindexed else excluded.reindexed end`,
    [
      publications.map(({ id }) => id),
      publications.map(({ modified }) => modified),
      publications.map(({ content }) => content),
      publications.map(({ shown }) => shown),
      publications.map(({ reindexed = false }) => reindexed),
    ],
  );
}
