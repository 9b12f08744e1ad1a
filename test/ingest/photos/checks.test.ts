import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { AGED_PER_HOST, HostBudget } from '#ingest/photos/checks.ts';
import type { RunReport } from '#ingest/run/report.ts';
import { test } from '#test/test.ts';
import { project, testProjects } from '../off-plan/ground.ts';
import { ad, testSource } from '../run/pipeline.ts';
import { image, photosOfFile, startPhotoHost } from './host.ts';

const { pipeline, host } = photosOfFile('photo-checks');
const at = (path: string): string => host.at(path);

let clock = Date.parse('2026-04-02T03:00:00Z');
const after = (days: number): string => {
  clock += days * 86_400_000;
  return new Date(clock).toISOString();
};
const detailsOf = (report: RunReport) => report.stages.find(({ stage }) => stage === 'photos')?.details ?? {};
const objects = async (): Promise<number> => {
  const { KeyCount = 0 } = await pipeline.s3.send(new ListObjectsV2Command({ Bucket: pipeline.bucket }));
  return KeyCount;
};
/** Returns the indexed photo key for an ad with one photo. */
const shown = async (source: string, id: string): Promise<string> => {
  const { id: listing } = await pipeline.listing(source, id);
  const [key, ...others] = (await pipeline.document(listing))?.private.photos ?? [];
  if (key === undefined || others.length > 0) throw new Error(`${id} does not show one photo`);
  return key;
};

test('a changed ad gets new bytes of an address, and an unchanged ad keeps its photo', async (t) => {
  host.answers.set('/changed.png', image(1)).set('/kept.png', image(2)).set('/lost.png', image(30));
  const source = testSource('changed');
  const kept = ad('kept', { photos: [at('/kept.png')] });
  const feed = (price: number) => [
    ad('changed-ad', { price, photos: [at('/changed.png')] }),
    ad('lost-ad', { price: price + 9_000, photos: [at('/lost.png')] }),
    kept,
  ];
  source.feed = feed(40_000);
  await pipeline.run([source], after(1), host.fetching());
  const lost = await shown('changed', 'lost-ad');
  const before = await shown('changed', 'changed-ad');
  const stored = await objects();

  host.answers.set('/changed.png', image(3)).set('/kept.png', image(4));
  const quiet = await pipeline.run([source], after(1), host.fetching());
  t.like(detailsOf(quiet), { checked: 0, replaced: 0 });
  host.answers.delete('/lost.png');
  source.feed = feed(41_000);
  const report = await pipeline.run([source], after(1), host.fetching());
  t.like(detailsOf(report), { fetched: 0, replaced: 1, failed_checks: 1 });
  t.is(await shown('changed', 'lost-ad'), lost, 'a photo that cannot be fetched again is kept');
  host.answers.set('/lost.png', image(30));
  t.deepEqual([host.asked.get('/changed.png'), host.asked.get('/kept.png')], [2, 1]);
  const now = await shown('changed', 'changed-ad');
  t.not(now, before);
  t.is(await objects(), stored + 1);
  const { rows } = await pipeline.pool.query('select key from photo_images where key = $1', [now]);
  t.is(rows.length, 1, 'the new bytes have a perceptual hash entry');
  // In the same run, the identity stage compares the listing by the new photo.
  const { id, content_run: contentRun } = await pipeline.listing('changed', 'changed-ad');
  t.is(contentRun, report.run);
  t.deepEqual(await pipeline.events(id), ['listing.created', 'listing.price_changed']);
});

