import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { csv } from '#ingest/sources/kinds/csv-file.ts';
import { mappedRows } from '#ingest/sources/kinds/feed-row.ts';
import { contentId, named } from '#ingest/sources/kinds/fields.ts';
import { ndjson, parseJson } from '#ingest/sources/kinds/ndjson-file.ts';
import { renamed } from '#ingest/sources/kinds/renamed.ts';
import { lowerCased } from '#ingest/sources/kinds/xml-fields.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { writeParts, writeWorkbook } from '../official/workbook.ts';
import { toEnd } from './to-end.ts';

const dir = folderOfFile();
let files = 0;
const signal = new AbortController().signal;

interface Options {
  delimiter?: string;
  required?: string[];
  encoding?: 'windows-1252' | 'windows-1256';
  path?: string;
}
type Kind = typeof csv | typeof ndjson;

const map = ({ id, title }: Record<string, unknown>): RawListing => {
  if (id === 'explode') throw new Error('not found');
  return { source_listing_id: String(id), title: String(title), purpose: 'rent', property_type: 'villa' };
};

async function fileOf(content: string | Buffer): Promise<string> {
  const path = join(dir, `${files++}.feed`);
  await writeFile(path, content);
  return path;
}

/** Returns `id title` of accepted rows and the reasons for rejected ones, with the rejected rows and the end of the feed. */
async function read(kind: Kind, content: string | Buffer, { path, ...options }: Options = {}) {
  const { rows, end } = await toEnd(kind({ map, ...options })({ path: path ?? (await fileOf(content)), signal }));
  return {
    rows: rows.map((row) => (row.ok ? `${row.raw.source_listing_id} ${row.raw.title}` : row.reason)),
    rejected: rows.filter((row) => !row.ok),
    end,
  };
}

const utf16 = (isLittleEndian: boolean) => (text: string) => {
  const bytes = Buffer.from(text, 'utf16le');
  return isLittleEndian ? bytes : bytes.swap16();
};
/** `شقة` in Windows-1256. */
const FLAT = Buffer.from([0xd4, 0xde, 0xc9]);
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const IN_1256 = Buffer.concat([latin('id,title\n1,plain\n2,'), FLAT, latin('\n')]);
/** More than the maximum size of a record. */
const HUGE = 'ي'.repeat(600_000);
const BAD = 'malformed_row';

