import type { IndexSize } from '#domain/index-state.ts';
import { type DerivedName, type DerivedOp, syncDerivedIndex } from '#stores/opensearch/derived-index/derived-index.ts';
import * as sql from '#stores/postgres/rows.ts';
import { asOf } from '../postgres/earlier-rows.ts';
import { pagesById, type SentCounts, sendPages } from '../postgres/pages.ts';
import { registration, saveSynced } from '../postgres/registration.ts';
import type { FillContext, RunContext } from '../run/run-context.ts';
import { runStage } from '../run/run-state.ts';
import { rejectProjects } from './rejects.ts';

const BATCH = 500;

/** By index. `document` is null for rows that are not served. */
const INDEXES = { projects: 'off_plan_projects', developers: 'off_plan_developers' } as const satisfies Partial<
  Record<DerivedName, string>
>;
type Name = keyof typeof INDEXES;

export function projectIndexStage(context: RunContext): Promise<void> {
  const { run, pool, listingIndex } = context;
  return runStage(context, 'project_index', async () => {
    const counts = { written: 0, deleted: 0, refused: 0 };
    const refused = new Map<number, string>();
    const synced = new Map<Name, IndexSize | null>();
    const sync = async (name: Name): Promise<IndexSize> =>
      syncDerivedIndex(listingIndex.client, name, await registration(pool, name), async (alias, which) => {
        const sent = await send(context, name, alias, which, name === 'projects' ? refused : undefined);
        for (const kind of ['written', 'deleted', 'refused'] as const) counts[kind] += sent[kind];
        return sent.written;
      });
    for (const name of Object.keys(INDEXES) as Name[]) synced.set(name, context.followed ? null : await sync(name));
    return async (db) => {
      for (const [name, index] of synced) await saveSynced(db, name, index, run.id);
      await rejectProjects(db, run, refused);
      return { kept: counts.written, details: { ...counts } };
    };
  });
}

type Row = sql.RowOf<typeof ROW>;
const ROW = { id: sql.integer, document: sql.nullable(sql.text) };

/** @returns number of documents */
export const fillProjects = async (context: FillContext, name: Name, alias: string): Promise<number> =>
  (await send(context, name, alias, 'all')).written;

function send(
  { run, pool, listingIndex, signal, published }: FillContext,
  name: Name,
  alias: string,
  which: 'all' | 'changed',
  refused?: Map<number, string>,
): Promise<SentCounts> {
  const condition = which === 'all' ? 'document is not null and $1::integer is not null' : 'changed_run = $1';
  const table = asOf(published, INDEXES[name], '$2');
  const query = `select id, document from ${table} t where ${condition} and id > $2 order by id limit ${BATCH}`;
  const pages = pagesById(signal, (after) => sql.queryRows(pool, ROW, query, [run.id, after]));
  const operation = ({ id, document }: Row): DerivedOp => {
    const key = { id: String(id), listing: id, version: run.id };
    return document === null ? { op: 'delete', ...key } : { op: 'index', ...key, json: document };
  };
  return sendPages(listingIndex.client, alias, pages, operation, (id, reason) => refused?.set(id, reason));
}
