/** The stages of a run, in order. */
export const STAGES = ['fetch', 'photos', 'identity', 'quality', 'index', 'history', 'deals'] as const;
export type Stage = (typeof STAGES)[number];

/** Called now and then while a run goes; `total` is null where it cannot be known. */
export interface Progress {
  stage: Stage;
  source: string | null;
  done: number;
  total: number | null;
}

/** What a stage, of one source for `fetch`, kept and dropped and why. */
export interface StageReport {
  stage: Stage;
  source: string | null;
  kept: number;
  dropped: Record<string, number>;
  /** Counts of its own kind, such as `new`, `changed`, `withdrawn`, `created`. */
  details: Record<string, number | string>;
  seconds: number;
}

export interface RunReport {
  run: number;
  /** The time its feeds were read as of. */
  at: string;
  /** Whether it had been interrupted before. */
  resumed: boolean;
  stages: StageReport[];
  /** Sources whose feed was not believed or could not be read to its end, with why. */
  held: Record<string, string>;
  failed: Record<string, string>;
  events: Record<string, number>;
  seconds: number;
}
