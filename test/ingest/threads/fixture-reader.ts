import type { OpenReader } from '#ingest/threads/task.ts';

/** A row of the test, which the reader handles according to its text. */
export type FixtureRow = number | 'never ends' | 'throws' | 'ends the thread' | (() => void);

export default ((factor) => (row) => {
  while (row === 'never ends');
  if (row === 'throws') throw new Error('not a number');
  if (row === 'ends the thread') process.exit(1);
  return (row as number) * factor;
}) satisfies OpenReader<number, FixtureRow, number>;
