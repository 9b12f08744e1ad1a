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
export interface StageReport {
  stage: Stage;
  source: string | null;
  kept: number;
  dropped: Record<string, number>;
  /** Specific to the stage. */
  details: Record<string, number | string>;
  seconds: number;
}

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
