import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { RunReport } from '#ingest/run/report.ts';
import { test } from '#test/test.ts';
import { project, testProjects } from '../off-plan/ground.ts';
import { ad, ads, testSource } from '../run/pipeline.ts';
import { image, type PhotoHost, photosOfFile } from './host.ts';
import { png } from './pictures.ts';

const { pipeline, host } = photosOfFile('ingest-photos');
const at = (path: string): string => host.at(path);
const fetching: PhotoHost['fetching'] = (changes) => host.fetching(changes);

let clock = Date.parse('2026-04-02T03:00:00Z');
const next = () => {
  clock += 12 * 3_600_000;
  return new Date(clock).toISOString();
};
const droppedPhotos = (report: RunReport): Record<string, number> =>
  report.stages.find(({ stage }) => stage === 'photos')?.dropped ?? {};

test('photos are copied to the CDN bucket once, under the hash of their bytes', async (t) => {
  host.answers.set('/a.png', image(1)).set('/b.jpg', image(2)).set('/copy-of-a.png', image(1));
  host.answers.set('/small.png', (response) => response.writeHead(200).end(png(40, 96, 64)));
  const source = testSource('photos_plain');
  source.feed = [
    ad('x', { photos: ['/a.png', '/b.jpg', '/copy-of-a.png', '/small.png'].map(at) }),
    ad('y', { photos: [at('/a.png')] }),
  ];
  const report = await pipeline.run([source], next(), fetching());
  t.deepEqual(report.events, { 'listing.created': 2 });
  const { id } = await pipeline.listing('photos_plain', 'x');
  const stored = await pipeline.document(id);
  const keys = stored?.private.photos ?? [];
  t.is(keys.length, 2, 'one image under two addresses is one, and a small one is not shown beside others');
  t.is(stored?.display.image_count, 2);
  for (const key of keys) t.regex(key, /^[0-9a-f]{2}\/[0-9a-f]{38}\.png$/);
  const object = await pipeline.s3.send(new GetObjectCommand({ Bucket: pipeline.bucket, Key: keys[0] as string }));
  t.is(object.ContentType, 'image/png', 'by its bytes, not by headers');
  t.regex(object.CacheControl ?? '', /immutable/);
  t.deepEqual(Buffer.from((await object.Body?.transformToByteArray()) ?? []), png(1));
  t.is(host.asked.get('/a.png'), 1);
  await pipeline.run([source], next(), fetching());
  t.is(host.asked.get('/a.png'), 1);
});

test('a listing shows its available photos, and failed ones are retried and added later, except in unsupported formats', async (t) => {
  const bmp = Buffer.alloc(58);
  bmp.write('BM');
  bmp.writeUInt32LE(300, 18);
  bmp.writeInt32LE(200, 22);
  host.answers.set('/good.png', image(3)).set('/photo.bmp', (response) => response.writeHead(200).end(bmp));
  const source = testSource('photos_late');
  source.feed = [
    ad('z', { photos: [at('/late.png'), at('/good.png')] }),
    ad('never', { photos: ['/gone.png', '/photo.bmp'].map(at) }),
  ];
  const first = await pipeline.run([source], next(), fetching({ maxAttempts: 3 }));
  t.deepEqual(first.events, { 'listing.created': 1 });
  t.is(droppedPhotos(first).unsupported_type_bmp, 1);
  const z = (await pipeline.listing('photos_late', 'z')).id;
  const never = (await pipeline.listing('photos_late', 'never')).id;
  t.is((await pipeline.document(z))?.display.image_count, 1);
  t.is(await pipeline.document(never), null);
  host.answers.set('/late.png', image(4));
  const second = await pipeline.run([source], next(), fetching({ maxAttempts: 3 }));
  t.deepEqual(second.events, {});
  t.is((await pipeline.document(z))?.display.image_count, 2);
  await pipeline.run([source], next(), fetching({ maxAttempts: 3 }));
  await pipeline.run([source], next(), fetching({ maxAttempts: 3 }));
  t.deepEqual([host.asked.get('/gone.png'), host.asked.get('/photo.bmp')], [3, 1], 'a limited number of runs, or one');
  t.deepEqual(await pipeline.events(never), []);
});

