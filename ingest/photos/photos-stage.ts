import { shortHash } from '../hash.ts';
import type { RunContext } from '../run/run-context.ts';
import { runStage } from '../run/run-state.ts';
import { copyPhoto, LEFT_FOR_LATER } from './copy.ts';
import { createDownloader } from './download.ts';
import { OWNER_TABLES, type PhotoOwner, sourcesIn } from './owners.ts';
import { type Attempt, type PhotoState, requestOf, stateAfter, type Task } from './states.ts';
import { countRest, markReplaced, nextBatch, readStates, saveBatch, selectChecks } from './store.ts';

/**
 * Copies new and failed photos of live ads to the CDN bucket, then requests stored photos again: those of changed ads and
 * the oldest. Photos with changed bytes are replaced.
 */
export function photosStage(context: RunContext): Promise<void> {
  return runStage(context, 'photos', async ({ checkpoint }) => {
    const tasks: readonly Task[] = context.photos.mode === 'fetch' ? ['copy', 'check'] : ['copy'];
    if (checkpoint === 0 && tasks.includes('check')) await selectChecks(context);
    const result = await runTasks(context, tasks);
    return () => result;
  });
}

async function runTasks(context: RunContext, tasks: readonly Task[]) {
  const { run, photos, signal, onProgress } = context;
  const limits = { run: run.id, maxAttempts: photos.maxAttempts };
  const counts = { listings: 0, fetched: 0, checked: 0, replaced: 0, failed_checks: 0, already_there: 0 };
  const reasons: Record<string, number> = {};
  const deadline = Date.now() + photos.budget;
  let total = 0;
  for (const task of tasks) for (const table of OWNER_TABLES) total += await countRest(context, task, table);
  const downloader = createDownloader(photos);

  /** Fetches each URL of a batch once, and sets its state. */
  const fetchBatch = async (task: Task, batch: readonly PhotoOwner[], states: Map<string, PhotoState>) => {
    const urls = batch.flatMap((owner) => owner.urls);
    const isOver = () => task === 'copy' && Date.now() > deadline;
    const attempts = attemptsOf(
      urls,
      (hash) => requestOf(task, states.get(hash), limits),
      (url, { stored }) =>
        downloader.schedule(url, async () =>
          isOver() ? LEFT_FOR_LATER : await copyPhoto(context, downloader, url, stored),
        ),
    );
    const done = await Promise.all(attempts);
    signal.throwIfAborted();
    for (const attempt of done) {
      countAttempt(attempt, counts, reasons);
      states.set(attempt.hash, stateAfter(attempt, limits));
    }
    counts.listings += batch.length;
    if (task === 'copy') counts.already_there += urls.length - done.length;
    onProgress({ stage: 'photos', source: null, done: counts.listings, total });
    return done;
  };
  /** Runs a task for all rows. @returns number of rows that are postponed to the next run */
  const runTask = async (task: Task): Promise<number> => {
    let left = 0;
    // Saved while the photos of the next batch are fetched.
    let saved: Promise<void> = Promise.resolve();
    for (const table of OWNER_TABLES) {
      const sources = new Set(sourcesIn(run.sources, table));
      let after = 0;
      for (;;) {
        signal.throwIfAborted();
        if (Date.now() > deadline) break;
        const batch = await nextBatch(context, task, table, after);
        const last = batch.at(-1);
        if (last === undefined) break;
        after = last.id;
        const states = await readStates(context, batch);
        // Photos of other sources are requested by the runs of these sources, so that a slow host delays only the runs of its sources.
        const attempts = await fetchBatch(
          task,
          batch.filter(({ source }) => sources.has(source)),
          states,
        );
        await saved;
        saved = saveBatch(context, task, table, batch, states, attempts);
        // Awaited later; a failure must not become an unhandled rejection.
        saved.catch(() => {});
      }
      if (Date.now() > deadline) left += await countRest(context, task, table, after);
    }
    await saved;
    return left;
  };
  try {
    const left: Partial<Record<Task, number>> = {};
    if (total > 0) for (const task of tasks) left[task] = await runTask(task);
    // The photos of these rows are stored, so nothing is fetched.
    if (await markReplaced(context)) left.copy = await runTask('copy');
    return {
      kept: counts.fetched + counts.already_there,
      dropped: topReasons(reasons),
      details: { ...counts, left_for_later: (left.copy ?? 0) + (left.check ?? 0) },
    };
  } finally {
    downloader.close();
  }
}

function countAttempt(
  { stored, outcome }: Attempt,
  counts: Record<'checked' | 'failed_checks' | 'replaced' | 'fetched', number>,
  reasons: Record<string, number>,
): void {
  const failed = 'error' in outcome;
  if (stored !== null) {
    counts.checked++;
    if (failed) counts.failed_checks++;
    else if ('key' in outcome) counts.replaced++;
  } else if (failed) reasons[outcome.error] = (reasons[outcome.error] ?? 0) + 1;
  else counts.fetched++;
}

/** Fetches each URL once, unless it needs no request. */
function attemptsOf(
  urls: readonly string[],
  requestFor: (hash: string) => Omit<Attempt, 'hash' | 'outcome'> | null,
  fetchPhoto: (url: string, request: Omit<Attempt, 'hash' | 'outcome'>) => Promise<Attempt['outcome']>,
): Promise<Attempt>[] {
  const urlOf = new Map(urls.map((url) => [shortHash(url), url]));
  return [...urlOf].flatMap(([hash, url]) => {
    const request = requestFor(hash);
    return request === null ? [] : fetchPhoto(url, request).then((outcome) => ({ ...request, hash, outcome }));
  });
}

/** Returns the 20 most frequent reasons, and the sum of all others. */
function topReasons(reasons: Record<string, number>): Record<string, number> {
  const sorted = Object.entries(reasons).sort((a, b) => b[1] - a[1]);
  const top = Object.fromEntries(sorted.slice(0, 20));
  const rest = sorted.slice(20).reduce((sum, [, count]) => sum + count, 0);
  return rest > 0 ? { ...top, other: rest } : top;
}