test('all listings of an address show its new bytes after one of their ads changes', async (t) => {
  const paths = ['/shared.png', '/beside.png'];
  for (const [color, path] of paths.entries()) host.answers.set(path, image(5 + color));
  const source = testSource('shared');
  const feed = (price: number) => [
    ad('shared-one', { price, photos: [at('/shared.png')] }),
    ad('shared-two', { bedrooms: 5, photos: paths.map(at) }),
  ];
  source.feed = feed(40_000);
  await pipeline.run([source], after(1), host.fetching());
  for (const [color, path] of paths.entries()) host.answers.set(path, image(7 + color));
  const two = await pipeline.listing('shared', 'shared-two');
  source.feed = feed(41_000);
  const report = await pipeline.run([source], after(1), host.fetching());
  t.like(detailsOf(report), { fetched: 0, checked: 1, replaced: 1 });
  t.is(host.asked.get('/beside.png'), 1);
  const { photos, photos_pending: pending } = await pipeline.listing('shared', 'shared-two');
  const [shared, beside] = String(two.photos).split(' ');
  const key = await shown('shared', 'shared-one');
  t.not(key, shared);
  t.deepEqual([photos, pending], [`${key} ${beside}`, 0]);
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
  const { id } = await pipeline.listing('aged', 'aged-ad');
  const before = await pipeline.listing('aged', 'aged-ad');
  await pipeline.run([source], after(6), host.fetching());
  t.is(host.asked.get('/aged.png'), 1);
  await pipeline.run([source], after(1), host.fetching({ mode: 'copy' }));
  t.is(host.asked.get('/aged.png'), 1, 'left to a later run');
  for (const run of [1, 2]) {
    const report = await pipeline.run([source], after(run === 1 ? 0 : 7), host.fetching());
    t.is(detailsOf(report).failed_checks, 0);
    t.is(host.asked.get('/aged.png'), 1 + run);
  }
  t.deepEqual(conditions, [
    [undefined, undefined],
    ['"one"', lastModified],
    ['"one"', lastModified],
  ]);
  const { version, photos } = await pipeline.listing('aged', 'aged-ad');
  t.deepEqual([version, photos], [before.version, before.photos]);
  t.deepEqual(await pipeline.events(id), ['listing.created']);
});

test('equal bytes under a new ETag are not stored again, and the ETag is kept', async (t) => {
  host.answers.set('/tagged.png', image(20, { etag: '"old"' }));
  const source = testSource('tagged');
  source.feed = [ad('tagged-ad', { price: 40_000, photos: [at('/tagged.png')] })];
  await pipeline.run([source], after(1), host.fetching());
  const key = await shown('tagged', 'tagged-ad');
  const stored = await objects();
  const asked: unknown[] = [];
  host.answers.set('/tagged.png', (response, request) => {
    asked.push(request.headers['if-none-match']);
    image(20, { etag: 'W/"new"' })(response, request);
  });
  for (const price of [41_000, 42_000]) {
    source.feed = [ad('tagged-ad', { price, photos: [at('/tagged.png')] })];
    t.like(detailsOf(await pipeline.run([source], after(1), host.fetching())), { checked: 1, replaced: 0 });
  }
  t.deepEqual(asked, ['"old"', 'W/"new"']);
  t.is(await shown('tagged', 'tagged-ad'), key);
  t.is(await objects(), stored);
});

test('a run interrupted during checks repeats the selected requests', async (t) => {
  const paths = ['/first.png', '/second.png'];
  const source = testSource('stopped');
  const feed = (price: number) => paths.map((path) => ad(path.slice(1, 4), { price, photos: [at(path)] }));
  for (const [color, path] of paths.entries()) host.answers.set(path, image(40 + color));
  source.feed = feed(40_000);
  await pipeline.run([source], after(1), host.fetching());
  const before = [await shown('stopped', 'fir'), await shown('stopped', 'sec')];
  const stop = new AbortController();
  const { promise: firstIsServed, resolve: served } = Promise.withResolvers<void>();
  host.answers
    .set('/first.png', (response, request) => {
      image(42)(response, request);
      response.on('close', served);
    })
    .set('/second.png', () => void firstIsServed.then(() => stop.abort(new Error('stopped'))));
  source.feed = feed(41_000);
  const time = after(1);
  await t.throwsAsync(pipeline.run([source], time, { ...host.fetching({ timeout: 30_000 }), signal: stop.signal }), {
    message: 'stopped',
  });
  const checks = async () => {
    const { rowCount } = await pipeline.pool.query(
      `select from photo_checks join listings l on l.id = owner_id where owner = 'listings' and l.source = 'stopped'`,
    );
    return rowCount;
  };
  t.is(await checks(), 2);
  host.answers.set('/second.png', image(43));
  const report = await pipeline.run([source], time, host.fetching());
  t.true(report.resumed);
  t.like(detailsOf(report), { replaced: 2, failed_checks: 0 });
  t.is(await checks(), 0);
  const now = [await shown('stopped', 'fir'), await shown('stopped', 'sec')];
  t.is(new Set([...before, ...now]).size, 4);
});

