import type { ExecutionContext } from 'ava';
import { FILLED, type FilledName, fillIndexes } from '#ingest/fill.ts';
import { readWatermark } from '#stores/opensearch/listing-index/listing-index.ts';
import { copyDatabase } from '#test/engines.ts';
import { testEnv } from '#test/env.ts';
import { testProjects } from '../off-plan/ground.ts';
import { startPipeline, testSource } from './pipeline.ts';

/**
 * Starts an installation with one source of ads and one of projects. Its database can be restored to an earlier state
 * than its indexes.
 */
export async function startOneSource(t: ExecutionContext, name: string, hoursBetweenRuns = 24) {
  const pipeline = await startPipeline(name);
  t.teardown(pipeline.close);
  const database = new URL(pipeline.databaseUrl).pathname.slice(1);
  const server = testEnv().DATABASE_URL;
  const source = testSource('s');
  const projects = testProjects('p');
  let clock = Date.parse('2026-06-01T03:00:00Z');
  /** Returns the indexed `modified_at` by id of the source. */
  const values = async (): Promise<Map<string, number>> => {
    const { documents } = await pipeline.snapshot();
    return new Map(
      documents.map(({ stored: { private: hidden } }) => [hidden.source_listing_id, hidden.modified ?? Number.NaN]),
    );
  };
  /** Returns the documents of all indexes, without the times of observation and publication, which fills may change. */
  const served = async (): Promise<Record<string, unknown[]>> => {
    const documents = await Promise.all(FILLED.map(async (name) => [name, await pipeline.documents(name)] as const));
    return JSON.parse(
      JSON.stringify(Object.fromEntries(documents), (key, value) =>
        ['last_seen', 'last_seen_at', 'modified', 'modified_at'].includes(key) ? 0 : value,
      ),
    );
  };
  return {
    pipeline,
    source,
    projects,
    values,
    served,
    /** Fills indexes from Postgres. */
    fill: (names: readonly FilledName[] = FILLED) =>
      fillIndexes(names, { pool: pipeline.pool, listingIndex: pipeline.index }),
    run: () => {
      clock += hoursBetweenRuns * 3_600_000;
      return pipeline.run([source], new Date(clock).toISOString(), { projectSources: [projects] });
    },
    watermark: async (): Promise<number> => (await readWatermark(pipeline.client, pipeline.index.alias)) ?? Number.NaN,
    /** Copies the database, as a backup does. */
    backUp: () => copyDatabase(server, `${database}_backup`, database),
    /** Replaces the database with the copy. */
    restore: () => copyDatabase(server, database, `${database}_backup`),
  };
}
