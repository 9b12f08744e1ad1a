import { gunzipSync } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import type { ExecutionContext } from 'ava';
import { withdrawFiles } from '#app/workers/housekeeping/export-jobs.ts';
import { fillIndexes } from '#ingest/fill.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { STAGES } from '#ingest/run/run-report.ts';
import { takeDown } from '#ingest/run/takedowns.ts';
import { createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { type ExportApp, withExports } from '../../src/exports/app.ts';
import { type OffPlanGround, offPlanGround } from '../off-plan/ground.ts';
import { ad, testSource } from './pipeline.ts';

let ground: OffPlanGround;
let exports: ExportApp;
let key: string;
const source = testSource('noticed');
const other = testSource('noticed_copies');
let clock = Math.floor(Date.now() / 1000) * 1000 - 20 * 86_400_000;
/** A part of every text of the ad, and of its copy by another source. */
const MARK = 'zqmark';
const TEXT = `شقة واسعة ${MARK}text في حي هادئ`;

test.before(async () => {
  ground = await offPlanGround('takedown-law', ['riyadh', 'jeddah']);
  exports = withExports(ground.app);
  key = (await createOrganization(ground.app.services, { plan: 'enterprise' })).key;
});
test.after(async () => {
  await exports?.close();
  await ground?.pipeline.close();
});

/** The ad has a mark in every field that is a text, except the id by which feeds are kept from listing it again. */
function marked(id: string, changes: Partial<RawListing> = {}) {
  return ad(id, {
    title: `${MARK}title`,
    description: `${TEXT} رقم الوحدة ${MARK}`,
    description_en: `A quiet home ${MARK}english`,
    url: `https://ads.example/${MARK}`,
    photos: [`https://p.example/${MARK}-1.jpg`, `https://p.example/${MARK}-2.jpg`, 'https://p.example/shared.jpg'],
    advertiser_key: `${MARK}advertiser`,
    advertiser_type: 'company',
    compound_name: `${MARK} Compound`,
    floor: `${MARK}`,
    amenities: [`${MARK}amenity`],
    ...{ area: 147, bedrooms: 4, lat: 24.91, lng: 46.91, price: 61_000, age_years: 4 },
    ...changes,
  });
}

async function ingest(): Promise<void> {
  clock += 43_200_000;
  await ground.pipeline.pool.query('update source_states set released = true');
  await ground.pipeline.run([source, other], new Date(clock).toISOString());
  await ground.app.services.indexGuard.refresh();
}

/** Tables, indexes and objects that contain the text, by scanning every row, document and file. */
async function placesWith(texts: readonly string[]): Promise<string[]> {
  const { pool, client, prefix, s3, bucket } = ground.pipeline;
  const found = new Set<string>();
  const look = (name: string, content: string): void => {
    for (const text of texts) if (content.includes(text)) found.add(`${name}: ${text}`);
  };
  const { rows: tables } = await pool.query(
    `select oid::regclass::text as name from pg_class where relkind in ('r', 'm') and relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of tables)
    for (const { row } of (await pool.query(`select t::text as row from ${name} t`)).rows) look(`table ${name}`, row);
  const indexes = Object.keys((await client.indices.get({ index: `${prefix}*` })).body);
  await client.indices.refresh({ index: `${prefix}*` });
  for (const index of indexes) {
    const body = { size: 10_000 };
    for (const { _source } of (await client.search({ index, body })).body.hits.hits)
      look(`index ${index.replace(prefix, '')}`, JSON.stringify(_source ?? null));
  }
  const { exportsBucket } = ground.app.services.config.s3;
  const folders = [[bucket, undefined, 'photo'], ...made.map((id) => [exportsBucket, id, 'export'])] as const;
  for (const [Bucket, Prefix, kind] of folders)
    for (const { Key = '' } of (await s3.send(new ListObjectsV2Command({ Bucket, Prefix }))).Contents ?? []) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
      look(`object ${kind}`, String(Key.endsWith('.gz') ? gunzipSync(bytes) : bytes));
    }
  return [...found].sort();
}
const made: string[] = [];

async function exported(t: ExecutionContext, body: object): Promise<string> {
  const { id, status } = await exports.make(key, { format: 'ndjson', ...body });
  t.is(status, 'completed');
  made.push(id);
  return id;
}

test('a takedown leaves no text of the ad in any table, index, photo or export', async (t) => {
  t.timeout(120_000);
  const { pool, s3, bucket } = ground.pipeline;
  const others = Array.from({ length: 30 }, (_, n) => ad(`n${n}`));
  source.feed = [...others, marked('ad'), ad('keeps', { photos: ['https://p.example/shared.jpg'] })];
  await ingest();
  other.feed = [marked('copy')];
  source.feed = source.feed.map((row, at) => (at === 30 ? marked('ad', { price: 47_000 }) : row));
  await ingest();
  // The index before it is kept for a rollback.
  await fillIndexes(['listings'], { pool, listingIndex: ground.pipeline.index });
  await ground.app.services.indexGuard.refresh();
  const { id } = await ground.pipeline.listing('noticed', 'ad');
  const { rows: ads } = await pool.query<{ id: number; photos: string }>(
    `select id, photos from listings where source_listing_id in ('ad', 'copy')`,
  );
  t.is(ads.length, 2);
  const photos = [...new Set(ads.flatMap((row) => row.photos.split(' ')))];
  t.is(photos.length, 3);
  const kept = (await ground.pipeline.listing('noticed', 'keeps')).photos as string;
  for (const Key of photos) await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: `${MARK}photo ${Key}` }));
  const filters = { city: ['riyadh'] };
  const [gone] = [
    await exported(t, { dataset: 'listings', filters }),
    await exported(t, {
      dataset: 'listing_changes',
      filters: { ...filters, from: new Date(clock - 40 * 86_400_000).toISOString() },
    }),
  ];
  const elsewhere = await exported(t, { dataset: 'listings', filters: { city: ['jeddah'] } });
  await pool.query(
    `insert into ingest_rejects (source, digest, run_id, position, reason, detail, row, count, first_at, at)
     select 'noticed', 'x', max(id), 1, 'unread', 'a value', '{"id":"ad","text":"${MARK}reject"}', 1, now(), now() from ingest_runs`,
  );
  const texts = [MARK, TEXT];
  const before = await placesWith(texts);
  for (const place of [
    'table listing_records',
    'table ingest_rejects',
    'object photo',
    'object export',
    'index listings',
  ])
    t.true(
      before.some((each) => each.startsWith(place)),
      `${place} of ${before}`,
    );
  t.true(before.filter((each) => each.startsWith('index listings')).length > 1, 'also in the previous index');

  await takeDown(pool, id);
  await ingest();
  const { exportsBucket } = ground.app.services.config.s3;
  t.is(await withdrawFiles(pool, { s3, bucket: exportsBucket }, id), 2);
  t.deepEqual(
    (await placesWith(texts)).filter((each) => !each.startsWith('object photo')),
    [],
  );
  const left = ((await s3.send(new ListObjectsV2Command({ Bucket: bucket }))).Contents ?? []).map(({ Key }) => Key);
  t.deepEqual(left, [kept], 'a photo that another listing shows is kept');
  t.deepEqual((await ground.app.request(`/v1/exports/${gone}`, { key })).body.data.files, []);
  t.true((await ground.app.request(`/v1/exports/${elsewhere}`, { key })).body.data.files.length > 0);
  for (const each of ads) {
    const { status, body } = await ground.app.request(`/v1/listings/${each.id}`, { key });
    t.is(status, 404);
    t.is(body.error.details.reason, each.id === id ? 'takedown' : body.error.details.reason);
  }

  // Later runs, feeds that still contain the ad, and fills restore nothing.
  source.feed = source.feed.map((row, at) => (at === 30 ? marked('ad', { price: 51_000 }) : row));
  await ingest();
  await fillIndexes(['listings'], { pool, listingIndex: ground.pipeline.index });
  await ground.app.services.indexGuard.refresh();
  t.deepEqual(
    (await placesWith(texts)).filter((each) => !each.startsWith('object photo')),
    [],
  );
  t.is((await ground.app.request(`/v1/listings/${id}`, { key })).body.error.details.reason, 'takedown');
});

/** Fails the next run when it begins the stage. @returns what allows the stage again */
async function failAt(stage: string): Promise<() => Promise<void>> {
  const { pool } = ground.pipeline;
  await pool.query(`
    create function fail_at() returns trigger language plpgsql as $$ begin raise exception 'stopped'; end $$;
    create trigger fail_at before insert on ingest_run_stages for each row when (new.stage = '${stage}') execute function fail_at()`);
  return async () => void (await pool.query('drop function fail_at cascade'));
}

test('a takedown during an interrupted run is applied, whichever stages of the run are complete', async (t) => {
  t.timeout(240_000);
  const { pool, listing } = ground.pipeline;
  const changes = async (after: string | number) =>
    (await ground.app.request(`/v1/listings/changes?after=${after}&limit=100`, { key })).body;
  const kept = Array.from({ length: 30 }, (_, n) => ad(`kept${n}`));
  const price = (at: number) => ({ price: 52_000 + at * 1_000, area: 151 + at });
  const noticed = (change: number) => STAGES.map((stage, at) => ad(`at-${stage}`, price(at + change)));
  other.feed = [];
  source.feed = [...kept, ...noticed(0)];
  await ingest();
  for (const [at, stage] of STAGES.entries()) {
    const { next } = (await changes('now')).pagination;
    const { id } = await listing(source.name, `at-${stage}`);
    // The run has an event of the same listing.
    source.feed = [...kept, ...noticed(at + 1)];
    const allow = await failAt(stage);
    await t.throwsAsync(ingest(), { message: /stopped/ }, stage);
    await takeDown(pool, id);
    await allow();
    // As `npm run ingest -- takedown` does, which resumes the run.
    await ground.pipeline.run([], new Date(clock + 1_000).toISOString());
    await ground.app.services.indexGuard.refresh();
    const rows = (await changes(next)).data.filter((row: { listing_id: number }) => row.listing_id === id);
    t.like(rows.at(-1), { type: 'delisted', reason: 'takedown', listing: null }, stage);
    t.is((await ground.app.request(`/v1/listings/${id}`, { key })).body.error?.details?.reason, 'takedown', stage);
    t.like(await listing(source.name, `at-${stage}`), { signature: '', lat: null, served: false }, stage);
  }

  // The run of one takedown is interrupted, and the command of another resumes it.
  const [first, second] = [await listing(source.name, 'kept0'), await listing(source.name, 'kept1')];
  const runNow = () => ground.pipeline.run([], '', { at: undefined });
  await takeDown(pool, first.id);
  const allow = await failAt('index');
  await t.throwsAsync(runNow(), { message: /stopped/ });
  await takeDown(pool, second.id);
  await allow();
  await runNow();
  for (const id of ['kept0', 'kept1'])
    t.like(await listing(source.name, id), { withdrawn_reason: 'takedown', left_reason: 'takedown' }, id);

  // An earlier release withdrew ads without an event.
  const { next } = (await changes('now')).pagination;
  await pool.query(
    `insert into listing_prices (listing_id, at, price_yearly_sar, comparable, run_id) values ($1, '2026-01-01', 51000, true, 1)`,
    [first.id],
  );
  await pool.query('delete from listing_events where listing_id = $1', [first.id]);
  await pool.query('update listings set left_at = null, left_reason = null, delisted = false where id = $1', [
    first.id,
  ]);
  await runNow();
  await ground.app.services.indexGuard.refresh();
  const { data } = await changes(next);
  t.like(data, [{ listing_id: first.id, type: 'delisted', reason: 'takedown', listing: null }]);
});
