import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type DemoKeys, seedDemo } from '#accounts/demo.ts';
import { Places } from '#domain/geography/reference.ts';
import { buildSite } from '#embedded/install/site.mjs';
import { freePort } from '#embedded/ports.ts';
import { startExports } from '#exports/worker.ts';
import { readStoredListings } from '#ingest/indexing/documents.ts';
import { withPool } from '#postgres/pool.ts';
import { generateSample } from '#sample/generate.ts';
import { startSampleHost } from '#sample/host.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { localReceiver } from '#start/configure.ts';
import { seedDemoUsage } from '#start/demo-usage.ts';
import { openIngest } from '#start/ingest.ts';
import { openOfficial } from '#start/official.ts';
import { ensureSample, importOfficialSample, ingestSample, publishSampleRelease } from '#start/sample.ts';
import type { Screen } from '#start/screen.ts';
import { prepareStores } from '#start/stores.ts';
import { startWebhooks } from '#webhooks/worker.ts';
import { startTestApp, type TestApp } from './app.ts';
import { createDatabase, removeIndexes } from './engines.ts';
import { testConfig } from './env.ts';
import { test } from './test.ts';

const PROJECT = dirname(dirname(import.meta.dirname));
/** Timeout for loading the sample in milliseconds, which is sufficient on busy machines. */
const LIMIT = 600_000;
/** Number of listings, half of those that a first start loads. */
const LISTINGS = 4_000;

const SILENT: Screen = {
  say() {},
  step: (_, work) => work(),
  progress: () => ({ update() {}, end() {} }),
};

const cleanUp: (() => Promise<unknown>)[] = [];

/** The service after the first `npm start`, with sample listings, demo keys and their history. */
export let app: TestApp;
export let keys: DemoKeys;

test.before(async (t) => {
  t.timeout(LIMIT);
  const name = `sample_${randomBytes(4).toString('hex')}`;
  const port = await freePort();
  const env = {
    DATABASE_URL: await createDatabase(name),
    INDEX_PREFIX: `${process.env.INDEX_PREFIX ?? ''}${name}_`,
    // Pages and photos are served at this address.
    SITE_URL: `http://127.0.0.1:${port}`,
    ...localReceiver({}),
  };
  cleanUp.push(() => removeIndexes(env.INDEX_PREFIX));
  // As `npm start` does. Scripts of earlier sources would not match the pages.
  await buildSite(PROJECT);
  const config = testConfig(env);
  await prepareStores(config);
  const { keyPepper: pepper } = config;
  keys = await withPool(config.databaseUrl, {}, (pool) => seedDemo(pool, pepper, randomBytes));
  app = await startTestApp({
    env,
    port,
    overrides: { places: new Places(), demoKey: keys.pro },
  });
  const { services } = app;
  cleanUp.push(app.close);

  await seedDemoUsage(services.pool, keys, {
    ...config,
    pepper,
    random: services.random,
    now: Date.now(),
    logger: services.logger,
  });

  const dir = await mkdtemp(join(tmpdir(), 'sample-start-'));
  cleanUp.push(() => rm(dir, { recursive: true, force: true }));
  const host = await startSampleHost();
  cleanUp.push(host.close);
  const since = config.historyStart;
  const now = new Date();
  const signal = AbortSignal.timeout(LIMIT);
  const until = now.toISOString().slice(0, 10);
  await generateSample({ dir, listings: LISTINGS, seed: 1, days: 4, until, since, hostUrl: host.url });
  const sample = await ensureSample({ dir, since, hostUrl: host.url, now, signal });
  const ingest = await openIngest(config, { dataDir: dir, photoHostUrl: host.url, sources: SAMPLE_SOURCES });
  cleanUp.push(ingest.close);
  const official = openOfficial(config);
  cleanUp.push(official.close);
  await Promise.all([
    ingestSample(sample, ingest, services.pool, SILENT, signal),
    importOfficialSample(sample, official, signal),
  ]);
  await publishSampleRelease(config, now, SILENT);
  await services.sourceClock.refresh();
  const readListings = (ids: readonly number[]) => readStoredListings(services.pool, ids);
  cleanUp.push(startWebhooks({ ...services, readListings }));
  cleanUp.push(startExports(services));
});
test.after(async () => {
  for (const step of cleanUp.reverse()) await step();
});
