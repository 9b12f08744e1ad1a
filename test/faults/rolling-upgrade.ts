import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateSample } from '#sample/generate.ts';
import { releaseVersion, versionOf } from '#stores/postgres/migrate.ts';
import { type ApiProcess, startProcess } from '#test/api-process.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization, unitsUsed } from '#test/factories.ts';
import { FLOORS } from '../imports.ts';
import type { Fault } from './fault.ts';
import { type Installation, onInstallation } from './installation.ts';
import { startLoad } from './load.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
/** Parts of the project that the service runs from. */
const PARTS = ['package.json', ...Object.keys(FLOORS), 'embedded', 'index-templates', 'openapi'];
/** Schema version of the later release. */
const LATER = 9_001;
const NAME = 'rolling_upgrade';
const PER_SECOND = 20;
/** Maximum number of shown lines of the nodes, which log errors only. */
const MAX_ERRORS = 10;

/** Uses a separate database, indexes and nodes on the same engines. Only its own load is compared. */
export const rollingUpgrade: Fault = {
  title: 'two API nodes and a worker are upgraded to a later release one after the other, and one is rolled back',
  happen: () => onInstallation(NAME, upgrade),
};

/** Copies the project and adds a migration. The copy writes the same documents. @returns its folder */
async function buildLater(dir: string): Promise<string> {
  const folder = join(dir, 'later');
  for (const part of PARTS) await cp(join(PROJECT, part), join(folder, part), { recursive: true });
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(
    join(folder, 'stores', 'postgres', 'migrations', `${LATER}_expand.ts`),
    `import type { Knex } from 'knex';
export const up = (db: Knex) => db.raw('alter table api_keys add column later integer not null default 0');
`,
  );
  return folder;
}

async function upgrade({ dir, env, services, undo, ingest }: Installation): Promise<void> {
  const { pool } = services;
  const later = await buildLater(dir);
  const today = new Date().toISOString().slice(0, 10);
  await generateSample({ dir, listings: 120, seed: 1, days: 1, until: today, hostUrl: 'http://127.0.0.1:9' });
  const mains = { present: join(PROJECT, 'app', 'main.ts'), later: join(later, 'app', 'main.ts') };
  const started: ApiProcess[] = [];
  undo.push(async () => {
    for (const service of started) await service.end('SIGTERM');
  });
  const start = async (release: keyof typeof mains, role: 'api' | 'worker', port?: number): Promise<ApiProcess> => {
    const serving = role === 'api' ? /^Serving / : /^Ingesting from /;
    const options = { main: mains[release], ...(port ? { port } : {}) };
    const service = await startProcess(role, { ...env, LOG_LEVEL: 'error' }, serving, options);
    started.push(service);
    return service;
  };
  const stop = async (service: ApiProcess): Promise<number> => {
    await service.end('SIGTERM');
    return Number(new URL(service.url).port);
  };

  let nodes: [ApiProcess, ApiProcess] = [await start('present', 'api'), await start('present', 'api')];
  await ingest('--photos', 'assume');
  let worker = await start('present', 'worker');
  const organization = await createOrganization(services, { columns: { units_per_minute: 100_000_000 } });
  const { rows } = await pool.query<{ id: number }>('select id from listings where served limit 1');
  const cohort = 'city=riyadh&listing_type=rent';
  const load = startLoad({
    origins: nodes.map((node) => node.url),
    key: organization.key,
    paths: [`/v1/listings?${cohort}`, `/v1/listings/${rows[0]?.id}`, `/v1/market/summary?${cohort}`],
    pace: { perSecond: PER_SECOND },
  });
  const report = await exchange().finally(load.stop).then(load.stop);
  const { answers, lost, units } = report;
  console.log(`  ${JSON.stringify({ answers, lost, units })}`);
  // A busy machine refuses some calls under overload.
  const unexpected = Object.keys(answers).filter((answer) => !['200 ok', '503 internal_error'].includes(answer));
  if (unexpected.length > 0 || lost > 0 || units === 0) {
    // Log lines are JSON; the other lines report the start and the stop.
    const errors = started.flatMap(({ lines }) => lines.filter((line) => line.startsWith('{'))).slice(0, MAX_ERRORS);
    throw new Error(
      `during the upgrade: ${JSON.stringify(answers)}, ${lost} calls without a response\n${errors.join('\n')}`,
    );
  }
  await eventually(async () => (await unitsUsed(services, organization.id)) === units, 60_000, 250);

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
