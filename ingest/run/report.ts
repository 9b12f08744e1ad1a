import * as sql from '#postgres/rows.ts';

export const STAGES = [
  'fetch',
  'places',
  'reposts',
  'photos',
  'identity',
  'projects',
  'quality',
  'comparison',
  'index',
  'history',
  'deals',
  'project_index',
] as const;
export type Stage = (typeof STAGES)[number];

export interface Progress {
  stage: Stage;
  source: string | null;
  done: number;
  total: number | null;
}

/** The counts of a stage; for `fetch`, of one source. */
export const STAGE_REPORT = {
  stage: sql.textAs<Stage>(),
  source: sql.nullable(sql.text),
  kept: sql.integer,
  dropped: sql.json<Record<string, number>>(),
  /** Counts specific to the stage, such as `new` and `changed`. */
  details: sql.json<Record<string, number | string>>(),
  seconds: sql.number,
};
export type StageReport = sql.RowOf<typeof STAGE_REPORT>;

/** In percent. A part is null if there are no rows or ads to measure. */
export interface SourceScore {
  /** The mean of the parts below. */
  score: number | null;
  /** Mean of `fields`. */
  filled: number | null;
  /** Share of feed rows that are not rejected. Repeated rows do not count. */
  accepted: number | null;
  /** Share of live ads that are not hidden. Merged ads do not count. */
  visible: number | null;
  /** Share of separate listings among live ads and repeated rows. */
  unique: number | null;
  /** Share of live ads that were updated within 30 days. */
  recent: number | null;
  /** Share of ads that have each field. */
  fields: Record<string, number | null>;
}

export interface SourceReport {
  source: string;
  read: number;
  /** Number of rejected rows by reason. */
  rejected: Record<string, number>;
  live: number;
  merged: number;
  /** Number of live ads that searches do not return, by first reason. */
  hidden: Record<string, number>;
  /** Number of live ads that a search for their property type returns. */
  found: number;
  /** Mean number of days since the live ads were last updated. */
  age_days: number | null;
  quality: SourceScore;
}

export interface RunReport {
  run: number;
  /** Time of the run, as of which feeds are read. */
  at: string;
  resumed: boolean;
  stages: StageReport[];
  /** Reasons by source. */
  held: Record<string, string>;
  failed: Record<string, string>;
  /** Reasons why feeds are too old to confirm their ads, by source. */
  stale: Record<string, string>;
  sources: SourceReport[];
  events: Record<string, number>;
  seconds: number;
}
