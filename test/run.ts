// `npm test`: starts the engines in a temporary data folder, runs AVA against them, and stops them.
// - Without files, all tests but the end-to-end ones run. `--release` runs only those.
// - `--unit` runs only tests that need no engines, and starts none.
// - Files select tests: npm test -- 'test/src/http/*.test.ts'. Options of AVA are passed to it: --match='*phrase*'

import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVED_INDEXES } from '#domain/index-state.ts';
import { Problem } from '#domain/process/problem.ts';
import { onStopSignal } from '#domain/process/signals.ts';
import { type Engines, startEngines } from '#embedded/engines.ts';
import { processBegun } from '#embedded/process.ts';
import { readNodes } from '#src/config.ts';
import { CHARGE_FUNCTION } from '#src/metering/charge-function.ts';
import { ADMIN_REQUEST, OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { migrate } from '#stores/postgres/migrate.ts';
import { copyDatabase, dropDatabases, prepareOwnIndexes, removeIndexes, TEMPLATE_VARIABLE } from '#test/engines.ts';
import { type FileTime, PLAN_VARIABLE, type TestPlan } from '#test/plan.ts';
import { FLOORS, importersOf, readSources } from './imports.ts';
import { isUnitSuite, RELEASE_SUITES, suiteOf } from './suite.ts';

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));
const RUNS = join(PROJECT, '.data', 'test-runs');
/** File system in memory, on Linux. */
const MEMORY = '/dev/shm';
/** Folders of runs in `MEMORY`, which all checkouts share. The names end in the process id. */
const MEMORY_RUN = 'listings-test-';
/** Bytes that must be free in memory for the indexes of a run, several times their size. */
const MIN_MEMORY = 2 * 2 ** 30;
const AVA = join(PROJECT, 'node_modules', 'ava', 'entrypoints', 'cli.js');
/** Time limit of the suite in milliseconds, with a margin for busy machines. */
const LIMIT = 75 * 60_000;

/** A test that imports one of these files, directly or indirectly, needs engines. */
const NEED_ENGINES = ['test/support/env.ts', 'test/support/engines.ts', 'embedded/engines.ts', 'embedded/process.ts'];

/** Seed of the property tests: random unless PROPERTY_SEED repeats a failure. */
const propertySeed = process.env.PROPERTY_SEED ?? String(randomInt(2 ** 31));
const MODES = ['--release', '--unit'] as const;
const mode = MODES.find((name) => process.argv.includes(name));
const given = process.argv.slice(2).filter((argument) => argument !== mode);
const positionals = given.filter((argument) => !argument.startsWith('-'));
/** A pattern of a title also matches after the name of its file. */
const avaOptions = given
  .filter((argument) => argument.startsWith('-'))
  .map((argument) => argument.replace(/^--match=(?![*!])/, '--match=*: '));
const stopping = new AbortController();
const say = (line: string) => console.log(line);
onStopSignal((signal) => stopping.abort(`Stopped by ${signal}.`), say);

const dataDir = join(RUNS, String(process.pid));
const times = join(dataDir, 'times.ndjson');

let engines: Engines | undefined;
let cleanUp = async () => {};
let ok = false;
try {
  const begun = Date.now();
  await mkdir(dataDir, { recursive: true });
  const plan = await makePlan();
  ok = await runAva(Object.keys(plan.files).every(isUnitSuite) ? process.env : await startAll(begun), plan);
  say(`\nTests took ${seconds(begun)}.`);
} catch (error) {
  if (!stopping.signal.aborted) say(error instanceof Problem ? `\n${error.message}\n` : String((error as Error).stack));
} finally {
  if (stopping.signal.aborted) say(`\n${stopping.signal.reason}`);
  await cleanUp().catch((error: unknown) => say(`Cleanup failed: ${String(error)}`));
  await engines?.stop();
  await sayTimes().catch(() => {});
  for (const folder of [dataDir, join(MEMORY, `${MEMORY_RUN}${process.pid}`)])
    await rm(folder, { recursive: true, force: true });
}
if (!ok) say(`To repeat the order of the files and the values of property tests, set PROPERTY_SEED=${propertySeed}.`);
process.exit(ok && !stopping.signal.aborted ? 0 : 1);

/** Starts the engines and creates the database and indexes of this run. @returns the environment of the tests */
async function startAll(begun: number): Promise<NodeJS.ProcessEnv> {
  await removeOldRuns();
  const own = process.env.OPENSEARCH_URL && process.env.DATABASE_URL && process.env.S3_ENDPOINT;
  say(own ? 'Using the engines of OPENSEARCH_URL, DATABASE_URL and S3_ENDPOINT ...' : 'Starting the engines ...');
  const { signal } = stopping;
  const death = (message: string) => stopping.abort(message);
  // OpenSearch syncs about ten files to disk for every change of its cluster state, for which most tests wait.
  const searchDataDir = await memoryFolder();
  const options = { dataDir, searchDataDir, env: process.env, throwaway: true, signal, say, onCrash: death };
  engines = await startEngines(options);
  const env = { ...process.env, ...engines.env };
  // A unique prefix per run, because external servers keep running.
  const prefix = `test_${process.pid}_${begun.toString(36)}`;
  cleanUp = () => removeTraces(prefix);
  const databaseUrl = await prepareDatabase(env.DATABASE_URL as string, prefix);
  await prepareIndexes(env.OPENSEARCH_URL as string, `${prefix}_`);
  say(`Ready in ${seconds(begun)}.\n`);
  return {
    ...env,
    ...(process.env.S3_ENDPOINT ? {} : { EMBEDDED_S3_FOLDER: join(dataDir, 's3') }),
    DATABASE_URL: databaseUrl,
    INDEX_PREFIX: `${prefix}_`,
    [TEMPLATE_VARIABLE]: `${prefix}_template`,
  };
}

