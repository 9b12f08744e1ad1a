import { createHash } from 'node:crypto';
import pg from 'pg';
import { NEIGHBORHOODS, NEIGHBORHOODS_BY_ID } from '#domain/geography/gazetteer.ts';
import { CellsOfCity } from '#domain/official/cells-document.ts';
import { parseQuarter } from '#domain/official/quarters.ts';
import { isExcluded, OFFICIAL_RULES } from '#domain/official/rules.ts';
import { type Transaction, transactionDocument } from '#domain/official/transaction.ts';
import {
  type DerivedOp,
  deleteFromDerivedIndex,
  filterDerivedAlias,
  refreshDerivedIndex,
  syncDerivedIndex,
  writeDerivedIndex,
} from '#stores/opensearch/derived-index/derived-index.ts';
import { readAliased } from '#stores/opensearch/indexes.ts';
import { settleIndex } from '#stores/postgres/index-registry.ts';
import * as sql from '#stores/postgres/rows.ts';
import { sendBatches } from '../postgres/pages.ts';
import { registration } from '../postgres/registration.ts';
import type { OfficialContext } from './official-context.ts';

const BATCH = 2_500;

/**
 * Synchronizes the index, which contains the transactions of current loads in the service's cities that no rule
 * excludes. The alias filter hides loads that are being written or not deleted yet: one change of it shows a new load and
 * hides the old one. It follows from the states of the loads.
 */
export async function syncTransactionsIndex(context: OfficialContext, db: pg.ClientBase): Promise<void> {
  const { opensearch } = context;
  const made = digestOfRules();
  const { filled, recordIntent } = await registration(db, 'transactions');
  const usable = filled?.madeWith === made ? filled : null;
  if (usable === null) await measureLoads(db);
  const registered = { filled: usable, recordIntent };
  await syncDerivedIndex(opensearch, 'transactions', registered, async (alias, which) => {
    let written = 0;
    // Changed loads are written when they are staged.
    if (which === 'all')
      for (const id of await loadsIn(db, 'current')) written += await writeLoad(context, db, alias, id);
    return written;
  });
  await applyVisibility(context, db);
  await settleTransactions(context, db);
}

/** Requires that no load is staged or retired. */
export async function settleTransactions({ opensearch }: OfficialContext, db: pg.ClientBase): Promise<void> {
  const index = await readAliased(opensearch, 'transactions');
  if (index === null) throw new Error('The index of registered deals is missing. It is filled again.');
  await settleIndex(db, 'transactions', {
    index: index.index,
    documents: index.documents,
    run: await lastLoad(db),
    madeWith: digestOfRules(),
  });
}

/** Returns SQL for the rows that `isExcluded` does not exclude. */
export function servedSql(): string {
  const { excluded_quarters, cut_offs } = OFFICIAL_RULES;
  const excluded = [
    ...excluded_quarters.map(({ quarter }) => `quarter = ${parseQuarter(quarter)}`),
    ...cut_offs.map(({ city, last_day }) => `city = ${pg.escapeLiteral(city)} and day > ${pg.escapeLiteral(last_day)}`),
  ];
  return `not coalesce((${excluded.join(') or (')}), false)`;
}

/** Recomputes `served` and `last_day` after the rules have changed. */
async function measureLoads(db: pg.ClientBase): Promise<void> {
  await db.query(`
    update official_loads l set served = m.served, last_day = m.last_day
      from official_loads o
      left join lateral (select count(*)::integer as served, max(day) as last_day
                           from transactions where load_id = o.id and ${servedSql()}) m on true
     where o.id = l.id and l.kind = 'transactions'`);
}

async function lastLoad(db: pg.ClientBase): Promise<number> {
  const columns = { last: sql.integer };
  return (await sql.queryOne(db, columns, 'select coalesce(max(id), 0) as last from official_loads')).last;
}

/** Returns a digest of what documents depend on: the rules without notes and sources, and neighborhood names. */
function digestOfRules(): string {
  const names = NEIGHBORHOODS.map(({ id, name_ar, name_en }) => [id, name_ar, name_en]);
  return createHash('sha256')
    .update(JSON.stringify([OFFICIAL_RULES, names], (key, value) => (key === 'note' ? undefined : value)))
    .digest('hex')
    .slice(0, 16);
}

