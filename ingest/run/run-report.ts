import * as sql from '#stores/postgres/rows.ts';

export const STAGES = [
  'fetch',
  'takedowns',
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
