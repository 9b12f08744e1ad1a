import type { CountedIndex } from '#domain/index-state.ts';
import { type DerivedOp, syncDerivedIndex, writeDerivedIndex } from '#search/derived-index/index.ts';
import { copyOut } from '../postgres/copy-out.ts';
import { asOf } from '../postgres/earlier-rows.ts';
import { registration, saveSynced } from '../postgres/registration.ts';
import type { FillContext, RunContext } from '../run/context.ts';
import { marketChanged } from '../run/market-changed.ts';
import { runStage } from '../run/run-state.ts';
import { HISTORY_COLUMNS, historyDocument, historyId } from './documents.ts';
import { judgeHistory } from './plausibility.ts';
import { updateHistory } from './update.ts';

/** Documents per bulk request, and parallel requests. The documents are small. */
const BATCH = 4_000;
const IN_FLIGHT = 2;

/**
 * Unchanged listings need no work, not even at the start of a month. The index is rebuilt if it was not filled from the
 * table or has another template.
 */
export function historyStage(context: RunContext): Promise<void> {
  const { run, writer, pool, listingIndex } = context;
  return runStage(context, 'history', async () => {
    const changed = await marketChanged(context);
    let verdicts = { judged: 0, changed: 0 };
    if (changed) {
      await writer.transaction((db) => updateHistory(db, run));
      verdicts = await judgeHistory(context);
      // Flushed to disk first: the table must not lose a row that the index contains.
      await writer.transaction(async () => {}, { durable: true });
    }
    let written = 0;
    const sync = async (): Promise<CountedIndex> =>
      syncDerivedIndex(listingIndex.client, 'history', await registration(pool, 'history'), async (alias, which) => {
        if (which === 'all') written = await fillHistory(context, alias);
        else if (changed)
          written = await send(context, alias, `h.changed_run = ${run.id} or l.content_run = ${run.id}`);
        return written;
      });
    const synced = context.followed ? null : await sync();
    return async (db) => {
      await saveSynced(db, 'history', synced, run.id);
      // The previous release then judges the whole history, in case it is started again.
      if (changed) await db.query('delete from history_fences');
      return { kept: written, details: { judged: verdicts.judged, rejudged: verdicts.changed } };
    };
  });
}

/** @returns number of documents */
export const fillHistory = (context: FillContext, alias: string): Promise<number> => send(context, alias, 'true');

/** @returns number of rows */
async function send(context: FillContext, alias: string, condition: string): Promise<number> {
  const { run, listingIndex, onProgress, published } = context;
  const inFlight: Promise<unknown>[] = [];
  let ops: DerivedOp[] = [];
  let done = 0;
  const flush = async (): Promise<void> => {
    if (ops.length === 0) return;
    const sent = writeDerivedIndex(listingIndex.client, alias, ops);
    sent.catch(() => {});
    inFlight.push(sent);
    done += ops.length;
    ops = [];
    onProgress({ stage: 'history', source: null, done, total: null });
    if (inFlight.length >= IN_FLIGHT) await inFlight.shift();
  };
  const query = `from ${asOf(published, 'listing_months')} h join ${asOf(published, 'listings')} l on l.id = h.listing_id
                 where ${condition}`;
  for await (const rows of copyOut(context, HISTORY_COLUMNS, query)) {
    for (const row of rows) {
      ops.push({
        op: 'index',
        id: historyId(row),
        listing: row.listing,
        version: run.id,
        json: historyDocument(row),
      });
      if (ops.length === BATCH) await flush();
    }
  }
  await flush();
  await Promise.all(inFlight);
  return done;
}
