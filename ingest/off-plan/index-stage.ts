import {
  type DerivedName,
  type DerivedOp,
  type SyncedIndex,
  syncDerivedIndex,
  writeDerivedIndex,
} from '#search/derived-index/index.ts';
import { registration, saveSynced } from '../postgres/registration.ts';
import type { FillContext, RunContext } from '../run/context.ts';
import { beginStage, finishStage } from '../run/run-state.ts';

/** Documents per bulk request. */
const BATCH = 500;

/** The derived indexes and their tables: `document` is null for rows that are not served. */
const INDEXES = { projects: 'off_plan_projects', developers: 'off_plan_developers' } as const satisfies Partial<
  Record<DerivedName, string>
>;
type Name = keyof typeof INDEXES;

/** Updates the project and developer indexes from their tables, unless another run follows immediately. */
export async function projectIndexStage(context: RunContext): Promise<void> {
  const { run, writer, pool, listingIndex } = context;
  const { client, prefix } = listingIndex;
  const stage = await beginStage(writer, run, 'project_index');
  if (stage.finished) return;
  const counts = { written: 0, deleted: 0 };
  const synced = new Map<Name, SyncedIndex | null>();
  const sync = async (name: Name): Promise<SyncedIndex> =>
    syncDerivedIndex(client, prefix, name, await registration(pool, name), (alias, which) =>
      send(context, name, alias, which, counts),
    );
  for (const name of Object.keys(INDEXES) as Name[]) synced.set(name, context.followed ? null : await sync(name));
  await writer.transaction(
    async (db) => {
      for (const [name, index] of synced) await saveSynced(db, name, index, run.id);
      await finishStage(db, run, 'project_index', { kept: counts.written, dropped: {}, details: counts });
    },
    { durable: true },
  );
}

interface Counts {
  written: number;
  deleted: number;
}

/** Writes all projects, or all developers, to an index. @returns number of documents */
export const fillProjects = (context: FillContext, name: Name, alias: string): Promise<number> =>
  send(context, name, alias, 'all', { written: 0, deleted: 0 });

/** Writes all served documents, or the changes of the run. @returns the number of documents written */
async function send(
  { run, pool, listingIndex, signal }: FillContext,
  name: Name,
  alias: string,
  which: 'all' | 'changed',
  counts: Counts,
): Promise<number> {
  const before = counts.written;
  const condition = which === 'all' ? 'document is not null and $1::integer is not null' : 'changed_run = $1';
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const { rows } = await pool.query<{ id: number; document: string | null }>(
      `select id, document from ${INDEXES[name]} where ${condition} and id > $2 order by id limit ${BATCH}`,
      [run.id, after],
    );
    const last = rows.at(-1);
    if (last === undefined) return counts.written - before;
    after = last.id;
    const ops = rows.map(({ id, document }): DerivedOp => {
      const key = { id: String(id), listing: id, version: run.id };
      return document === null ? { op: 'delete', ...key } : { op: 'index', ...key, json: document };
    });
    for (const { op } of ops) counts[op === 'index' ? 'written' : 'deleted'] += 1;
    await writeDerivedIndex(listingIndex.client, alias, ops);
  }
}