/** Updates the alias filter from the load states. Staged and retired loads are hidden. */
export async function applyVisibility({ opensearch }: OfficialContext, db: pg.ClientBase): Promise<void> {
  const hidden = await loadsIn(db, 'staged', 'retired');
  const filter = hidden.length === 0 ? null : { bool: { must_not: [{ terms: { 'filter.load': hidden } }] } };
  await filterDerivedAlias(opensearch, 'transactions', filter);
}

/** Writes the transactions of loads, which the alias filter must hide. */
export async function writeLoads(context: OfficialContext, db: pg.ClientBase, loads: readonly number[]): Promise<void> {
  const alias = context.opensearch.aliases.transactions;
  for (const load of loads) {
    await writeLoad(context, db, alias, load);
    context.onProgress?.(`indexed load ${load}`);
  }
  await refreshDerivedIndex(context.opensearch, alias);
}

export function deleteLoads({ opensearch }: OfficialContext, loads: readonly number[]): Promise<void> {
  return deleteFromDerivedIndex(opensearch, 'transactions', { terms: { 'filter.load': loads } });
}

export async function loadsIn(db: pg.ClientBase, ...states: string[]): Promise<number[]> {
  const select = `select id from official_loads where state = any ($1) and kind = 'transactions' order by id`;
  return (await sql.queryRows(db, { id: sql.integer }, select, [states])).map(({ id }) => id);
}

type Row = sql.RowOf<typeof TRANSACTION>;
const TRANSACTION = {
  key: sql.integer,
  city: sql.text,
  neighborhood_id: sql.nullable(sql.integer),
  ministry_city_ar: sql.nullable(sql.text),
  ministry_district_ar: sql.nullable(sql.text),
  land_use_class: sql.textAs<Transaction['land_use_class']>(),
  day: sql.text,
  quarter: sql.integer,
  price_sar: sql.number,
  area_sqm: sql.number,
  property_count: sql.nullable(sql.integer),
};

/** Writes a load's transactions, then the cells computed from them. @returns number of documents */
async function writeLoad(context: OfficialContext, db: pg.ClientBase, alias: string, load: number): Promise<number> {
  const { opensearch, signal } = context;
  const cities = new Map<string, { quarter: number; cells: CellsOfCity }>();
  // The engine retains versions of deleted documents for a while, so rewriting a load requires a higher version.
  const { version } = await sql.queryOne(
    db,
    { version: sql.integer },
    `select nextval(pg_get_serial_sequence('official_loads', 'id')) as version`,
  );
  const read = (after: number): Promise<Row[]> =>
    sql.queryRows(
      db,
      TRANSACTION,
      `select key, city, neighborhood_id, ministry_city_ar, ministry_district_ar, land_use_class,
              to_char(day, 'YYYY-MM-DD') as day, quarter, price_sar, area_sqm, property_count
         from transactions where load_id = $1 and key > $2 and city is not null order by key limit ${BATCH}`,
      [load, after],
    );
  const batches = async function* (): AsyncGenerator<DerivedOp[]> {
    for (let rows = await read(-1); rows.length > 0; rows = await read(rows.at(-1)?.key as number)) {
      signal.throwIfAborted();
      const shown = rows.filter((row) => !isExcluded(row));
      for (const row of shown) {
        const city = cities.get(row.city) ?? { quarter: row.quarter, cells: new CellsOfCity() };
        cities.set(row.city, city);
        city.cells.add(row);
      }
      yield shown.map((row) => operation(row, load, version));
      context.onProgress?.(`written up to ${rows.at(-1)?.key}`);
    }
    for (const [city, { quarter, cells }] of cities)
      yield cells.documents(city, quarter, load).map((document) => {
        const id = `${load}-${document.cells.of}`;
        return { op: 'index', id, listing: load, version, json: JSON.stringify(document) };
      });
  };
  return (await sendBatches(batches(), (ops) => writeDerivedIndex(opensearch, alias, ops))).written;
}

function operation(row: Row, load: number, version: number): DerivedOp {
  const place = row.neighborhood_id === null ? undefined : NEIGHBORHOODS_BY_ID.get(row.neighborhood_id);
  const deal = {
    ...row,
    neighborhood_name_ar: place?.name_ar ?? null,
    neighborhood_name_en: place?.name_en ?? null,
  };
  // Document ids include the load, so that old and new documents can coexist until the alias swap.
  const json = JSON.stringify(transactionDocument(deal, load));
  return { op: 'index', id: `${load}-${row.key}`, listing: row.key, version, json };
}
