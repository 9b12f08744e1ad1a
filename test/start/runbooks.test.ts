import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { FEEDS } from '#ingest/sample/feeds.ts';
import { generateSample } from '#ingest/sample/generate.ts';
import { startSampleHost } from '#ingest/sample/host.ts';
import { createPool } from '#postgres/pool.ts';
import { type ApiProcess, startApiProcess } from '#test/api-process.ts';
import { childOutput } from '#test/child-output.ts';
import { cli, type Ran } from '#test/cli.ts';
import { createDatabase } from '#test/engines.ts';
import { testConfig, testEnv } from '#test/env.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const SOURCE = FEEDS[0]?.source ?? '';
const EXPORT = 'exp_runbook';

/** Commands of the runbooks in an order in which they succeed, what each prints, and its preparation. */
const COMMANDS: readonly [command: string, prints: RegExp, before?: () => Promise<unknown>][] = [
  ['npm run ingest', /Run 1\b/],
  ['npm run ingest -- status', /completed/],
  ['npm run ingest -- sources', new RegExp(SOURCE)],
  ['npm run ingest -- rejects <source>', /None\.|: /],
  ['npm run ingest -- held', /None is held/],
  ['npm run ingest -- --sources <source>', /Run 2\b/],
  [
    'npm run ingest -- --release <source>',
    /Run 3\b/,
    () =>
      pool.query(
        `update source_states set held_run = (select max(id) from ingest_runs), held_reason = 'fewer ads' where source = $1`,
        [SOURCE],
      ),
  ],
  ['npm run cli -- indexes', /listings.*serves/],
  ['npm run ingest -- rebuild', /listings: \d+ documents/],
  ['npm run cli -- org show <organization>', /Runbook/],
  ['npm run cli -- export list', new RegExp(EXPORT)],
  ['npm run cli -- export show <id>', /failed/],
  ['npm run cli -- export retry <id>', /queued/],
  ['npm run cli -- webhook list', /Nothing there/],
  ['npm run cli -- webhook skipped', /Nothing there/],
  ['curl -sS http://<host>:8080/readyz', /"status":"ready"/],
  ['kill -USR1 <pid>', /^$/],
];

let env: Record<string, string>;
let pool: pg.Pool;
let api: ApiProcess;
let values: Record<string, string>;
const dir = folderOfFile();
const cleanUp: (() => Promise<unknown>)[] = [];

test.before(async () => {
  const name = `runbooks_${randomBytes(4).toString('hex')}`;
  const host = await startSampleHost({ dir, port: 0 });
  cleanUp.push(host.close);
  const until = new Date().toISOString().slice(0, 10);
  await generateSample({ dir, listings: 60, seed: 1, days: 1, until, hostUrl: host.url });
  env = {
    ...testEnv(),
    DATABASE_URL: await createDatabase(name),
    INDEX_PREFIX: `${testConfig().opensearch.indexPrefix}${name}_`,
    FEEDS_DIR: dir,
    FEEDS_HOST_URL: host.url,
    // No `npm start` runs here, so the variables apply.
    DATA_DIR: join(dir, 'data'),
    NODE_COMPILE_CACHE: join(tmpdir(), 'listings-cli-test'),
  };
  api = await startApiProcess(env);
  cleanUp.push(() => api.end('SIGTERM'));
  pool = createPool(env.DATABASE_URL as string, { max: 1 });
  cleanUp.push(() => pool.end());
  await pool.query(
    `with organization as (
       insert into organizations (public_id, name, plan) values ('org_runbook', 'Runbook', 'pro') returning id)
     insert into exports (public_id, organization_id, dataset, format, filters, status, created_at, due_at, finished_at)
       select $1, id, 'listings', 'csv', '{}', 'failed', now(), now(), now() from organization`,
    [EXPORT],
  );
  values = {
    '<host>:8080': new URL(api.url).host,
    '<organization>': 'Runbook',
    '<source>': SOURCE,
    '<id>': EXPORT,
    '<pid>': String(api.pid),
  };
});
test.after(async () => {
  for (const step of cleanUp.reverse()) await step();
});

/** Runs a command. npm scripts except the first one run in a thread, because their processes start slowly. */
async function run(line: string): Promise<Ran> {
  const [, group = '', rest = ''] = /^npm run (\w+)(?: -- (.*))?$/.exec(line) ?? [];
  if (group !== '' && line !== COMMANDS[0]?.[0])
    return cli([...(group === 'cli' ? [] : [group]), ...rest.split(' ').filter(Boolean)], env);
  const options = { cwd: PROJECT, env: { ...process.env, ...env } };
  const { code, out, errors } = await childOutput(
    spawn('sh', ['-c', line], { ...options, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  return { code, out, err: errors };
}

for (const [command, prints, before] of COMMANDS) {
  test(`\`${command}\` succeeds`, async (t) => {
    await before?.();
    const line = Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), command);
    const { code, out, err } = await run(line);
    t.is(code, 0, err);
    t.regex(out, prints);
  });
}

test('`npm run cli -- indexes` fails with the reason while OpenSearch is unavailable', async (t) => {
  const { code, out, err } = await cli(['indexes'], { ...env, OPENSEARCH_URL: 'http://127.0.0.1:1' });
  t.is(code, 1);
  t.is(out, '');
  t.regex(err, /ECONNREFUSED/);
});

test('the API is ready while its inspector is open', async (t) => {
  t.is((await fetch(`${api.url}/readyz`)).status, 200);
});

test('every command of docs/runbooks.md has a test, except `npm start`', async (t) => {
  const page = await readFile(join(PROJECT, 'docs', 'runbooks.md'), 'utf8');
  const named = [...page.matchAll(/`((?:npm|curl|kill|node) [^`]+)`/g)].map(([, command]) => command);
  t.deepEqual(
    [...new Set(named)].filter((command) => command !== 'npm start').sort(),
    COMMANDS.map(([command]) => command).sort(),
  );
});
