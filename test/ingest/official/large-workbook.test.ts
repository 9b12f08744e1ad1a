import { join } from 'node:path';
import { openTable, UnreadableFile } from '#ingest/official/table.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { writeParts } from './workbook.ts';

const MEGABYTE = 2 ** 20;
const SHEET = 'xl/worksheets/sheet1.xml';
const TEXTS = 'xl/sharedStrings.xml';

const dir = folderOfFile();

/** Streams a head, a repeated part and a tail. */
function* repeated(head: string, part: string, times: number, tail: string): Generator<Buffer> {
  yield Buffer.from(head);
  const each = Math.max(1, Math.floor(MEGABYTE / Math.max(1, part.length)));
  const block = Buffer.from(part.repeat(each));
  for (let left = times; left > 0; left -= each)
    yield left >= each ? block : block.subarray(0, Buffer.byteLength(part) * left);
  yield Buffer.from(tail);
}

async function workbook(name: string, parts: Parameters<typeof writeParts>[1]): Promise<string> {
  const path = join(dir, name);
  await writeParts(path, parts);
  return path;
}

async function errorOf(path: string): Promise<string> {
  const table = await openTable(path, new AbortController().signal);
  try {
    for await (const _ of table.rows());
  } catch (error) {
    if (error instanceof UnreadableFile) return error.message;
    throw error;
  }
  return 'none';
}

const sheet = (head: string, part: string, times: number, tail: string) => ({
  [SHEET]: repeated(`<worksheet><sheetData>${head}`, part, times, `${tail}</sheetData></worksheet>`),
});
const empty = { [SHEET]: [Buffer.from('<worksheet><sheetData/></worksheet>')] };

const CASES: Readonly<Record<string, [parts: Readonly<Record<string, Iterable<Buffer>>>, expected: RegExp]>> = {
  'a cell of many texts': [
    sheet('<row r="7"><c r="BC7" t="inlineStr"><is>', '<r><t>0123456789</t></r>', 5_000, '</is></c></row>'),
    /cell BC7 of .*\.xlsx has more than 32,767 characters/,
  ],
  'a tag with a long attribute': [
    sheet('<row r="7"><c r="A7" s="', 'a', MEGABYTE, '"/></row>'),
    /row 7 of .*\.xlsx has more than 262,144 characters in one text or tag/,
  ],
  'an entity that the sheet declares': [
    { [SHEET]: [Buffer.from('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hosts">]><worksheet><sheetData><row>&b;')] },
    /undefined entity/,
  ],
  'a row beyond those that a sheet can have': [
    sheet('<row r="1048577"/>', '', 0, ''),
    /the sheet of .*\.xlsx has more than 1,048,576 rows/,
  ],
  'shared texts that do not fit into memory': [
    { ...empty, [TEXTS]: repeated('<sst>', '<si><t>0123456789</t></si>', 4_200_000, '</sst>') },
    /xl\/sharedStrings\.xml of .*\.xlsx has more than 100,663,296 bytes unpacked/,
  ],
  'more parts than a workbook needs': [
    { ...empty, ...Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`part${at}`, []])) },
    /the archive of .*\.xlsx has more than 1,000 parts/,
  ],
};

for (const [name, [parts, expected]] of Object.entries(CASES))
  test(`a workbook is rejected with the location and the limit: ${name}`, async (t) => {
    t.regex(await errorOf(await workbook(`${name.replaceAll(' ', '-')}.xlsx`, parts)), expected);
  });

test('unknown columns of a workbook are ignored, under any name they have', async (t) => {
  const cells = `<c r="${'Z'.repeat(1_000)}1"><v>1</v></c><c r="1"><v>2</v></c><c r="B1"><v>3</v></c>`;
  const table = await openTable(
    await workbook('columns.xlsx', sheet(`<row r="1">${cells}</row>`, '', 0, '')),
    new AbortController().signal,
  );
  const rows: unknown[] = [];
  for await (const row of table.rows()) rows.push(row);
  t.deepEqual(rows, [{ line: 1, fields: [null, 3] }]);
});
