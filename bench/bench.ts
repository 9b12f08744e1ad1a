import type { Screen } from '#start/screen.ts';
import type { Corpus, CorpusContext } from './corpus/corpus.ts';
import type { LoadGenerator } from './load/generator.ts';

/** One measured number, with its target where there is one. */
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

/** The results of a part. `notes` say how it was measured, where that is not obvious. */
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
  /** Listings in the index, about. */
  listings: number;
  /** Few and short rounds: shows that everything works; the figures mean little. */
  quick: boolean;
  /** Makes the corpus again even if there is one. */
  reload: boolean;
  /** Folder that the API's CPU profiles are written to; null: none. */
  profileDir: string | null;
}

/** What parts share. */
export interface Bench {
  options: BenchOptions;
  dataDir: string;
  screen: Screen;
  signal: AbortSignal;
  load: LoadGenerator;
  /** For parts that make corpora of their own. */
  context: CorpusContext;
  /** The corpus of so many listings, made when it is not there. By default that of the options. */
  corpus(listings?: number): Promise<Corpus>;
  /** Milliseconds of one slice of a measurement, and slices of each side. */
  sliceMs: number;
  rounds: number;
}
