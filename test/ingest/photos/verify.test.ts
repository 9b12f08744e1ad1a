import { DeleteObjectCommand, GetObjectCommand } from '@aws-sdk/client-s3';
import { verifyPhotos as verifyJob } from '#app/workers/housekeeping/index.ts';
import { StoreError } from '#domain/store-error.ts';
import { type VerifyReport, type VerifyRequest, verifyPhotos } from '#ingest/photos/verify.ts';
import { PHOTO_DEFAULTS } from '#ingest/run/photo-options.ts';
import { createS3 } from '#stores/s3/s3-client.ts';
import { testConfig } from '#test/env.ts';
import { startTcpProxy } from '#test/tcp-proxy.ts';
import { test } from '#test/test.ts';
import { ad, testSource } from '../run/pipeline.ts';
import { image, photosOfFile } from './host.ts';

const { pipeline, host } = photosOfFile('photos-verify');

/** Number of requests for photos since the last verification began. */
const fetched = () => [...host.asked.values()].reduce((sum, count) => sum + count, 0);

const source = testSource('lost');
const PHOTOS = 8;
let clock = Date.parse('2026-04-02T03:00:00Z');
const photoOptions = () => ({ mode: 'fetch' as const, privateHosts: [host.host], timeout: 2_000 });
async function run() {
  clock += 43_200_000;
  return pipeline.run([source], new Date(clock).toISOString(), { photos: photoOptions() });
}

const options = (bucket = pipeline.bucket) => ({ ...PHOTO_DEFAULTS, ...photoOptions(), bucket });
async function verify(request: Partial<VerifyRequest> = {}): Promise<VerifyReport> {
  host.asked.clear();
  const { pool, s3 } = pipeline;
  const signal = new AbortController().signal;
  return verifyPhotos({ pool, s3, photos: options(), signal }, { scope: 'all', repair: true, ...request });
}

const listing = () => pipeline.listing('lost', 'home');
const keys = async (): Promise<string[]> => String((await listing()).photos).split(' ');
const lose = (key: string | undefined) =>
  pipeline.s3.send(new DeleteObjectCommand({ Bucket: pipeline.bucket, Key: key }));
const isStored = (key: string | undefined) =>
  pipeline.s3.send(new GetObjectCommand({ Bucket: pipeline.bucket, Key: key })).then(
    () => true,
    () => false,
  );
const NOTHING = { held: false, restored: 0, replaced: 0, failed: {} };

test('photos lost by the bucket are fetched again without a change of the listing', async (t) => {
  for (let photo = 0; photo < PHOTOS; photo++) host.answers.set(`/${photo}.png`, image(photo + 1));
  const photos = Array.from({ length: PHOTOS }, (_, photo) => `http://${host.host}/${photo}.png`);
  source.feed = [ad('home', { photos }), ad('other', { photos: photos.slice(0, 1) })];
  await run();
  t.deepEqual(await verify(), { ...NOTHING, checked: PHOTOS, missing: 0 });
  const before = await listing();
  const [first, second] = await keys();
  await lose(first);
  await lose(second);
  t.deepEqual(await verify({ repair: false }), { ...NOTHING, checked: PHOTOS, missing: 2 });
  t.is(fetched(), 0);
  t.deepEqual(await verify({ scope: 'sample' }), { ...NOTHING, checked: PHOTOS, missing: 2, restored: 2 });
  t.is(fetched(), 2, 'a photo of two listings is fetched once');
  t.true((await isStored(first)) && (await isStored(second)));
  t.deepEqual(await listing(), before);
  t.deepEqual((await run()).events, {});
});

test('a lost photo is replaced by the next run if its source has a new image, and reported if its source is gone', async (t) => {
  const [first, second, ...others] = await keys();
  const { id } = await listing();
  await lose(first);
  await lose(second);
  host.answers.set('/0.png', image(100));
  host.answers.delete('/1.png');
  const gone = { failed: { answered_404: 1 } };
  t.deepEqual(await verify(), { ...NOTHING, ...gone, checked: PHOTOS, missing: 2, replaced: 1 });
  t.deepEqual(await keys(), [first, second, ...others], 'until then the listing is unchanged');
  t.deepEqual((await run()).events, {});
  const [replaced, ...kept] = await keys();
  t.not(replaced, first);
  t.true(await isStored(replaced));
  t.deepEqual(kept, [second, ...others]);
  t.is((await pipeline.document(id))?.display.image_count, PHOTOS);
  t.deepEqual(await verify(), { ...NOTHING, ...gone, checked: PHOTOS, missing: 1 });
  host.answers.set('/1.png', image(2));
  t.deepEqual(await verify(), { ...NOTHING, checked: PHOTOS, missing: 1, restored: 1 });
});

test('many losses are held with an alarm and repaired only on request', async (t) => {
  for (const key of await keys()) await lose(key);
  const held = { ...NOTHING, held: true, checked: PHOTOS, missing: PHOTOS };
  t.deepEqual(await verify(), held);
  t.is(fetched(), 0);
  const job = verifyJob((request) => verify(request), new AbortController().signal);
  const db = await pipeline.pool.connect();
  await t.throwsAsync(job.run(db, new Date()), { message: /^held: 8 of 8 photos are missing.*--confirm-loss$/ });
  db.release();
  t.deepEqual((await run()).events, {}, 'nothing is delisted');
  t.deepEqual(await verify({ confirmLoss: true }), { ...held, restored: PHOTOS });
  t.deepEqual(await verify(), { ...NOTHING, checked: PHOTOS, missing: 0 });
});

test('an outage and a missing bucket do not count as losses', async (t) => {
  const { pool, s3 } = pipeline;
  const signal = new AbortController().signal;
  const request = { scope: 'all', repair: true, confirmLoss: true } as const;
  host.asked.clear();
  await t.throwsAsync(verifyPhotos({ pool, s3, photos: options('no-such-bucket'), signal }, request), {
    message: /The bucket no-such-bucket does not exist/,
  });
  const config = testConfig().s3;
  const proxy = await startTcpProxy(new URL(config.endpoint));
  await proxy.set('refuse');
  const away = createS3({ ...config, endpoint: `http://127.0.0.1:${proxy.port}` });
  const error = await t.throwsAsync(verifyPhotos({ pool, s3: away, photos: options(), signal }, request));
  t.true(error instanceof StoreError && error.unavailable);
  t.is(fetched(), 0);
  away.destroy();
  await proxy.close();
});
