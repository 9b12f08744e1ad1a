import type { RawListing } from '#ingest/normalize/listing.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import type { Encoding } from '#ingest/sources/kinds/lines.ts';
import { xmlRows } from '#ingest/sources/kinds/xml-file.ts';
import type { XmlRow } from '#ingest/sources/kinds/xml-records.ts';
import { test } from '#test/test.ts';
import { toEnd } from './to-end.ts';

const rawOf = (row: XmlRow): RawListing => {
  if (row.id === 'explode') throw new Error('not found');
  return { source_listing_id: String(row.id), title: JSON.stringify(row), purpose: 'rent', property_type: 'villa' };
};

interface Options {
  encoding?: Encoding;
  maxRecordBytes?: number;
  chunkBytes?: number;
}

async function* chunks(content: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

function read(content: string | Buffer, { chunkBytes = 1e6, ...options }: Options = {}) {
  const bytes = chunks(Buffer.from(content), chunkBytes);
  return toEnd(xmlRows({ name: 'feed.xml', bytes, parent: 'ads', record: 'ad', map: rawOf, ...options }));
}

/** Returns the row as the mapper received it. */
const contents = (row: FeedRow | undefined): unknown => (row?.ok ? JSON.parse(row.raw.title ?? '') : row);

const ad = (id: number | string, rest = ''): string => `<ad><id>${id}</id>${rest}</ad>`;
const feedOf = (...ads: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<ads>\n${ads.join('\n')}\n</ads>\n`;

test('elements, attributes, repeated elements, CDATA and references are read in chunks of any size', async (t) => {
  const feed = feedOf(
    '<ad last_update="2026-01-02 03:04:05"><id>1</id><note>a &amp; b &#1588;<![CDATA[ <br> & ]]></note><pics><url w="1">x</url><url>y</url></pics><empty/></ad>',
    '<!-- <ad><id>0</id></ad> --><ad/>',
    '<ad><id>3</id><text><![CDATA[</ad></ads>]]></text></ad>',
  );
  for (const chunkBytes of [1, 2, 3, 7, 40, 1e6]) {
    const { rows, ids, end } = await read(feed, { chunkBytes });
    t.deepEqual(contents(rows[0]), {
      '@last_update': '2026-01-02 03:04:05',
      id: '1',
      note: 'a & b ش <br> &',
      pics: { url: [{ '@w': '1', '#text': 'x' }, 'y'] },
      empty: '',
    });
    t.deepEqual(ids, ['1', 'undefined', '3']);
    t.deepEqual(contents(rows[2]), { id: '3', text: '</ad></ads>' });
    t.deepEqual(end, { cut: null, lineBreak: null });
  }
  const nested = await read(`<rss><head><ad><id>0</id></ad></head><ads><count>1</count>${ad(1)}</ads></rss>`);
  t.deepEqual([nested.ids, nested.end.cut], [['1'], null], 'records of another element are skipped');
});

test('a feed that is cut at any byte counts as truncated, and its complete records are read', async (t) => {
  const ads = [ad(1, '<t a="1>2">شقة</t>'), ad(2, '<t><![CDATA[x]]></t><!-- c -->'), ad(3)];
  const feed = Buffer.from(feedOf(...ads));
  const opened = feed.indexOf('<ads>') + '<ads>'.length;
  const closed = feed.lastIndexOf('</ads>') + '</ads>'.length;
  const ends = ads.map((each) => feed.indexOf(each) + Buffer.byteLength(each));
  for (let length = 0; length < feed.length; length++) {
    const part = feed.subarray(0, length);
    if (length < opened) {
      await t.throwsAsync(read(part), { message: /no element <ads>/ });
      continue;
    }
    const { ids, end } = await read(part);
    t.is(end.cut === null, length >= closed, `${length} bytes`);
    const complete = ends.filter((each) => each <= length).length;
    t.deepEqual(ids.slice(0, complete), ['1', '2', '3'].slice(0, complete));
    t.true(ids.slice(complete).every((id) => id === 'malformed_row') && ids.length <= complete + 1);
  }
});

test('a malformed record is one rejected row, and its neighbors are read', async (t) => {
  const faults = ['<t>unclosed', '</t>', '<t a="x>1</t>', '<t a="1" a="2"/>', '<!DOCTYPE html>'];
  for (const fault of faults) {
    const { ids, end } = await read(feedOf(ad(1), ad(2, fault), ad(3)));
    t.deepEqual([ids, end.cut], [['1', 'malformed_row', '3'], null], fault);
  }
  const deep = (depth: number) => '<x>'.repeat(depth) + '</x>'.repeat(depth);
  t.deepEqual((await read(feedOf(ad(1), ad('explode'), ad(3)))).ids, ['1', 'malformed_row', '3']);
  const unclosed = await read(feedOf(ad(1), '<ad><id>2</id>', ad(3), '<ad><id>4</id>'));
  t.deepEqual([unclosed.ids, unclosed.end.cut], [['1', 'malformed_row', '3', 'malformed_row'], null]);
  t.deepEqual((await read(feedOf(ad(1, deep(31)), ad(2, deep(32)), ad(3)))).ids, ['1', 'malformed_row', '3']);
  t.deepEqual((await read(feedOf(ad(1), ad(2, deep(200_000))))).ids, ['1', 'too_large']);
  await t.throwsAsync(read(`<ads>${deep(100)}</ads>`), { message: /more than 32 elements/ });
});

test('characters that a careless exporter writes are read or left out, and the ad is kept', async (t) => {
  const texts: [written: string, read: unknown][] = [
    ['<t>https://a.example/1.jpg?x=1&y=2</t>', 'https://a.example/1.jpg?x=1&y=2'],
    ['<t>a & b &amp; c&d; &lt;3</t>', 'a & b & c&d; <3'],
    ['<t>5 < 6, 7<8 & <t</t>', '5 < 6, 7<8 & <t'],
    ['<t>Villa&nbsp;with&eacute; &#11;&#0;&#x1f;pool\u0001\u000b</t>', 'Villa\u00a0withé pool'.replace('\u00a0', ' ')],
    ['<t><![CDATA[word\u000b & <b>]]>\u0002</t>', 'word & <b>'],
    ['<t>&#55357;&#56832; &#55357;</t>', '😀 \ufffd'],
    ['<t>one<br>two<br/>three</t>', 'one\ntwo\nthree'],
    ['<t a="x & y">1 ]]> 2</t>', { '@a': 'x & y', '#text': '1 ]]> 2' }],
    ['<t a=5 b c="x=1 y">1</t>', { '@a': '5', '@b': '', '@c': 'x=1 y', '#text': '1' }],
    ['<!-- a -- b --><t>1</t>', '1'],
    ['<t>a <b>bold</b> <SPAN class=x>text</SPAN><BR>and<p>more</p></t>', 'a bold text\nand\n\nmore'],
    ['<t><ul><li>one</li></ul></t>', { ul: { li: 'one' } }],
    ['<t><div>see <a href="x">this</a></div></t>', 'see this'],
    ['<t><a href="x"/></t>', { a: { '@href': 'x' } }],
  ];
  for (const [written, expected] of texts) {
    const { rows, ids } = await read(feedOf(ad(1), ad(2, written), ad(3)));
    t.deepEqual(ids, ['1', '2', '3'], written);
    t.deepEqual((contents(rows[1]) as { t: unknown }).t, expected, written);
  }
});

test('records are read below any root, in any case of letters', async (t) => {
  for (const root of ['list', 'Root', 'feed:all']) {
    const { ids, end } = await read(`<${root}><AD><id>1</id></AD>${ad(2)}</${root}>`);
    t.deepEqual([ids, end.cut], [['1', '2'], null], root);
  }
});

test('a feed with markup that is malformed around its records counts as truncated', async (t) => {
  for (const feed of [
    `<ads>${ad(1)}</ad>${ad(2)}</ads>`,
    `<ads>${ad(1)} < ${ad(2)}</ads>`,
    `<ads>${ad(1)}${ad(2)}</ads><ads></ads>`,
    `<ads>${ad(1)}${ad(2)}</ads> Fatal error`,
  ]) {
    const { ids, end } = await read(feed);
    t.deepEqual(ids, ['1', '2'], feed);
    t.is(typeof end.cut, 'string', feed);
  }
});

test('document types with entities are refused, others are ignored, and no entity is expanded', async (t) => {
  const bomb = '<!DOCTYPE ads [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>';
  await t.throwsAsync(read(`<?xml version="1.0"?>${bomb}<ads>${ad(1, '<t>&b;</t>')}</ads>`), {
    message:
      'feed.xml has a document type declaration with entities, which is not accepted. Export it without <!DOCTYPE>',
  });
  for (const external of ['SYSTEM "http://ads.example/a>b.dtd"', `PUBLIC "-//Ads//EN" 'file:///etc/passwd' `]) {
    const { ids, end } = await read(`<!doctype ads ${external}>${feedOf(ad(1), ad(2, '<t>&b;</t>'))}`);
    t.deepEqual([ids, end.cut], [['1', '2'], null], external);
  }
  await t.throwsAsync(read(`<!doctype ads SYSTEM "a<!ENTITY b "c">]><ads>${ad(1)}</ads>`), {
    message: /document type/,
  });
  t.deepEqual(contents((await read(feedOf(ad(1, '<t>&b;</t>')))).rows[0]), { id: '1', t: '&b;' });
});

