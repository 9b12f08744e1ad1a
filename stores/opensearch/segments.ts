import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenSearch } from './opensearch-client.ts';

/** Number of segments, and share of deleted documents, above which an index is merged. */
const MAX_SEGMENTS = 4;
const MAX_DELETED_SHARE = 0.05;

/** Returns segment statistics for primary shards only. */
export async function readSegments(client: OpenSearch, alias: string) {
  const { docs, segments } = (await client.send<Stats>('GET', `/${alias}/_stats/docs,segments`))._all.primaries;
  return { segments: segments.count, documents: docs.count, deleted: docs.deleted };
}

interface Stats {
  _all: { primaries: { docs: { count: number; deleted: number }; segments: { count: number } } };
}

/** Each search reads every segment, and skips deleted or replaced documents. */
export function needsMerge({ segments, documents, deleted }: Awaited<ReturnType<typeof readSegments>>): boolean {
  return segments > MAX_SEGMENTS || deleted > MAX_DELETED_SHARE * (documents + deleted);
}

/**
 * Searches and writes continue meanwhile, and the merge continues if this process ends. Searches on many segments take
 * up to three times as long.
 * @returns the id of the OpenSearch task
 */
export async function startMerge(client: OpenSearch, index: string): Promise<string> {
  const query = { max_num_segments: '1', wait_for_completion: 'false' };
  return (await client.send<{ task: string }>('POST', `/${index}/_forcemerge`, { query })).task;
}

export async function mergeFilled(client: OpenSearch, index: string): Promise<void> {
  if (needsMerge(await readSegments(client, index))) await mergeIndex(client, index);
}

/** First and longest delay between checks, in milliseconds. Merges take up to minutes. */
const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 2_000;

/** Waits for completion. */
export async function mergeIndex(client: OpenSearch, index: string): Promise<void> {
  const task = await startMerge(client, index);
  for (let pause = FIRST_POLL_MS; ; pause = Math.min(pause * 2, MAX_POLL_MS)) {
    const { body, statusCode } = await client.transport.request(
      { method: 'GET', path: `/_tasks/${task}` },
      { ignore: [404] },
    );
    // The merge has ended, and its task record has been deleted.
    if (statusCode === 404) return;
    const { completed, error, response } = body as Task;
    const failed = error ?? response?._shards?.failures;
    if (failed !== undefined) throw new Error(`The merge failed: ${JSON.stringify(failed).slice(0, 500)}`);
    if (completed) return;
    await sleep(pause);
  }
}

interface Task {
  completed: boolean;
  error?: unknown;
  response?: { _shards?: { failures?: unknown } };
}
