import { BulkError } from '#search/bulk.ts';
import type { OpenSearch } from '#search/client.ts';
import { type DerivedOp, writeDerivedIndex } from '#search/derived-index/index.ts';
import { isRefusedWhole } from './refusal.ts';

/** @param read reads the rows after an id; an empty page is the end */
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

/** Reads ahead by one item. */
export async function* prefetched<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    let next = source.next();
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      // A failure must not become an unhandled rejection until then.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}

/** Documents that an index received, deleted or refused. */
export interface SentCounts {
  written: number;
  deleted: number;
  refused: number;
}

export const noneSent = (): SentCounts => ({ written: 0, deleted: 0, refused: 0 });

/**
 * Writes pages while the next is read. Documents that the index does not accept are left out.
 * @param refuse receives id and reason
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
