import { createServer } from 'node:http';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import sharp from 'sharp';
import type { PhotoOptions } from '#ingest/run/photo-options.ts';
import type { RunReport } from '#ingest/run/run-state.ts';
import type { Source } from '#ingest/sources/source.ts';
import { userAgentOf } from '#stores/outbound/outbound-client.ts';
import { listen } from '#test/listen.ts';
import { test } from '#test/test.ts';
import { project, testProjects } from '../off-plan/ground.ts';
import { ad, testSource } from '../run/pipeline.ts';
import { image, photosOfFile, png } from './host.ts';

const { pipeline, host } = photosOfFile('ingest-photos');
const at = (path: string): string => host.at(path);

let clock = Date.parse('2026-04-02T03:00:00Z');
const after = (days: number): string => {
  clock += days * 86_400_000;
  return new Date(clock).toISOString();
};
const stageOf = (report: RunReport) => report.stages.find(({ stage }) => stage === 'photos');
const droppedPhotos = (report: RunReport): Record<string, number> => stageOf(report)?.dropped ?? {};
const detailsOf = (report: RunReport) => stageOf(report)?.details ?? {};
const objects = async (): Promise<number> => {
  const { KeyCount = 0 } = await pipeline.s3.send(new ListObjectsV2Command({ Bucket: pipeline.bucket }));
  return KeyCount;
};
/** Returns the indexed photo keys of an ad. */
const shown = async (source: string, id: string): Promise<readonly string[]> =>
  (await pipeline.document((await pipeline.listing(source, id)).id))?.private.photos ?? [];

test('photos of changed ads and projects are requested again, and every listing of an address shows its new bytes', async (t) => {
  const paths = ['/changed.png', '/kept.png', '/lost.png', '/project.png'];
  for (const [color, path] of paths.entries()) host.answers.set(path, image(color + 1));
  const source = testSource('changed');
  const projects = testProjects('changed');
  const run = (price: number) => {
    source.feed = [
      ad('changed-ad', { price, photos: [at('/changed.png')] }),
      ad('lost-ad', { price: price + 9_000, photos: [at('/lost.png')] }),
      ad('sharing-ad', { bedrooms: 5, photos: [at('/changed.png'), at('/kept.png')] }),
    ];
    projects.feed = [project('tower', { price_min: price * 10, photos: [at('/project.png')] })];
    return pipeline.run([source], after(1), { ...host.fetching(), projectSources: [projects] });
  };
  const photos = async () => ({
    changed: await shown('changed', 'changed-ad'),
    lost: await shown('changed', 'lost-ad'),
    sharing: await shown('changed', 'sharing-ad'),
    project: (await pipeline.pool.query('select photos from off_plan_records')).rows[0]?.photos as string,
  });
  await run(40_000);
  const before = await photos();
  const stored = await objects();
  for (const [color, path] of paths.entries()) host.answers.set(path, image(color + 11));
  host.answers.delete('/lost.png');
  t.like(detailsOf(await run(40_000)), { checked: 0, replaced: 0 });
  const report = await run(41_000);
  t.like(detailsOf(report), { fetched: 0, replaced: 2, failed_checks: 1 });
  const now = await photos();
  t.deepEqual([before.changed.length, now.changed.length], [1, 1]);
  t.notDeepEqual(now.changed, before.changed);
  t.deepEqual(now.sharing, [now.changed[0], before.sharing[1]]);
  t.deepEqual(now.lost, before.lost, 'a photo that cannot be fetched again is kept');
  t.not(now.project, before.project);
  t.deepEqual([host.asked.get('/changed.png'), host.asked.get('/kept.png')], [2, 1]);
  t.is(await objects(), stored + 2);
  // In the same run, the identity stage compares the listing by the new photo.
  const { id, content_run: contentRun } = await pipeline.listing('changed', 'changed-ad');
  t.is(contentRun, report.run);
  t.deepEqual(await pipeline.events(id), ['listing.created', 'listing.price_changed']);
  host.answers.set('/lost.png', image(3));
});

test('a photo not checked for a week is requested again, and a 304 response changes nothing', async (t) => {
  const conditions: unknown[] = [];
  const lastModified = 'Thu, 02 Apr 2026 03:00:00 GMT';
  host.answers.set('/aged.png', (response, request) => {
    conditions.push([request.headers['if-none-match'], request.headers['if-modified-since']]);
    if (request.headers['if-none-match'] === '"one"') response.writeHead(304).end();
    else image(10, { etag: '"one"', 'last-modified': lastModified })(response, request);
  });
  const source = testSource('aged');
  source.feed = [ad('aged-ad', { photos: [at('/aged.png')] })];
  await pipeline.run([source], after(1), host.fetching());
  const { id, ...before } = await pipeline.listing('aged', 'aged-ad');
  await pipeline.run([source], after(6), host.fetching());
  t.is(conditions.length, 1);
  for (const days of [1, 7])
    t.is(detailsOf(await pipeline.run([source], after(days), host.fetching())).failed_checks, 0);
  const unchanged = ['"one"', lastModified];
  t.deepEqual(conditions, [[undefined, undefined], unchanged, unchanged]);
  const { version, photos } = await pipeline.listing('aged', 'aged-ad');
  t.deepEqual([version, photos], [before.version, before.photos]);
  t.deepEqual(await pipeline.events(id), ['listing.created']);
});

