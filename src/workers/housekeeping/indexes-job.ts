import type { ServedIndex } from '#domain/index-state.ts';
import { countExpected, readRegistry } from '#postgres/index-registry.ts';
import type { Job } from '#postgres/job.ts';
import type { IndexGuard } from '#search/index-guard.ts';
import type { IngestPipeline } from '../worker.ts';

/** One document for each row of a table. */
const COUNTED = ['listings', 'history', 'deals', 'projects', 'developers'] as const satisfies ServedIndex[];

/** Repairs losses that are too small for the index guard. */
export const repairIndexes = (
  guard: Pick<IndexGuard, 'refresh' | 'states'>,
  ingest: Pick<IngestPipeline, 'rebuild'>,
  signal: AbortSignal,
): Job => ({
  name: 'repair-indexes',
  // Between two scheduled ingest runs.
  schedule: '42 5 * * *',
  run: async (db) => {
    const counts = { compared: 0, different: 0, rebuilt: 0 };
    await guard.refresh();
    const registry = await readRegistry(db);
    for (const name of COUNTED) {
      const state = guard.states().get(name);
      if (!state || state.lost !== null || registry.get(name)?.source.changing !== false) continue;
      counts.compared++;
      if ((await countExpected(db, name)) === state.documents) continue;
      counts.different++;
      if (await ingest.rebuild(name, signal)) counts.rebuilt++;
    }
    return counts;
  },
});
