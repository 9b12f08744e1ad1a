import * as sql from '#postgres/rows.ts';
import type { SourceScore } from './source-score.ts';

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

/** For `fetch`, of one source. */
export const STAGE_REPORT = {
  stage: sql.textAs<Stage>(),
  source: sql.nullable(sql.text),
  kept: sql.integer,
  dropped: sql.json<Record<string, number>>(),
  /** Specific to the stage. */
  details: sql.json<Record<string, number | string>>(),
  seconds: sql.number,
};
export type StageReport = sql.RowOf<typeof STAGE_REPORT>;

export interface SourceReport {
  source: string;
  read: number;
  rejected: Record<string, number>;
  live: number;
  /** Into another listing. */
  merged: number;
  hidden: Record<string, number>;
  /** By a search for their property type. */
  found: number;
  /** Mean days since the last update; null without ads. */
  age_days: number | null;
  quality: SourceScore;
}

export interface RunReport {
  run: number;
  /** As of which feeds are read. */
  at: string;
  resumed: boolean;
  stages: StageReport[];
  /** Reasons by source. */
  held: Record<string, string>;
  failed: Record<string, string>;
  /** Feeds too old to confirm their ads. */
  stale: Record<string, string>;
  sources: SourceReport[];
  events: Record<string, number>;
  seconds: number;
}
