import type pg from 'pg';
import * as sql from '#postgres/rows.ts';
import { transact } from '../postgres/writer.ts';
import type { OfficialContext } from './context.ts';
import { READERS } from './read.ts';
import { applyVisibility, deleteLoads, loadsIn, syncTransactionsIndex, writeLoads } from './transactions-index.ts';

/**
 * A load is one publication's data for one quarter. It is `staged` while its transactions are written to the index,
 * `current` while it is served, `retired` after it was replaced and until it is deleted, and `held` if it is doubtful.
 * A load replaces the previous load for its scope. A load for the whole country (empty scope) replaces all loads, and
 * while it is served, loads with a smaller scope are not imported.
 */
export const LOAD = {
  id: sql.integer,
  kind: sql.textAs<keyof typeof READERS>(),
  scope: sql.text,
  quarter: sql.integer,
};
export type Load = sql.RowOf<typeof LOAD>;

const loadsOf = (db: pg.PoolClient, state: string): Promise<Load[]> =>
  sql.queryRows(db, LOAD, 'select id, kind, scope, quarter from official_loads where state = $1', [state]);

/** Cleans up after an interrupted import: drops staged data, deletes replaced data, and holds releases again. */
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
    for (const load of await loadsOf(db, 'staged')) await forget(db, load);
    await db.query(`delete from official_files f where status = 'reading'
      and not exists (select from official_loads l where l.file_id = f.id)`);
    // A partially imported file is read again; quarters that were already imported are then unchanged.
    await db.query(`update official_files set status = 'refused', digest = digest || ' interrupted', finished_at = now(),
      detail = 'The import was interrupted.' where status = 'reading'`);
  });
  await purge(context, db);
}

/** SQL condition that matches loads being released, which keep the reason why they were held. */
export const RELEASING = `state = 'staged' and detail is not null`;

/** Makes staged loads the current loads of their quarters, in one database transaction. */
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

async function purge(context: OfficialContext, db: pg.PoolClient): Promise<void> {
  const rows = await loadsOf(db, 'retired');
  if (rows.length === 0) return;
  const deals = rows.filter(({ kind }) => kind === 'transactions').map(({ id }) => id);
  if (deals.length > 0) await deleteLoads(context, deals);
  await transact(db, async () => {
    for (const load of rows) await forget(db, load);
  });
  if (deals.length > 0) await applyVisibility(context, db);
}

/** Deletes a load and its rows from the tables. */
export async function forget(db: pg.PoolClient, { id, kind }: Pick<Load, 'id' | 'kind'>): Promise<void> {
  await db.query(`delete from ${READERS[kind].table} where load_id = $1`, [id]);
  await db.query('delete from official_loads where id = $1', [id]);
}
