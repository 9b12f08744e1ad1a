import * as sql from '#postgres/rows.ts';
import type { SourceScore } from './source-score.ts';

/** The stages of a run, in order. */
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

/** Progress of a stage; `total` is null if unknown. */
export interface Progress {
  stage: Stage;
  source: string | null;
  done: number;
  total: number | null;
}

/** Counts for a stage (for `fetch`, for one source): kept and dropped rows, with reasons. */
export const STAGE_REPORT = {
  stage: sql.textAs<Stage>(),
  source: sql.nullable(sql.text),
  kept: sql.integer,
  dropped: sql.json<Record<string, number>>(),
  /** Counts specific to the stage, such as `new`, `changed`, `withdrawn`, `created`. */
  details: sql.json<Record<string, number | string>>(),
  seconds: sql.number,
};
export type StageReport = sql.RowOf<typeof STAGE_REPORT>;

/** Counts for a source's feed and live ads. */
export interface SourceReport {
  source: string;
  /** Number of rows in the feed. */
  read: number;
  /** Number of rejected rows by reason. */
  rejected: Record<string, number>;
  live: number;
  /** Number of live ads that were merged into another listing. */
  merged: number;
  /** Number of live ads that searches do not return, by first reason. */
  hidden: Record<string, number>;
  /** Number of live ads that a search for their property type returns. */
  found: number;
  /** Mean number of days since the live ads were last updated; null if there are none. */
  age_days: number | null;
  quality: SourceScore;
}

export interface RunReport {
  run: number;
  /** Time of the run, as of which feeds are read. */
  at: string;
  /** Whether the run was resumed after an interruption. */
  resumed: boolean;
  stages: StageReport[];
  /** Reasons why sources are held or why feeds could not be read completely, by source. */
  held: Record<string, string>;
  failed: Record<string, string>;
  /** Reasons why feeds are too old to confirm their ads, by source. */
  stale: Record<string, string>;
  sources: SourceReport[];
  events: Record<string, number>;
  seconds: number;
}
