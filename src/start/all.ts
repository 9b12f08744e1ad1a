import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { seedDemo } from '#accounts/demo.ts';
import { startEngines } from '#embedded/engines.ts';
import { choosePorts, isFree } from '#embedded/ports.ts';
import { Problem } from '#embedded/problem.ts';
import { startSampleHost } from '#ingest/sample/host.ts';
import type { FeedSettings } from '#ingest/sources/source.ts';
import { createLogger } from '#observability/logger.ts';
import type { Config } from '#src/config.ts';
import { openServices } from '#src/open-services.ts';
import { configure } from './configure.ts';
import { readDemoKeys, writeDemoFile } from './demo-file.ts';
import { serveHttp } from './http.ts';
import { openIngest } from './ingest.ts';
import { openOfficial } from './official.ts';
import {
  ensureSample,
  importOfficialSample,
  ingestSample,
  officialSampleDir,
  publishSampleRelease,
  type Sample,
} from './sample.ts';
import type { Start } from './start.ts';
import { prepareStores } from './stores.ts';
import { planNotes, summary } from './summary.ts';
import { startWorkers } from './workers.ts';

/** Everything in one process: the engines that are not set, sample listings, demo keys, the API and the workers. */
export async function startAll(start: Start): Promise<void> {
  const { screen, cleanup, signal } = start;
  await checkPort(configure(start.env, NOT_STARTED_YET));
  const dataDir = resolve(start.env.DATA_DIR || '.data');
  await mkdir(join(dataDir, 'logs'), { recursive: true });

  const engines = await screen.step('Starting OpenSearch, Postgres and S3', () =>
    startEngines({ dataDir, env: start.env, signal, say: screen.say, onDeath: start.fail, startAgain: true }),
  );
  cleanup.add('stopping the engines', engines.stop, 60_000);
  const config = configure({ ...start.env, ...engines.env });
  await screen.step('Preparing the database and the indexes', () => prepareStores(config));
  signal.throwIfAborted();

  // The terminal shows progress to a person; the log goes to a file beside the engines' logs.
  const logFile = join(dataDir, 'logs', 'service.log');
  const destination = pino.destination({ dest: logFile, sync: false });
  const logger = createLogger(config.logLevel, destination);
  cleanup.add('writing the log', async () => destination.flushSync());
  const opened = await openServices(config, { logger });
  cleanup.add('closing the stores', opened.close);
  const { services } = opened;

  const known = await readDemoKeys(dataDir);
  const keys = await seedDemo(services.pool, config.keyPepper, services.random, known);
  signal.throwIfAborted();

  const feeds = await openFeeds(start, config, dataDir);
  const ingest = await openIngest(config, feeds.settings);
  cleanup.add('closing the pipeline', ingest.close);
  if (feeds.sample) await ingestSample(feeds.sample, ingest, services.pool, screen, signal);
  await opened.refresh();
  const official = openOfficial(config);
  cleanup.add('closing official data', official.close);
  const officialDir = config.officialDir ?? (feeds.sample ? officialSampleDir(feeds.sample.dir) : null);
  if (feeds.sample) {
    await importOfficialSample(feeds.sample, official, screen, signal);
    await publishSampleRelease(config, new Date(), screen);
  }
  await startWorkers(services, { ingest, official, officialDir }, cleanup);
  signal.throwIfAborted();
  await serveHttp(services, cleanup);
  await writeDemoFile(dataDir, { base_url: config.baseUrl, site_url: config.siteUrl, keys });
  screen.say(summary(config, keys, await planNotes(services.pool)));
  screen.say(`The same is in ${join(dataDir, 'demo.json')}; the log is ${logFile}. Ctrl-C stops everything.`);
}

/** The feeds that are configured, or the sample with the host that serves its photos and pages. */
async function openFeeds(
  { screen, cleanup }: Start,
  config: Config,
  dataDir: string,
): Promise<{ settings: FeedSettings; sample?: Sample }> {
  const { dir, hostUrl } = config.feeds;
  if (dir !== null) return { settings: { dataDir: dir, sampleHostUrl: hostUrl ?? undefined } };
  // The addresses of the photos are in the feeds, so the host keeps its port.
  const { sample: port } = await choosePorts(join(dataDir, 'ports.json'), ['sample']);
  const folder = join(dataDir, 'sample');
  const sample = await ensureSample(folder, `http://127.0.0.1:${port}`, new Date(), screen);
  const host = await startSampleHost({ dir: folder, port });
  cleanup.add('closing the sample host', host.close);
  return { settings: { dataDir: folder, sampleHostUrl: host.url }, sample };
}

/** Placeholders for what the engines will provide, so that the rest of the configuration is checked before they start. */
const NOT_STARTED_YET = Object.fromEntries(
  ['OPENSEARCH_URL', 'DATABASE_URL', 'S3_ENDPOINT', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'KEY_PEPPER'].map(
    (name) => [name, 'http://127.0.0.1'],
  ),
);

/** Checked first, before the slow work. */
async function checkPort({ host, port }: Config): Promise<void> {
  if (await isFree(port, host)) return;
  throw new Problem(`Port ${port} of ${host} is taken or may not be used.`, [
    `Choose another: PORT=${port + 1} npm start`,
    `Or find out who has it: lsof -i :${port}`,
  ]);
}