/** Feeds and their rows. */
const FEEDS: readonly (readonly [kind: Kind, feed: string | Buffer, rows: string[], options?: Options])[] = [
  [
    csv,
    '\ufeffid,title\r\n1,"a ""big"" villa, new"\r\n2,"two\nlines"\r\n\r\n3,plain',
    ['1 a "big" villa, new', '2 two\nlines', '3 plain'],
  ],
  [csv, 'id;title\n1;a,b\n2;c', ['1 a,b', '2 c'], { delimiter: ';' }],
  [csv, 'id,title\r1,plain\r2,"a ""big"" villa"\r', ['1 plain', '2 a "big" villa']],
  [csv, 'id,title\n1\n2,b\n2,b,c\n3,c\n4,x"y\n5,e\n', [BAD, '2 b', BAD, '3 c', BAD, '5 e']],
  [csv, 'id,title\n1,a\n2,"shut"x\n3,c\nexplode,f\n5,e\n', ['1 a', BAD, '3 c', BAD, '5 e']],
  // An unmatched quote rejects one line, and does not mark the feed as truncated.
  [csv, 'id,title\n1,a\n2,"open\n3,c\n4,d\n', ['1 a', BAD, '3 c', '4 d']],
  [csv, `id,title\n1,a\n2,${HUGE}\n3,c\n`, ['1 a', 'too_large', '3 c']],
  [csv, IN_1256, ['1 plain', '2 شقة'], { encoding: 'windows-1256' }],
  [
    ndjson,
    '\ufeff{"id":1,"title":"a"}\n{"id":2\n\n[3]\n"4"\n{"id":"explode"}\n{"id":5,"title":"e"}\n',
    ['1 a', BAD, BAD, BAD, BAD, '5 e'],
  ],
  [ndjson, `{"id":1,"title":"a"}\n{"id":2,"title":"${HUGE}"}\n{"id":3,"title":"c"}\n`, ['1 a', 'too_large', '3 c']],
  [csv, 'sep=;\r\nid;title\r\n1;a,b\r\n', ['1 a,b']],
  [csv, 'id;title\n1;"a;b"\n', ['1 a;b']],
  [csv, 'id\ttitle\n1\ta,b\n', ['1 a,b']],
  [csv, 'id,title\n1,a,\n2,b,,\n3,c,x\n', ['1 a', '2 b', BAD]],
  [csv, 'id,title,\n1,a,\n2,b\n3\n', ['1 a', '2 b', BAD]],
  [csv, '\ufeff\ufeff"\u200eid\u200f", “title” ,note,note\n1,a,,\n', ['1 a']],
  [
    csv,
    Buffer.concat([Buffer.from('\ufeff'), latin('id,title\n1,'), Buffer.from('شقة')]),
    ['1 شقة'],
    { encoding: 'windows-1256' },
  ],
  [csv, latin('id,title\n1,Caf\xe9\n'), ['1 Café'], { encoding: 'windows-1252' }],
  [csv, gzipSync('id,title\n1,a\n'), ['1 a']],
  [ndjson, gzipSync('{"id":1,"title":"a"}\n'), ['1 a']],
  [ndjson, '{"id":1,"title":NaN,"x":[-Infinity, NaN]}\n{"\u200fid":2,"title":"NaN"}\n', ['1 null', '2 NaN']],
  [ndjson, '{"id":1,"title":": NaN, \\", NaN","x":NaN}\n', ['1 : NaN, ", NaN']],
  [ndjson, '\ufeff{"id":1,"title":"a"}\n\ufeff{"id":2,"title":"b"}\n', ['1 a', '2 b']],
  [ndjson, '{"id":1,"title":"a","photos":[{"url":"x"}]}\n', ['1 a']],
  // Joined objects and other separators than line breaks.
  [
    ndjson,
    '{"id":1,"title":"a"},\n,{"id":2,"title":"b"} {"id":3,"title":NaN}{"id":4,"title":{}}\n\u001e{"id":5,"title":"e"}\n{"a":[{"id":6},{"id":7}]\n',
    ['1 a', '2 b', '3 null', '4 [object Object]', '5 e', BAD],
  ],
  // Objects over several lines, as programs print them.
  [
    ndjson,
    '{\n  "id": 1,\n  "title": "a",\n  "photos": [\n    {\n      "url": "x"\n    }\n  ]\n}\n{\n  "id": 2\n  "title": "b"\n},\n{\n  "id": 3,\n  "title": "}"\n}',
    ['1 a', BAD, '3 }'],
  ],
  ...[utf16(true), utf16(false)].flatMap(
    (inUtf16) =>
      [
        [csv, inUtf16('\ufeffid\ttitle\r\n1\t"شقة, ""a"""\r\n'), ['1 شقة, "a"']],
        [csv, inUtf16('id,title\n1,شقة\n'), ['1 شقة'], { encoding: 'windows-1256' }],
        [csv, gzipSync(inUtf16('\ufeffid,title\n1,شقة\n')), ['1 شقة']],
        [ndjson, inUtf16('{"id":1,"title":"شقة"}\n'), ['1 شقة']],
      ] satisfies (typeof FEEDS)[number][],
  ),
  // Quotes in tab-separated files may be text.
  [
    csv,
    'id\ttitle\n1\t5" pipes\n2\t{"a","b"}\n3\t"two\nlines"\n4\t"a ""big"" one"\n5\t"shut"x\n6\t"open\n7\t6" pipe\n',
    ['1 5" pipes', '2 {"a","b"}', '3 two\nlines', '4 a "big" one', BAD, BAD, '7 6" pipe'],
  ],
  [csv, 'id,title\n="0042","=""1,2"""\n"=""0043""",="a"b"\n3,c\n', ['0042 1,2', BAD, '3 c']],
  [ndjson, `{"id":${'['.repeat(6_000)}${']'.repeat(6_000)}}\n{"id":1,"title":"a"}\n`, [BAD, '1 a']],
  // Integers above 2^53 keep the digits as written.
  [
    ndjson,
    '{"id":9007199254740992,"title":1}\n{"id":9007199254740993,"title":-9007199254740993}\n{"id":12,"title":0}\n',
    ['9007199254740992 1', '9007199254740993 -9007199254740993', '12 0'],
  ],
];

