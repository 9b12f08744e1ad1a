import type { Screen } from '#app/start/screen.ts';
import type { Corpus } from './corpus.ts';

/** A measured value. `published.ts` has the published one and the target, by part and name. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The measured request, if the figure is for one. */
  request?: string;
}

/** The results of a part. `notes` state the conditions of the measurement. */
export interface PartResult {
  figures: Figure[];
  notes?: string[];
}

/** Context that all parts share. */
export interface Bench {
  /** Whether to run fewer and shorter rounds: a smoke test whose figures are not meaningful. */
  quick: boolean;
  screen: Screen;
  /** Folder of public feeds, which is outside the project and optional. */
  feedsDir: string;
  signal: AbortSignal;
  /** Folder for results besides figures. */
  dataDir: string;
  /** Ingests other listings into a database and indexes of their own. */
  ingestOthers(listings: number): Promise<void>;
  /** Opens the generated listings, which are ingested on first use. */
  corpus(): Promise<Corpus>;
}

export const figure = (name: string, value: number, unit = ''): Figure => ({ name, value, unit });
