/** The stages of a run, in order. */
export const STAGES = [
  'fetch',
  'photos',
  'identity',
  'projects',
  'quality',
  'index',
  'history',
  'deals',
  'project_index',
] as const;
export type Stage = (typeof STAGES)[number];

/** Progress of a stage; `total` is null where it is not known. */
export interface Progress {
  stage: Stage;
  source: string | null;
  done: number;
  total: number | null;
}

/** What a stage (for `fetch`, of one source) kept, and what it dropped and why. */
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
  /** The time of the run: feeds are read as of it. */
  at: string;
  /** Whether it was resumed after an interruption. */
  resumed: boolean;
  stages: StageReport[];
  /** Why sources are held, and why feeds could not be read to their end. */
  held: Record<string, string>;
  failed: Record<string, string>;
  events: Record<string, number>;
  seconds: number;
}