test('files are read with their separators, quotes, line ends and limits, and a bad row does not affect its neighbors', async (t) => {
  for (const [kind, feed, expected, options] of FEEDS) {
    const { rows, rejected, end } = await read(kind, feed, options);
    t.deepEqual(rows, expected);
    t.is(end.cut, null, String(feed).slice(0, 100));
    for (const { row } of rejected) t.true(JSON.stringify(row).length <= 2_100, 'the start of a row is kept');
  }
});

test('the header of a table is the first record with a column of the mapping, which must contain the id', async (t) => {
  const map = renamed<RawListing, Record<string, string>>({
    source_listing_id: 'id',
    title: 'title',
    purpose: () => 'sale',
    property_type: () => 'villa',
  });
  const ids = async (content: string) => {
    const { rows } = await toEnd(csv<RawListing>({ map })({ path: await fileOf(content), signal }));
    return rows.map((row) => (row.ok ? `${row.raw.source_listing_id} ${row.raw.title}` : row.reason));
  };
  t.deepEqual(await ids('id,title\n1,a\n'), ['1 a']);
  t.deepEqual(await ids('All ads, 2026\n\nas of;today\nid;title\n1;a,b\n'), ['1 a,b']);
  t.deepEqual(await ids(`${'a,b\n'.repeat(10)}id,title\n1,a\n`), ['1 a']);
  for (const [content, message] of [
    ['ID,title\n1,a\n', /no column id\. Its columns are ID, title$/],
    ['key,name\n1,a\n2,b\n', /no column id, title\. Its columns are key, name$/],
    [`key,name\n${'1,a\n'.repeat(100)}`, /no column id, title\. Its columns are key, name$/],
  ] as const)
    await t.throwsAsync(ids(content), { message });
});

