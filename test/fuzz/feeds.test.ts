import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import { searchedText } from '#domain/text/searched-text.ts';
import { AD_COLUMNS, adValues, recordJson, recordLine } from '#ingest/fetch/ad-row.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { normalizeProject } from '#ingest/off-plan/normalize.ts';
import { loadProjectSources } from '#ingest/off-plan/sources/index.ts';
import type { RawProject } from '#ingest/off-plan/sources/raw.ts';
import { generateSample } from '#sample/generate.ts';
import { generateOffPlanSample } from '#sample/off-plan.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { fuzz, isDocumented, mutatedBytes } from './fuzz.ts';

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
  generateOffPlanSample({ dir: sample, seed: 3, days: [DAY], hostUrl: 'http://127.0.0.1:9', projects: 12, units: 60 });
  for (const folder of ['feeds', 'project-feeds'])
    for (const entry of await readdir(join(sample, folder), { recursive: true, withFileTypes: true }).catch(() => []))
      if (entry.isFile()) {
        const path = join(entry.parentPath, entry.name);
        const lines = (await readFile(path, 'utf8')).split('\n').slice(0, ROWS + 1);
        feeds.set(relative(sample, path), Buffer.from(`${lines.join('\n')}\n`));
      }
});

/** Converts a row as an ingest run does, to the lines that Postgres copies. */
function store(source: string, raw: RawListing): void {
  const result = normalize({ name: source }, raw, AT);
  if (!result.ok) return;
  const { listing, areas, implausible } = result;
  const sourceListingId = String(raw.source_listing_id);
  const row = { id: 1, sourceListingId, contentHash: 'a', listing, areas, textImplausible: implausible !== null };
  const columns = adValues(row, AT.toISOString(), true).split('\t');
  if (columns.length !== AD_COLUMNS.length) throw new TypeError(`${columns.length} columns`);
  searchedText([listing.title ?? '', listing.description]);
  const line = recordLine(row, recordJson(listing));
  if (line.split('\t').length !== 3 || line.includes('\n'))
    throw new TypeError(`not one line of three columns: ${line}`);
}

/** Reads a feed to its end. @throws except for documented errors */
async function readFeed<Row>(rows: AsyncIterable<Row>, take: (row: Row) => void): Promise<void> {
  try {
    for await (const row of rows) take(row);
  } catch (error) {
    if (!isDocumented(error)) throw error;
  }
}

const signal = new AbortController().signal;

/** Fuzzes the files under a folder. Each input is one changed file in a separate folder. */
async function fuzzFiles(
  t: ExecutionContext,
  folder: string,
  read: (dataDir: string, path: string) => Promise<void>,
): Promise<void> {
  const inputs = [...feeds].filter(([path]) => path.startsWith(`${folder}/`));
  t.true(inputs.length > 1, `feeds in ${folder}`);
  await fuzz(
    t,
    fc.oneof(...inputs.map(([path, bytes]) => fc.tuple(fc.constant(path), mutatedBytes([bytes])))),
    async ([path, bytes]) => {
      const dataDir = join(dir, folder.replaceAll('/', '-'));
      const file = join(dataDir, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes);
      await read(dataDir, path);
    },
  );
}

test('a damaged file of listings is read in bounded time and memory, and no row stops an ingest run', (t) => {
  const sources = new Map(SAMPLE_SOURCES.map((source) => [source.name, source]));
  return fuzzFiles(t, 'feeds', async (dataDir, path) => {
    const source = sources.get(/^[\w-]+\/(\w+)\//.exec(path)?.[1] ?? '');
    if (source === undefined) throw new TypeError(`no source reads ${path}`);
    await readFeed(source.rows({ dataDir }, { at: AT, signal }), (row) => {
      if (row.ok) store(source.name, row.raw);
    });
  });
});

test('a damaged file of projects is read in bounded time and memory, and no row stops an ingest run', (t) =>
  fuzzFiles(t, 'project-feeds', async (dataDir) => {
    for (const source of loadProjectSources({ dataDir }))
      await readFeed(source.rows({ at: AT, signal }), (row) => {
        if (row.ok) JSON.stringify(normalizeProject(row.raw as RawProject, AT));
      });
  }));
