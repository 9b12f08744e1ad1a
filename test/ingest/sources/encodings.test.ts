import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { csvFile } from '#ingest/sources/kinds/csv-file.ts';
import { totalPages } from '#ingest/sources/kinds/envelopes.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { text } from '#ingest/sources/kinds/fields.ts';
import type { Encoding } from '#ingest/sources/kinds/lines.ts';
import { type JsonRow, ndjsonFile } from '#ingest/sources/kinds/ndjson-file.ts';
import { pagedJson } from '#ingest/sources/kinds/paged-json.ts';
import { listen } from '#test/listen.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const dir = folderOfFile();
let files = 0;

async function fileOf(content: Buffer | string): Promise<string> {
  const path = join(dir, `${files++}.feed`);
  await writeFile(path, content);
  return path;
}

const { signal } = new AbortController();
const map = (row: JsonRow) => ({
  source_listing_id: text(row.id) ?? '',
  title: text(row.title),
  purpose: 'rent',
  property_type: 'villa',
});

/** Returns `id title` of accepted rows and the details of rejected ones. */
async function summary(rows: AsyncIterable<FeedRow>): Promise<string[]> {
  const read: string[] = [];
  for await (const row of rows)
    read.push(row.ok ? `${row.raw.source_listing_id} ${row.raw.title}` : `${row.reason}: ${row.detail}`);
  return read;
}

const csv = async (content: Buffer | string, encoding?: Encoding) =>
  summary(csvFile({ path: await fileOf(content), map, signal, ...(encoding && { encoding }) }));
const ndjson = async (content: Buffer | string) => summary(ndjsonFile({ path: await fileOf(content), map, signal }));

/** `شقة` in Windows-1256. */
const FLAT = Buffer.from([0xd4, 0xde, 0xc9]);
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

test('a row that is not UTF-8 is rejected, and its neighbors are read', async (t) => {
  const rows = Array.from({ length: 200 }, (_, index) => latin(`${index},plain\n`));
  rows[7] = Buffer.concat([latin('7,'), FLAT, latin('\n')]);
  rows[9] = Buffer.concat([latin('9,"two\n'), FLAT, latin('"\n')]);
  const read = await csv(Buffer.concat([latin('id,title\n'), ...rows]));
  t.is(read.length, 200);
  t.is(read[6], '6 plain');
  for (const at of [7, 9]) t.is(read[at], 'malformed_row: the bytes are not UTF-8');
  t.is(read[10], '10 plain');
  const lines = Array.from({ length: 200 }, (_, index) => latin(`{"id": ${index}, "title": "plain"}\n`));
  lines[7] = Buffer.concat([latin('{"id": 7, "title": "'), FLAT, latin('"}\n')]);
  const parsed = await ndjson(Buffer.concat(lines));
  t.is(parsed[7], 'malformed_row: the bytes are not UTF-8');
  t.is(parsed.length, 200);
});

test('a file with more than 1% of invalid rows is refused with the remedy, and read in its stated encoding', async (t) => {
  const file = Buffer.concat([latin('id,title\n'), latin('1,plain\n'), latin('2,'), FLAT, latin('\n')]);
  const error = await t.throwsAsync(csv(file));
  t.regex(error?.message ?? '', /is not UTF-8: 1 of 3 lines are invalid.*set encoding: 'windows-1256'/);
  t.deepEqual(await csv(file, 'windows-1256'), ['1 plain', '2 شقة']);
});

test('a large file in another encoding is refused before its end', async (t) => {
  const row = Buffer.concat([latin('1,'), FLAT, latin('\n')]);
  const path = await fileOf(Buffer.concat([latin('id,title\n'), ...Array.from({ length: 100_000 }, () => row)]));
  let rows = 0;
  await t.throwsAsync(
    async () => {
      for await (const one of csvFile({ path, map, signal })) if (one !== undefined) rows++;
    },
    { message: /is not UTF-8/ },
  );
  t.true(rows < 100_000);
});

test('a file that ends in the middle of a character is cut, not in another encoding', async (t) => {
  const whole = Buffer.from('{"id": 1, "title": "شقة"}\n{"id": 2, "title": "شقة');
  const read = ndjsonFile({ path: await fileOf(whole.subarray(0, -1)), map, signal });
  const first = await read.next();
  t.true(first.done !== true && first.value.ok);
  await read.next();
  const end = await read.next();
  t.true(end.done === true && end.value.cut !== null);
});

test('lines that end with CR alone are read', async (t) => {
  t.deepEqual(await csv('id,title\r1,plain\r2,"a ""big"" villa"\r'), ['1 plain', '2 a "big" villa']);
  t.deepEqual(await csv('id,title\r\n1,plain\r\n'), ['1 plain']);
  t.deepEqual(await ndjson('{"id": 1, "title": "a"}\r{"id": 2, "title": "b"}\r'), ['1 a', '2 b']);
});

test('integers above 2^53 keep the digits as written', async (t) => {
  const ids = ['9007199254740992', '9007199254740993', '123456789012345678901234567890', '-9007199254740993', '12'];
  t.deepEqual(
    await ndjson(ids.map((id) => `{"id": ${id}, "title": "x"}\n`).join('')),
    ids.map((id) => `${id} x`),
  );
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(`{"page": 1, "total_pages": 1, "data": [${ids.map((id) => `{"id": ${id}, "title": "x"}`).join()}]}`);
  });
  const { url, close } = await listen(server);
  t.teardown(close);
  t.deepEqual(
    await summary(pagedJson({ url, readPage: totalPages, map, signal })),
    ids.map((id) => `${id} x`),
  );
});
