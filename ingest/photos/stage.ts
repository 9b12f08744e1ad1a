import PQueue from 'p-queue';
import type { RunContext } from '../run/context.ts';
import { runStage } from '../run/run-state.ts';
import { selectChecks } from './checks.ts';
import { checkPhoto, copyPhoto } from './copy.ts';
import { createDownloader, type Downloader } from './download.ts';
import { urlHash } from './keys.ts';
import {
  type Attempt,
  type Limits,
  type PhotoState,
  type Request,
  requestOf,
  stateAfter,
  type Task,
} from './states.ts';
import {
  countPending,
  countRest,
  markReplaced,
  nextBatch,
  OWNERS,
  type Owners,
  type PhotoOwner,
  readStates,
  saveBatch,
} from './store.ts';

const BATCHES_AT_ONCE = 6;

/**
 * Copies new and failed photos of live ads to the CDN bucket; failed ones are retried in a limited number of runs. Then
 * requests stored photos again: those of changed ads and the oldest. Photos with changed bytes are replaced; photos
 * that are unavailable at the source are kept.
 */
export function photosStage(context: RunContext): Promise<void> {
  return runStage(context, 'photos', async ({ checkpoint }) => {
    const tasks: readonly Task[] = context.photos.mode === 'fetch' ? ['copy', 'check'] : ['copy'];
    if (checkpoint === 0 && tasks.includes('check')) await selectChecks(context);
    const result = await runTasks(context, tasks);
    return () => result;
  });
}

const limitsOf = ({ run, photos: { maxAttempts } }: RunContext): Limits => ({ run: run.id, maxAttempts });

/** Copies and checks photos until none are left or the stage's time limit is reached. @returns the stage's counts */
async function runTasks(context: RunContext, tasks: readonly Task[]) {
  const counts = { listings: 0, stored: 0, known: 0, checked: 0, replaced: 0, failedChecks: 0 };
  const reasons: Record<string, number> = {};
  const deadline = Date.now() + context.photos.budget;
  const total = await countPending(context);
  const fetcher = new Fetcher(context);
  const count = ({ stored, outcome }: Attempt): void => {
    const failed = 'error' in outcome;
    if (stored !== null) {
      counts.checked++;
      if (failed) counts.failedChecks++;
      else if ('key' in outcome) counts.replaced++;
    } else if (failed) reasons[outcome.error] = (reasons[outcome.error] ?? 0) + 1;
    else counts.stored++;
  };
  const savePhotos = async (task: Task, owners: Owners, batch: readonly PhotoOwner[]): Promise<void> => {
    const states = await readStates(context, batch);
    const attempts = await fetcher.fetch(task, batch, states);
    for (const attempt of attempts) {
      count(attempt);
      const state = stateAfter(attempt, limitsOf(context));
      if (state !== null) states.set(attempt.hash, state);
    }
    await saveBatch(context, task, owners, batch, states, attempts);
    fetcher.discard(attempts);
    counts.listings += batch.length;
    if (task === 'copy') counts.known += batch.reduce((sum, { urls }) => sum + urls.length, 0) - attempts.length;
    context.onProgress({ stage: 'photos', source: null, done: counts.listings, total });
  };
  // Batches run concurrently, so that a slow photo delays only its own batch.
  const batches = new PQueue({ concurrency: BATCHES_AT_ONCE });
  let failure: { error: unknown } | null = null;
  /** Rows that each task leaves to the next run, as of its last pass. */
  const left: Record<Task, number> = { copy: 0, check: 0 };
  const runTask = async (task: Task): Promise<void> => {
    left[task] = 0;
    for (const owners of OWNERS) {
      for (let after = 0; failure === null; ) {
        context.signal.throwIfAborted();
        if (Date.now() > deadline) {
          left[task] += await countRest(context, task, owners, after);
          break;
        }
        const batch = await nextBatch(context, task, owners, after);
        const last = batch.at(-1);
        if (!last) break;
        after = last.id;
        await batches.onSizeLessThan(1);
        void batches.add(() =>
          savePhotos(task, owners, batch).catch((error: unknown) => {
            failure ??= { error };
          }),
        );
      }
    }
    await batches.onIdle();
    if (failure !== null) throw (failure as { error: unknown }).error;
  };
  try {
    for (const task of tasks) if (total > 0) await runTask(task);
    // The photos of the marked rows are already stored, so this task fetches nothing.
    if (await markReplaced(context)) await runTask('copy');
  } finally {
    await fetcher.close();
  }
  return {
    kept: counts.stored + counts.known,
    dropped: topReasons(reasons),
    details: {
      listings: counts.listings,
      fetched: counts.stored,
      checked: counts.checked,
      replaced: counts.replaced,
      failed_checks: counts.failedChecks,
      already_there: counts.known,
      left_for_later: left.copy + left.check,
    },
  };
}

/** Fetches photos for all batches in a stage, with limited concurrency, and only one request per URL at a time. */
class Fetcher {
  readonly #context: RunContext;
  readonly #downloader: Downloader;
  readonly #queue: PQueue;
  readonly #inProgress = new Map<string, Promise<Attempt>>();

  constructor(context: RunContext) {
    this.#context = context;
    this.#downloader = createDownloader(context.photos);
    this.#queue = new PQueue({ concurrency: context.photos.concurrency });
  }

  async fetch(task: Task, batch: readonly PhotoOwner[], states: ReadonlyMap<string, PhotoState>): Promise<Attempt[]> {
    const attempts = new Map<string, Promise<Attempt>>();
    for (const url of batch.flatMap(({ urls }) => urls)) {
      const hash = urlHash(url);
      const request = attempts.has(hash) ? null : requestOf(task, states.get(hash), limitsOf(this.#context));
      if (request !== null) attempts.set(hash, this.#begin(url, hash, request));
    }
    const done = await Promise.all(attempts.values());
    this.#context.signal.throwIfAborted();
    return done;
  }

  #begin(url: string, hash: string, request: Request): Promise<Attempt> {
    const inProgress = this.#inProgress.get(hash);
    if (inProgress !== undefined) return inProgress;
    const { stored } = request;
    const attempt = this.#queue.add(async () => ({
      ...request,
      hash,
      outcome:
        stored === null
          ? await copyPhoto(this.#context, this.#downloader, url)
          : await checkPhoto(this.#context, this.#downloader, url, stored),
    }));
    this.#inProgress.set(hash, attempt);
    return attempt;
  }

  /** Discards saved attempts. A batch with older states fetches the URL again, and gets the same key. */
  discard(attempts: readonly Attempt[]): void {
    for (const { hash } of attempts) this.#inProgress.delete(hash);
  }

  async close(): Promise<void> {
    this.#queue.clear();
    await this.#downloader.close();
  }
}

/** Returns the 20 most frequent reasons, and the sum of all others. */
function topReasons(reasons: Record<string, number>): Record<string, number> {
  const sorted = Object.entries(reasons).sort((a, b) => b[1] - a[1]);
  const top = Object.fromEntries(sorted.slice(0, 20));
  const rest = sorted.slice(20).reduce((sum, [, count]) => sum + count, 0);
  return rest > 0 ? { ...top, other: rest } : top;
}
