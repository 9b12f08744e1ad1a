import type { Client } from '@opensearch-project/opensearch';
import { createOpenSearch } from '#search/client.ts';
import { readUrls } from '#src/config.ts';
import { toolEnvironment } from '#start/tool-environment.ts';

/**
 * Connects to the OpenSearch of `--url`, of OPENSEARCH_URL, or of the running `npm start`; and closes it after the work.
 * @param work also gets INDEX_PREFIX
 */
export async function withEngine<Result>(
  url: string | undefined,
  work: (client: Client, prefix: string) => Promise<Result>,
): Promise<Result> {
  const env = await toolEnvironment(process.env);
  const urls = url ?? env.OPENSEARCH_URL;
  if (!urls)
    throw new Error('OPENSEARCH_URL is not set and no `npm start` runs here. Start it, set it, or give --url.');
  const name = url === undefined ? 'OPENSEARCH_URL' : '--url';
  const client = createOpenSearch({ urls: readUrls(name, urls), requestTimeout: 30_000 });
  try {
    return await work(client, env.INDEX_PREFIX ?? '');
  } finally {
    await client.close();
  }
}
