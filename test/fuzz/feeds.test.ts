import { randomInt } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import { NO_BOUNDARIES } from '#domain/geography/boundaries.ts';
import { searchedText } from '#domain/text/searched-text.ts';
import openReader from '#ingest/fetch/ad-reader.ts';
import { AD_COLUMNS, listingIn, recordLine } from '#ingest/fetch/ad-row.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { normalizeProject } from '#ingest/off-plan/normalize-project.ts';
import { loadProjectSources } from '#ingest/off-plan/sources/index.ts';
import type { RawProject } from '#ingest/off-plan/sources/raw.ts';
import { generateSample } from '#sample/generate.ts';
import { generateOffPlanSample } from '#sample/off-plan.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { codePoint } from '#test/code-points.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

/** Seconds for which the feeds of a folder are fuzzed. */
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 1);
/** Inputs between two checks of the time limit. */
const BATCH = 25;
/** Maximum processor milliseconds, and heap growth in bytes with its garbage, of one input. */
const MAX_MS = 1_500;
const MAX_GROWTH = 128 * 2 ** 20;
/** Maximum bytes that one change inserts. */
const MAX_INSERTED = 16 * 1024;

const DAY = '2026-03-10';
const AT = new Date(`${DAY}T12:00:00Z`);
/** Rows of a seed: more would dilute the mutations. */
const ROWS = 8;

const dir = folderOfFile();
/** The start of each file of the sample, by its path in the data folder. */
const feeds = new Map<string, Buffer>();
test.before(async () => {
  const sample = join(dir, 'sample');
  await generateSample({
    dir: sample,
    listings: 1_500,
    seed: 3,
    days: 1,
    until: DAY,
    since: '2026-02-09',
    hostUrl: 'http://127.0.0.1:9',
  });
  generateOffPlanSample(
    { dir: sample, seed: 3, days: [DAY], hostUrl: 'http://127.0.0.1:9' },
    { projects: 12, units: 60 },
  );
  for (const folder of ['feeds', 'project-feeds'])
    for (const entry of await readdir(join(sample, folder), { recursive: true, withFileTypes: true }).catch(() => []))
      if (entry.isFile()) {
        const path = join(entry.parentPath, entry.name);
        const lines = (await readFile(path, 'utf8')).split('\n').slice(0, ROWS + 1);
        feeds.set(relative(sample, path), Buffer.from(`${lines.join('\n')}\n`));
      }
});

/** Converts a row as an ingest run does, to the lines that Postgres copies. */
async function store(source: string, raw: RawListing): Promise<void> {
  const result = (await openReader({ source: { name: source }, at: AT, assumePhotos: true }, NO_BOUNDARIES))(raw);
  if (!result.ok) return;
  const { row } = result;
  const listing = listingIn(row);
  const columns = `hash\t${row.values}`.split('\t');
  if (columns.length !== AD_COLUMNS.length) throw new TypeError(`${columns.length} columns`);
  searchedText([listing.title ?? '', listing.description]);
  const line = recordLine(1, row);
  if (line.split('\t').length !== 3 || line.includes('\n'))
    throw new TypeError(`not one line of three columns: ${line}`);
}

/** Errors of defects in a parser, which are not intended for operators. */
const CRASHES = [TypeError, RangeError, ReferenceError, SyntaxError, URIError, EvalError];

/** Reads a feed to its end. @throws except for documented errors */
async function readFeed<Row>(rows: AsyncIterable<Row>, take: (row: Row) => unknown): Promise<void> {
  try {
    for await (const row of rows) await take(row);
  } catch (error) {
    if (CRASHES.some((crash) => error instanceof crash)) throw error;
  }
}

