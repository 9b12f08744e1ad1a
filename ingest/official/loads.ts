import type pg from 'pg';
import { integer, nullable, number, oneOf, queryOne, queryRows, type RowOf, text } from '#stores/postgres/rows.ts';
import { type Transaction, transact } from '#stores/postgres/transaction.ts';
import type { QuarterFacts } from './hold-reasons.ts';
import type { OfficialContext } from './official-context.ts';
import type { OfficialKind, ReleaseFormat } from './official-file.ts';
import { RELEASE_FORMATS } from './read.ts';
import type { StagedQuarter } from './staged.ts';
import { applyVisibility, deleteLoads, loadsIn, syncTransactionsIndex, writeLoads } from './transactions-index.ts';

/**
 * The data of one kind of official file for one quarter: `staged` while its transactions are written to the index, `current` while it is
 * served, `retired` from its replacement to its deletion, and `held` if it is doubtful. It replaces the previous load for
 * its scope. A load for the whole country (empty scope) replaces all, and no smaller scope is imported meanwhile.
 */
export const LOAD = {
  id: integer,
  kind: oneOf(Object.keys(RELEASE_FORMATS) as OfficialKind[]),
  scope: text,
  quarter: integer,
};
export type Load = RowOf<typeof LOAD>;

/** Cleans up after an interrupted import, and holds interrupted releases again. */
export async function recover(context: OfficialContext, db: pg.ClientBase): Promise<void> {
  await syncTransactionsIndex(context, db);
  const staged = await loadsIn(db, 'staged');
  if (staged.length > 0) await deleteLoads(context, staged);
  await transact(db, async (tx) => {
    await tx.query(`update official_loads set state = 'held' where ${RELEASING}`);
    await forgetAll(tx, `state = 'staged'`);
    await tx.query(`delete from official_files f where status = 'reading'
      and not exists (select from official_loads l where l.file_id = f.id)`);
    // A partially imported file is read again; quarters that were already imported are then unchanged.
    await tx.query(`update official_files set status = 'refused', digest = digest || ' interrupted', finished_at = now(),
      detail = 'The import was interrupted.' where status = 'reading'`);
  });
  await purge(context, db);
}

/** SQL for loads being released, which keep the reason why they were held. */
export const RELEASING = `state = 'staged' and detail is not null`;

/** Makes staged loads the current ones of their quarters, in one database transaction. */
export async function promote(context: OfficialContext, db: pg.ClientBase, loads: readonly Load[]): Promise<void> {
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

async function purge(context: OfficialContext, db: pg.ClientBase): Promise<void> {
  const deals = await loadsIn(db, 'retired');
  if (deals.length > 0) await deleteLoads(context, deals);
  await transact(db, (tx) => forgetAll(tx, `state = 'retired'`));
  if (deals.length > 0) await applyVisibility(context, db);
}

async function forgetAll(db: Transaction, where: string, values: unknown[] = []): Promise<void> {
  for (const { id, kind } of await queryRows(db, LOAD, `select * from official_loads where ${where}`, values)) {
    await db.query(`delete from ${kind} where load_id = $1`, [id]);
    await db.query('delete from official_loads where id = $1', [id]);
  }
}

const CURRENT = { id: integer, scope: text, rows: integer, served: integer, digest: text };

/** Returns the loads that a load would replace, or that cover its scope. */
export const currentLoads = (db: pg.ClientBase, { kind, scope, quarter }: Omit<Load, 'id'>) =>
  queryRows(
    db,
    CURRENT,
    `select id, scope, rows, served, digest from official_loads
      where kind = $1 and quarter = $2 and state = 'current' and ($3 = '' or scope in ('', $3))`,
    [kind, quarter, scope],
  );

export const forgetHeld = (db: Transaction, { kind, scope, quarter }: Omit<Load, 'id'>): Promise<void> =>
  forgetAll(db, `kind = $1 and quarter = $2 and state = 'held' and ($3 = '' or scope = $3)`, [kind, quarter, scope]);

/** Returns SQL for median prices by stratum. @param from ends with a `where` clause */
export const mediansSql = ({ sql, stratum }: ReleaseFormat['price'], from: string): string =>
  `select ${stratum} as stratum, percentile_cont(0.5) within group (order by ${sql}) as price
     from ${from} and ${sql} > 0 group by 1`;

export async function deedsIn(db: pg.ClientBase, { kind, deeds }: ReleaseFormat, loads: number[]) {
  if (deeds === undefined) return null;
  const sql = `select sum(${deeds})::float8 as deeds from ${kind} where load_id = any ($1)`;
  return (await queryOne(db, { deeds: nullable(number) }, sql, [loads])).deeds;
}

const PRICE_CHANGES = { strata: integer, price_factor: nullable(number), strata_apart: integer };

/** Compares the prices of staged strata with those of the nearest served quarter, the earlier of two. */
export function priceChanges(
  db: pg.ClientBase,
  { kind, price }: ReleaseFormat,
  { scope, quarter }: StagedQuarter,
): Promise<Pick<QuarterFacts, keyof typeof PRICE_CHANGES>> {
  return queryOne(
    db,
    PRICE_CHANGES,
    `with near as (
       select id from official_loads
        where kind = $1 and state = 'current' and ($3 = '' or scope in ('', $3)) and quarter = (
          select quarter from official_loads
           where kind = $1 and state = 'current' and ($3 = '' or scope in ('', $3)) and quarter <> $2
           order by abs(quarter - $2), quarter limit 1)),
     these as (${mediansSql(price, 'staged where scope = $3 and quarter = $2')}),
     those as (${mediansSql(price, `${kind} where load_id in (select id from near)`)})
     select count(*)::integer as strata, percentile_cont(0.5) within group (order by these.price / those.price) as price_factor,
            count(*) filter (where these.price not between those.price / 4 and those.price * 4)::integer as strata_apart
       from these join those using (stratum)`,
    [kind, quarter, scope],
  );
}

export async function saveLoad(
  db: pg.ClientBase,
  { kind, columns }: ReleaseFormat,
  { scope, quarter, digest, rows, served, last_day, names_classes }: StagedQuarter,
  { file, detail }: { file: number | null; detail: string | null },
): Promise<Load> {
  const state = detail === null ? 'staged' : 'held';
  const { id } = await queryOne(
    db,
    { id: integer },
    `insert into official_loads (kind, scope, quarter, file_id, digest, rows, served, last_day, names_classes, state, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
    [kind, scope, quarter, file, digest, rows, served, last_day, names_classes, state, detail],
  );
  const names = Object.keys(columns).join(', ');
  await db.query(
    `insert into ${kind} (load_id, ${names}) select $1, ${names} from staged where scope = $2 and quarter = $3`,
    [id, scope, quarter],
  );
  return { id, kind, scope, quarter };
}
