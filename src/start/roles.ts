import { Problem } from '#embedded/problem.ts';
import { readStoredListings } from '#ingest/indexing/documents.ts';
import type { Config } from '#src/config.ts';
import { openServices } from '#src/open-services.ts';
import { exportsWorker } from '#workers/exports.ts';
import { webhooksWorker } from '#workers/webhooks.ts';
import { startAll } from './all.ts';
import { configure } from './configure.ts';
import { serveHttp } from './http.ts';
import { openIngest } from './ingest.ts';
import { serveMetrics } from './metrics.ts';
import { openOfficial } from './official.ts';
import type { Start } from './start.ts';
import { prepareStores } from './stores.ts';
import { waitForStores } from './wait.ts';
import { sayPrivateHosts, startWorkers } from './workers.ts';

/**
 * The roles that a process can have. Any number of `api` processes and one or more `worker` processes share the same
 * datastores.
 */
export const ROLES: Readonly<Record<string, (start: Start) => Promise<void>>> = {
  all: startAll,
  api: startApi,
  worker: startWorker,
  exports: startExports,
  webhooks: startWebhooks,
};

/** Serves API requests. The process is stateless. */
async function startApi(start: Start): Promise<void> {
  const { cleanup, screen } = start;
  const config = await prepare(start);
  const { services, close } = await openServices(config);
  cleanup.add('closing the stores', close);
  await serveMetrics(services, cleanup);
  await serveHttp(services, cleanup);
  screen.say(`Serving ${config.baseUrl}`);
}

/** Runs only exports. The machine needs no feeds. */
async function startExports(start: Start): Promise<void> {
  const { cleanup, screen } = start;
  const config = await prepare(start);
  const { services, close } = await openServices(config);
  cleanup.add('closing the stores', close);
  await serveMetrics(services, cleanup);
  cleanup.add('stopping exports', await exportsWorker.start(services), 20_000);
  screen.say('Making exports.');
}

/** Sends only webhooks. The machine needs no feeds. */
async function startWebhooks(start: Start): Promise<void> {
  const { cleanup, screen } = start;
  const config = await prepare(start);
  const { services, close } = await openServices(config);
  cleanup.add('closing the stores', close);
  await serveMetrics(services, cleanup);
  const readListings = (ids: readonly number[]) => readStoredListings(services.pool, ids);
  cleanup.add('stopping webhooks', await webhooksWorker.start({ ...services, readListings }), 20_000);
  screen.say('Sending webhooks.');
}

/** Runs all workers, with the feeds in `FEEDS_DIR`. */
async function startWorker(start: Start): Promise<void> {
  const { cleanup, screen } = start;
  const config = await prepare(start);
  const { services, close } = await openServices(config);
  cleanup.add('closing the stores', close);
  await serveMetrics(services, cleanup);
  const { dir, hostUrl } = config.feeds;
  if (dir === null) throw new Problem('FEEDS_DIR is not set.', ['Set it to the folder that the feeds lie in.']);
  const ingest = await openIngest(config, { dataDir: dir, feedHostUrl: hostUrl ?? undefined });
  cleanup.add('closing the pipeline', ingest.close);
  const official = openOfficial(config);
  cleanup.add('closing official data', official.close);
  await startWorkers(services, { ingest, official, officialDir: config.officialDir }, cleanup);
  screen.say(`Ingesting from ${ingest.sources.length} sources.`);
}

/** Reads the configuration, waits for the datastores and prepares them. */
async function prepare({ env, screen, signal }: Start): Promise<Config> {
  const config = configure(env);
  sayPrivateHosts(config, screen);
  await waitForStores(config, { say: screen.say, signal });
  await prepareStores(config);
  return config;
}