test('photos of a project are requested again when the project changes, and periodically', async (t) => {
  host.answers.set('/project.png', image(50));
  const source = testSource('beside_projects');
  const projects = testProjects('towers');
  const run = (days: number) => pipeline.run([source], after(days), { ...host.fetching(), projectSources: [projects] });
  const photos = async () => (await pipeline.pool.query('select photos from off_plan_records')).rows[0]?.photos;
  projects.feed = [project('tower', { price_min: 600_000, photos: [at('/project.png')] })];
  await run(1);
  const seen = [await photos()];
  host.answers.set('/project.png', image(51));
  projects.feed = [project('tower', { price_min: 610_000, photos: [at('/project.png')] })];
  await run(1);
  seen.push(await photos());
  host.answers.set('/project.png', image(52));
  await run(6);
  t.is(await photos(), seen[1]);
  await run(1);
  seen.push(await photos());
  t.is(new Set(seen).size, 3);
  for (const key of seen) t.regex(String(key), /^\S+\.png$/);
});

test('a run requests a limited number of old photos per host, oldest first', async (t) => {
  const other = await startPhotoHost();
  t.teardown(other.close);
  const run = (days: number) => pipeline.run([source], after(days), other.fetching());
  const photosOfAd = 50;
  const names = Array.from({ length: AGED_PER_HOST / photosOfAd + 2 }, (_, number) => `many-${number}`);
  const photosOf = (name: string) => Array.from({ length: photosOfAd }, (_, photo) => `/${name}/${photo}.png`);
  for (const path of names.flatMap(photosOf)) other.answers.set(path, image(60, { etag: '"same"' }));
  const source = testSource('many');
  source.feed = names.map((name) => ad(name, { photos: photosOf(name).map(other.at) }));
  await run(1);
  t.is(other.asked.size, names.length * photosOfAd);
  // Photos stored before the migration are in this state after it.
  await pipeline.pool.query('update listings set photos_checked_run = 0; update photos set etag = null');
  for (const [days, due] of [
    [1, names.slice(0, -2)],
    [1, names.slice(-2)],
    [8, names.slice(0, -2)],
  ] as const) {
    other.asked.clear();
    await run(days);
    t.deepEqual([...other.asked.keys()].sort(), due.flatMap(photosOf).sort());
  }
});

test('a host budget accepts address lists in order, and none after the first that does not fit', (t) => {
  const budget = new HostBudget(2);
  const [a, b] = ['a', 'b'].map((host) => (photo: number) => `http://${host}.example/${photo}`) as [
    (photo: number) => string,
    (photo: number) => string,
  ];
  for (const [urls, isAccepted, title] of [
    [[a(1), a(2), a(3)], true, 'the first list of a host, whatever its length'],
    [[a(1)], false, 'more than the limit'],
    [[b(1)], true, 'another host'],
    [[b(1), b(2)], true, 'a URL counts once'],
    [[b(3)], false, 'more than the limit of the other host'],
    [[b(1)], false, 'after a refusal'],
    [[], true, 'no photos'],
  ] as const)
    t.is(budget.accept(urls), isAccepted, title);
});
