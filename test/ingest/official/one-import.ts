// Imports a folder in a separate process and prints each step, for tests that kill it.
import { createHash } from 'node:crypto';
import { importOfficial } from '#ingest/official/import.ts';
import { ADMIN_REQUEST, OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { createPool } from '#stores/postgres/pool.ts';

const [databaseUrl, opensearchUrl, prefix, path] = process.argv.slice(2) as [string, string, string, string];
const pool = createPool(databaseUrl, { max: 2, statementTimeout: 60_000 });
const opensearch = new OpenSearch({ urls: [opensearchUrl], indexPrefix: prefix, ...ADMIN_REQUEST });
await importOfficial(
  {
    pool,
    opensearch,
    idKey: createHash('sha256').update('test').digest('hex'),
    signal: new AbortController().signal,
    onProgress: (step) => console.log(step),
  },
  path,
);
await Promise.all([pool.end(), opensearch.close()]);
console.log('completed');