test('photos are copied to the CDN bucket once, under the hash of their bytes', async (t) => {
  host.answers.set('/a.png', image(1)).set('/b.jpg', image(2)).set('/copy-of-a.png', image(1));
  host.answers.set('/small.png', async (response) => response.end(await png(40, 96, 64)));
  const source = testSource('photos_plain');
  source.feed = [
    ad('x', { photos: ['/a.png', '/b.jpg', '/copy-of-a.png', '/small.png'].map(at) }),
    ad('y', { photos: [at('/a.png')] }),
  ];
  const report = await pipeline.run([source], after(0.5), host.fetching());
  t.deepEqual(report.events, { 'listing.created': 2 });
  const keys = await shown('photos_plain', 'x');
  t.is(keys.length, 2, 'one image under two addresses is one, and a small one is not shown beside others');
  for (const key of keys) t.regex(key, /^[0-9a-f]{2}\/[0-9a-f]{38}\.png$/);
  const object = await pipeline.s3.send(new GetObjectCommand({ Bucket: pipeline.bucket, Key: keys[0] as string }));
  t.is(object.ContentType, 'image/png', 'by its bytes, not by headers');
  t.regex(object.CacheControl ?? '', /immutable/);
  t.deepEqual(Buffer.from((await object.Body?.transformToByteArray()) ?? []), await png(1));
  t.is(host.asked.get('/a.png'), 1);
  await pipeline.run([source], after(0.5), host.fetching());
  t.is(host.asked.get('/a.png'), 1);
});

test('a listing shows its available photos; others are dropped with a reason and retried, except in formats that are not served', async (t) => {
  const tiff = await sharp(await png(9))
    .tiff()
    .toBuffer();
  host.answers
    .set('/good.png', image(3))
    .set('/photo.tiff', (response) => response.end(tiff))
    .set('/page.jpg', (response) =>
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end('<html>Sign in</html>'),
    )
    .set('/big.png', async (response) => response.end(Buffer.concat([await png(5), Buffer.alloc(50_000)])))
    .set('/slow.png', () => {})
    // A response to a conditional request, which this one is not.
    .set('/unchanged.png', (response) => response.writeHead(304).end());
  const bad = ['/gone.png', '/photo.tiff', '/page.jpg', '/big.png', '/slow.png', '/unchanged.png'];
  const source = testSource('photos_late');
  source.feed = [ad('z', { photos: [at('/late.png'), at('/good.png')] }), ad('never', { photos: bad.map(at) })];
  const run = () => pipeline.run([source], after(0.5), host.fetching({ maxBytes: 20_000, maxAttempts: 3 }));
  const first = await run();
  t.deepEqual(first.events, { 'listing.created': 1 });
  const dropped = droppedPhotos(first);
  t.like(dropped, { answered_404: 2, not_an_image: 1, timeout: 1, unsupported_type_tiff: 1 });
  t.is(
    Object.values(dropped).reduce((sum, count) => sum + count, 0),
    bad.length + 1,
  );
  const z = (await pipeline.listing('photos_late', 'z')).id;
  const never = (await pipeline.listing('photos_late', 'never')).id;
  t.is((await pipeline.document(z))?.display.image_count, 1);
  host.answers.set('/late.png', image(4));
  t.deepEqual((await run()).events, {});
  t.is((await pipeline.document(z))?.display.image_count, 2);
  await run();
  await run();
  t.deepEqual([host.asked.get('/gone.png'), host.asked.get('/photo.tiff')], [3, 1], 'a limited number of runs, or one');
  t.is(await pipeline.document(never), null);
});

