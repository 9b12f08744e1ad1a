import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { parse } from 'csv-parse/sync';
import examples from '#sample/examples.json' with { type: 'json' };
import { feedOf } from '#sample/feeds.ts';
import { generateSample, type SampleOptions, type SampleSummary, sampleTruth } from '#sample/generate.ts';
import { driftOf, homesOfGroup, marketOf } from '#sample/homes.ts';
import { Random } from '#sample/random.ts';
import { timeline } from '#sample/timeline.ts';
import { atLevelOf, type TruthRow } from '#sample/writer.ts';
import { folderOfFile, temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

/** Enough ads to compare the rates of rare faults. */
const OPTIONS = { listings: 12_000, seed: 11, days: 4, until: '2026-03-20', hostUrl: 'http://photos.test' };

const dir = folderOfFile();
let summary: SampleSummary;
test.before(async () => {
  summary = await generateSample({ ...OPTIONS, dir });
});

async function sample(t: ExecutionContext, change: Partial<SampleOptions> = {}): Promise<SampleSummary> {
  return generateSample({ ...OPTIONS, ...change, dir: await temporaryFolder(t) });
}

/** Returns one hash over the names and bytes of all files in a sample folder. */
async function digest(dir: string): Promise<string> {
  const hash = createHash('sha256');
  const files = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  for (const path of paths.sort()) hash.update(path.slice(dir.length)).update(await readFile(path));
  return hash.digest('hex');
}

async function truthOf(dir: string): Promise<TruthRow[]> {
  const rows: TruthRow[] = [];
  for await (const row of sampleTruth(dir)) rows.push(row);
  return rows;
}

test('equal options generate byte-identical samples, and a different seed generates a different sample', async (t) => {
  const small = { listings: 600 };
  const one = await digest((await sample(t, small)).dir);
  t.is(await digest((await sample(t, small)).dir), one);
  t.not(await digest((await sample(t, { ...small, seed: 12 })).dir), one);
});

test('an ad that was posted earlier has the price of the market on its first day', (t) => {
  const homes = homesOfGroup(new Random(3, 1), () => 1, marketOf(4_000));
  const rising = homes
    .map((property) => ({ property, price: 100_000 }))
    .filter(({ property }) => driftOf(property) > 0);
  t.true(rising.length > 0);
  for (const ad of rising) {
    const level = (day: string) => (atLevelOf(ad, { day }, { day: '2026-11-01' }).price ?? Number.NaN) / 100_000;
    t.is(level('2026-11-01'), 1);
    // Ten months of 30.4 days; posted prices are rounded.
    t.true(Math.abs(level('2026-01-01') - (1 + driftOf(ad.property) / 100) ** -10) < 0.01);
    t.true(level('2026-01-01') < level('2026-06-01'));
  }
});

test('the sample has the fault rates documented in its README', async (t) => {
  const rows = await truthOf(dir);
  t.is(rows.length, summary.ads);
  const byProperty = Map.groupBy(rows, (row) => row.property);
  const copied = [...byProperty.values()].filter((copies) => copies.length > 1).length / byProperty.size;
  const share = (wanted: (row: TruthRow) => boolean): number => rows.filter(wanted).length / rows.length;
  for (const [what, actual, wanted, tolerance] of [
    ['copied', copied, 0.25, 0.02],
    ['outliers', share((row) => row.outlier), 0.015, 0.004],
    ['no photos', share((row) => row.photos === 0), 0.06, 0.01],
    ['Riyadh', share((row) => row.city === 'riyadh'), 0.35, 0.03],
    ['withdrawn', share((row) => row.last_day !== null), 0.055, 0.015],
    ['new', share((row) => row.first_day !== '2026-03-17'), 0.085, 0.015],
  ] as const)
    t.true(Math.abs(actual - wanted) <= tolerance, `${what}: ${actual.toFixed(4)}`);
  t.true(new Set(rows.map((row) => row.city)).size >= 12);
  t.is(new Set(rows.map((row) => row.property_type)).size, 18);
  for (const copies of byProperty.values()) {
    t.is(new Set(copies.map((row) => row.source)).size, copies.length, 'one ad a source');
    t.is(new Set(copies.map((row) => `${row.city} ${row.neighborhood_id} ${row.property_type}`)).size, 1);
  }
  t.is(new Set(rows.map((row) => `${row.source} ${row.source_listing_id}`)).size, rows.length, 'ids are unique');
});

test('an invalid sample option is rejected', async (t) => {
  await t.throwsAsync(generateSample({ ...OPTIONS, dir, until: '20/03/2026' }), { message: /not a day/ });
  await t.throwsAsync(generateSample({ ...OPTIONS, dir, days: 0 }), { message: /days must be/ });
  await t.throwsAsync(generateSample({ ...OPTIONS, dir, listings: 0 }), { message: /listings must be/ });
});

test('with a first day, a sample has monthly feeds and one a week before the last days', async (t) => {
  const summary = await sample(t, { listings: 3_000, since: '2026-01-31' });
  t.deepEqual(summary.days, ['2026-01-31', '2026-03-10', '2026-03-17', '2026-03-18', '2026-03-19', '2026-03-20']);
  t.deepEqual(
    timeline('2026-06-20', 2, '2026-01-31').map(({ day, gap }) => `${day} ${gap}`),
    [
      '2026-01-31 1',
      '2026-02-28 28',
      '2026-03-28 28',
      '2026-04-28 31',
      '2026-05-28 30',
      '2026-06-12 15',
      '2026-06-19 7',
      '2026-06-20 1',
    ],
  );
  t.true(Math.abs(summary.live / 3_000 - 1) <= 0.04, `${summary.live} live`);
});

test('the examples come first, remain live, and change their prices', async (t) => {
  const { dir, days } = await sample(t, { listings: 600, since: '2025-09-01' });
  const prices: string[] = [];
  for (const day of days) {
    const text = await readFile(join(dir, 'feeds', 'aqarna', `${day}.csv`), 'utf8');
    const rows = parse(text, { columns: true, bom: true, relax_column_count: true }) as {
      district: string;
      price: string;
    }[];
    t.deepEqual(
      rows.slice(0, 3).map(({ district }) => district),
      ['حي الملقا', 'حي الياسمين', 'حي النرجس'],
    );
    prices.push(rows[0]?.price ?? '');
  }
  t.is(new Set(prices).size, 1 + Object.keys(examples.prices).length);
});

test('every feed of their source has the homes with odd spellings', async (t) => {
  const { dir, days } = await sample(t, { listings: 600 });
  const layout = feedOf(examples.odd_source);
  for (const day of days) {
    const text = await readFile(join(dir, 'feeds', layout.source, `${day}.ndjson`), 'utf8');
    for (const [spellings] of examples.odd)
      for (const [of, spelling] of Object.entries(spellings as object)) {
        const written = JSON.stringify({ [layout.columnOf(of as 'price') as string]: spelling }).slice(1, -1);
        t.true(text.includes(written), `${day} ${written}`);
      }
  }
});
