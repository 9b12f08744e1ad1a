import { createHmac } from 'node:crypto';
import { releaseLoad } from '#ingest/official/held-quarters.ts';
import { type ImportOptions, importOfficial, prepareOfficial } from '#ingest/official/import.ts';
import type { OfficialContext } from '#ingest/official/official-context.ts';
import type { Config } from '#src/config.ts';
import { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { createPool } from '#stores/postgres/pool.ts';

export type Official = ReturnType<typeof openOfficial>;

/** In milliseconds: one statement moves a whole quarter. */
const STATEMENT_LIMIT = 600_000;

export function openOfficial(config: Config) {
  const pool = createPool(config.databaseUrl, { max: 2, statementTimeout: STATEMENT_LIMIT, name: 'listings-official' });
  const opensearch = new OpenSearch({ ...config.opensearch, requestTimeout: 60_000, maxRetries: 3 });
  const context: OfficialContext = {
    pool,
    opensearch,
    idKey: createHmac('sha256', config.dealIdsPepper).update('ids of registered deals').digest('hex'),
    signal: new AbortController().signal,
  };
  return {
    pool,
    /** @throws BusyError while another process is importing */
    import: (path: string, { signal = context.signal, ...options }: ImportOptions & { signal?: AbortSignal } = {}) =>
      importOfficial({ ...context, signal }, path, options),
    release: (load: number) => releaseLoad(context, load),
    /** @param rebuild a new index even if it is up to date */
    prepare: (rebuild?: boolean) => prepareOfficial(context, rebuild),
    close: async (): Promise<void> => {
      await Promise.all([pool.end(), opensearch.close()]);
    },
  };
}