test('a file of another kind, header or encoding is refused with the remedy', async (t) => {
  const refused: [kind: Kind, content: string | Buffer, message: RegExp, options?: Options][] = [
    [csv, 'a,b\n1,2\n', /no column id/, { required: ['id'] }],
    [csv, '', /no header/],
    [csv, 'id\n', /ENOENT/, { path: join(dir, 'nowhere') }],
    [csv, IN_1256, /is not UTF-8: 1 of 3 lines are invalid.*set encoding: 'windows-1256'/],
    [ndjson, '\ufeff\n [{"id":1}]', /one JSON array, .*jq -c/],
    [ndjson, '{\n "ads": [\n {"id":1}\n', /one JSON document over several lines, .*jq -c '\.ads\[\]'/],
    [csv, 'id,title,id\n1,a,2\n', /has the column id at the positions 1 and 3\. Rename one of them/],
    [csv, 'id,title,\u200fid\n', /has the column id at the positions 1 and 3/, { required: ['id'] }],
    [csv, Buffer.from('fffe00006900', 'hex'), /in the encoding UTF-32.*Export it as UTF-8/],
    [csv, Buffer.from('01000003000400', 'hex'), /is no text, or in an encoding that is not accepted/],
    [ndjson, 'callback([{"id":1}]);', /is JavaScript\. Request the feed as JSON/],
    [ndjson, 'var ads = [\n{ "id": 1 }];', /is JavaScript\. Request the feed as JSON/],
    [ndjson, `{\n"ads":[\n${'{"id":1},\n'.repeat(120_000)}`, /over several lines, .*jq -c '\.ads\[\]'/],
    [csv, gzipSync('id,title\n1,a\n').subarray(0, 30), /unpacked: /],
    [ndjson, gzipSync(gzipSync('{}')), /compressed more than once/],
    [
      csv,
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(300)]),
      /old Excel file\. Save it as XLSX or CSV/,
    ],
    [ndjson, latin('PK\x03\x04zip'), /ZIP archive\. Unpack it \(unzip .*feed\)/],
    [csv, gzipSync(Buffer.concat([Buffer.alloc(257, 'a'), latin('ustar'), Buffer.alloc(300)])), /TAR archive\. Unpack/],
    [csv, latin('BZh91AY&SY'), /compressed by another program than gzip\. Unpack it/],
    [ndjson, latin('%PDF-1.7'), /PDF document\. Export the ads/],
    [csv, '\ufeff\n<!DOCTYPE html><title>Sign in</title>', /web page, for example of a sign-in/],
  ];
  for (const [kind, content, message, options] of refused)
    await t.throwsAsync(read(kind, content, options), { message });
  const pages = ndjson({ map: renamed<RawListing, object>({ source_listing_id: 'id' }) });
  const path = await fileOf('{"a":{"b":"[{","c":[1]},"data":{"x y":[{"id":1}]}}');
  for (const isUnmapped of [false, true])
    await t.throwsAsync(toEnd(pages({ path, signal, isUnmapped })), { message: /jq -c '\.data\."x y"\[\]'/ });
});

test('in a file of many lines, an open quote or bytes that are not UTF-8 reject one row', async (t) => {
  // Chunks end within characters.
  const titles = Array.from({ length: 3_000 }, (_, index) => `a, ${'شقة'.repeat(20 + (index % 7))}`);
  const lines = titles.map((title, index): Buffer => Buffer.from(`${index},"${title}"\n`));
  lines[40] = latin('40,"open\n');
  lines[70] = Buffer.concat([latin('70,'), FLAT, latin('\n')]);
  lines[90] = Buffer.concat([latin('90,"two\n'), FLAT, latin('"\n')]);
  const { rows, rejected } = await read(csv, Buffer.concat([latin('id,title\n'), ...lines]));
  t.deepEqual(
    rows,
    titles.map((title, index) => ([40, 70, 90].includes(index) ? BAD : `${index} ${title}`)),
  );
  t.like(rejected[1], { detail: 'the bytes are not UTF-8' });
  const json = titles.map((_, id) => latin(`{"id": ${id}}\n`));
  json[7] = Buffer.concat([latin('{"id": 7, "title": "'), FLAT, latin('"}\n')]);
  t.is((await read(ndjson, Buffer.concat(json))).rows[7], BAD);
});

