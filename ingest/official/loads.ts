import type pg from 'pg';
import { type OfficialContext, transact } from './context.ts';
import { READERS } from './read.ts';
import { applyVisibility, deleteLoads, loadsIn, syncTransactionsIndex, writeLoads } from './transactions-index.ts';

/**
 * What one publication says of one quarter is a load. It is staged while its deals are written to the index, current
 * while it is served, retired from the moment another one takes its place until it is deleted, and held when it is not
 * believed. A load of one scope takes the place of the one before; one of the whole country (no scope) that of all, and
 * while it is served none of a smaller scope does.
 */
export interface Load {
  id: number;
  kind: keyof typeof READERS;
  scope: string;
  quarter: number;
}

/**
 * Ends what an interrupted import has left: what it had staged is forgotten, what it had replaced is deleted. What was being
 * released is held as before.
 */
export async function recover(context: OfficialContext, db: pg.PoolClient): Promise<void> {
  await syncTransactionsIndex(context, db);
  const staged = await loadsIn(db, 'staged');
  if (staged.length > 0)
    await deleteLoads(
      context,
      staged.map(({ id }) => id),
    );
  await transact(db, async () => {
    await db.query(`update official_loads set state = 'held' where ${RELEASING}`);
    const { rows } = await db.query<Load>(`select id, kind, scope, quarter from official_loads where state = 'staged'`);
    for (const load of rows) await forget(db, load);
    await db.query(`delete from official_files f where status = 'reading'
      and not exists (select from official_loads l where l.file_id = f.id)`);
    // One that had brought some of its quarters in is read again; those are found unchanged.
    await db.query(`update official_files set status = 'refused', digest = digest || ' interrupted', finished_at = now(),
      detail = 'The import was interrupted.' where status = 'reading'`);
  });
  await purge(context, db);
}

/** A load that is being released still has the reason why it was held; no other that is staged has one. */
export const RELEASING = `state = 'staged' and detail is not null`;

/** Makes staged loads the current ones of their quarters, all in one step. */
export async function promote(context: OfficialContext, db: pg.PoolClient, loads: readonly Load[]): Promise<void> {
  if (loads.length === 0) return;
  const deals = loads.filter(({ kind }) => kind === 'transactions').map(({ id }) => id);
  if (deals.length > 0) {
    await applyVisibility(context, db);
    await writeLoads(context, db, deals);
  }
  await transact(db, async () => {
    for (const { id, kind, scope, quarter } of loads) {
      await db.query(
        `update official_loads set state = 'retired'
          where kind = $1 and quarter = $2 and ($3 = '' or scope = $3) and state in ('current', 'held') and id <> $4`,
        [kind, quarter, scope, id],
      );
      await db.query(`update official_loads set state = 'current', detail = null where id = $1`, [id]);
    }
  });
  context.onProgress?.('promoted');
  if (deals.length > 0) await applyVisibility(context, db);
  context.onProgress?.('shown');
  await purge(context, db);
}

/** Deletes what has been replaced. */
async function purge(context: OfficialContext, db: pg.PoolClient): Promise<void> {
  const { rows } = await db.query<Load>(`select id, kind, scope, quarter from official_loads where state = 'retired'`);
  if (rows.length === 0) return;
  const deals = rows.filter(({ kind }) => kind === 'transactions').map(({ id }) => id);
  if (deals.length > 0) await deleteLoads(context, deals);
  await transact(db, async () => {
    for (const load of rows) await forget(db, load);
  });
  if (deals.length > 0) await applyVisibility(context, db);
}

/** Takes a load out of the record with its rows. */
export async function forget(db: pg.PoolClient, { id, kind }: Pick<Load, 'id' | 'kind'>): Promise<void> {
  await db.query(`delete from ${READERS[kind].table} where load_id = $1`, [id]);
  await db.query('delete from official_loads where id = $1', [id]);
}
