import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import type { StoredListing } from '#domain/listings/listing.ts';
import type { ExportWorkerOptions } from '#src/exports/export-worker.ts';
import { startExports } from '#src/exports/export-worker.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization, indexListings, makeListing, type TestOrganization, unitsUsed } from '#test/factories.ts';
import { startTcpProxy } from '#test/tcp-proxy.ts';
import { test } from '#test/test.ts';
import { type ExportApp, manifestOf, rowsOf, startExportApp } from './app.ts';

const WORKER = fileURLToPath(new URL('./worker-process.ts', import.meta.url));
const ROWS = 1_100;
const OPTIONS: Partial<ExportWorkerOptions> = { rowsPerPart: 130, leaseMs: 1_000, pollMs: 20, retryMs: 100 };

let app: ExportApp;
let city: string;
let listings: StoredListing[];
let ids: number[];
test.before(async () => {
  app = await startExportApp('exports_faults', { worker: null });
  city = (await app.addCity()).slug;
  listings = Array.from({ length: ROWS }, () => makeListing({ location: { city } }));
  ids = listings.map(({ display }) => display.id).sort((a, b) => a - b);
  await indexListings(app.services, listings);
});
test.after(() => app.close());

/** Queues exports, two per organization. */
async function queue(count: number): Promise<{ id: string; owner: TestOrganization }[]> {
  const queued: { id: string; owner: TestOrganization }[] = [];
  for (let made = 0; made < count; made += 2) {
    const owner = await createOrganization(app.services);
    for (const format of ['ndjson', 'csv']) {
      const { body, text } = await app.post(owner.key, { dataset: 'listings', format, filters: { city } });
      if (!body.data) throw new Error(text);
      queued.push({ id: body.data.id, owner });
    }
  }
  return queued;
}

/**
 * Checks that an export is either complete with one charge, or failed without a charge. @returns whether it is complete
 */
async function isWhole(t: ExecutionContext, { id, owner }: { id: string; owner: TestOrganization }): Promise<boolean> {
  const made = await app.ended(owner.key, id);
  if (made.status === 'failed') {
    t.like(made, { units: 0, error: { code: 'internal_error' } });
    t.deepEqual(made.files, []);
    return false;
  }
  t.is(made.status, 'completed');
  t.is(made.units, 200);
  const manifest = await manifestOf(made.files);
  t.is(manifest.rows, ROWS);
  t.is(
    made.files.reduce((sum: number, { rows }: { rows: number | null }) => sum + (rows ?? 0), 0),
    ROWS,
  );
  if (made.format === 'ndjson') {
    const found = (await rowsOf(made.files)).map((row) => JSON.parse(row).id);
    t.deepEqual(
      found.sort((a, b) => a - b),
      ids,
    );
  }
  return true;
}

/** Checks that charges and reported usage equal the units of the completed exports. */
async function isChargedOnce(t: ExecutionContext, exports: readonly { id: string; owner: TestOrganization }[]) {
  for (const owner of new Set(exports.map((each) => each.owner))) {
    const { rows } = await app.services.pool.query<{ units: number; used: number }>(
      `select coalesce(sum(units), 0)::int as units,
              (select coalesce(sum(units), 0)::int from usage_days where organization_id = $1) as used
         from exports where organization_id = $1 and status = 'completed'`,
      [owner.id],
    );
    const charged = await unitsUsed(app.services, owner.id);
    t.deepEqual(rows, [{ units: charged, used: charged }]);
  }
}

interface WorkerProcess {
  child: ChildProcess;
  /** Resolves when the worker starts an export. */
  begun: Promise<unknown>;
}

async function startWorker(): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [WORKER], {
    env: {
      ...process.env,
      DATABASE_URL: app.services.config.databaseUrl,
      EXPORT_WORKER: JSON.stringify(OPTIONS),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const begun = Promise.withResolvers<unknown>();
  const started = Promise.withResolvers<unknown>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    if (line === 'started') started.resolve(line);
    if (line.includes('export begun')) begun.resolve(line);
  });
  await started.promise;
  return { child, begun: begun.promise };
}

