import type { Screen } from '#start/screen.ts';
import type { Corpus } from './corpus.ts';

type Target = { atLeast: number } | { atMost: number };

/** A measured value, with its target if it has one. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  target?: Target;
}

/** The results of a part. `notes` state the conditions of the measurement. */
export interface PartResult {
  figures: Figure[];
  notes: string[];
}

/** Context that all parts share. */
export interface Bench {
  /** Whether to run fewer and shorter rounds: a smoke test whose figures are not meaningful. */
  quick: boolean;
  screen: Screen;
  /** Folder of public feeds, which is outside the project and optional. */
  feedsDir: string;
  signal: AbortSignal;
  /** Opens the generated listings, which are ingested on first use. */
  corpus(): Promise<Corpus>;
}

export const figure = (name: string, value: number, unit = '', target?: Target): Figure => ({
  name,
  value,
  unit,
  ...(target && { target }),
});

/** Returns whether a figure meets its target; an empty string if it has none. */
export function verdict({ value, target }: Figure): 'met' | 'missed' | '' {
  if (!target) return '';
  const met = 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
  return met ? 'met' : 'missed';
}
