/** Rows per batch. */
const ROWS = 1_000;
/** A batch of long rows is smaller, which bounds memory. */
const CHARACTERS = 4 * 1024 ** 2;
/** Characters that a value counts for, in addition to its text. */
const VALUE_CHARACTERS = 16;

/**
 * Yields the rows of a feed in batches of limited size, and returns what the feed returns. The rows before an error are
 * yielded before it is thrown.
 */
export async function* batchesOf<Row, End>(
  rows: AsyncIterable<Row, End>,
  size = ROWS,
): AsyncGenerator<Row[], End | undefined> {
  const iterator = rows[Symbol.asyncIterator]();
  let batch: Row[] = [];
  let characters = 0;
  let isDone = false;
  try {
    for (;;) {
      const next = await iterator.next().catch((error: unknown) => ({ error }));
      if ('error' in next || next.done) {
        isDone = true;
        if (batch.length > 0) yield batch;
        if ('error' in next) throw next.error;
        return next.value;
      }
      batch.push(next.value);
      characters += charactersOf(next.value);
      if (batch.length < size && characters < CHARACTERS) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
  } finally {
    if (!isDone) await iterator.return?.();
  }
}

/** Approximate, and counted up to the limit of a batch. */
function charactersOf(row: unknown): number {
  let characters = 0;
  const left: unknown[] = [row];
  try {
    while (left.length > 0 && characters < CHARACTERS) {
      const value = left.pop();
      characters += VALUE_CHARACTERS;
      if (typeof value === 'string') characters += value.length;
      else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) left.push(each);
    }
  } catch {
    // The row is rejected when it is read.
  }
  return characters;
}