const KILLS = 10;

test('after ten kills of export workers, each export has completed or failed, and completed ones are charged once', async (t) => {
  t.timeout(300_000);
  const exports = await queue(8);
  const open = `select from exports where status in ('queued', 'running') limit 1`;
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, begun } = await startWorker();
    let hasBegun = false;
    void begun.then(() => {
      hasBegun = true;
    });
    await eventually(async () => hasBegun || (await app.services.pool.query(open)).rowCount === 0);
    await sleep(Math.random() * 400);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const stop = app.startWorker(OPTIONS);
  let completed = 0;
  for (const each of exports) if (await isWhole(t, each)) completed++;
  await isChargedOnce(t, exports);
  await stop();
  t.log(`${completed} of ${exports.length} completed`);
  // An export fails permanently after five workers were killed while running it.
  t.true(completed >= exports.length / 2, `${completed} of ${exports.length}`);
});

/** An export that has been charged and writes rows. */
const RUNNING = `select from exports where status = 'running' and rows_total is not null`;

/** Waits until a query about exports returns a row. */
const until = (sql: string, values: unknown[] = []) =>
  eventually(async () => (await app.services.pool.query(sql, values)).rowCount !== 0);

for (const [store, mode, maxFailures] of [
  ['search', 'cut', 100],
  ['s3', 'cut', 100],
  ['search', 'refuse', 3],
  ['s3', 'refuse', 3],
] as const)
  test(`if ${store} is unavailable (proxy mode ${mode}) while rows are written, an export completes later, or fails without a charge after ${maxFailures} attempts`, async (t) => {
    const { config } = app.services;
    const proxy = await startTcpProxy(new URL(store === 's3' ? config.s3.endpoint : (config.opensearch.urls[0] ?? '')));
    const endpoint = `http://127.0.0.1:${proxy.port}`;
    const own =
      store === 's3'
        ? { ...config, s3: { ...config.s3, endpoint } }
        : { ...config, opensearch: { ...config.opensearch, urls: [endpoint] } };
    const stop = startExports({ ...app.services, config: own }, { ...OPTIONS, maxFailures });
    const exports = await queue(2);
    await until(RUNNING);
    await proxy.set(mode);
    await until(
      `select from exports where public_id = any ($1)
       having bool_or(failures > 0) or bool_and(status in ('completed', 'failed'))`,
      [exports.map(({ id }) => id)],
    );
    if (maxFailures === 100) await proxy.set('pass');
    for (const each of exports) if (!(await isWhole(t, each))) t.is(maxFailures, 3);
    await isChargedOnce(t, exports);
    await stop();
    await proxy.close();
  });

/** Starts a worker and suspends it in the transaction of a charge. */
async function suspendedInCharge(): Promise<ChildProcess> {
  const client = await app.services.pool.connect();
  await client.query('begin; lock table unit_counters in exclusive mode');
  const { child } = await startWorker();
  await until(`select from pg_stat_activity where application_name = 'listings-exports' and wait_event_type = 'Lock'`);
  child.kill('SIGSTOP');
  // The statement of the suspended worker completes, but its transaction remains open.
  await client.query('rollback');
  client.release();
  return child;
}

async function suspendedWhileWriting(): Promise<ChildProcess> {
  const { child } = await startWorker();
  await until(RUNNING);
  child.kill('SIGSTOP');
  return child;
}

for (const suspended of [suspendedInCharge, suspendedWhileWriting])
  test(`a suspended export worker blocks no other charge, and changes nothing when it resumes (${suspended.name})`, async (t) => {
    const exports = await queue(2);
    const child = await suspended();
    t.teardown(() => child.kill('SIGKILL'));
    const stop = app.startWorker(OPTIONS);
    for (const each of exports) t.true(await isWhole(t, each));
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    await once(child, 'exit');
    for (const each of exports) t.true(await isWhole(t, each));
    await isChargedOnce(t, exports);
    await stop();
  });
