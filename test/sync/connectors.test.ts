import { spawn } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { repairIndexes } from '#ingest/fill.ts';
import { withWriter } from '#ingest/postgres/writer.ts';
import { childOutput } from '#test/child-output.ts';
import { copyDatabase } from '#test/engines.ts';
import { createOrganization } from '#test/factories.ts';
import { allRows } from '#test/pages.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { type OffPlanGround, offPlanGround } from '../ingest/off-plan/ground.ts';
import { ad, testSource } from '../ingest/run/pipeline.ts';
import { differences, digests, type Row } from './consumer.ts';

const CONNECTORS = join(import.meta.dirname, '..', '..', 'docs', 'connectors');
/** Milliseconds for an installation, and for a run of a connector. */
const INSTALL_LIMIT = 400_000;
const RUN_LIMIT = 120_000;

const folder = folderOfFile();
let ground: OffPlanGround;
let key: string;
const source = testSource('connected');
let clock = Date.parse('2026-03-01T06:00:00Z');
const ads = new Map(Array.from({ length: 90 }, (_, n) => [`c${n}`, ad(`c${n}`)]));

async function ingest(): Promise<void> {
  source.feed = [...ads.values()];
  clock += 43_200_000;
  await ground.pipeline.pool.query('update source_states set released = true');
  await ground.pipeline.run([source], new Date(clock).toISOString());
  await ground.app.services.indexGuard.refresh();
}

test.before(async () => {
  ground = await offPlanGround('connectors', ['riyadh']);
  const columns = { units_per_minute: null, units_per_month: null };
  key = (await createOrganization(ground.app.services, { plan: 'enterprise', columns })).key;
  await ingest();
});
test.after(() => ground?.close());

