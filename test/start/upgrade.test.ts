import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { LISTING_DOCUMENT_VERSION } from '#domain/listings/document.ts';
import type { ListingDisplay } from '#domain/listings/listing.ts';
import { parseMicros } from '#domain/timestamps.ts';
import { releaseVersion } from '#postgres/migrate.ts';
import { createPool } from '#postgres/pool.ts';
import { versionOf } from '#postgres/schema-version.ts';
import { indexBehind } from '#search/aliases.ts';
import { nextAlias, readState, readVersion } from '#search/listing-index/state.ts';
import { compareListings } from '#search/reindex/compare.ts';
import { previousAlias } from '#search/reindex/migration.ts';
import { startApiProcess } from '#test/api-process.ts';
import { copyDatabase } from '#test/engines.ts';
import { testEnv } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import {
  FROZEN,
  FROZEN_RELEASES,
  frozenListings,
  frozenSettings,
  restoreFrozenDatabase,
  restoreFrozenIndexes,
} from '#test/frozen-release.ts';
import { startHoldingProxy } from '#test/holding-proxy.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../search/own-indexes.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const CLI = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
/** Test timeout in milliseconds: a test starts several processes, with a margin for busy machines. */
const LIMIT = 500_000;
/** Milliseconds until usage must be written. */
const USAGE_LIMIT = 60_000;

/**
 * Restores the data of the frozen release into a separate database and index prefix. Returns the variables to start on
 * them.
 */
async function restore(t: ExecutionContext, name: string, release?: string) {
  const own = ownIndexes();
  const url = new URL(testEnv().DATABASE_URL);
  url.pathname = `${url.pathname}_${name}`;
  await copyDatabase(url.href, url.pathname.slice(1));
  await Promise.all([restoreFrozenDatabase(url.href, release), restoreFrozenIndexes(own.client, release)]);
  const { pepper, organization } = release === undefined ? FROZEN : await frozenSettings(release);
  const dataDir = await temporaryFolder(t);
  const pool = createPool(url.href, { max: 1, name: 'upgrade-test' });
  t.teardown(() => Promise.all([own.remove(), pool.end()]));
  return {
    client: own.client,
    pool,
    env: {
      INDEX_PREFIX: own.prefix,
      DATABASE_URL: url.href,
      KEY_PEPPER: pepper,
      DATA_DIR: dataDir,
      // Points to a folder without feeds, so that neither feeds nor sample data are loaded.
      FEEDS_DIR: dataDir,
    },
    /** Units charged to the organization, and units in its usage. */
    async units(): Promise<{ charged: number; used: number }> {
      const { rows } = await pool.query<{ charged: number; used: number }>(
        `select (select sum(units) from unit_counters where subject = 'organization' and subject_id = o.id)::int as charged,
                (select sum(units) from usage_days where organization_id = o.id)::int as used
           from organizations o where name = $1`,
        [organization],
      );
      return rows[0] as { charged: number; used: number };
    },
    async migrations(): Promise<string[]> {
      const { rows } = await pool.query<{ name: string }>('select name from knex_migrations order by id');
      return rows.map((row) => row.name);
    },
  };
}

/** Reads every listing of the frozen release. @returns the charged units */
async function readAll(t: ExecutionContext, origin: string): Promise<number> {
  let units = 0;
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(origin + path, { headers: { Authorization: `Bearer ${FROZEN.key}` } });
    t.is(response.status, 200, path);
    units += Number(response.headers.get('X-Request-Units'));
    return ((await response.json()) as { data: T }).data;
  };
  const expected = await frozenListings();
  const seen = new Set<number>();
  for (const city of new Set([...expected.values()].map(({ location }) => location.city)))
    for (const type of ['rent', 'sale']) {
      const listings = await get<ListingDisplay[]>(`/v1/listings?city=${city}&listing_type=${type}&limit=25`);
      for (const listing of listings) {
        t.like(listing, expected.get(listing.id) as object);
        seen.add(listing.id);
      }
    }
  // Listings without a price can only be read by id.
  for (const [id, display] of expected) {
    if (display.price.yearly_sar === null || display.id % 8 === 0) {
      t.like(await get<ListingDisplay>(`/v1/listings/${id}`), display);
      seen.add(id);
    }
  }
  t.is(seen.size, expected.size);
  t.truthy(await get('/v1/market/summary?city=riyadh&listing_type=rent'));
  return units;
}

