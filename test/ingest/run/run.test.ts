import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBoundaries } from '#domain/geography/boundaries.ts';
import { dryRun } from '#ingest/dry-run.ts';
import { BusyError } from '#ingest/postgres/writer.ts';
import { openSource } from '#ingest/sources/source.ts';
import { featureOf, fileOf, square } from '#test/boundaries.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import hanging from './hanging-source.ts';
import { ad, ads, pipelineOfFile, type TestSource, testSource } from './pipeline.ts';

const pipeline = pipelineOfFile('ingest-run');
const dir = folderOfFile();

// Only one ingest run can be active per installation, so these tests are serial and use separate sources.
let clock = Date.parse('2026-04-02T03:00:00Z');
/** Returns the time of the next run. */
function later(): string {
  clock += 86_400_000;
  return new Date(clock).toISOString();
}

test('ads of one property are one listing with the names of the other sources', async (t) => {
  const sources = ['twin_a', 'twin_b', 'twin_c'].map(testSource) as [TestSource, TestSource, TestSource];
  const [left, right, late] = sources;
  const home = {
    price: 61_000,
    area: 143,
    bedrooms: 3,
    floor: '2',
    lat: 24.8123,
    lng: 46.6123,
    neighborhood: 'النرجس',
  };
  const near = { ...home, lat: 24.8124 };
  // By its photo, a flat that another source calls a floor is the same home.
  const photos = ['https://photos.example/balcony.jpg'];
  left.feed = [...ads(4, 'l'), ad('same', { ...home, photos })];
  right.feed = [...ads(4, 'r'), ad('also', { ...near, area: 250 })];
  late.feed = ads(4, 'c');
  await pipeline.run(sources, later());
  const [{ id }, other] = [await pipeline.listing('twin_a', 'same'), await pipeline.listing('twin_b', 'also')];
  const modified = async (listing: number) => (await pipeline.document(listing))?.private.modified ?? Number.NaN;
  const before = [await modified(id), await modified(other.id)] as const;
  // The older of two visible ads remains. A new ad of the property creates no event.
  right.feed = [...ads(4, 'r'), ad('also', { ...near, photos })];
  late.feed = [...ads(4, 'c'), ad('third', { ...near, photos, property_type: 'floor' })];
  t.deepEqual((await pipeline.run(sources, later())).events, { 'listing.delisted': 1 });
  t.deepEqual(await pipeline.events(id), ['listing.created']);
  t.deepEqual((await pipeline.document(id))?.display.also_listed_on, ['twin_b', 'twin_c']);
  t.is((await pipeline.listing('twin_b', 'also')).duplicate_of, id);
  const merged = await modified(id);
  t.true(merged > Math.max(...before));
  // Another price and fewer facts of one ad do not split the property.
  const vague = { floor: null, lat: null, lng: null, photos: ['https://photos.example/other.jpg'] };
  right.feed = [...ads(4, 'r'), ad('also', { ...home, ...vague, price: 69_500 })];
  t.deepEqual((await pipeline.run(sources, later())).events, {});
  t.is((await pipeline.listing('twin_b', 'also')).duplicate_of, id);
  right.feed = [...ads(4, 'r'), ad('also', { ...near, photos })];
  // The oldest ad is removed; the property remains on offer under the id of another ad.
  left.feed = ads(4, 'l');
  t.deepEqual((await pipeline.run(sources, later())).events, { 'listing.created': 1, 'listing.delisted': 1 });
  t.is(await pipeline.document(id), null);
  t.deepEqual((await pipeline.document(other.id))?.display.also_listed_on, ['twin_c']);
  t.true((await modified(other.id)) > merged);
  // Split again.
  late.feed = [...ads(4, 'c'), ad('third', { ...near, bedrooms: 1, area: 250, price: 99_000 })];
  const alone = await modified(other.id);
  t.deepEqual((await pipeline.run(sources, later())).events, { 'listing.created': 1 });
  t.deepEqual((await pipeline.document(other.id))?.display.also_listed_on, []);
  t.true((await modified(other.id)) > alone);
  // The oldest ad returns, and represents the property again.
  left.feed = [...ads(4, 'l'), ad('same', { ...home, photos })];
  await pipeline.run(sources, later());
  t.is((await pipeline.listing('twin_b', 'also')).duplicate_of, id);
});

test('an ad that is stored stays listed if its next row takes too long', async (t) => {
  const source = testSource('slow');
  source.feed = ads(3, 's');
  await pipeline.run([source], later());
  const { id } = await pipeline.listing('slow', 's1');
  const before = await pipeline.document(id);
  source.feed = [ad('s0'), ad('s1', { price: 1_000_000, amenities: ['٥'.repeat(3_000_000)] }), ad('s2')];
  const { stages, events } = await pipeline.run([source], later());
  t.deepEqual([stages[0]?.dropped, events], [{ too_slow: 1 }, {}]);
  t.like(stages[0]?.details, { changed: 0, withdrawn: 0 });
  t.not(before, null);
  t.deepEqual(await pipeline.document(id), before);
});