/** Assigns the selected files to their suites. @throws Problem if no file is selected */
async function makePlan(): Promise<TestPlan> {
  const { imports } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
  const sources = await readSources(PROJECT, [
    ...Object.keys(FLOORS),
    'bench',
    'clients/build',
    'embedded',
    'sample',
    'test',
  ]);
  const needEngines = importersOf(NEED_ENGINES, sources, imports);
  const files: Record<string, string[]> = {};
  const patterns = positionals.length > 0 ? positionals : ['test/**/*.test.ts'];
  for (const path of globSync(patterns, { cwd: PROJECT, exclude: ['test/suites/**'] })
    .map(normalize)
    .sort()) {
    const suite = suiteOf(path, needEngines.has(path));
    const inMode = mode === '--unit' ? isUnitSuite(suite) : (mode === '--release') === RELEASE_SUITES.includes(suite);
    if (positionals.length > 0 || inMode) files[suite] = [...(files[suite] ?? []), path];
  }
  if (Object.keys(files).length === 0) throw new Problem(`No test file matches ${patterns.join(' ')}.`);
  return { files, seed: Number(propertySeed), times };
}

/** Prints the slowest files of the run. */
async function sayTimes(): Promise<void> {
  const lines = (await readFile(times, 'utf8')).trim().split('\n');
  const slowest = lines.map((line) => JSON.parse(line) as FileTime).sort((a, b) => b.ms - a.ms);
  say('\nSlowest files: seconds, seconds of processor time of the worker');
  for (const { file, ms, cpuMs } of slowest.slice(0, 10))
    say(`${(ms / 1000).toFixed(1).padStart(7)} ${(cpuMs / 1000).toFixed(1).padStart(6)}  ${file}`);
}

/** Runs the suites. @returns true if AVA succeeded */
async function runAva(variables: NodeJS.ProcessEnv, plan: TestPlan): Promise<boolean> {
  const args = [AVA, ...Object.keys(plan.files).map((suite) => `test/suites/${suite}.test.ts`), ...avaOptions];
  const env = {
    ...variables,
    NODE_ENV: 'test',
    PROPERTY_SEED: propertySeed,
    [PLAN_VARIABLE]: JSON.stringify(plan),
    // Longer timeouts for busy machines. Tests of unresponsive datastores set 1.
    TIMEOUT_FACTOR: process.env.TIMEOUT_FACTOR ?? '5',
    // Caches compiled code: half of the start time of a process is compilation.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(PROJECT, '.data', 'compile-cache'),
  };
  const ava = spawn(process.execPath, args, { cwd: PROJECT, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const exit = once(ava, 'exit') as Promise<[number | null]>;
  const end = () => ava.kill('SIGTERM');
  const limit = setTimeout(() => stopping.abort(`Not finished after ${LIMIT / 60_000} minutes.`), LIMIT);
  stopping.signal.addEventListener('abort', () => {
    end();
    setTimeout(() => ava.kill('SIGKILL'), 5_000).unref();
  });
  if (stopping.signal.aborted) end();
  const [code] = await exit;
  clearTimeout(limit);
  return code === 0;
}

/** A migrated template database, and a copy of it for the tests that share one. */
async function prepareDatabase(serverUrl: string, prefix: string): Promise<string> {
  const url = new URL(serverUrl);
  await copyDatabase(serverUrl, `${prefix}_template`);
  url.pathname = `/${prefix}_template`;
  await migrate(url.href, CHARGE_FUNCTION);
  await copyDatabase(serverUrl, prefix, `${prefix}_template`);
  url.pathname = `/${prefix}`;
  return url.href;
}

/** The indexes of the tests that share them. */
async function prepareIndexes(urls: string, prefix: string): Promise<void> {
  const client = new OpenSearch({ urls: readNodes({ OPENSEARCH_URL: urls }), indexPrefix: prefix, ...ADMIN_REQUEST });
  await prepareOwnIndexes(client, SERVED_INDEXES);
  await client.close();
}

/** Deletes the run's databases and indexes from external servers. */
async function removeTraces(prefix: string): Promise<void> {
  const { DATABASE_URL: postgres, OPENSEARCH_URL: opensearch } = process.env;
  if (postgres) await dropDatabases(postgres, prefix);
  if (opensearch) await removeIndexes(`${prefix}_`, opensearch);
}

/** Returns a folder in memory for this run, or undefined if there is no room. */
async function memoryFolder(): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  if (bavail * bsize < MIN_MEMORY) return undefined;
  const folder = join(MEMORY, `${MEMORY_RUN}${process.pid}`);
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Deletes the data of killed runs. */
async function removeOldRuns(): Promise<void> {
  for (const name of await readdir(MEMORY).catch(() => [])) {
    const pid = name.startsWith(MEMORY_RUN) ? Number(name.slice(MEMORY_RUN.length)) : null;
    if (pid !== null && processBegun(pid) === undefined) await rm(join(MEMORY, name), { recursive: true, force: true });
  }
  for (const name of await readdir(RUNS).catch(() => []))
    if (processBegun(Number(name)) === undefined) await rm(join(RUNS, name), { recursive: true, force: true });
}

function seconds(begun: number): string {
  return `${((Date.now() - begun) / 1000).toFixed(1)} s`;
}
