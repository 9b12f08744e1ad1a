import { BulkError } from '#stores/opensearch/bulk.ts';
import { type DerivedOp, writeDerivedIndex } from '#stores/opensearch/derived-index/derived-index.ts';
import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';

/** Yields pages of rows by ascending id. @param read reads the rows after an id; an empty page is the end */
export async function* pagesById<Row extends { readonly id: number }>(
  signal: AbortSignal | undefined,
  read: (after: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    yield rows;
  }
}

/** Numbers of documents. The index did not accept `refused` ones. */
export interface SentCounts {
  written: number;
  deleted: number;
  refused: number;
}

/** Number of writes from which a batch that is refused as a whole has another cause than its content. */
const MIN_REFUSED_BATCH = 10;
/** Number of batches that are sent at the same time, while the next is prepared. */
const IN_FLIGHT = 2;

/**
 * Sends batches of writes to an index.
 * @param refuse receives documents that the index does not accept; if omitted, they are an error
 * @returns the numbers of documents
 */
export async function sendBatches<Op extends { op: 'index' | 'delete' }>(
  batches: AsyncIterable<readonly Op[]>,
  send: (ops: readonly Op[]) => Promise<unknown>,
  refuse?: (id: number, reason: string) => void,
): Promise<SentCounts> {
  const counts = { written: 0, deleted: 0, refused: 0 };
  const sendOne = async (ops: readonly Op[]): Promise<void> => {
    for (const { op } of ops) counts[op === 'index' ? 'written' : 'deleted']++;
    await send(ops).catch((error: unknown) => {
      if (refuse === undefined || !(error instanceof BulkError) || error.refused.size === 0) throw error;
      if (ops.length >= MIN_REFUSED_BATCH && error.refused.size === ops.length) throw error;
      counts.written -= error.refused.size;
      counts.refused += error.refused.size;
      for (const [id, reason] of error.refused) refuse(id, reason);
    });
  };
  const inFlight: Promise<void>[] = [];
  try {
    for await (const ops of batches) {
      if (inFlight.length >= IN_FLIGHT) await inFlight.shift();
      const sent = sendOne(ops);
      // Awaited later; a failure must not become an unhandled rejection.
      sent.catch(() => {});
      inFlight.push(sent);
    }
    await Promise.all(inFlight);
    return counts;
  } finally {
    // No write may outlive the work that holds the lock.
    await Promise.allSettled(inFlight);
  }
}

/**
 * Writes pages to a derived index. Documents that the index does not accept are left out.
 * @param refuse receives the id and the reason
 */
export async function sendPages<Row>(
  client: OpenSearch,
  alias: string,
  pages: AsyncIterable<readonly Row[]>,
  operation: (row: Row) => DerivedOp,
  refuse: (id: number, reason: string) => void = () => {},
): Promise<SentCounts> {
  const batches = async function* (): AsyncGenerator<DerivedOp[]> {
    for await (const rows of pages) yield rows.map(operation);
  };
  return sendBatches(batches(), (ops) => writeDerivedIndex(client, alias, ops), refuse);
}