test('a mapping that does not end costs its row, and withdraws no ad', async (t) => {
  const module = new URL('./hanging-source.ts', import.meta.url).href;
  const source = openSource({ ...hanging, module }, { dataDir: dir });
  const write = (...ids: string[]) =>
    writeFile(join(dir, 'hanging.ndjson'), ids.map((id) => `${JSON.stringify({ ...ad(id) }.row)}\n`).join(''));
  await write('h1', 'h2', 'never');
  const first = await pipeline.run([source], later());
  t.like(first.stages[0], { kept: 2, dropped: { malformed_row: 1 } });
  await write('h1', 'forever', 'h3');
  const { stages, events } = await pipeline.run([source], later());
  t.like(stages[0], { kept: 2, dropped: { too_slow: 1 }, details: { new: 1, unchanged: 1, withdrawn: 0 } });
  t.regex(String(stages[0]?.details.failed), /takes more than 250 ms of processor time/);
  t.deepEqual(events, { 'listing.created': 1 });
  const signal = new AbortController().signal;
  const path = join(dir, 'hanging.ndjson');
  const dry = await dryRun({
    path,
    source: 'hanging',
    sources: [{ ...hanging, module }],
    at: new Date(later()),
    signal,
  });
  t.like(dry, { rows: 3, accepted: 2, rejected: { too_slow: 1 } });
});

test('ads are read with the settings of their source', async (t) => {
  const source = Object.assign(testSource('settings'), { dateOrder: 'month_first', timeZone: 'UTC' });
  source.feed = [ad('dated', { updated_at: '03/04/2026 10:00' })];
  await pipeline.run([source], later());
  const { id } = await pipeline.listing('settings', 'dated');
  t.is((await pipeline.document(id))?.display.updated_at, '2026-03-04T10:00:00Z');
  source.dateOrder = 'day_first';
  const { stages } = await pipeline.run([source], later());
  t.like(stages[0]?.details, { changed: 1 });
  t.is((await pipeline.document(id))?.display.updated_at, '2026-04-03T10:00:00Z');
});

test('concurrent runs are refused', async (t) => {
  const source = testSource('busy');
  const entered = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  source.rows = async function* rows() {
    entered.resolve();
    await leave.promise;
    yield ad('only');
  };
  const first = pipeline.run([source], later());
  await entered.promise;
  await t.throwsAsync(pipeline.run([source], later(), { lockWait: 0 }), { instanceOf: BusyError });
  leave.resolve();
  t.deepEqual((await first).events, { 'listing.created': 1 });
});

test('a run of an earlier time is refused', async (t) => {
  await t.throwsAsync(pipeline.run([testSource('early')], '2026-03-01T00:00:00Z'), { message: /cannot follow/ });
});

const MALQA = 1001;
const YASMIN = 1002;
const boundaries = readBoundaries(fileOf(featureOf({ neighborhood_id: MALQA }, square(24.825, 46.64, 0.002))));

test('a new file of boundaries moves ads that state no neighborhood, and removing it moves them back', async (t) => {
  const source = testSource('bounded');
  source.feed = [
    ...Array.from({ length: 5 }, (_, at) =>
      ad(`stated${at}`, { lat: 24.825 + (at + 1) / 1e5, lng: 46.64, neighborhood: 'الياسمين' }),
    ),
    ad('inside', { lat: 24.825, lng: 46.64, neighborhood: null }),
    ad('outside', { lat: 24.828, lng: 46.64, neighborhood: null }),
  ];
  const neighborhoods = async (): Promise<unknown[]> => {
    const rows = await Promise.all(['inside', 'outside', 'stated0'].map((id) => pipeline.listing('bounded', id)));
    return rows.map(({ neighborhood_id: id }) => id);
  };
  await pipeline.run([source], later());
  t.deepEqual(await neighborhoods(), [YASMIN, YASMIN, YASMIN]);
  await pipeline.run([source], later(), { boundaries });
  t.deepEqual(await neighborhoods(), [MALQA, YASMIN, YASMIN]);
  await pipeline.run([source], later());
  t.deepEqual(await neighborhoods(), [YASMIN, YASMIN, YASMIN]);
});

test('events are released later than those of the previous run, even if the clock went back', async (t) => {
  const [one, two] = [later(), later()];
  const source = testSource('released');
  source.feed = ads(1, 'released-');
  await pipeline.run([source], one);
  const ahead = `update ingest_runs set completed_at = now() + interval '1 hour' where at = $1 returning completed_at::text as time`;
  const { rows } = await pipeline.pool.query<{ time: string }>(ahead, [one]);
  await pipeline.run([source], two);
  const { rows: released } = await pipeline.pool.query<{ microseconds: number }>(
    `select extract(microseconds from completed_at - $2::timestamptz)::int as microseconds from ingest_runs where at = $1`,
    [two, rows[0]?.time],
  );
  t.deepEqual(released, [{ microseconds: 2 }]);
});
