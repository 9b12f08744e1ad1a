import type { Screen } from '#app/start/screen.ts';
import type { Corpus } from './corpus.ts';
import { median } from './load/statistics.ts';

/** A measured value. `published.ts` has the published one and the target, by part and name. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** Smallest and largest value, if `value` is the median of several runs. */
  range?: readonly [number, number];
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

/** The results of several runs of a part: each figure is the median. */
export function combineRuns(results: readonly PartResult[]): PartResult {
  const runsOf = new Map<string, Figure[]>();
  for (const each of results.flatMap(({ figures }) => figures))
    runsOf.set(each.name, [...(runsOf.get(each.name) ?? []), each]);
  const figures = [...runsOf.values()].map((runs): Figure => {
    const values = runs.map(({ value }) => value);
    const range = [Math.min(...values), Math.max(...values)] as const;
    return { ...(runs[0] as Figure), value: median(values), ...(results.length > 1 && { range }) };
  });
  return { figures, notes: [...new Set(results.flatMap(({ notes = [] }) => notes))] };
}
