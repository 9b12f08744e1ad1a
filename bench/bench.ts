import type { Screen } from '#start/screen.ts';
import type { Corpus, CorpusGround } from './corpus/corpus.ts';
import type { LoadGenerator } from './load/generator.ts';

/** One measured number, with the mark it is held against where there is one. */
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

/** What a part has found. `notes` say how it was measured, where that is not plain. */
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
  /** Few, short rounds: to see that everything works, not for figures. */
  quick: boolean;
  /** Makes the corpus anew though there is one. */
  reload: boolean;
  /** Folder that the API's CPU profiles are written to; null: none. */
  profileDir: string | null;
}

/** What a part works with. */
export interface Bench {
  options: BenchOptions;
  dataDir: string;
  screen: Screen;
  signal: AbortSignal;
  load: LoadGenerator;
  /** What corpora are made on, for parts that make some of their own. */
  ground: CorpusGround;
  /** The corpus of so many listings, made when it is not there. By default that of the options. */
  corpus(listings?: number): Promise<Corpus>;
  /** Milliseconds of one slice of a measurement, and slices of each side. */
  sliceMs: number;
  rounds: number;
}
