import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@opensearch-project/opensearch';
import { startEngines } from '#embedded/engines.ts';
import { withOpenSearch } from '#search/client.ts';
import { readNodes } from '#src/config.ts';
import { dataFolder, toolEnvironment } from '#start/tool-environment.ts';

/**
 * Connects to OpenSearch at `url`, at `OPENSEARCH_URL` or on a running `npm start`, and closes the client after `work`.
 * @param work also receives `INDEX_PREFIX`
 * @throws Error if none of these URLs is set
 */
export async function withEngine<Result>(
  url: string | undefined,
  work: (client: Client, prefix: string) => Promise<Result>,
): Promise<Result> {
  const env = await toolEnvironment(process.env);
  const urls = url ?? env.OPENSEARCH_URL;
  if (!urls)
    throw new Error('OPENSEARCH_URL is not set and no `npm start` runs here. Start it, set it, or give --url.');
  return withOpenSearch({ urls: readNodes({ OPENSEARCH_URL: urls }), requestTimeout: 30_000 }, (client) =>
    work(client, env.INDEX_PREFIX ?? ''),
  );
}

/**
 * Runs `work`. If `OPENSEARCH_URL` is not set, `npm start` is not running, and the data folder contains data from the
 * embedded engines, the engines are started first and stopped afterwards.
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
