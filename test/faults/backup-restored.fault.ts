import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { findEngines } from '#embedded/engines.ts';
import { freePort } from '#embedded/ports.ts';
import { openServices } from '#src/open-services.ts';
import type { Services } from '#src/services.ts';
import { cliOn, readTables } from '#test/backup.ts';
import { testConfig } from '#test/env.ts';
import { createOrganization } from '#test/factories.ts';
import { startLoad } from '#test/load.ts';
import type { Fault } from './fault.ts';
import { writeLandFeed } from './land-feed.ts';
import { endProcess, type Service, startMain } from './processes.ts';
import { until } from './until.ts';

const PER_SECOND = 20;
const LISTINGS = 200;
/** Milliseconds until all indexes must serve after a start, with a margin for busy machines. */
const REBUILD_LIMIT = 300_000;
const SEARCH = '/v1/listings?city=riyadh&listing_type=sale';
const INDEXES = ['listings', 'history', 'deals', 'projects', 'developers'];
const PHOTO = { Bucket: 'cdn', Key: 'drill/photo.png' };
/** Tables that the load, a start, an ingest run or a rebuild of indexes changes. */
const CHANGING =
  /^(derived_indexes|index_marks|indexed_state|ingest_runs|ingest_run_stages|job_runs|knex_migrations_lock|listing_publications|modification_clock|rate_windows|request_logs.*|restores|source_states|unit_counters|usage_days)$/;
/** Without it, a start creates other demo keys. */
const DEMO_FILE = 'demo.json';
/** Fields of documents that a rebuild computes again. */
const REBUILT_FIELDS = new Set(['modified', 'modified_at']);

interface State {
  tables: Record<string, string>;
  documents: Record<string, Map<string, unknown>>;
  photo: string | undefined;
  units: number;
}

/**
 * Uses a separate data folder and load. Backs up under load, and then loses each store alone and all together. Prints how long
 * each restore takes, and which charges are lost.
 */
