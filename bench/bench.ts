import type { Screen } from '#start/screen.ts';
import type { Corpus, CorpusContext } from './corpus/corpus.ts';
import type { LoadGenerator } from './load/generator.ts';

type Target = { atLeast: number } | { atMost: number };

/** A measured value, with its target if it has one. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  target?: Target;
}

export type Row = readonly (string | number)[];

export interface ResultTable {
  title: string;
  head: readonly string[];
  rows: readonly Row[];
}

/** The results of a benchmark part. `notes` explain the method where it is not obvious. */
export interface PartResult {
  figures: Figure[];
  tables: ResultTable[];
  notes: string[];
}

export interface BenchOptions {
  /** Approximate number of listings in the index. */
  listings: number;
  /** Whether to run fewer and shorter rounds: a smoke test whose figures are not meaningful. */
  quick: boolean;
  reload: boolean;
  /** Folder for the API's CPU profiles; null disables profiling. */
  profileDir: string | null;
}

/** Context that all parts share. */
export interface Bench {
  options: BenchOptions;
  screen: Screen;
  signal: AbortSignal;
  load: LoadGenerator;
  /** Used by parts that build additional corpora. */
  context: CorpusContext;
  /** Opens the corpus with this number of listings (default: that of the options), which is built if it is missing. */
  corpus(listings?: number): Promise<Corpus>;
  /** Milliseconds per slice of a measurement. */
  sliceMs: number;
  /** Number of slices per side. */
  rounds: number;
}

export const figure = (name: string, value: number, unit = '', target?: Target): Figure => ({
  name,
  value,
  unit,
  ...(target && { target }),
});

/** Creates the result of a part with one table. */
export const resultOf = (
  title: string,
  head: readonly string[],
  rows: readonly Row[],
  figures: Figure[],
  notes: string[],
): PartResult => ({ tables: [{ title, head, rows }], figures, notes });

/** Runs a step for each item with a progress bar, which also shows the text that the step returns. */
export async function forEachStep<Item>(
  { screen, signal }: Pick<Bench, 'screen' | 'signal'>,
  title: string,
  items: readonly Item[],
  step: (item: Item, at: number) => Promise<string | undefined>,
): Promise<void> {
  const bar = screen.progress(title, items.length);
  try {
    for (const [at, item] of items.entries()) {
      signal.throwIfAborted();
      bar.update(at + 1, await step(item, at));
    }
  } finally {
    bar.end();
  }
}
