import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import type pg from 'pg';
import { prepareStores } from '#app/start/stores.ts';
import { openIngest } from '#app/workers/open-ingest.ts';
import { LISTING_DOCUMENT_VERSION } from '#domain/listings/document.ts';
import type { ListingDisplay } from '#domain/listings/listing.ts';
import { generateSample } from '#sample/generate.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { generationsOf, indexBehind, writeMeta } from '#stores/opensearch/indexes.ts';
import { readVersion } from '#stores/opensearch/listing-index/listing-index.ts';
import { readPrevious } from '#stores/postgres/index-registry.ts';
import { createPool } from '#stores/postgres/pool.ts';
import { startApiProcess, startProcess } from '#test/api-process.ts';
import { createDatabase } from '#test/engines.ts';
import { testConfig, testEnv } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization } from '#test/factories.ts';
import { startProxy } from '#test/http-proxy.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../../stores/opensearch/own-indexes.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../../../app/main.ts', import.meta.url));
/** Test timeout in milliseconds: a test starts several processes, with a margin for busy machines. */
const LIMIT = 500_000;
/** Version of the documents of the installations. Their content is that of this release. */
const VERSION = LISTING_DOCUMENT_VERSION - 1;
const LISTINGS = 40;
const DAY = '2026-11-24';
/** Milliseconds until usage must be written. */
const USAGE_LIMIT = 60_000;

/**
 * Creates an installation in a separate database and index prefix, whose listings have documents of the previous version.
 * Returns the variables to start on it.
 */
async function install(t: ExecutionContext, name: string) {
  const own = ownIndexes();
  const { client } = own;
  t.teardown(own.remove);
  const dataDir = await temporaryFolder(t);
  const env = {
    INDEX_PREFIX: own.prefix,
    DATABASE_URL: await createDatabase(name),
    DATA_DIR: dataDir,
    // Points to a folder without feeds, so that neither feeds nor sample data are loaded.
    FEEDS_DIR: dataDir,
  };
  const config = testConfig(env);
  const pool: pg.Pool = createPool(env.DATABASE_URL, { max: 1, name: 'upgrade-test' });
  t.teardown(() => pool.end());
  await prepareStores(config);
  const { id, key } = await createOrganization({ pool, config } as Parameters<typeof createOrganization>[0]);
  const dir = await temporaryFolder(t);
  await generateSample({ dir, listings: LISTINGS, seed: 1, days: 1, until: DAY, hostUrl: 'http://127.0.0.1:9' });
  const ingest = await openIngest(config, { dataDir: dir, sources: SAMPLE_SOURCES });
  const at = new Date(`${DAY}T09:00:00Z`);
  await ingest.run({ at, trigger: 'sample', photos: 'assume', signal: AbortSignal.timeout(LIMIT) });
  await ingest.close();
  const { body } = await client.search({ index: client.aliases.listings, size: LISTINGS * 10 });
  const displays = (body.hits.hits as unknown as { _source: { display: ListingDisplay } }[]).map(
    ({ _source }) => _source.display,
  );
  t.true(displays.length > 0);
  await writeMeta(client, client.aliases.listings, { version: VERSION });
  return {
    client,
    pool,
    env,
    key,
    listings: new Map(displays.map((display) => [display.id, display])),
    /** Units charged to the organization, and units in its usage. */
    async units(): Promise<{ charged: number; used: number }> {
      const { rows: counted } = await pool.query<{ charged: number; used: number }>(
        `select (select sum(units) from unit_counters where subject = 'organization' and subject_id = $1)::int as charged,
                (select sum(units) from usage_days where organization_id = $1)::int as used`,
        [id],
      );
      return counted[0] as { charged: number; used: number };
    },
  };
}

type Installation = Awaited<ReturnType<typeof install>>;

/** Reads every listing, and searches every city. @returns the charged units */
async function readAll(
  t: ExecutionContext,
  origin: string,
  { key, listings: expected }: Installation,
): Promise<number> {
  let units = 0;
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(origin + path, { headers: { Authorization: `Bearer ${key}` } });
    t.is(response.status, 200, path);
    units += Number(response.headers.get('X-Request-Units'));
    return ((await response.json()) as { data: T }).data;
  };
  for (const [id, display] of expected) t.like(await get<ListingDisplay>(`/v1/listings/${id}`), display);
  let found = 0;
  for (const city of new Set([...expected.values()].map(({ location }) => location.city)))
    for (const type of ['rent', 'sale'])
      for (const listing of await get<ListingDisplay[]>(`/v1/listings?city=${city}&listing_type=${type}&limit=25`)) {
        t.like(listing, expected.get(listing.id) as object);
        found++;
      }
  t.true(found > 0);
  t.truthy(await get('/v1/market/summary?city=riyadh&listing_type=rent'));
  return units;
}