export const fault: Fault = {
  title: 'a backup made under load is restored after the loss of each store',
  async happen() {
    const folder = await mkdtemp(join(tmpdir(), 'faults-backup-'));
    const [dataDir, backups, secrets] = [join(folder, 'data'), join(folder, 'backups'), join(folder, 'secrets.json')];
    const port = await freePort();
    let main: Service | undefined;
    const start = async (): Promise<void> => {
      main = await startMain(dataDir, { FEEDS_DIR: join(folder, 'feeds'), TIMEOUT_FACTOR: '20' }, port);
    };
    const stop = async (): Promise<void> => {
      if (main) await endProcess(main.process, 'SIGTERM');
      main = undefined;
    };
    const backup = async (...args: string[]) => {
      const { code, out, err } = await cliOn(dataDir, ['backup', ...args]);
      if (code !== 0) throw new Error(`backup ${args[0]}: ${JSON.stringify(out)} ${err}`);
      return out;
    };
    try {
      await writeLandFeed(join(folder, 'feeds'), LISTINGS);
      await start();
      const origin = `http://127.0.0.1:${port}`;
      const columns = { units_per_minute: 100_000_000 };
      const { id, key, probeKey } = await onServices(dataDir, async (services) => {
        await services.s3.send(new PutObjectCommand({ ...PHOTO, Body: 'a photo' }));
        const probe = await createOrganization(services, { plan: 'enterprise', columns });
        const loaded = await createOrganization(services, { plan: 'enterprise', columns });
        // Checks after a restore cost units too: they are those of another organization.
        return { ...loaded, probeKey: probe.key };
      });
      const load = startLoad({ origins: [origin], key, paths: [SEARCH, `${SEARCH}&limit=25`], perSecond: PER_SECOND });
      await until('the first charges', REBUILD_LIMIT, async () => (await unitsOf(dataDir, id)) > 100);
      const early = await unitsOf(dataDir, id);
      const { backup: dir, seconds, megabytes } = await backup('create', '--to', backups, '--secrets', secrets);
      const { units: served, answers } = await load.stop();
      // A busy machine refuses some calls under overload.
      if (Object.keys(answers).some((answer) => answer !== '200 ok' && answer !== '503 internal_error'))
        throw new Error(`during the backup: ${JSON.stringify(answers)}`);
      const before = await readState(dataDir, id);
      console.log(`  backup of ${megabytes} MB under ${PER_SECOND} calls per second: ${seconds} s`);
      const { valid } = await backup('verify', dir);
      if (!valid) throw new Error('the backup is not valid');

      const losses: { store: string; lost: string[]; restore: string[] | null }[] = [
        { store: 'OpenSearch', lost: ['opensearch'], restore: null },
        { store: 'S3', lost: ['s3'], restore: ['--only', 's3'] },
        { store: 'Postgres', lost: ['postgres'], restore: ['--only', 'postgres'] },
        {
          store: 'all stores',
          lost: (await readdir(dataDir)).filter((name) => name !== DEMO_FILE),
          restore: ['--secrets', secrets],
        },
      ];
      for (const { store, lost, restore } of losses) {
        await stop();
        for (const name of lost) await rm(join(dataDir, name), { recursive: true, force: true });
        const begun = performance.now();
        if (restore) await backup('restore', dir, ...restore);
        const restored = performance.now();
        await start();
        await until('the rebuild', REBUILD_LIMIT, () => isComplete(origin, probeKey, dataDir));
        const took = [restored - begun, performance.now() - restored].map((ms) => `${Math.round(ms / 100) / 10} s`);
        const after = await readState(dataDir, id);
        const differing = differences(before, after);
        if (differing.length > 0) throw new Error(`after the loss of ${store}: ${differing.join(', ')}`);
        if (after.units < early || after.units > served)
          throw new Error(`after the loss of ${store} ${after.units} units of ${early} to ${served} are charged`);
        console.log(
          `  ${store} lost: restore ${took[0]}, start and rebuild ${took[1]}, ${served - after.units} units lost`,
        );
      }
    } finally {
      await stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Returns whether every index has been rebuilt and a search returns listings. */
async function isComplete(origin: string, key: string, dataDir: string): Promise<boolean> {
  const response = await fetch(origin + SEARCH, { headers: { Authorization: `Bearer ${key}` } });
  const { data } = (await response.json()) as { data?: unknown[] };
  if (response.status !== 200 || !data?.length) return false;
  const { code, out } = await cliOn(dataDir, ['indexes']);
  return code === 0 && out.every(({ state }: { state: string }) => state === 'serves') && (await isRebuilt(dataDir));
}

const isRebuilt = (dataDir: string): Promise<boolean> =>
  onServices(dataDir, async ({ pool }) => {
    const { rows } = await pool.query<{ n: number }>('select count(*) as n from restores where rebuilt_at is null');
    return rows[0]?.n === 0;
  });

async function onServices<T>(dataDir: string, work: (services: Services) => Promise<T>): Promise<T> {
  const env = await findEngines(dataDir);
  if (env === null) throw new Error('the engines do not run');
  const { services, close } = await openServices(testConfig({ ...env, INDEX_PREFIX: '', TIMEOUT_FACTOR: '20' }));
  try {
    return await work(services);
  } finally {
    await close();
  }
}

const unitsOf = (dataDir: string, id: number): Promise<number> =>
  onServices(dataDir, async ({ pool }) => {
    const { rows } = await pool.query<{ units: number }>(
      `select coalesce(sum(units), 0)::bigint as units from unit_counters where subject = 'organization' and subject_id = $1`,
      [id],
    );
    return rows[0]?.units ?? 0;
  });

async function readState(dataDir: string, id: number): Promise<State> {
  const units = await unitsOf(dataDir, id);
  return onServices(dataDir, async ({ pool, opensearch, s3 }) => {
    const documents: State['documents'] = {};
    for (const index of INDEXES) {
      await opensearch.indices.refresh({ index });
      const { body } = await opensearch.search({ index, body: { size: 10_000 } });
      documents[index] = new Map(body.hits.hits.map(({ _id, _source }) => [String(_id), withoutRebuilt(_source)]));
    }
    const photo = await s3.send(new GetObjectCommand(PHOTO)).then(
      ({ Body }) => Body?.transformToString(),
      (error: unknown) => String(error),
    );
    return { tables: await readTables(pool, (name) => !CHANGING.test(name)), documents, photo, units };
  });
}

/** Returns null for documents in indexes that do not store `_source`; only document ids can be compared there. */
const withoutRebuilt = (source: unknown): unknown =>
  source === undefined
    ? null
    : JSON.parse(JSON.stringify(source, (name, value) => (REBUILT_FIELDS.has(name) ? undefined : value)));

function differences(before: State, after: State): string[] {
  const tables = Object.keys({ ...before.tables, ...after.tables }).filter(
    (name) => before.tables[name] !== after.tables[name],
  );
  const documents = INDEXES.flatMap((index) => {
    const [old, now] = [before.documents[index], after.documents[index]];
    const ids = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
    const differing = [...ids].filter((each) => !isDeepStrictEqual(old?.get(each), now?.get(each)));
    return differing.length > 0 ? [`${differing.length} documents of ${index}`] : [];
  });
  return [...tables.map((name) => `table ${name}`), ...documents, ...(before.photo === after.photo ? [] : ['photo'])];
}
