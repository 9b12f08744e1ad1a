import { openServices } from '#app/open-services.ts';
import { openIngest } from '#app/workers/open-ingest.ts';
import { openOfficial } from '#app/workers/open-official.ts';
import { Problem } from '#domain/process/problem.ts';
import { readStoredListings } from '#ingest/indexing/stored-listings.ts';
import { startExports } from '#src/exports/export-worker.ts';
import type { Services } from '#src/services.ts';
import { startWebhooks } from '#src/webhooks/webhook-worker.ts';
import type { Start } from './cleanup.ts';
import { configure } from './configure.ts';
import { serveHttp } from './http.ts';
import { serveMetrics } from './metrics.ts';
import { hasFolder } from './repository.ts';
import { prepareStores } from './stores.ts';
import { followSynonyms } from './synonyms.ts';
import { waitForStores } from './wait.ts';
import { sayPrivateHosts, startWorkers, type WorkerName } from './workers.ts';

/** Roles of processes. Any number of processes share the datastores. */
export const ROLES: Readonly<Record<string, (start: Start) => Promise<void>>> = {
  all: async (start) => {
    if (!hasFolder('embedded') || !hasFolder('sample'))
      throw new Problem('This installation has neither the engines nor the sample that the role "all" needs.', [
        'Start a role: api, worker, ingest, exports or webhooks.',
      ]);
    await (await import('./all.ts')).startAll(start);
  },
  api: startApi,
  worker: (start) => startWorker(start),
  ingest: (start) => startWorker(start, OWN_ROLES),
  exports: runExports,
  webhooks: runWebhooks,
};

/** Serves API requests without state in the process. */
async function startApi(start: Start): Promise<void> {
  const services = await open(start);
  await serveHttp(services, start.cleanup);
  start.screen.say(`Serving ${services.config.baseUrl}`);
}

/** Runs only exports. The machine needs no feeds. */
async function runExports(start: Start): Promise<void> {
  start.cleanup.add('stopping exports', startExports(await open(start)), 20_000);
  start.screen.say('Making exports.');
}

/** Sends only webhooks. The machine needs no feeds. */
async function runWebhooks(start: Start): Promise<void> {
  const services = await open(start);
  const readListings = (ids: readonly number[]) => readStoredListings(services.pool, ids);
  start.cleanup.add('stopping webhooks', startWebhooks({ ...services, readListings }), 20_000);
  start.screen.say('Sending webhooks.');
}

/** Workers that have a role of their own. */
const OWN_ROLES: readonly WorkerName[] = ['exports', 'webhooks'];

/** Runs the workers, with the feeds in `FEEDS_DIR`. @param except workers that other processes run */
async function startWorker(start: Start, except: readonly WorkerName[] = []): Promise<void> {
  const { cleanup, screen } = start;
  const services = await open(start);
  const { config } = services;
  const { dir, hostUrl } = config.feeds;
  if (dir === null) throw new Problem('FEEDS_DIR is not set.', ['Set it to the folder that the feeds lie in.']);
  const ingest = await openIngest(config, { dataDir: dir, photoHostUrl: hostUrl ?? undefined });
  cleanup.add('closing the pipeline', ingest.close);
  const official = openOfficial(config);
  cleanup.add('closing official data', official.close);
  await startWorkers(services, { ingest, official, officialDir: config.officialDir }, cleanup, except);
  screen.say(`Ingesting from ${ingest.sources.length} sources.`);
}

async function open({ env, screen, signal, cleanup }: Start): Promise<Services> {
  const config = configure(env);
  sayPrivateHosts(config, screen);
  await waitForStores(config, { say: screen.say, signal });
  await prepareStores(config);
  const { services, close } = await openServices(config);
  cleanup.add('closing the stores', close);
  await serveMetrics(services, cleanup);
  await followSynonyms(services, cleanup);
  return services;
}
