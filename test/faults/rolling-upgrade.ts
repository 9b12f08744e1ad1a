import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { releaseVersion } from '#postgres/migrate.ts';
import { createPool } from '#postgres/pool.ts';
import { versionOf } from '#postgres/schema-version.ts';
import { generateSample } from '#sample/generate.ts';
import { copyDatabase, removeIndexes } from '#test/engines.ts';
import { testConfig } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization } from '#test/factories.ts';
import { startLoad } from '#test/load.ts';
import type { Fault } from './fault.ts';
import { endProcess, type Service, startService } from './processes.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
/** Parts of the project that the service runs from. */
const PARTS = [
  'package.json',
  'embedded',
  'index-templates',
  'ingest',
  'openapi',
  'queries',
  'relevance',
  'site',
  'src',
];
/** Schema version of the later release. */
const LATER = 9_001;
const NAME = 'rolling_upgrade';
const PER_SECOND = 20;
/** Maximum number of shown lines of the nodes, which log errors only. */
const MAX_ERRORS = 10;
const run = promisify(execFile);

/** Uses a separate database, indexes and nodes on the same engines. Only its own load is compared. */
export const rollingUpgrade: Fault = {
  title: 'two API nodes and a worker are upgraded to a later release one after the other, and one is rolled back',
  async happen() {
    const dir = await mkdtemp(join(tmpdir(), 'rolling-upgrade-'));
    const undo: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })];
    try {
      await upgrade(dir, undo);
    } finally {
      for (const step of undo.reverse()) await step().catch((error: unknown) => console.log(String(error)));
    }
  },
};

/** Copies the project and adds a migration. The copy writes the same documents. @returns its folder */
async function buildLater(dir: string): Promise<string> {
  const folder = join(dir, 'later');
  for (const part of PARTS) await cp(join(PROJECT, part), join(folder, part), { recursive: true });
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(
    join(folder, 'src', 'postgres', 'migrations', `${LATER}_expand.ts`),
    `import type { Knex } from 'knex';
export const up = (db: Knex) => db.raw('alter table api_keys add column later integer not null default 0');
`,
  );
  return folder;
}

async function upgrade(dir: string, undo: (() => Promise<unknown>)[]): Promise<void> {
  const later = await buildLater(dir);
  const url = new URL(process.env.DATABASE_URL as string);
  url.pathname = `/${NAME}`;
  await copyDatabase(process.env.DATABASE_URL as string, NAME);
  const today = new Date().toISOString().slice(0, 10);
  await generateSample({ dir, listings: 120, seed: 1, days: 1, until: today, hostUrl: 'http://127.0.0.1:9' });
  const env = {
    ...process.env,
    DATABASE_URL: url.href,
    INDEX_PREFIX: `${NAME}_`,
    DATA_DIR: dir,
    FEEDS_DIR: dir,
  };
  const mains = { present: join(PROJECT, 'src', 'main.ts'), later: join(later, 'src', 'main.ts') };
  const running = new Set<Service>();
  const errors: string[] = [];
  undo.push(async () => {
    for (const { process: child } of running) await endProcess(child, 'SIGTERM');
  });
  const start = async (release: keyof typeof mains, role: 'api' | 'worker', port?: number): Promise<Service> => {
    const serving = role === 'api' ? 'Serving ' : 'Ingesting from ';
    const service = await startService(role, env, serving, { main: mains[release], port });
    running.add(service);
    service.process.stdout?.on('data', (chunk: Buffer) => {
      // Log lines are JSON; the other lines tell of starting and stopping.
      const lines = String(chunk)
        .split('\n')
        .filter((line) => line.startsWith('{'));
      for (const line of lines) if (errors.length < MAX_ERRORS) errors.push(`${release} ${role}: ${line}\n`);
    });
    return service;
  };
  const stop = async (service: Service): Promise<number> => {
    await endProcess(service.process, 'SIGTERM');
    running.delete(service);
    return Number(new URL(service.url).port);
  };

  undo.push(() => removeIndexes(`${NAME}_`, process.env.OPENSEARCH_URL));
  let nodes: [Service, Service] = [await start('present', 'api'), await start('present', 'api')];
  await run(process.execPath, [join(PROJECT, 'src', 'cli', 'main.ts'), 'ingest', '--photos', 'assume', '--json'], {
    env,
  });
  const pool = createPool(url.href, { max: 2 });
  undo.push(() => pool.end());
  let worker = await start('present', 'worker');

  const config = testConfig({ DATABASE_URL: url.href });
  const organization = await createOrganization({ pool, config } as Parameters<typeof createOrganization>[0], {
    columns: { units_per_minute: 100_000_000 },
  });
  const { rows } = await pool.query<{ id: number }>('select id from listings where served limit 1');
  const cohort = 'city=riyadh&listing_type=rent';
  const load = startLoad({
    origins: nodes.map((node) => node.url),
    key: organization.key,
    paths: [`/v1/listings?${cohort}`, `/v1/listings/${rows[0]?.id}`, `/v1/market/summary?${cohort}`],
    perSecond: PER_SECOND,
  });
  const report = await exchange().finally(load.stop).then(load.stop);
  const { answers, lost, units, refused } = report;
  console.log(`  ${JSON.stringify({ answers, lost, units, refused })}`);
  // A busy machine refuses some calls under overload.
  const unexpected = Object.keys(answers).filter((answer) => !['200 ok', '503 internal_error'].includes(answer));
  if (unexpected.length > 0 || lost > 0 || units === 0)
    throw new Error(
      `during the upgrade: ${JSON.stringify(answers)}, ${lost} calls without a response\n${errors.join('')}`,
    );
  await eventually(
    async () => {
      const { rows: counted } = await pool.query<{ units: number }>(
        `select coalesce(sum(units), 0)::int as units from unit_counters where subject = 'organization' and subject_id = $1`,
        [organization.id],
      );
      return counted[0]?.units === units;
    },
    60_000,
    250,
  );

  async function exchange(): Promise<void> {
    const schema = async (): Promise<number> => {
      const { rows: names } = await pool.query<{ name: string }>('select name from knex_migrations');
      return Math.max(...names.map(({ name }) => versionOf(name)));
    };
    const begun = performance.now();
    await stop(worker);
    nodes = [await start('later', 'api', await stop(nodes[0])), nodes[1]];
    const version = await schema();
    if (version !== LATER) throw new Error(`the schema version is ${version}`);
    // Until the contract step, a node of the present release that restarts still starts.
    nodes = [nodes[0], await start('present', 'api', await stop(nodes[1]))];
    nodes = [nodes[0], await start('later', 'api', await stop(nodes[1]))];
    worker = await start('later', 'worker');
    console.log(`  Upgraded in ${((performance.now() - begun) / 1_000).toFixed(1)} s.`);

    await stop(worker);
    nodes = [await start('present', 'api', await stop(nodes[0])), nodes[1]];
    worker = await start('present', 'worker');
    // The mark that a contract step leaves.
    await pool.query(`insert into schema_contracts (version, migration) values ($1, 'contract')`, [LATER]);
    const port = await stop(nodes[0]);
    const message = `The database has schema version ${LATER} and requires a release with schema version ${LATER} or newer, but this release has ${await releaseVersion()}: start the newer release.`;
    const refused = await start('present', 'api', port).then(
      () => 'it started',
      (error: unknown) => String(error),
    );
    if (!refused.includes(message)) throw new Error(`the present release was not refused: ${refused}`);
    nodes = [await start('later', 'api', port), nodes[1]];
  }
}