/**
 * Waits until a worker has published the listings, then reads those of a city by `modified_since`. @returns the charged
 * units
 */
async function readModified(t: ExecutionContext, origin: string): Promise<number> {
  const listings = [...(await frozenListings()).values()];
  const { city } = (listings[0] as ListingDisplay).location;
  const expected = new Map(
    listings.map((listing) => [listing.id, Date.parse(listing.first_seen_at) * 1_000 + listing.id * 10]),
  );
  const read = () =>
    fetch(`${origin}/v1/listings?city=${city}&listing_type=rent&sort=modified_asc&limit=25`, {
      headers: { Authorization: `Bearer ${FROZEN.key}` },
    });
  let response = await read();
  // Nothing is published yet, or earlier reads have used up the rate limit.
  await eventually(
    async () => {
      if (![429, 503].includes(response.status)) return true;
      response = await read();
      return false;
    },
    USAGE_LIMIT,
    100,
  );
  t.is(response.status, 200);
  const { data, pagination } = (await response.json()) as {
    data: { id: number; modified_at: string }[];
    pagination: { watermark: string };
  };
  t.true(data.length > 0);
  for (const { id, modified_at } of data) {
    t.is(expected.get(id), parseMicros(modified_at));
    t.true(modified_at <= pagination.watermark);
  }
  return Number(response.headers.get('X-Request-Units'));
}

test('npm start upgrades data from release 5dcd3f5 while serving it, and resumes an upgrade that was killed', async (t) => {
  t.timeout(LIMIT);
  const { client, pool, env, units } = await restore(t, 'upgrade_start');
  const proxy = await startHoldingProxy(testEnv().OPENSEARCH_URL, new RegExp(`^/${nextAlias(client)}-.*/_bulk`));
  t.teardown(proxy.close);
  const { live: old } = await readState(client);

  const first = await startApiProcess({ ...env, OPENSEARCH_URL: proxy.url }, { role: 'all' });
  t.teardown(() => first.end('SIGKILL'));
  await proxy.holding;
  t.true(first.lines.some((line) => /holds documents of version 1 and is upgraded to version \d+\./.test(line)));
  t.is((await readState(client)).live, old);
  let expected = FROZEN.units + (await readAll(t, first.url));
  await eventually(async () => (await units()).used >= expected, USAGE_LIMIT);
  t.deepEqual(await units(), { charged: expected, used: expected });
  await first.end('SIGKILL');
  const half = await readState(client);
  t.is(half.live, old);
  t.truthy(half.next, 'the partially filled index still exists');

  const second = await startApiProcess(env, { role: 'all' });
  t.teardown(() => second.end('SIGKILL'));
  await second.prints(/Ctrl-C stops everything/);
  t.true(second.lines.some((line) => line.startsWith('Reindexing the listings 100%')));
  const { live, next } = await readState(client);
  t.is(next, null);
  t.is(await readVersion(client, live as string), LISTING_DOCUMENT_VERSION);
  t.is(await indexBehind(client, previousAlias(client)), old);
  const ids = [...(await frozenListings()).keys()];
  t.deepEqual(await compareListings(client, old as string, live as string, ids), []);
  const { body } = await client.count({ index: live as string });
  t.is(body.count, ids.length);
  expected += await readAll(t, second.url);
  expected += await readModified(t, second.url);
  t.is(await second.end('SIGTERM'), 0);
  t.deepEqual(await units(), { charged: expected, used: expected });
  const { rows } = await pool.query(`select from ingest_runs where trigger = 'sample'`);
  // A start more than half a day later also ingests the feeds.
  t.is(rows.length, 2, 'the runs of the earlier release');
});