test('CSV input that a general-purpose parser accepts gives the same records as that parser', async (t) => {
  const feed = fc.string({
    unit: fc.constantFrom('a', 'ي', '🏠', '"', '""', ',', ' ', '\n', '"x,y"', '"\n"'),
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(feed, async (body) => {
      const content = `id,title\n${body}`;
      let expected: string[][];
      try {
        expected = parse(content, { record_delimiter: '\n', skip_empty_lines: true, from_line: 2 });
      } catch {
        return;
      }
      if (expected.some((fields) => fields.length !== 2 || fields.join(',').trim() === '')) return;
      t.deepEqual(
        (await read(csv, content)).rows.filter((row) => row !== BAD),
        expected.map(([id, title]) => `${id} ${title}`),
        content,
      );
    }),
    { numRuns: 600 },
  );
});

test('a file truncated anywhere except between two rows is detected', async (t) => {
  const csvFeed = 'id,title\n1,"a ""big"" villa"\n22,"two\nlines\nof one row"\n3,"x,y"\n4,plain\n';
  const jsonFeed = '{"id":1,"title":"a"}\n{"id":22,"title":"شقة"}\n{"id":3}\n';
  for (const [content, kind] of [
    [Buffer.from(csvFeed), csv],
    [Buffer.from(jsonFeed), ndjson],
  ] as const) {
    const whole = await read(kind, content);
    t.deepEqual(whole.end, { cut: null, lineBreak: true });
    const ends: number[] = [];
    for (let size = content.indexOf('\n') + 1; size < content.length; size++) {
      const { rows, end } = await read(kind, content.subarray(0, size));
      if (end.cut === null && end.lineBreak !== false) ends.push(rows.length);
      // Input that looks complete contains only complete rows. Its last field may be cut.
      if (end.cut === null)
        t.deepEqual(
          rows.map((row) => row.split(' ')[0]),
          whole.rows.slice(0, rows.length).map((row) => row.split(' ')[0]),
        );
    }
    // Truncated after each row and, for CSV, after the header.
    t.deepEqual(ends, kind === csv ? [0, 1, 2, 3] : [1, 2]);
  }
});

test('an ad of a source without ids keeps its id while its content is equal', (t) => {
  t.is(contentId(['a', ' b ']), contentId(['a', 'b']));
  t.not(contentId(['a', 'b']), contentId(['ab', '']));
  t.regex(contentId(['a']), /^[0-9a-f]{24}$/);
});

test('the first sheet of a workbook is read as a CSV file', async (t) => {
  const path = join(dir, 'ads.xlsx');
  const computed = { formula: 'A2*2', result: 4 };
  await writeWorkbook(path, [
    ['\u200eid', 'title', null, 'note', 'note'],
    [123_456_789_012, 'a'],
    [],
    [computed, 'b'],
    [5, 'c', 'x'],
    [0.1 + 0.2, 'd'],
    [6, 'd', null, null, null, 'y'],
  ]);
  const { rows, rejected, end } = await read(csv, '', { path, required: ['id'] });
  t.deepEqual(rows, ['123456789012 a', '4 b', '5 c', '0.3 d', BAD]);
  t.like(rejected[0], { detail: 'the cell F7 is in a column without a header' });
  t.is(end.cut, null);
  const zip = join(dir, 'ads.zip');
  await writeParts(zip, { 'ads.csv': [Buffer.from('id,title\n')] });
  await t.throwsAsync(read(csv, '', { path: zip }), { message: /no workbook with rows.*Unpack it/ });
  await t.throwsAsync(read(ndjson, '', { path }), { message: /XLSX file\. Read it with csv/ });
});

test('a row filter applies to every kind of file, and its errors reject one row', async (t) => {
  const isListed = ({ id }: Record<string, unknown>): boolean => {
    if (id === '3') throw new Error('not found');
    return id !== '2';
  };
  const files: [Kind, string][] = [
    [csv, 'id,title\n1,a\n2,b\n3,c\n'],
    [ndjson, [1, 2, 3].map((id) => `{"id":"${id}","title":"a"}\n`).join('')],
  ];
  for (const [kind, content] of files) {
    const { rows } = await toEnd(kind({ map, isListed })({ path: await fileOf(content), signal }));
    t.deepEqual(
      rows.map((row) => row.ok),
      [true, false],
    );
  }
});

test('a path goes through lists, and a value where it ends early is unread', (t) => {
  const paths: [row: object, expected: unknown][] = [
    [{ a: { b: 1 } }, 1],
    [{ a: [{ b: 1 }, { b: 2 }] }, [1, 2]],
    [{ a: { b: [{ c: 1 }] } }, [{ c: 1 }]],
    [{ a: [{ b: '' }, { b: 2 }] }, 2],
    [{ a: 5 }, { path: 'b', value: 5 }],
    [{ a: '' }, ''],
    [{ a: [] }, null],
    [{}, null],
    [{ 'a.b': 3, a: { b: 1 } }, 3],
  ];
  // An element is an object only if it has attributes.
  const element = renamed<Record<'price' | 'period' | 'size' | 'unit', unknown>, object>({
    price: 'ad.price.#text',
    period: 'ad.price.@period',
    size: 'size',
    unit: 'size.@unit',
  });
  const alone = renamed<{ x: unknown }, object>({ x: 'price.@period' });
  const both = { price: ['1', '2'], period: 'month', size: '9', unit: null };
  t.deepEqual(element({ ad: { price: [{ '@period': 'month', '#text': '1' }, '2'] }, size: '9' }) as object, both);
  t.deepEqual(alone({ price: '1' }).x, { path: '@period', value: '1' });
  for (const [row, expected] of paths)
    t.deepEqual(renamed<{ x: unknown }, object>({ x: 'a.b' })(row).x, expected, JSON.stringify(row));
  t.is(renamed<{ x: unknown }, object>({ x: 'point.1' })({ point: [46.7, 24.8] }).x, 24.8);
});

test('rows before their mapping are those that are mapped, and a mapped column must not repeat in them either', async (t) => {
  const files: (typeof FEEDS)[number][] = [
    [csv, 'id,title,x,x\n1,a,,\n2,b,,\n', []],
    [ndjson, '{"id":1,"title":"a"}\n{"id":2,"\\ufefftitle":"b"}\n', []],
    ...FEEDS,
  ];
  for (const [kind, feed, , options] of files) {
    const reader = kind({ map, ...options });
    const file = { path: await fileOf(feed), signal };
    const { rows } = await toEnd(reader(file));
    const { rows: unmapped } = await toEnd(reader({ ...file, isUnmapped: true }));
    const mapped = unmapped.flatMap((row) =>
      row.ok ? Array.from(mappedRows(structuredClone(row.row) as never, reader.layout)) : row,
    );
    t.true(rows.length > 0);
    t.deepEqual(
      mapped.map((row) => row.ok && row.raw),
      rows.map((row) => row.ok && row.raw),
    );
  }
  const path = await fileOf('id,title,title\n1,a,b\n');
  await t.throwsAsync(toEnd(csv({ map })({ path, signal, isUnmapped: true })), {
    message: /column title at the positions/,
  });
});

test('the values of a name that an object repeats are a list, so that a single value is unread', async (t) => {
  const map = renamed<RawListing, object>({
    source_listing_id: 'id',
    purpose: () => 'sale',
    property_type: () => 'villa',
    price: 'price',
    city: 'place.city',
  });
  const feed = `{"id":1,"price":700000,"place":{"city":"Riyadh","city" : "Jeddah"},"price": 852000}
     {"id":2,"text":"\\"price\\": 1 {","price":1, "\\u0070rice":2,"\ufeffprice":3}
     {"id":3,"text":"\\"price\\": 1","price":1}
`;
  const { rows } = await toEnd(ndjson<RawListing>({ map })({ path: await fileOf(feed), signal }));
  const [first, second, third] = rows.map((row) => row.ok && row.raw);
  t.like(first, { price: [700_000, 852_000], city: ['Riyadh', 'Jeddah'] });
  t.like(second, { price: [[1, 2], 3] });
  t.like(third, { price: 1 });
  const document = '{"count":1,"ads":[{"id":1}],"next":null}\n';
  await t.throwsAsync(toEnd(ndjson<RawListing>({ map })({ path: await fileOf(document), signal })), {
    message: /one JSON document with the list ads, .*jq -c '\.ads\[\]'/,
  });
  const pages = '{"value":[{"id":1},{"id":2}]}\n{"value":[{"id":3}],"next":null}\n';
  await t.throwsAsync(toEnd(ndjson<RawListing>({ map })({ path: await fileOf(pages), signal })), {
    message: /JSON documents with the list value, .*jq -c '\.value\[\]'/,
  });
  const unread = () => t.fail('a mapping may not end, so that this thread does not apply it');
  const nested = { path: await fileOf('{"id":1,"photos":[{"url":"x"}]}\n{"id":2}\n'), signal, isUnmapped: true };
  const byFunction = renamed<RawListing, object>({ source_listing_id: 'id', title: unread as never });
  t.is((await toEnd(ndjson<RawListing>({ map: byFunction })(nested))).rows.length, 2);
  const oneAd = await fileOf(`${pages}{"id":4}\n`);
  t.is((await toEnd(ndjson<RawListing>({ map })({ path: oneAd, signal }))).rows.length, 3);
  t.deepEqual(lowerCased({ Price: '1', price: '2' }), { price: ['1', '2'] });
});

test('JSON with names that an object repeats is parsed without loss', (t) => {
  const space = fc.constantFrom('', ' ', '\n\t');
  const { value } = fc.letrec<{ value: { text: string; read: unknown } }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(fc.string(), fc.integer(), fc.constantFrom('":', '{"a":1}', '\\', '"', null)).map((read) => ({
        text: JSON.stringify(read),
        read,
      })),
      fc
        .array(fc.tuple(fc.constantFrom('a', 'b', '"', ':', '__proto__'), tie('value'), space), { maxLength: 4 })
        .map((entries) => ({
          text: `{${entries.map(([name, each, gap]) => `${JSON.stringify(name)}${gap}:${gap}${each.text}`).join(',')}}`,
          read: named(entries.map(([name, each]) => [name, each.read])),
        })),
      fc.array(tie('value'), { maxLength: 3 }).map((items) => ({
        text: `[${items.map(({ text }) => text).join(',')}]`,
        read: items.map(({ read }) => read),
      })),
    ),
  }));
  fc.assert(
    fc.property(value, ({ text, read }) => t.deepEqual(parseJson(text), read)),
    { numRuns: 1_000 },
  );
});