test('npm start upgrades documents of an earlier version while serving them, and resumes an upgrade that was killed', async (t) => {
  t.timeout(LIMIT);
  const installation = await install(t, 'upgrade_start');
  const { client, pool, env, units, listings } = installation;
  const fills = new RegExp(`^/${client.aliases.listings}-.*-fill/_bulk`);
  const held = Promise.withResolvers<void>();
  const proxy = await startProxy(testEnv().OPENSEARCH_URL, async (path) => {
    if (!fills.test(path)) return;
    held.resolve();
    await new Promise(() => {});
  });
  t.teardown(proxy.close);
  const live = () => indexBehind(client, client.aliases.listings);
  const old = await live();

  const first = await startApiProcess({ ...env, OPENSEARCH_URL: proxy.url }, { role: 'all' });
  t.teardown(() => first.end('SIGKILL'));
  await held.promise;
  const said = new RegExp(
    `holds documents of version ${VERSION} and is upgraded to version ${LISTING_DOCUMENT_VERSION}\\.`,
  );
  t.true(first.lines.some((line) => said.test(line)));
  t.is(await live(), old);
  let expected = await readAll(t, first.url, installation);
  await eventually(async () => (await units()).used >= expected, USAGE_LIMIT);
  t.deepEqual(await units(), { charged: expected, used: expected });
  await first.end('SIGKILL');
  t.is(await live(), old);
  t.is((await generationsOf(client, client.aliases.listings)).length, 2, 'the partially filled index still exists');

  const second = await startApiProcess(env, { role: 'all' });
  t.teardown(() => second.end('SIGKILL'));
  await second.prints(/Ctrl-C stops everything/);
  t.true(second.lines.some((line) => /^Filling listings .*100%/.test(line)));
  const now = (await live()) as string;
  t.is(await readVersion(client, now), LISTING_DOCUMENT_VERSION);
  t.is((await readPrevious(pool, 'listings'))?.index, old as string);
  t.deepEqual((await generationsOf(client, client.aliases.listings)).sort(), [old as string, now].sort());
  const { body } = await client.count({ index: now });
  t.is(body.count, listings.size);
  expected += await readAll(t, second.url, installation);
  t.is(await second.end('SIGTERM'), 0);
  t.deepEqual(await units(), { charged: expected, used: expected });
  const { rows } = await pool.query(`select from ingest_runs where trigger = 'sample'`);
  // A start more than half a day later also ingests the feeds.
  t.is(rows.length, 1, 'the run before the upgrade');
});

/**
 * Commands of the page that other tests run: `npm start` runs `app/main.ts` without a role, `startApiProcess` with one, and
 * `image.test.ts` migrates.
 */
const ELSEWHERE = [
  'npm start',
  'node app/main.ts api',
  'npm run cli -- migrate',
  // The programs that have moved.
  ...['app/main.ts', 'app/cli/cli.ts', 'src/main.ts', 'src/cli/main.ts'].map((path) => `node ${path}`),
];

test('on external servers a start is refused before any change, and the commands of docs/upgrades.md complete the upgrade', async (t) => {
  t.timeout(LIMIT);
  const installation = await install(t, 'upgrade_page');
  const { client, env, units } = installation;
  const live = () => indexBehind(client, client.aliases.listings);
  const before = await live();
  const run = promisify(execFile);
  const options = { cwd: PROJECT, env: { ...process.env, ...testEnv(), ...env, PORT: '0' } };
  for (const role of ['api', 'worker']) {
    const refused = await t.throwsAsync(run(process.execPath, [MAIN, role], options));
    t.regex(
      (refused as unknown as { stdout: string }).stdout,
      /version \d+, .*Run `npm run reindex`, then start again/,
    );
  }
  t.is(await live(), before);

  const page = await readFile(join(PROJECT, 'docs', 'upgrades.md'), 'utf8');
  const named = [...page.matchAll(/(?:^ {4,}|`)((?:npm|node) [^`\n]+)/gm)].map(([, command = '']) => command);
  const commands = [...new Set(named)].filter((command) => !ELSEWHERE.includes(command));
  t.deepEqual(commands.sort(), ['node app/main.ts worker', 'npm run reindex', 'npm run reindex -- rollback']);
  const command = (text: string) => t.notThrowsAsync(run('sh', ['-c', text], options), text);
  await command('npm run reindex');
  t.not(await live(), before);
  const api = await startApiProcess(env);
  t.teardown(() => api.end('SIGKILL'));
  const charged = await readAll(t, api.url, installation);
  t.is(await api.end('SIGTERM'), 0);
  t.is((await units()).charged, charged);
  // Again, because this release can only return to its own index.
  await command('npm run reindex');
  await command('npm run reindex -- rollback');
  const worker = await startProcess('worker', options.env, /^Ingesting from /);
  t.is(await worker.end('SIGTERM'), 0);
});