for (const release of FROZEN_RELEASES)
  test(`npm start upgrades the data of ${release} and serves its listings`, async (t) => {
    t.timeout(LIMIT);
    const { client, env, migrations, units } = await restore(t, `upgrade_${release.replaceAll('.', '_')}`, release);
    const { key, units: charged } = await frozenSettings(release);
    const main = await startApiProcess(env, { role: 'all' });
    t.teardown(() => main.end('SIGKILL'));
    await main.prints(/Ctrl-C stops everything/);
    t.is(versionOf((await migrations()).at(-1) as string), await releaseVersion());
    const { live } = await readState(client);
    t.is(await readVersion(client, live as string), LISTING_DOCUMENT_VERSION);
    const expected = await frozenListings(release);
    const ids = [...expected.keys()].slice(0, 5);
    for (const id of ids) {
      const response = await fetch(`${main.url}/v1/listings/${id}`, { headers: { Authorization: `Bearer ${key}` } });
      t.is(response.status, 200, `${id}`);
      t.like(((await response.json()) as { data: object }).data, expected.get(id) as object);
    }
    t.is((await client.count({ index: live as string })).body.count, expected.size);
    t.is(await main.end('SIGTERM'), 0);
    t.is((await units()).charged, charged + ids.length);
  });

test('on external servers a start is refused before any change, and its suggested command completes the upgrade', async (t) => {
  t.timeout(LIMIT);
  const { client, env, migrations, units } = await restore(t, 'upgrade_refused');
  const before = await readState(client);
  const run = promisify(execFile);
  const options = { env: { ...process.env, ...testEnv(), ...env, PORT: '0' } };
  for (const role of ['api', 'worker']) {
    const refused = await t.throwsAsync(run(process.execPath, [MAIN, role], options));
    t.regex((refused as unknown as { stdout: string }).stdout, /version 1, .*Run `npm run reindex`, then start again/);
  }
  t.is((await migrations()).at(-1), FROZEN.lastMigration);
  t.deepEqual(await readState(client), before);

  await run(process.execPath, [CLI, 'reindex'], options);
  t.not((await readState(client)).live, before.live);
  const api = await startApiProcess(env);
  t.teardown(() => api.end('SIGKILL'));
  const charged = await readAll(t, api.url);
  t.is(await api.end('SIGTERM'), 0);
  t.is((await units()).charged, FROZEN.units + charged);
});

/**
 * Commands of the page that other tests run: `npm start` runs `src/main.ts` without a role, `startApiProcess` with one, and
 * `image.test.ts` migrates.
 */
const ELSEWHERE = ['npm start', 'node src/main.ts api', 'npm run cli -- migrate'];

test('every command of docs/upgrades.md succeeds on the data of the last release', async (t) => {
  t.timeout(LIMIT);
  const { env } = await restore(t, 'upgrade_page', FROZEN_RELEASES.at(-1));
  const page = await readFile(join(PROJECT, 'docs', 'upgrades.md'), 'utf8');
  const named = [...page.matchAll(/(?:^ {4,}|`)((?:npm|node) [^`\n]+)/gm)].map(([, command = '']) => command);
  const options = { cwd: PROJECT, env: { ...process.env, ...testEnv(), ...env, PORT: '0' } };
  const run = promisify(execFile);
  const commands = [...new Set(named)].filter((command) => !ELSEWHERE.includes(command));
  t.deepEqual(commands.sort(), [
    'node src/main.ts worker',
    'npm run reindex',
    'npm run reindex -- --take-over',
    'npm run reindex -- rollback',
  ]);
  // The rollback comes last: only the earlier release can return to its own index.
  for (const command of ['npm run reindex', 'npm run reindex -- --take-over', 'npm run reindex -- rollback'])
    await t.notThrowsAsync(run('sh', ['-c', command], options), command);
  const child = spawn(process.execPath, ['src/main.ts', 'worker'], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const serving = 'Ingesting from ';
  let printed = '';
  for await (const chunk of child.stdout) {
    // Once: a second signal ends the process without waiting for its work.
    if (!printed.includes(serving) && (printed + chunk).includes(serving)) child.kill('SIGTERM');
    printed += chunk;
  }
  t.deepEqual(await exit, [0, null], printed);
});