/** Tokens that are special to at least one parser. */
const TOKENS = [
  ...['"', '""', "'", ',', ';', '\t', '\n', '\r\n', '\r', '\0', '\ufeff', '\\', '\\u0000', '\\ud800', '|', '{', '}'],
  ...['[', ']', ':', 'null', 'true', '-', '-0', '1e999', '1e-999', '99999999999999999999', 'NaN', '0x10', '٣٫٥', '½'],
  ...['<', '>', '&', '&amp;', '&#0;', '/../', '%', '%00', '{"__proto__":1}', '"constructor"', '__proto__'],
  ...['2026-02-30', '0000-01-01T00:00:00+23:59', '😀', '\u200d', 'ـ', 'شقّة', 'ﷺ', 'a\u0301', '(', '*', '$', '^', '.'],
];

/** Replaces bytes from a fraction of a file with a token, and truncates the file if `length` exceeds the rest. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.oneof({ weight: 4, arbitrary: fc.nat(12) }, { weight: 1, arbitrary: fc.nat(2_000) }),
  times: fc.oneof({ weight: 6, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.nat(20_000) }),
  token: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...TOKENS) },
    { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 4 }) },
  ),
});

const damaged = (bytes: Buffer) =>
  fc.array(change, { minLength: 1, maxLength: 8 }).map((changes) =>
    changes.reduce((before, { at, length, times, token }) => {
      const begin = Math.floor(at * before.length);
      const inserted = Buffer.from(token.repeat(times)).subarray(0, MAX_INSERTED);
      return Buffer.concat([before.subarray(0, begin), inserted, before.subarray(begin + length)]);
    }, bytes),
  );

const signal = new AbortController().signal;

/**
 * Reads changed files under a folder for `SECONDS`, and fails on an exception, a slow file, or one that needs much memory.
 * The failure contains the seed and the shrunk file.
 */
async function fuzzFiles(
  t: ExecutionContext,
  folder: string,
  read: (dataDir: string, path: string) => Promise<void>,
): Promise<void> {
  t.timeout(SECONDS * 1_000 + 10 * 60_000);
  const inputs = [...feeds].filter(([path]) => path.startsWith(`${folder}/`));
  t.true(inputs.length > 1, `feeds in ${folder}`);
  const files = fc.oneof(...inputs.map(([path, bytes]) => fc.tuple(fc.constant(path), damaged(bytes))));
  const property = fc.asyncProperty(files, async ([path, bytes]) => {
    const dataDir = join(dir, folder);
    const file = join(dataDir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
    const [started, heap] = [process.threadCpuUsage(), getHeapStatistics().used_heap_size];
    await read(dataDir, path);
    const { user, system } = process.threadCpuUsage(started);
    t.true((user + system) / 1_000 < MAX_MS);
    t.true(getHeapStatistics().used_heap_size - heap < MAX_GROWTH);
  });
  const seed = fc.readConfigureGlobal().seed ?? randomInt(2 ** 31);
  const end = performance.now() + SECONDS * 1_000;
  // A failure states the seed of its batch. At least one batch runs on a busy machine.
  let batch = 0;
  do await fc.assert(property, { numRuns: BATCH, seed: (seed + batch) | 0, includeErrorInReport: true });
  while (++batch && performance.now() < end);
}

test('a damaged file of listings is read in bounded time and memory, and no row stops an ingest run', (t) => {
  const sources = new Map(SAMPLE_SOURCES.map((source) => [source.name, source]));
  return fuzzFiles(t, 'feeds', async (dataDir, path) => {
    const source = sources.get(/^[\w-]+\/(\w+)\//.exec(path)?.[1] ?? '');
    if (source === undefined) throw new TypeError(`no source reads ${path}`);
    const rows = source.rows({ dataDir }, { at: AT, signal });
    await readFeed(rows, (row) => (row.ok ? store(source.name, row.raw) : null));
  });
});

test('a damaged file of projects is read in bounded time and memory, and no row stops an ingest run', (t) =>
  fuzzFiles(t, 'project-feeds', async (dataDir) => {
    for (const source of loadProjectSources({ dataDir }))
      await readFeed(source.rows({ at: AT, signal }), (row) => {
        if (row.ok) JSON.stringify(normalizeProject(row.raw as RawProject, AT));
      });
  }));