/** Runs a command in a folder. @returns its output. @throws with its errors if it fails */
async function run(cwd: string, command: string, args: readonly string[], timeout = RUN_LIMIT): Promise<string> {
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME: HOME ?? cwd,
    DLT_DATA_DIR: cwd,
    RUNTIME__DLTHUB_TELEMETRY: 'false',
    API: `${ground.app.url}/v1`,
    KEY: key,
  };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout });
  const { code, out, errors } = await childOutput(child);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${code} ${errors.slice(-3_000)} ${out.slice(-1_000)}`);
  return out;
}

/** Installs a connector into an environment of its own. Returns null if the registry or Python is unavailable. */
async function install(t: ExecutionContext, name: string): Promise<{ cwd: string; python: string } | null> {
  const cwd = join(folder, name);
  await cp(join(CONNECTORS, name), cwd, { recursive: true });
  const python = join(cwd, '.venv', 'bin', 'python');
  try {
    await run(cwd, 'python3', ['-m', 'venv', '.venv'], INSTALL_LIMIT);
    const options = ['--quiet', '--disable-pip-version-check', '--requirement', 'requirements.txt'];
    await run(cwd, python, ['-m', 'pip', 'install', ...options], INSTALL_LIMIT);
    return { cwd, python };
  } catch (error) {
    const reason = String(error).split('\n')[0];
    console.log(`Skipped: the connector for ${name} cannot be installed here: ${reason}`);
    t.log(`skipped: ${reason}`);
    t.pass();
    return null;
  }
}

async function shownListings(): Promise<Row[]> {
  const shown: Row[] = [];
  for (const type of ['rent', 'sale'])
    shown.push(...(await allRows(ground.app, `/v1/listings?city=riyadh&listing_type=${type}&limit=100`, key)));
  return shown;
}

/**
 * Runs a connector after changes of every kind, and compares its copy with the search results.
 * @param from the first of 31 ads that change
 */
async function follows(t: ExecutionContext, from: number, sync: () => Promise<Iterable<Row>>): Promise<void> {
  const compare = async (what: string): Promise<void> => {
    const copy = digests(await sync());
    const shown = await shownListings();
    t.true(shown.length > 40);
    t.deepEqual(differences(copy, digests(shown)), [], what);
  };
  const remove = (at: number) => ads.delete(`c${from + at}`);
  const put = (at: number, changes: Parameters<typeof ad>[1] = {}) => {
    const id = `c${from + at}`;
    ads.set(id, ad(id, changes));
  };
  await compare('first');
  for (let n = 0; n < 6; n++) remove(n);
  for (let n = 6; n < 12; n++) put(n, { price: 40_500 + n * 100, description: `نص جديد ${n}` });
  for (let n = 12; n < 15; n++) put(n, { price: undefined });
  put(1_000);
  await ingest();
  await compare('changes and removals');
  await compare('nothing');
  put(1);
  put(12);
  remove(20);
  await ingest();
  await compare('returned');
  // A restore begins another sequence: the position expires.
  const database = new URL(ground.pipeline.databaseUrl).pathname.slice(1);
  const { pool } = ground.pipeline;
  await copyDatabase(ground.pipeline.databaseUrl, `${database}_backup`, database);
  remove(30);
  await ingest();
  await compare('before the restore');
  await copyDatabase(ground.pipeline.databaseUrl, database, `${database}_backup`);
  await withWriter(pool, 'a test', (writer) => repairIndexes({ pool, listingIndex: ground.pipeline.index, writer }));
  await ground.app.services.indexGuard.refresh();
  await compare('restored');
}

const READ_DUCKDB = `import duckdb, json
print(json.dumps([json.loads(listing) for (listing,) in duckdb.connect("listings.duckdb").sql("select listing from market.listings").fetchall()]))`;

/** Reads changes, and ends before they are in the table. */
const READ_AND_END = `import dlt, listings, os
pipeline = dlt.pipeline("property_listings", destination=dlt.destinations.duckdb("listings.duckdb"), dataset_name="market")
pipeline.extract(listings.listings(os.environ["API"], os.environ["KEY"]))
os._exit(0)`;

test('the dlt source keeps a copy in DuckDB with hard deletes', async (t) => {
  t.timeout(INSTALL_LIMIT + 10 * RUN_LIMIT);
  const connector = await install(t, 'dlt');
  if (connector === null) return;
  const { cwd, python } = connector;
  const sync = async () => {
    await run(cwd, python, ['listings.py']);
    return JSON.parse(await run(cwd, python, ['-c', READ_DUCKDB])) as Row[];
  };
  await follows(t, 0, sync);
  ads.delete('c32');
  await ingest();
  await run(cwd, python, ['-c', READ_AND_END]);
  ads.delete('c33');
  await ingest();
  t.deepEqual(differences(digests(await sync()), digests(await shownListings())), [], 'after an interrupted run');
});

interface Message {
  type: string;
  record?: { data: { listing_id: number; listing?: Row | null; _ab_cdc_deleted_at?: string | null } };
  state?: object;
}

test('the Airbyte manifest yields records with deletions, and resumes from its state', async (t) => {
  t.timeout(INSTALL_LIMIT + 10 * RUN_LIMIT);
  const connector = await install(t, 'airbyte');
  if (connector === null) return;
  const { cwd } = connector;
  const config = { api_url: `${ground.app.url}/v1`, api_key: key, city: 'riyadh', limit: 25 };
  await writeFile(join(cwd, 'config.json'), JSON.stringify(config));
  const copy = new Map<number, Row>();
  let state: object[] = [];
  /** Reads as the platform does: upserts by primary key, deletes by `_ab_cdc_deleted_at`, stores the last state. */
  const read = async (): Promise<number> => {
    await writeFile(join(cwd, 'state.json'), JSON.stringify(state));
    const options = ['--config', 'config.json', '--catalog', 'catalog.json', '--state', 'state.json'];
    const program = join(cwd, '.venv', 'bin', 'source-declarative-manifest');
    const out = await run(cwd, program, ['read', ...options, '--manifest-path', 'manifest.yaml']);
    const messages = out.split('\n').flatMap((line) => (line.startsWith('{') ? (JSON.parse(line) as Message) : []));
    const records = messages.flatMap(({ record }) => record?.data ?? []);
    for (const { listing_id, listing, _ab_cdc_deleted_at: deletedAt } of records) {
      // The CDK leaves out values that are null.
      t.is(Boolean(deletedAt), !listing);
      if (listing) copy.set(listing_id, listing);
      else copy.delete(listing_id);
    }
    state = messages.flatMap((each) => each.state ?? []).slice(-1);
    return records.length;
  };
  await follows(t, 40, async () => {
    await read().catch((error: Error) => {
      // The stream is cleared, as its message states.
      t.regex(error.message, /position_expired/);
      copy.clear();
      state = [];
      return read();
    });
    return copy.values();
  });
  t.is(await read(), 0, 'a sync without changes has no records');
});
