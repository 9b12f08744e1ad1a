import { Problem } from '#domain/process/problem.ts';
import { type FilledName, fillIndexes, rollBack } from '#ingest/fill.ts';
import { BusyError } from '#ingest/postgres/writer.ts';
import type { Config } from '#src/config.ts';
import { CHARGE_FUNCTION } from '#src/metering/charge-function.ts';
import type { Fill, FillStep } from '#stores/opensearch/fill.ts';
import { readAliased } from '#stores/opensearch/indexes.ts';
import { type OpenSearch, withOpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { installTemplates } from '#stores/opensearch/templates.ts';
import { LOCKS, lockHolder } from '#stores/postgres/locks.ts';
import { migrate } from '#stores/postgres/migrate.ts';
import { type SessionPool, withPool } from '#stores/postgres/pool.ts';
import type { Progress, Screen } from './screen.ts';

type Stores = Pick<Config, 'databaseUrl' | 'opensearch'>;
type OpenStores = { pool: SessionPool; client: OpenSearch };

interface Options extends Pick<Fill, 'review'> {
  screen: Screen;
  signal: AbortSignal;
}

/** In milliseconds: one statement counts or updates all listings. */
const STATEMENT_LIMIT = 600_000;
/** Milliseconds to wait for an ingest run or another fill. */
const LOCK_WAIT_MS = 3_600_000;

export function withStores<T>(
  { databaseUrl, opensearch }: Stores,
  work: (stores: OpenStores) => Promise<T>,
): Promise<T> {
  return withOpenSearch({ ...opensearch, requestTimeout: 60_000, maxRetries: 3 }, (client) =>
    withPool(databaseUrl, { max: 6, statementTimeout: STATEMENT_LIMIT, name: 'listings-reindex' }, (pool) =>
      work({ pool, client }),
    ),
  );
}

/**
 * Migrates the database first. Waits for an ingest run or another fill, and fills nothing that it has filled meanwhile.
 * @throws SchemaVersionError, before any change, if this release cannot use the database
 */
export function reindex(stores: Stores, names: readonly FilledName[], options: Options) {
  return withStores(stores, async ({ pool, client }) => {
    await migrate(stores.databaseUrl, CHARGE_FUNCTION);
    await installTemplates(client);
    const reports: { index: FilledName; documents: number; reindexed?: number; seconds: number }[] = [];
    for (const index of names) {
      const filled = await watched({ pool, client }, `Filling ${index}`, options, async (request) => {
        const { [index]: documents } = await fillIndexes([index], request, LOCK_WAIT_MS);
        if (documents !== undefined) return documents;
        options.screen.say(`Another process has filled ${index} meanwhile.`);
        return (await readAliased(client, index))?.documents ?? 0;
      });
      reports.push({ index, ...filled });
    }
    return reports;
  });
}

/** Returns to the previous index after bringing it up to date. */
export function rollBackListings(stores: Stores, options: Options) {
  return withStores(stores, async (opened) => ({
    index: 'listings',
    ...(await watched(opened, 'Updating the previous index', options, async (request) => {
      return (await rollBack(request, LOCK_WAIT_MS)).documents;
    })),
  }));
}

const STEPS: Partial<Record<FillStep, string>> = {
  verify: 'Comparing with Postgres ...',
  merge: 'Merging ...',
  swap: 'Moving the alias ...',
};

/**
 * Shows the progress of a fill, and what holds the lock of the ingest.
 * @param fill returns the number of documents
 */
async function watched(
  { pool, client }: OpenStores,
  what: string,
  { screen, signal, review }: Options,
  fill: (request: Parameters<typeof rollBack>[0]) => Promise<number>,
) {
  const begun = performance.now();
  let fillBegun = begun;
  let bar: Progress | undefined;
  let reindexed: number | undefined;
  const end = (): void => {
    bar?.end();
    bar = undefined;
  };
  const holder = await lockHolder(pool, LOCKS.ingest);
  if (holder !== null) screen.say(`Waiting for ${holder.purpose}.`);
  const documents = await fill({
    pool,
    listingIndex: { client },
    signal,
    ...(review && { review }),
    onStep(step) {
      if (step === 'fill') fillBegun = performance.now();
      end();
      const text = STEPS[step];
      if (text !== undefined) screen.say(text);
    },
    onReindexed(rows) {
      reindexed = rows;
      if (rows > 0)
        screen.say(`${rows} listings have another form: \`GET /listings/changes\` returns them as reindexed.`);
    },
    onProgress({ done, total }) {
      if (total === null || total === 0) return;
      bar ??= screen.progress(what, total);
      const rate = (1_000 * done) / Math.max(performance.now() - fillBegun, 1);
      bar.update(done, `${Math.round(rate)}/s, ${Math.ceil(Math.max(total - done, 0) / rate)} s left`);
    },
  })
    .catch((error: unknown) => {
      throw error instanceof BusyError ? new Problem(error.message) : error;
    })
    .finally(end);
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  return { documents, ...(reindexed !== undefined && { reindexed }), seconds };
}
