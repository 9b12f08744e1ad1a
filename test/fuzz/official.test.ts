import { createWriteStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { openOfficialFile } from '#ingest/official/read.ts';
import { UnreadableFile } from '#ingest/official/table.ts';
import { xlsxRows } from '#ingest/official/xlsx.ts';
import { generateOfficialSample } from '#sample/official.ts';
import { dealsCsv, dealsOf } from '#test/official.ts';
import { seeded } from '#test/random.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { writeWorkbook } from '../ingest/official/workbook.ts';
import { fuzz, isDocumented, mutated, mutatedBytes } from './fuzz.ts';

const signal = new AbortController().signal;
/** Lines of a seed: more would dilute the mutations. */
const LINES = 12;

const dir = folderOfFile();
/** The starts of the CSV files of the sample, one for each kind of file, and the parts of a workbook. */
let tables: Buffer[] = [];
let workbook: Readonly<Record<string, string>> = {};
let archive: Buffer;
test.before(async () => {
  const root = await generateOfficialSample({ dir, seed: 5, deals: 60 });
  const files = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const first = new Map<string, string>();
  for (const path of files.filter((each) => each.endsWith('.csv'))) {
    const lines = (await readFile(path, 'utf8')).split('\n');
    first.set(lines[0] ?? '', lines.slice(0, LINES).join('\n'));
  }
  tables = [...first.values()].map((text) => Buffer.from(text));
  const path = join(dir, 'deals.xlsx');
  const deals = dealsOf({ quarter: '2022-Q1', count: 60, random: seeded(5), from: 1, districts: ['النرجس'] });
  await writeWorkbook(
    path,
    dealsCsv(deals)
      .trim()
      .split('\n')
      .map((line) => line.split(',')),
  );
  workbook = await partsOf(path);
  await writeZip(join(dir, 'seed.xlsx'), Object.entries(workbook), false);
  archive = await readFile(join(dir, 'seed.xlsx'));
});

/** Reads the parts of a workbook, with few rows in the sheet. */
async function partsOf(path: string): Promise<Record<string, string>> {
  const zip = await openPromise(path, { autoClose: false });
  const parts: Record<string, string> = {};
  for await (const entry of zip.eachEntry())
    parts[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString();
  zip.close();
  const sheet = 'xl/worksheets/sheet1.xml';
  parts[sheet] = `${parts[sheet]?.split('</row>').slice(0, LINES).join('</row>')}</row></sheetData></worksheet>`;
  return parts;
}

async function writeZip(path: string, parts: Iterable<readonly [string, string]>, compress: boolean): Promise<void> {
  const zip = new ZipFile();
  for (const [name, text] of parts) zip.addBuffer(Buffer.from(text), name, { compress });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}

/** Reads a file as an import does. Ignores errors that are reported to operators. @throws any other error */
async function importFile(path: string): Promise<void> {
  try {
    const file = await openOfficialFile(path, signal);
    for await (const rows of file.batches({ city: 'riyadh', idKey: 'test' }))
      for (const row of rows) if ('taken' in row) JSON.stringify(row.taken);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
  }
}

/** Reads a workbook. `UnreadableFile` hides the error of the reader, which must not be a defect. */
async function readWorkbook(path: string): Promise<void> {
  try {
    for await (const rows of xlsxRows(path, signal)) rows.length;
  } catch (error) {
    if (!isDocumented(error)) throw error;
  }
  await importFile(path);
}

test('a damaged CSV file of official data is parsed or rejected in bounded time and memory', (t) =>
  fuzz(t, mutatedBytes(tables), async (bytes) => {
    const path = join(dir, 'damaged.csv');
    await writeFile(path, bytes);
    await importFile(path);
  }));

test('a damaged archive of a workbook is read or refused in bounded time and memory', (t) =>
  fuzz(t, mutatedBytes([archive]), async (bytes) => {
    const path = join(dir, 'archive.xlsx');
    await writeFile(path, bytes);
    await readWorkbook(path);
  }));

test('a workbook with damaged parts is read or refused in bounded time and memory', (t) => {
  const names = Object.keys(workbook);
  const input = fc.record({
    part: fc.oneof(
      ...names.map((name) => fc.tuple(fc.constant(name), mutated([workbook[name] ?? '']))),
      // Most rows are in the sheet and its texts.
      ...names
        .filter((name) => /sheet1|shared/.test(name))
        .map((name) => fc.tuple(fc.constant(name), mutated([workbook[name] ?? '']))),
    ),
    missing: fc.option(fc.constantFrom(...names), { freq: 12 }),
    compress: fc.boolean(),
  });
  return fuzz(t, input, async ({ part: [changed, text], missing, compress }) => {
    const path = join(dir, 'parts.xlsx');
    const parts = Object.entries({ ...workbook, [changed]: text }).filter(([name]) => name !== missing);
    await writeZip(path, parts, compress);
    await readWorkbook(path);
  });
});

test('a workbook that declares entities is refused', async (t) => {
  const sheet =
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hosts"><!ENTITY c "cccc">]><worksheet><sheetData><row r="1">';
  for (const entity of ['&b;', '&c;', '&c;&c;&c;']) {
    const path = join(dir, 'entities.xlsx');
    const cell = `<c r="A1" t="inlineStr"><is><t>${entity}</t></is></c></row></sheetData></worksheet>`;
    await writeZip(path, Object.entries({ ...workbook, 'xl/worksheets/sheet1.xml': sheet + cell }), true);
    await t.throwsAsync(openOfficialFile(path, signal), { instanceOf: UnreadableFile, message: /undefined entity/ });
  }
});
