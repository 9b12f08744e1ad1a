import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startEngines } from '#embedded/engines.ts';
import { type OpenSearch, withOpenSearch } from '#search/client.ts';
import { readNodes } from '#src/config.ts';
import { dataFolder, toolEnvironment } from '#start/tool-environment.ts';

/**
 * Connects to OpenSearch at `OPENSEARCH_URL` or of a running `npm start`.
 * @throws Error if neither exists
 */
export async function withEngine<Result>(work: (client: OpenSearch) => Promise<Result>): Promise<Result> {
  const { OPENSEARCH_URL, INDEX_PREFIX: indexPrefix = '' } = await toolEnvironment(process.env);
  if (!OPENSEARCH_URL)
    throw new Error('OPENSEARCH_URL is not set and no `npm start` runs here. Start it, or set OPENSEARCH_URL.');
  return withOpenSearch({ urls: readNodes({ OPENSEARCH_URL }), indexPrefix, requestTimeout: 30_000 }, work);
}

/**
 * Starts the embedded engines for the duration of `work`, if `OPENSEARCH_URL` is not set, `npm start` is not running,
 * and the data folder has their data.
 */
export async function withStartedEngines<Result>(work: () => Promise<Result>): Promise<Result> {
  const { OPENSEARCH_URL: url } = await toolEnvironment(process.env);
  const dataDir = dataFolder(process.env);
  if (url || !existsSync(join(dataDir, 'opensearch'))) return work();
  console.error('Starting OpenSearch, Postgres and S3 ...');
  const engines = await startEngines({ dataDir, env: process.env, say: console.error });
  try {
    return await work();
  } finally {
    await engines.stop();
  }
}
