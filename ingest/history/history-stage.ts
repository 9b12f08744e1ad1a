import type { IndexSize } from '#domain/index-state.ts';
import { syncDerivedIndex } from '#stores/opensearch/derived-index/derived-index.ts';
import { copyOut } from '../postgres/copy-out.ts';
import { asOf } from '../postgres/earlier-rows.ts';
import { sendPages } from '../postgres/pages.ts';
import { registration, saveSynced } from '../postgres/registration.ts';
import type { FillContext, RunContext } from '../run/run-context.ts';
import { marketChanged, runStage } from '../run/run-state.ts';
import { HISTORY_COLUMNS, historyDocument } from './history-documents.ts';
import { judgeHistory } from './plausibility.ts';
import { updateHistory } from './update.ts';

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
    }
    let written = 0;
    const sync = async (): Promise<IndexSize> =>
      syncDerivedIndex(listingIndex.client, 'history', await registration(pool, 'history'), async (alias, which) => {
        if (which === 'all') written = await fillHistory(context, alias);
        else if (changed)
          written = await send(context, alias, `h.changed_run = ${run.id} or l.content_run = ${run.id}`);
        return written;
      });
    const synced = context.followed ? null : await sync();
    return async (db) => {
      await saveSynced(db, 'history', synced, run.id);
      // The previous release then checks the whole history, in case it is started again.
      if (changed) await db.query('delete from history_fences');
      return { kept: written, details: { judged: verdicts.judged, rejudged: verdicts.changed } };
    };
  });
}

/** @returns number of documents */
export const fillHistory = (context: FillContext, alias: string): Promise<number> => send(context, alias, 'true');

/** @returns number of documents */
async function send(context: FillContext, alias: string, condition: string): Promise<number> {
  const { run, listingIndex, onProgress, published } = context;
  const query = `from ${asOf(published, 'listing_months')} h join ${asOf(published, 'listings')} l on l.id = h.listing_id
                 where ${condition}`;
  const pages = async function* () {
    let done = 0;
    for await (const rows of copyOut(context, HISTORY_COLUMNS, query)) {
      yield rows;
      done += rows.length;
      onProgress({ stage: 'history', source: null, done, total: null });
    }
  };
  const { written } = await sendPages(listingIndex.client, alias, pages(), (row) => ({
    op: 'index',
    id: `${row.listing}-${row.firstMonth}`,
    listing: row.listing,
    version: run.id,
    json: historyDocument(row),
  }));
  return written;
}
