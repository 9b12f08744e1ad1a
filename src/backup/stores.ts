import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findEngines, startEngines } from '#embedded/engines.ts';
import { createS3 } from '#s3/client.ts';
import { type Environment, readVariables } from '#src/variables.ts';
import type { ObjectStore } from './objects.ts';

interface Progress {
  stage: string;
  done: number;
  total: number;
}
export type OnProgress = (progress: Progress) => void;

/** Value of the URL of an engine that must not be started. */
export const NOT_STARTED = 'none';

/** Returns a function that adds an amount to the progress of a stage and reports it, in multiples of `unit`. */
export function counter(onProgress: OnProgress, stage: string, total: number, unit = 1): (amount?: number) => void {
  let done = 0;
  const inUnits = (value: number) => Math.round(value / unit);
  onProgress({ stage, done, total: inUnits(total) });
  return (amount = 1) => {
    done += amount;
    onProgress({ stage, done: inUnits(done), total: inUnits(total) });
  };
}

export const MEGABYTE = 1_000_000;

/** Folder of the embedded Postgres in a data folder. */
export const postgresData = (dataDir: string): string => join(dataDir, 'postgres', 'data');

/** Folder of the journal of removals. */
export const journalFolder = (dataDir: string, env: Environment): string => env.JOURNAL_DIR || join(dataDir, 'journal');

/** Runs `work` with the variables of running engines. If none run, Postgres and S3 run for its duration. */
export async function withEngines<T>(
  dataDir: string,
  env: Environment,
  work: (env: Environment) => Promise<T>,
): Promise<T> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const running = await findEngines(dataDir);
  if (running) return work({ ...running, ...set });
  const engines = await startEngines({ dataDir, env: { ...set, OPENSEARCH_URL: NOT_STARTED } });
  try {
    return await work({ ...set, ...engines.env });
  } finally {
    await engines.stop();
  }
}

/** Runs `work` with the S3 server of an environment. */
export async function withObjects<T>(env: Environment, work: (store: ObjectStore) => Promise<T>): Promise<T> {
  const read = readVariables(env, [
    'S3_ENDPOINT',
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'CDN_BUCKET',
    'EXPORTS_BUCKET',
  ]);
  const s3 = createS3({
    endpoint: read.S3_ENDPOINT,
    region: read.AWS_REGION,
    accessKeyId: read.AWS_ACCESS_KEY_ID,
    secretAccessKey: read.AWS_SECRET_ACCESS_KEY,
  });
  try {
    return await work({ s3, buckets: { cdn: read.CDN_BUCKET, exports: read.EXPORTS_BUCKET } });
  } finally {
    s3.destroy();
  }
}

export const hasPostgres = (dataDir: string): boolean => existsSync(postgresData(dataDir));
