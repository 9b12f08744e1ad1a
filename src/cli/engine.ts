import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startEngines } from '#embedded/engines.ts';
import { type OpenSearch, withOpenSearch } from '#search/client.ts';
import { readNodes } from '#src/config.ts';
import { dataFolder, toolEnvironment } from '#start/tool-environment.ts';

/**
 * Connects to OpenSearch at `url`, at `OPENSEARCH_URL` or of a running `npm start`.
 * @param flags `prefix` defaults to `INDEX_PREFIX`
 * @throws Error if none of these URLs is set
 */
export async function withEngine<Result>(
  { url, prefix }: { url?: string | undefined; prefix?: string | undefined },
  work: (client: OpenSearch) => Promise<Result>,
): Promise<Result> {
  const env = await toolEnvironment(process.env);
  const urls = url ?? env.OPENSEARCH_URL;
  if (!urls)
    throw new Error('OPENSEARCH_URL is not set and no `npm start` runs here. Start it, set it, or give --url.');
  const indexPrefix = prefix ?? env.INDEX_PREFIX ?? '';
  return withOpenSearch({ urls: readNodes({ OPENSEARCH_URL: urls }), indexPrefix, requestTimeout: 30_000 }, work);
}

/**
 * Starts the embedded engines for the duration of `work`, if `OPENSEARCH_URL` is not set, `npm start` is not running,
 * and the data folder has their data.
 * @param work receives whether the engines were started
 */
export async function withStartedEngines<Result>(
  say: (line: string) => void,
  work: (started: boolean) => Promise<Result>,
): Promise<Result> {
  const { OPENSEARCH_URL: url } = await toolEnvironment(process.env);
  const dataDir = dataFolder(process.env);
  if (url || !existsSync(join(dataDir, 'opensearch'))) return work(false);
  say('Starting OpenSearch, Postgres and S3 ...');
  const engines = await startEngines({ dataDir, env: process.env, say });
  try {
    return await work(true);
  } finally {
    await engines.stop();
  }
}
