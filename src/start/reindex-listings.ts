import { Problem } from '#embedded/problem.ts';
import { withOpenSearch } from '#search/client.ts';
import { ReindexRunningError } from '#search/reindex/lease.ts';
import { reindex, type Step } from '#search/reindex/reindex.ts';
import type { Config } from '#src/config.ts';
import { claimAs } from './claim.ts';
import type { Progress, Screen } from './screen.ts';
import { withSwapRecord } from './swap-record.ts';

interface Options {
  screen: Screen;
  signal: AbortSignal;
  /** Takes over another process's lease. Set only if no other process on any machine is reindexing. */
  takeOver: boolean;
}

/** Moves the listings to an index for this release, and shows progress. */
export async function reindexListings(
  { opensearch, databaseUrl }: Config,
  { screen, signal, takeOver }: Options,
): Promise<void> {
  const begun = Date.now();
  let bar: Progress | undefined;
  const onProgress = (step: Step, done: number, total: number): void => {
    if (step === 'copy') {
      bar ??= screen.progress('Reindexing the listings', total);
      bar.update(done);
    } else bar?.end();
  };
  try {
    const { documents } = await withOpenSearch({ ...opensearch, requestTimeout: 30_000 }, (client) =>
      withSwapRecord(databaseUrl, client, (recordNext) =>
        reindex(client, claimAs(new Date(), takeOver), { recordNext, onProgress, signal }),
      ),
    );
    screen.say(`  ${documents} listings reindexed in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  } catch (error) {
    throw error instanceof ReindexRunningError ? new Problem(error.message) : error;
  } finally {
    bar?.end();
  }
}
