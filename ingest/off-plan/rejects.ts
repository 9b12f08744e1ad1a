import * as sql from '#stores/postgres/rows.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';
import { RejectLog } from '../fetch/reject-log.ts';
import type { Run } from '../run/run-state.ts';
import { projectFeed } from './sources/index.ts';

/** Copies of projects that cannot be served become rejected rows of their feeds. @param refused reasons by id */
export async function rejectProjects(
  client: Transaction,
  run: Run,
  refused: ReadonlyMap<number, string>,
): Promise<void> {
  if (refused.size === 0) return;
  const rows = await sql.queryRows(
    client,
    { id: sql.integer, source: sql.text, record: sql.text },
    'select id, source, record from off_plan_records where id = any ($1::integer[])',
    [[...refused.keys()]],
  );
  for (const [source, copies] of Map.groupBy(rows, (row) => row.source)) {
    const log = new RejectLog();
    for (const { id, record } of copies) log.add('refused_by_store', refused.get(id) ?? '', record);
    await log.save(client, run, projectFeed(source));
  }
}