test('a response that is not an image, too large, too slow or malformed is dropped with a reason', async (t) => {
  host.answers
    .set('/page.jpg', (response) =>
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end('<html>Sign in</html>'),
    )
    .set('/big.png', (response) => response.writeHead(200).end(Buffer.concat([png(5), Buffer.alloc(50_000)])))
    .set('/endless.png', (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(Buffer.alloc(4_000)), 5);
      response.on('close', () => clearInterval(timer));
    })
    .set('/slow.png', () => {})
    // A response to a conditional request, which this one is not.
    .set('/unchanged.png', (response) => response.writeHead(304).end())
    .set('/script.svg', (response) =>
      response.writeHead(200).end('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>'),
    );
  const source = testSource('photos_bad');
  const paths = ['/page.jpg', '/big.png', '/endless.png', '/slow.png', '/script.svg', '/missing.png', '/unchanged.png'];
  source.feed = [ad('bad', { photos: paths.map(at) })];
  const report = await pipeline.run([source], next(), fetching({ maxBytes: 20_000, maxAttempts: 1 }));
  const dropped = droppedPhotos(report);
  t.is(dropped.not_an_image, 1);
  t.is(dropped.timeout, 1);
  t.is(dropped.answered_404, 1);
  t.is(
    Object.values(dropped).reduce((sum, count) => sum + count, 0),
    paths.length,
  );
  t.deepEqual(report.events, {});
});

test('private addresses and other schemes are refused, also in redirects', async (t) => {
  host.answers
    .set('/to-private', (response) => response.writeHead(302, { location: 'http://10.1.2.3/x.png' }).end())
    .set('/to-file', (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end())
    .set('/round', (response) => response.writeHead(302, { location: '/round' }).end())
    .set('/moved', (response) => response.writeHead(301, { location: '/there.png' }).end())
    .set('/there.png', image(6));
  const port = host.host.split(':')[1];
  const source = testSource('photos_private');
  source.feed = [
    // The same host is not allowed under a different name.
    ad('private', { photos: [`http://localhost:${port}/there.png`, ...['/to-private', '/to-file', '/round'].map(at)] }),
    ad('moved', { photos: [at('/moved')] }),
  ];
  const before = host.asked.get('/there.png') ?? 0;
  const report = await pipeline.run([source], next(), fetching());
  const dropped = droppedPhotos(report);
  t.deepEqual(dropped, { address_refused: 3, too_many_redirects: 1 });
  t.deepEqual(report.events, { 'listing.created': 1 }, 'an allowed redirect is followed');
  t.is(host.asked.get('/there.png'), before + 1);
});

test('new photos of a known ad replace the old ones once they are copied', async (t) => {
  host.answers.set('/old.png', image(7));
  const source = testSource('photos_new');
  source.feed = [...ads(2, 'other', { photos: [at('/a.png')] }), ad('ad', { photos: [at('/old.png')] })];
  await pipeline.run([source], next(), fetching());
  const { id } = await pipeline.listing('photos_new', 'ad');
  const [old] = (await pipeline.document(id))?.private.photos ?? [];
  source.feed = [...ads(2, 'other', { photos: [at('/a.png')] }), ad('ad', { photos: [at('/new.png')] })];
  // The new photo is unavailable: the listing must remain until the failure is final.
  const stuck = await pipeline.run([source], next(), fetching({ maxAttempts: 2 }));
  t.deepEqual(stuck.events, {});
  t.deepEqual((await pipeline.document(id))?.private.photos, [old]);
  host.answers.set('/new.png', image(8));
  await pipeline.run([source], next(), fetching({ maxAttempts: 2 }));
  const photos = (await pipeline.document(id))?.private.photos ?? [];
  t.is(photos.length, 1);
  t.not(photos[0], old);
});

test('after its time limit the photo stage counts the remaining rows and reads none of them', async (t) => {
  host.answers.set('/photo.png', image(1)).set('/plan.png', image(2));
  const source = testSource('late');
  // Four batches of the stage.
  source.feed = ads(350, 'late', { photos: [at('/photo.png')] });
  const projectSources = [testProjects('late', [project('p1', { photos: [at('/plan.png')] })])];
  const { pool } = pipeline;
  const { query } = pool;
  t.teardown(() => Object.assign(pool, { query }));
  let batches = 0;
  pool.query = function (this: typeof pool, ...given: unknown[]) {
    if ((given[0] as { name?: string }).name?.startsWith('photos-')) batches++;
    return (query as (...given: unknown[]) => unknown).apply(this, given);
  } as typeof pool.query;
  const run = async (changes: Parameters<typeof fetching>[0]) => {
    batches = 0;
    const report = await pipeline.run([source], next(), { ...fetching(changes), projectSources });
    return report.stages.find(({ stage }) => stage === 'photos')?.details ?? {};
  };
  t.like(await run({ budget: -1 }), { fetched: 0, listings: 0 });
  t.deepEqual([batches, host.asked.get('/photo.png'), host.asked.get('/plan.png')], [0, undefined, undefined]);
  t.like(await run({}), { left_for_later: 0 });
  t.true(batches >= 5, `${batches} batches`);
});

test('every served photo is in the bucket', async (t) => {
  const { documents } = await pipeline.snapshot();
  const { Contents = [] } = await pipeline.s3.send(new ListObjectsV2Command({ Bucket: pipeline.bucket }));
  const there = new Set(Contents.map(({ Key }) => Key));
  for (const { stored } of documents) for (const key of stored.private.photos) t.true(there.has(key), key);
});
