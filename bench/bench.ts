import type { Screen } from '#start/screen.ts';
import type { Corpus, CorpusContext } from './corpus/corpus.ts';
import type { LoadGenerator } from './load/generator.ts';

/** A measured value, with its target if it has one. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  target?: { atLeast: number } | { atMost: number };
}

export interface ResultTable {
  title: string;
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** The results of a part. `notes` explain the method where it is not obvious. */
export interface PartResult {
  figures: Figure[];
  tables: ResultTable[];
  notes: string[];
}

export interface Part {
  name: string;
  summary: string;
  run(bench: Bench): Promise<PartResult>;
}

export interface BenchOptions {
  /** Approximate number of listings in the index. */
  listings: number;
  /** Fewer and shorter rounds: a smoke test whose figures are not meaningful. */
  quick: boolean;
  /** Rebuilds the corpus even if it exists. */
  reload: boolean;
  /** Folder for the API's CPU profiles; null disables profiling. */
  profileDir: string | null;
}

/** Shared by all parts. */
export interface Bench {
  options: BenchOptions;
  dataDir: string;
  screen: Screen;
  signal: AbortSignal;
  load: LoadGenerator;
  /** For parts that build additional corpora. */
  context: CorpusContext;
  /** Opens the corpus of this size, by default `listings` of the options; builds it first if it does not exist. */
  corpus(listings?: number): Promise<Corpus>;
  /** `sliceMs`: milliseconds per slice of a measurement. `slices`: number of slices per side. */
  sliceMs: number;
  rounds: number;
}
