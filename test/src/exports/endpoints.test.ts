import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { ExecutionContext } from 'ava';
import { exportJobs } from '#app/workers/housekeeping/export-jobs.ts';
import { JOBS } from '#app/workers/housekeeping/jobs.ts';
import { eventually } from '#test/eventually.ts';
import { createKey, createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { type ExportApp, type ExportFileLink, manifestOf, startExportApp } from './app.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Offset of the API's clock from the real time in milliseconds. The worker and Postgres use the real time. */
let offset = 0;
const clock = { now: () => Date.now() + offset, chargeTime: () => null };
/** In the second app there is no worker, so that exports remain in the queue. */
let app: ExportApp;
let idle: ExportApp;
let city: string;
test.before(async () => {
  [app, idle] = await Promise.all([
    startExportApp('exports_endpoints', { overrides: { clock } }),
    startExportApp('exports_idle', { worker: null }),
  ]);
  city = (await app.addCity()).slug;
  await indexListings(app.services, [makeListing({ location: { city } }), makeListing({ location: { city } })]);
});
test.after(() => Promise.all([app.close(), idle.close()]));

const LISTINGS = { dataset: 'listings', format: 'ndjson' };

async function refused(t: ExecutionContext, key: string, body: unknown, expected: object): Promise<void> {
  const answer = await idle.post(key, body);
  t.like(answer.body.error, expected, answer.text);
}

test('a new export is queued, and only its organization can access it', async (t) => {
  const { id, key } = await createOrganization(idle.services);
  const { status, body } = await idle.post(key, { ...LISTINGS, filters: { beds: [3] } });
  t.is(status, 201);
  t.like(body.data, {
    status: 'queued',
    dataset: 'listings',
    format: 'ndjson',
    filters: { beds: [3] },
    progress: { rows_written: 0, rows_total: null },
    units: 0,
    error: null,
    started_at: null,
    finished_at: null,
    files_expire_at: null,
  });
  t.deepEqual(body.data.files, []);
  t.regex(body.data.id, /^exp_[0-9a-f]{24}$/);
  const { files: _, ...summary } = body.data;
  const path = `/v1/exports/${body.data.id}`;
  for (const own of [key, await createKey(idle.services, id, { kind: 'test' })]) {
    t.deepEqual((await idle.request(path, { key: own })).body, body);
    t.deepEqual((await idle.request('/v1/exports', { key: own })).body.data, [summary]);
  }
  const other = await createOrganization(idle.services);
  const hidden = await idle.request(path, { key: other.key });
  t.like(hidden.body.error, { code: 'export_not_found', param: 'export_id' });
  t.deepEqual((await idle.request('/v1/exports', { key: other.key })).body.data, []);
});

test('datasets with listings require the Enterprise plan and the exports scope, as do their links', async (t) => {
  const { key: pro } = await createOrganization(idle.services, { plan: 'pro' });
  await refused(t, pro, LISTINGS, { code: 'scope_not_in_plan', param: 'dataset' });
  const { id, key } = await createOrganization(idle.services);
  const limited = await createKey(idle.services, id, { columns: { scopes: ['market'] } });
  await refused(t, limited, LISTINGS, { code: 'scope_not_in_key' });
  const made = await idle.post(key, LISTINGS);
  const hidden = await idle.request(`/v1/exports/${made.body.data.id}`, { key: limited });
  t.like(hidden.body.error, { code: 'scope_not_in_key' });
  // After a downgrade from Enterprise, an organization receives no more links, and its queued exports fail.
  const { pool } = idle.services;
  await pool.query(`update organizations set plan = 'pro' where id = $1`, [id]);
  t.is((await idle.request(`/v1/exports/${made.body.data.id}`, { key })).body.error.code, 'scope_not_in_plan');
  const stop = idle.startWorker();
  const failed = `select from exports where public_id = $1 and status = 'failed' and error_code = 'scope_not_in_plan' and units = 0`;
  await eventually(async () => (await pool.query(failed, [made.body.data.id])).rowCount === 1);
  await stop();
});

test('an organization can run two exports at a time and twenty per day, even if it sends fifty requests concurrently', async (t) => {
  const { id, key } = await createOrganization(idle.services);
  const answers = await Promise.all(Array.from({ length: 12 }, () => idle.post(key, LISTINGS)));
  t.is(answers.filter(({ status }) => status === 201).length, 2);
  const [conflict] = answers.filter(({ status }) => status !== 201);
  t.is(conflict?.status, 409);
  t.like(conflict?.body.error, { code: 'export_limit', details: { limit: 2, per: 'concurrent' } });
  const end = `update exports set status = 'failed', finished_at = now() where organization_id = $1`;
  for (let made = 2; made < 20; made++) {
    await idle.services.pool.query(end, [id]);
    t.is((await idle.post(key, LISTINGS)).status, 201);
  }
  await idle.services.pool.query(end, [id]);
  await refused(t, key, LISTINGS, { code: 'export_limit', details: { limit: 20, per: 'day' } });
  await idle.services.pool.query(
    `update exports set created_at = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '1 s' where organization_id = $1`,
    [id],
  );
  t.is((await idle.post(key, LISTINGS)).status, 201);
});

test('a download link is valid for one hour, until the files expire after 7 days, and only if it is unchanged', async (t) => {
  const { key } = await createOrganization(app.services);
  const made = await app.make(key, { ...LISTINGS, filters: { city } });
  const [part, manifest] = made.files as [ExportFileLink, ExportFileLink];
  const status = async (url: string | URL): Promise<number> => {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.status;
  };
  t.is(await status(part.url), 200);
  t.is(new URL(part.url).searchParams.get('X-Amz-Expires'), '3600');
  const changes: readonly ((url: URL) => unknown)[] = [
    (url) => Object.assign(url, { pathname: new URL(manifest.url).pathname }),
    (url) => Object.assign(url, { pathname: url.pathname.replace('part-00001', 'part-00002') }),
    (url) => url.searchParams.set('X-Amz-Expires', '7200'),
    (url) => Object.assign(url, { search: '' }),
  ];
  for (const change of changes) {
    const url = new URL(part.url);
    change(url);
    t.is(await status(url), 403, url.href);
  }
  /** Returns the link that the API returns if its clock is off by the given milliseconds. */
  const linkAt = async (ms: number): Promise<ExportFileLink | undefined> => {
    offset = ms;
    const { data } = (await app.request(`/v1/exports/${made.id}`, { key })).body;
    offset = 0;
    t.is(data.status, 'completed');
    return data.files[0];
  };
  t.is(await status((await linkAt(-HOUR - 5_000))?.url ?? ''), 403, 'signed more than an hour ago');
  t.is(await status((await linkAt(-HOUR + 60_000))?.url ?? ''), 200, 'signed within one hour');
  const expiry = Date.parse(made.files_expire_at);
  t.is(expiry, Date.parse(made.finished_at) + 7 * DAY);
  const last = await linkAt(expiry - HOUR / 2 - Date.now());
  const seconds = Number(new URL(last?.url ?? '').searchParams.get('X-Amz-Expires'));
  t.true(seconds > 0 && seconds <= 1_801, String(seconds));
  t.is(await linkAt(expiry + 1_000 - Date.now()), undefined);
});

/** Runs a job at the given time. */
async function run(name: string, now = new Date()): Promise<Record<string, number> | undefined> {
  const job = [...JOBS, ...exportJobs({ s3: app.services.s3, bucket: app.services.config.s3.exportsBucket })].find(
    (each) => each.name === name,
  );
  if (!job) throw new Error(`no job ${name}`);
  const db = await app.services.pool.connect();
  return job.run(db, now).finally(() => db.release());
}

async function keysOf(id: string): Promise<string[]> {
  const { Contents = [] } = await app.services.s3.send(
    new ListObjectsV2Command({ Bucket: app.services.config.s3.exportsBucket, Prefix: `${id}/` }),
  );
  return Contents.map(({ Key = '' }) => Key).sort();
}

test('export files are deleted 7 days after completion, and export records 90 days after creation', async (t) => {
  const { key } = await createOrganization(app.services);
  const made = await app.make(key, { ...LISTINGS, filters: { city } });
  const completed = Date.parse(made.finished_at) + 999;
  const statusOf = async () => (await app.request(`/v1/exports/${made.id}`, { key })).status;

  await run('expire-export-files', new Date(completed + 7 * DAY - 60_000));
  await run('sweep-export-files');
  t.is((await keysOf(made.id)).length, 2);
  await manifestOf((await app.ended(key, made.id)).files);

  await run('expire-export-files', new Date(completed + 7 * DAY));
  t.deepEqual((await app.ended(key, made.id)).files, []);
  await run('sweep-export-files');
  t.deepEqual(await keysOf(made.id), []);
  t.like(await app.ended(key, made.id), { status: 'completed', units: 100, files: [] });

  const created = Date.parse(made.created_at) + 999;
  await run('expire-export-records', new Date(created + 90 * DAY - 60_000));
  t.is(await statusOf(), 200);
  await run('expire-export-records', new Date(created + 90 * DAY));
  t.is(await statusOf(), 404);
});