test('private addresses and other schemes are refused, also in redirects', async (t) => {
  host.answers
    .set('/to-private', (response) => response.writeHead(302, { location: 'http://10.1.2.3/x.png' }).end())
    .set('/to-file', (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end())
    .set('/moved', (response) => response.writeHead(301, { location: '/there.png' }).end())
    .set('/there.png', image(6));
  const port = host.host.split(':')[1];
  const source = testSource('photos_private');
  source.feed = [
    // The same host is not allowed under a different name.
    ad('private', { photos: [`http://localhost:${port}/there.png`, ...['/to-private', '/to-file'].map(at)] }),
    ad('moved', { photos: [at('/moved')] }),
  ];
  const before = host.asked.get('/there.png') ?? 0;
  const report = await pipeline.run([source], after(0.5), host.fetching());
  t.deepEqual(droppedPhotos(report), { address_refused: 3 });
  t.deepEqual(report.events, { 'listing.created': 1 }, 'an allowed redirect is followed');
  t.is(host.asked.get('/there.png'), before + 1);
});

test('new photos of a known ad replace the old ones once they are copied', async (t) => {
  host.answers.set('/old.png', image(7));
  const source = testSource('photos_new');
  const run = (path: string) => {
    source.feed = [ad('ad', { photos: [at(path)] })];
    return pipeline.run([source], after(0.5), host.fetching({ maxAttempts: 2 }));
  };
  await run('/old.png');
  const before = await shown('photos_new', 'ad');
  // The new photo is unavailable: the listing must remain until the failure is final.
  t.deepEqual((await run('/new.png')).events, {});
  t.deepEqual(await shown('photos_new', 'ad'), before);
  host.answers.set('/new.png', image(8));
  await run('/new.png');
  const photos = await shown('photos_new', 'ad');
  t.deepEqual([before.length, photos.length], [1, 1]);
  t.notDeepEqual(photos, before);
});

test('a host that does not respond delays no other photos, and is requested in runs of its source only', async (t) => {
  const drip = await startDrip();
  t.teardown(drip.close);
  host.answers.set('/prompt.png', image(20)).set('/beside.png', image(21));
  const slow = testSource('slow');
  slow.feed = Array.from({ length: 66 }, (_, home) =>
    ad(`home-${home}`, { photos: [`http://${drip.host}/${home}.png`, ...(home === 65 ? [at('/beside.png')] : [])] }),
  );
  const prompt = testSource('prompt');
  prompt.feed = [ad('prompt', { photos: [at('/prompt.png')] })];
  const hosts = { privateHosts: [host.host, drip.host] };
  const run = (sources: Source[]) => pipeline.run(sources, after(0.5), host.fetching(hosts));
  const first = await run([slow, prompt]);
  t.like(droppedPhotos(first), { timeout: 8, host_unresponsive: 58 });
  t.is(drip.requests.length, 8, 'as many as are sent at once');
  t.is((await shown('prompt', 'prompt')).length, 1);
  t.is((await shown('slow', 'home-65')).length, 1, 'an ad shows its photos of other hosts');
  t.deepEqual((await run([prompt])).events, {});
  t.is(drip.requests.length, 8);
  drip.finish();
  const later = await run([slow]);
  t.deepEqual([detailsOf(later).fetched, droppedPhotos(later)], [66, {}], 'photos without a request lost no attempt');
});

test('photos beyond the time of the stage are left to the next run without an attempt', async (t) => {
  const budget = 2_500;
  host.answers
    .set('/first.png', (response) => void setTimeout(async () => response.end(await png(30)), budget))
    .set('/due.png', image(31));
  const source = testSource('beyond');
  source.feed = [ad('due', { photos: [at('/first.png'), at('/due.png')] })];
  const run = (limits: Partial<PhotoOptions>) =>
    pipeline.run([source], after(0.5), host.fetching({ timeout: 60_000, maxAttempts: 1, concurrency: 1, ...limits }));
  const first = await run({ budget });
  t.deepEqual([detailsOf(first).fetched, droppedPhotos(first)], [1, { left_for_later: 1 }]);
  t.is((await shown('beyond', 'due')).length, 1);
  t.is(detailsOf(await run({})).fetched, 1);
});

test('photos are stored without their metadata, and requested with the name and address of the service', async (t) => {
  let userAgent: string | undefined;
  const photo = await sharp(await png(40))
    .withExif({ IFD3: { GPSLatitude: '24/1 42/1 49/1', GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer();
  host.answers.set('/gps.jpg', (response, request) => {
    userAgent = request.headers['user-agent'];
    response.end(photo);
  });
  const source = testSource('gps');
  source.feed = [ad('gps', { photos: [at('/gps.jpg')] })];
  const named = userAgentOf({ serviceName: 'دار Homes API', siteUrl: 'https://homes.example' });
  const run = () => pipeline.run([source], after(10), host.fetching({ userAgent: named }));
  await run();
  t.is(userAgent, 'Homes-API (+https://homes.example)');
  const [key] = await shown('gps', 'gps');
  const object = await pipeline.s3.send(new GetObjectCommand({ Bucket: pipeline.bucket, Key: key as string }));
  const stored = Buffer.from((await object.Body?.transformToByteArray()) ?? []);
  t.is((await sharp(stored).metadata()).exif, undefined);
  t.deepEqual(await sharp(stored).raw().toBuffer(), await sharp(photo).raw().toBuffer());
  t.like(detailsOf(await run()), { checked: 1, replaced: 0 }, 'equal bytes of the source are no change');
});

/** Starts a host that sends a photo at a byte per second, until the test ends it. */
async function startDrip() {
  const bytes = await png(50);
  const requests: (() => void)[] = [];
  let isFinished = false;
  const { host, close } = await listen(
    createServer((_, response) => {
      let sent = 0;
      const timer = setInterval(() => response.write(bytes.subarray(sent, ++sent)), 1_000);
      const finish = () => {
        clearInterval(timer);
        response.end(bytes.subarray(sent));
      };
      response.on('close', () => clearInterval(timer));
      requests.push(finish);
      if (isFinished) finish();
    }),
  );
  const finish = () => {
    isFinished = true;
  };
  return { host, close, requests, finish };
}