test('the size of a record is bounded, in tags, texts, comments and CDATA, across chunks', async (t) => {
  const long = 'ش'.repeat(3_000);
  for (const part of [`<t>${long}</t>`, `<!--${long}-->`, `<![CDATA[${long}]]>`, `<?pi ${long}?>`, `<t a="${long}"/>`])
    for (const chunkBytes of [1, 500, 1e6]) {
      const { ids, end, rows } = await read(feedOf(ad(1), ad(2, part), ad(3)), { maxRecordBytes: 2_000, chunkBytes });
      t.deepEqual(ids, ['1', 'too_large', '3'], `${part.slice(0, 9)} ${chunkBytes}`);
      t.is(end.cut, null);
      t.true(String(rows[1]?.row).length <= 2_048);
    }
  const { ids, end } = await read(`<ads>${ad(1)}<ad><![CDATA[${long}`, { maxRecordBytes: 2_000, chunkBytes: 100 });
  t.deepEqual(ids, ['1', 'too_large']);
  t.is(end.cut, 'the feed ends in the middle of a record');
});

test('feeds are read in their declared encoding, or in that of their source', async (t) => {
  const body = `<ads>${ad(1, '<t>شقة</t>')}</ads>`;
  const arabic1256 = (text: string) => Buffer.from(text.replace('شقة', '\xd4\xde\xc9'), 'latin1');
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${body}`;
  const feeds: [string, Buffer, Encoding?][] = [
    ['UTF-8 with a byte-order mark and a wrong declaration', Buffer.from(`\ufeff${declared('windows-1256')}`)],
    ['declared windows-1256', arabic1256(declared('Windows-1256'))],
    ['windows-1256 by the source', arabic1256(declared('UTF-8')), 'windows-1256'],
    ['UTF-16 without a mark', Buffer.from(declared('UTF-16'), 'utf16le')],
    ['UTF-16, big-endian', Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le').swap16(), 'windows-1256'],
  ];
  for (const [title, content, encoding] of feeds)
    for (const chunkBytes of [1, 3, 1e6]) {
      const { rows, end } = await read(content, { chunkBytes, ...(encoding && { encoding }) });
      t.deepEqual(contents(rows[0]), { id: '1', t: 'شقة' }, title);
      t.is(end.cut, null, title);
    }
  await t.throwsAsync(read(declared('koi8-r')), {
    message: /feed\.xml is in the encoding koi8-r, which is not accepted/,
  });
  await t.throwsAsync(read(arabic1256(body)), { message: /1 of 1 records are invalid.*windows-1256/ });
  const others = Array.from({ length: 200 }, (_, at) => ad(at));
  const mixed = [Buffer.from('<ads>'), arabic1256(ad('x', 'شقة')), Buffer.from(`${others.join('')}</ads>`)];
  t.deepEqual((await read(Buffer.concat(mixed))).ids.slice(0, 2), ['malformed_row', '0']);
});
