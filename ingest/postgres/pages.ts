import { BulkError } from '#search/bulk.ts';
import type { OpenSearch } from '#search/client.ts';
import { type DerivedOp, writeDerivedIndex } from '#search/derived-index/index.ts';
import { isRefusedWhole } from './refusal.ts';

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

/** Yields the items of a source, and requests each one while the previous one is processed. */
export async function* prefetched<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    let next = source.next();
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      // Awaited in the next iteration. Until then, a failure must not become an unhandled rejection.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}

/** Number of documents that were written to an index, deleted from it, and not accepted by it. */
export interface SentCounts {
  written: number;
  deleted: number;
  refused: number;
}

export const noneSent = (): SentCounts => ({ written: 0, deleted: 0, refused: 0 });

/**
 * Writes pages to an index while the next is read. Documents that the index does not accept are left out.
 * @param refuse receives the id and the reason
 * @returns number of documents
 */
export async function sendPages<Row>(
  client: OpenSearch,
  alias: string,
  pages: AsyncIterable<readonly Row[]>,
  operation: (row: Row) => DerivedOp,
  counts: SentCounts = noneSent(),
  refuse: (id: number, reason: string) => void = () => {},
): Promise<number> {
  const before = counts.written;
  let sent: Promise<unknown> = Promise.resolve();
  for await (const rows of pages) {
    const ops = rows.map(operation);
    for (const { op } of ops) counts[op === 'index' ? 'written' : 'deleted']++;
    await sent;
    sent = writeDerivedIndex(client, alias, ops).catch((error: unknown) => {
      if (!(error instanceof BulkError) || error.refused.size === 0) throw error;
      if (isRefusedWhole(error.refused.size, ops.length)) throw error;
      counts.written -= error.refused.size;
      counts.refused += error.refused.size;
      for (const [id, reason] of error.refused) refuse(id, reason);
    });
    sent.catch(() => {});
  }
  await sent;
  return counts.written - before;
}
