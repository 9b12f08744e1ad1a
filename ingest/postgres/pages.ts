import type { OpenSearch } from '#search/client.ts';
import { type DerivedOp, writeDerivedIndex } from '#search/derived-index/index.ts';

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

/** Number of documents that were written to an index, and number that were deleted from it. */
export interface SentCounts {
  written: number;
  deleted: number;
}

/** Writes pages to a derived index, each while the next is read. @returns number of documents */
export async function sendPages<Row>(
  client: OpenSearch,
  alias: string,
  pages: AsyncIterable<readonly Row[]>,
  operation: (row: Row) => DerivedOp,
  counts: SentCounts = { written: 0, deleted: 0 },
): Promise<number> {
  const before = counts.written;
  let sent: Promise<unknown> = Promise.resolve();
  for await (const rows of pages) {
    const ops = rows.map(operation);
    for (const { op } of ops) counts[op === 'index' ? 'written' : 'deleted']++;
    await sent;
    sent = writeDerivedIndex(client, alias, ops);
    sent.catch(() => {});
  }
  await sent;
  return counts.written - before;
}