test('a path continues in the items of a list, also of one that is written as an object', async (t) => {
  const photosOf = renamed<RawListing, Record<string, unknown>>({ photos: 'images.url' });
  const items = [{ url: 'a' }, { url: 'b' }];
  t.deepEqual(
    [items, { ...items }].map((images) => photosOf({ images }).photos),
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
  );
});

test('an ad for sale and for rent is two offers', async (t) => {
  const offers = async (purpose: string, rest = '') => {
    const read = ndjson<RawListing>({
      map: renamed({
        source_listing_id: 'id',
        purpose: 'purpose',
        property_type: () => 'villa',
        price: 'price',
        price_period: 'period',
        sale_price: 'sale_price',
      }),
    });
    const path = await fileOf(`{"id":"A","purpose":${purpose}${rest}}\n`);
    const { rows } = await toEnd(read({ path, signal }));
    return rows.map((row) => row.ok && [row.raw.source_listing_id, row.raw.purpose, row.raw.price ?? null]);
  };
  const both = ',"price":90000,"sale_price":2000000';
  for (const purpose of ['"for sale or rent"', '"Sale/Rent"', '"للبيع أو للإيجار"', '"بيع وإيجار"', '["rent","sale"]'])
    t.deepEqual(await offers(purpose, both), [
      ['A', 'rent', 90_000],
      ['A:sale', 'sale', 2_000_000],
    ]);
  t.deepEqual(await offers('"sale & rent"', ',"price":9000,"period":"monthly"'), [
    ['A', 'rent', 9_000],
    ['A:sale', 'sale', null],
  ]);
  const unclear = { price: 900_000, of: 'rent or sale' };
  t.deepEqual(await offers('"sale & rent"', ',"price":900000'), [
    ['A', 'rent', unclear],
    ['A:sale', 'sale', unclear],
  ]);
  t.deepEqual(await offers('"sale"', ',"price":"","sale_price":5000'), [['A', 'sale', 5_000]]);
  for (const purpose of ['rent to own', 'إيجار منتهي بالتمليك', 'شقة للبيع دخلها من الإيجار 100 ألف', 'rent'])
    t.is((await offers(`"${purpose}"`)).length, 1, purpose);
});
