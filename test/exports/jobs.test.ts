import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { exportJobs } from '#workers/housekeeping/export-jobs.ts';
import { type ExportApp, manifestOf, startExportApp } from './app.ts';

const DAY = 86_400_000;

let app: ExportApp;
let city: string;
test.before(async () => {
  app = await startExportApp('exports_jobs');
  city = (await app.addCity()).slug;
  await indexListings(app.services, [makeListing({ location: { city } })]);
});
test.after(() => app.close());

const bucket = (): string => app.services.config.s3.exportsBucket;

/** Runs a job at the given time. */
async function run(name: string, now = new Date()): Promise<Record<string, number> | undefined> {
  const job = exportJobs({ s3: app.services.s3, bucket: bucket() }).find((each) => each.name === name);
  if (!job) throw new Error(`no job ${name}`);
  const db = await app.services.pool.connect();
  return job.run(db, now).finally(() => db.release());
}

const make = async (key: string) => app.make(key, { dataset: 'listings', format: 'ndjson', filters: { city } });

async function keysOf(id: string): Promise<string[]> {
  const { Contents = [] } = await app.services.s3.send(
    new ListObjectsV2Command({ Bucket: bucket(), Prefix: `${id}/` }),
  );
  return Contents.map(({ Key = '' }) => Key).sort();
}

test('export files are deleted 7 days after completion, and export records 90 days after creation', async (t) => {
  const { key } = await createOrganization(app.services);
  const made = await make(key);
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

test('files left by failed export attempts are deleted, and linked, unfinished and unrelated files are retained', async (t) => {
  const { key } = await createOrganization(app.services);
  const made = await make(key);
  const { s3, pool } = app.services;
  await pool.query('update exports set attempt = 3 where public_id = $1', [made.id]);
  const put = (Key: string) => s3.send(new PutObjectCommand({ Bucket: bucket(), Key, Body: 'x' }));
  const begin = async (Key: string) =>
    (await s3.send(new CreateMultipartUploadCommand({ Bucket: bucket(), Key }))).UploadId as string;
  const foreign = `exp_${'f'.repeat(24)}/1/part-00001.csv.gz`;
  await Promise.all([put(`${made.id}/2/part-00001.ndjson.gz`), put(`${made.id}/3/manifest.json`), put(foreign)]);
  const stale = await begin(`${made.id}/2/part-00002.ndjson.gz`);
  const live = await begin(`${made.id}/3/part-00002.ndjson.gz`);
  const other = await begin(foreign);

  t.like(await run('sweep-export-files'), { uploads: 1 });
  t.deepEqual(await keysOf(made.id), [`${made.id}/3/manifest.json`]);
  t.is((await keysOf(foreign.split('/')[0] as string)).length, 1);
  const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket: bucket() }));
  const left = Uploads.map(({ UploadId }) => UploadId);
  t.deepEqual(
    [stale, live, other].map((id) => left.includes(id)),
    [false, true, true],
  );
  for (const [Key, UploadId] of [
    [`${made.id}/3/part-00002.ndjson.gz`, live],
    [foreign, other],
  ])
    await s3.send(new AbortMultipartUploadCommand({ Bucket: bucket(), Key, UploadId }));
});
