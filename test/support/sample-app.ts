import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DemoFile } from '#app/start/all.ts';
import { demoSettings } from '#app/start/configure.ts';
import { Places } from '#domain/geography/reference.ts';
import { readDownloads } from '#domain/process/downloads.ts';
import { freePort } from '#domain/process/ports.ts';
import { buildClients } from '#embedded/install/clients.mjs';
import { buildSite } from '#embedded/install/site.mjs';
import type { DemoKeys } from '#src/accounts/demo.ts';
import { startProcess } from './api-process.ts';
import { startTestApp, type TestApp } from './app.ts';
import { createDatabase, removeIndexes } from './engines.ts';
import { testEnv } from './env.ts';
import { test } from './test.ts';

const PROJECT = dirname(dirname(import.meta.dirname));
/** Timeout for loading the sample in milliseconds, which is sufficient on busy machines. */
const LIMIT = 720_000;

const cleanUp: (() => Promise<unknown>)[] = [];

/** The service in addition to the first `npm start`, whose process has loaded the sample and runs the workers. */
export let app: TestApp;
export let keys: DemoKeys;

test.before(async (t) => {
  t.timeout(LIMIT);
  const name = `sample_${randomBytes(4).toString('hex')}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'sample-start-'));
  cleanUp.push(() => rm(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const env = {
    DATABASE_URL: await createDatabase(name),
    INDEX_PREFIX: `${process.env.INDEX_PREFIX ?? ''}${name}_`,
  };
  cleanUp.push(() => removeIndexes(env.INDEX_PREFIX));
  // As `npm start` does. Scripts of earlier sources would not match the pages.
  await Promise.all([buildSite(PROJECT), buildClients(PROJECT)]);
  const variables = { ...process.env, ...testEnv(), ...env, DATA_DIR: dataDir };
  const service = await startProcess('all', variables, /Ctrl-C stops everything/);
  cleanUp.push(() => service.end('SIGTERM'));
  ({ keys } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile);
  app = await startTestApp({
    // Pages and photos are served at this address.
    env: { ...env, SITE_URL: `http://127.0.0.1:${port}`, ...demoSettings({}) },
    port,
    overrides: { places: new Places(), demoKey: keys.pro, downloads: readDownloads() },
  });
  cleanUp.push(app.close);
});
test.after(async () => {
  for (const step of cleanUp.reverse()) await step();
});
