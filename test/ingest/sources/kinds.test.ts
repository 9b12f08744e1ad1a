import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { csvFile } from '#ingest/sources/kinds/csv-file.ts';
import { fieldsOf } from '#ingest/sources/kinds/csv-record.ts';
import type { FeedEnd, FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { contentId } from '#ingest/sources/kinds/fields.ts';
import type { Encoding } from '#ingest/sources/kinds/lines.ts';
import { isJsonRow, type JsonRow, ndjsonFile } from '#ingest/sources/kinds/ndjson-file.ts';
import { type FetchLimits, type JsonPage, pagedJson } from '#ingest/sources/kinds/paged-json.ts';
import type { FeedRows } from '#ingest/sources/source.ts';
import { listen } from '#test/listen.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const dir = folderOfFile();
let files = 0;

const signal = new AbortController().signal;

async function fileOf(content: string | Buffer): Promise<string> {
  const path = join(dir, `${files++}.feed`);
  await writeFile(path, content);
  return path;
}

const rawOf = (id: unknown, title: unknown): RawListing => {
  if (id === 'explode') throw new Error('not found');
  return { source_listing_id: String(id), title: String(title), purpose: 'rent', property_type: 'villa' };
};

/** Returns the ids of accepted rows and the reasons for rejected rows. */
async function summary(rows: AsyncIterable<FeedRow>): Promise<string[]> {
  const read: string[] = [];
  for await (const row of rows) read.push(row.ok ? row.raw.source_listing_id : row.reason);
  return read;
}

async function csv(content: string | Buffer, options: { delimiter?: string; maxRecordBytes?: number } = {}) {
  const path = await fileOf(content);
  return csvFile({ path, signal, map: (row) => rawOf(row.id, row.title), ...options });
}

async function ndjson(content: string | Buffer, maxLineBytes?: number) {
  const path = await fileOf(content);
  return ndjsonFile({ path, signal, map: (row) => rawOf(row.id, row.title), ...(maxLineBytes && { maxLineBytes }) });
}

test('CSV: a byte-order mark, quotes, line breaks and commas in quotes, and both line ends are read', async (t) => {
  const feed = '\ufeffid,title\r\n1,"a ""big"" villa, new"\r\n2,"two\nlines"\r\n\r\n3,plain';
  const rows: FeedRow[] = [];
  for await (const row of await csv(feed)) rows.push(row);
  t.deepEqual(
    rows.map((row) => row.ok && [row.raw.source_listing_id, row.raw.title]),
    [
      ['1', 'a "big" villa, new'],
      ['2', 'two\nlines'],
      ['3', 'plain'],
    ],
  );
});

test('CSV: other delimiters are read', async (t) => {
  t.deepEqual(await summary(await csv('id;title\n1;a,b\n2;c', { delimiter: ';' })), ['1', '2']);
  t.deepEqual(await summary(await csv('id\ttitle\n1\ta\n', { delimiter: '\t' })), ['1']);
});

test('CSV: a malformed record is one rejected row and does not affect its neighbors', async (t) => {
  const bad = ['1', '2,b,c', '3,x"y', '4,"open', '5,"shut"x', 'explode,f'];
  const good = Array.from({ length: bad.length + 1 }, (_, index) => `good${index},title`);
  const feed = ['id,title', ...bad.flatMap((line, index) => [good[index], line]), good.at(-1)].join('\n');
  const read = await summary(await csv(feed));
  t.deepEqual(read, bad.flatMap((_, index) => [`good${index}`, 'malformed_row']).concat(`good${bad.length}`));
});

test('CSV: an unclosed quote rejects one line, regardless of the lines after it', async (t) => {
  const lines = Array.from({ length: 3_000 }, (_, index) => (index === 40 ? '40,"open' : `${index},"quoted, title"`));
  const read = await summary(await csv(`id,title\n${lines.join('\n')}\n`));
  t.deepEqual(
    read,
    lines.map((_, index) => (index === 40 ? 'malformed_row' : String(index))),
  );
});

test('CSV: a record over the limit is rejected as too large, and the next records are read', async (t) => {
  const feed = `id,title\n1,a\n2,${'x'.repeat(300_000)}\n3,c\n`;
  t.deepEqual(await summary(await csv(feed, { maxRecordBytes: 10_000 })), ['1', 'too_large', '3']);
});

test('CSV: a feed with another header is an error', async (t) => {
  const path = await fileOf('a,b\n1,2\n');
  const map = () => rawOf(1, 1);
  await t.throwsAsync(summary(csvFile({ path, signal, map, required: ['id'] })), { message: /no column id/ });
  await t.throwsAsync(summary(await csv('')), { message: /no header/ });
  await t.throwsAsync(summary(csvFile({ path: join(dir, 'nowhere'), signal, map })), { code: 'ENOENT' });
});

test('CSV: input that a general-purpose parser accepts gives the same records as that parser', async (t) => {
  t.deepEqual(fieldsOf('1,"a ""b"", c",,', ','), ['1', 'a "b", c', '', '']);
  t.is(fieldsOf('1,"a" b', ','), null);
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
      const read: string[][] = [];
      const path = await fileOf(content);
      const map = (row: Record<string, string>) => rawOf(row.id, row.title);
      for await (const row of csvFile({ path, signal, map })) {
        if (row.ok) read.push([row.raw.source_listing_id, row.raw.title ?? '']);
      }
      const rows = expected.filter((fields) => fields.length === 2 && fields.join(',').trim() !== '');
      if (rows.length === expected.length) t.deepEqual(read, rows, content);
    }),
    { numRuns: 600 },
  );
});

test('NDJSON: invalid lines are rejected separately, with their text', async (t) => {
  const feed = '\ufeff{"id":1}\n{"id":2\n\n[3]\n"4"\n{"id":"explode"}\n{"id":5}';
  const rows: FeedRow[] = [];
  for await (const row of await ndjson(feed)) rows.push(row);
  t.deepEqual(
    rows.map((row) => (row.ok ? row.raw.source_listing_id : row.reason)),
    ['1', 'malformed_row', 'malformed_row', 'malformed_row', 'malformed_row', '5'],
  );
  t.is(rows[1]?.row, '{"id":2');
});

test('NDJSON: a file with one JSON array is refused with the remedy, and an array in a later line is one rejected row', async (t) => {
  await t.throwsAsync(async () => summary(await ndjson('\ufeff\n [{"id":1}]')), { message: /one JSON array, .*jq -c/ });
  t.deepEqual(await summary(await ndjson('{"id":1}\n[2]\n')), ['1', 'malformed_row']);
});

test('NDJSON: a line over the limit is rejected without being held in memory, and the next lines are read', async (t) => {
  const rows: FeedRow[] = [];
  const huge = `{"id":2,"title":"${'ي'.repeat(1_000_000)}"}`;
  for await (const row of await ndjson(`{"id":1}\n${huge}\n{"id":3}\n`, 100_000)) rows.push(row);
  t.deepEqual(
    rows.map((row) => (row.ok ? row.raw.source_listing_id : row.reason)),
    ['1', 'too_large', '3'],
  );
  t.true(String(rows[1]?.row).length <= 2_048);
});

test('NDJSON: characters split across two chunks are read', async (t) => {
  const titles = Array.from({ length: 3_000 }, (_, index) => 'شقة'.repeat(20 + (index % 7)));
  const read: unknown[] = [];
  const feed = titles.map((title, id) => JSON.stringify({ id, title })).join('\n');
  for await (const row of await ndjson(feed)) read.push(row.ok && row.raw.title);
  t.deepEqual(read, titles);
});

/** Returns the readable rows of a feed and how the feed ended. */
async function readToEnd(rows: FeedRows): Promise<{ ids: string[]; end: FeedEnd }> {
  const ids: string[] = [];
  const feed = rows[Symbol.asyncIterator]();
  for (;;) {
    const next = await feed.next();
    if (next.done) return { ids, end: next.value as FeedEnd };
    if (next.value.ok) ids.push(next.value.raw.source_listing_id);
  }
}

test('a file truncated anywhere except between two rows is detected', async (t) => {
  const csvFeed = 'id,title\n1,"a ""big"" villa"\n22,"two\nlines\nof one row"\n3,"x,y"\n4,plain\n';
  const jsonFeed = '{"id":1,"title":"a"}\n{"id":22,"title":"شقة"}\n{"id":3}\n';
  for (const [feed, read, whole] of [
    [Buffer.from(csvFeed), csv, ['1', '22', '3', '4']],
    [Buffer.from(jsonFeed), ndjson, ['1', '22', '3']],
  ] as const) {
    const firstRow = feed.indexOf('\n') + 1;
    let undetected = 0;
    for (let size = firstRow; size <= feed.length; size++) {
      const { ids, end } = await readToEnd(await read(feed.subarray(0, size)));
      if (end.cut === null && end.lineBreak !== false) undetected++;
      // Input that looks complete contains only complete rows.
      if (end.cut === null) t.deepEqual(ids, whole.slice(0, ids.length), `${size}`);
      if (size === feed.length) t.deepEqual({ ids, end }, { ids: [...whole], end: { cut: null, lineBreak: true } });
    }
    // Truncates after each row and, for CSV, after the header.
    t.is(undetected, whole.length + (read === csv ? 1 : 0));
  }
});

test('a row with an unmatched quote near the end is rejected and does not mark the feed as truncated', async (t) => {
  const { ids, end } = await readToEnd(await csv('id,title\n1,a\n2,"open\n3,c\n4,d\n'));
  t.deepEqual({ ids, end }, { ids: ['1', '3', '4'], end: { cut: null, lineBreak: true } });
});

test('an aborted run stops reading its feed', async (t) => {
  const path = await fileOf(`id,title\n${'1,a\n'.repeat(200_000)}`);
  const controller = new AbortController();
  const rows = csvFile({ path, signal: controller.signal, map: (row) => rawOf(row.id, row.title) });
  await t.throwsAsync(
    (async () => {
      for await (const _ of rows) controller.abort(new Error('stop'));
    })(),
  );
});

/** A host of feed pages that records the URL of every request, in order. */
async function hostOf(t: ExecutionContext, answer: RequestListener): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const { url, close } = await listen(
    createServer((request, response) => {
      asked.push(request.url ?? '');
      answer(request, response);
    }),
  );
  t.teardown(close);
  return { url: `${url}/feed`, asked };
}

const pageOf = (url: string | undefined) => Number(new URL(url ?? '/', 'http://x').searchParams.get('page') ?? 1);
/** Retries without delay, with a timeout for busy machines. */
const QUICK: Partial<FetchLimits> = { backoffMs: 5, timeoutMs: 30_000 };
const map = (row: JsonRow) => rawOf(row.id, row.title);
/** Reads pages `{items, next, total}`. */
function nextLink(body: unknown): JsonPage {
  if (!isJsonRow(body) || !Array.isArray(body.items)) throw new Error('the host has changed its format');
  return { rows: body.items, next: body.next as string | null, total: (body.total as number | undefined) ?? null };
}
const paged = (url: string, limits: Partial<FetchLimits> = QUICK, stop: AbortSignal = signal) =>
  pagedJson({ url, readPage: nextLink, map, signal: stop, limits });

test('pages are read to the last one, and invalid items are rejected', async (t) => {
  const { url, asked } = await hostOf(t, (request, response) => {
    const page = pageOf(request.url);
    response.end(JSON.stringify({ items: [{ id: page }, 'text'], next: page < 3 ? `?page=${page + 1}` : null }));
  });
  const reasons = ['malformed_row', 'malformed_row', 'malformed_row'];
  t.deepEqual(
    await summary(paged(url)),
    ['1', '2', '3'].flatMap((id, index) => [id, reasons[index] as string]),
  );
  t.is(asked.length, 3);
});

test('a page that fails three times is retried, and its rows are read once', async (t) => {
  let asked = 0;
  const { url } = await hostOf(t, (_, response) => {
    asked++;
    if (asked === 1) return response.writeHead(500).end();
    if (asked === 2) return response.writeHead(429, { 'retry-after': '0' }).end();
    if (asked === 3) return response.destroy();
    response.end('{"items":[{"id":7}],"next":null}');
  });
  t.deepEqual(await summary(paged(url)), ['7']);
  t.is(asked, 4);
});

test('a host that keeps failing, refuses, or returns no JSON gives an error in bounded time', async (t) => {
  const broken = await hostOf(t, (_, response) => void response.writeHead(503).end());
  await t.throwsAsync(summary(paged(broken.url, { ...QUICK, retries: 2 })), { message: /failed 3 times.*503/ });
  t.is(broken.asked.length, 3);
  const refusing = await hostOf(t, (_, response) => void response.writeHead(403).end());
  await t.throwsAsync(summary(paged(refusing.url)), { message: /403/ });
  t.is(refusing.asked.length, 1);
  const chatty = await hostOf(t, (_, response) => void response.end('<html>'));
  await t.throwsAsync(summary(paged(chatty.url)), { message: /not JSON/ });
  const other = await hostOf(t, (_, response) => void response.end('{"rows":[]}'));
  await t.throwsAsync(summary(paged(other.url)), { message: /changed its format/ });
});

test('each retry to an unresponsive host times out', async (t) => {
  const { url, asked } = await hostOf(t, () => {});
  await t.throwsAsync(summary(paged(url, { timeoutMs: 700, retries: 1, backoffMs: 5 })), { message: /within 700 ms/ });
  t.is(asked.length, 2);
});

test('a page over the limit is an error and is not read completely', async (t) => {
  const { url } = await hostOf(t, (_, response) => {
    response.write('{"items":[');
    const timer = setInterval(() => response.write(`"${'x'.repeat(100_000)}",`), 1);
    response.on('close', () => clearInterval(timer));
  });
  await t.throwsAsync(summary(paged(url, { ...QUICK, maxPageBytes: 1_000_000 })), {
    message: /more than 1000000 bytes/,
  });
});

test('a feed with fewer rows than announced, or with a repeated page, is marked as truncated', async (t) => {
  const endOf = async (total: number, repeats: boolean) => {
    const { url } = await hostOf(t, (request, response) => {
      const page = pageOf(request.url);
      const next = repeats || page < 2 ? '?page=2' : null;
      response.end(JSON.stringify({ items: [{ id: repeats ? 1 : page }], next, total }));
    });
    return (await readToEnd(paged(url))).end.cut ?? '';
  };
  t.is(await endOf(2, false), '');
  t.regex(await endOf(5, false), /2 rows, and says that it has 5/);
  t.regex(await endOf(2, true), /repeats a page/);
});

test('an endless feed is an error, because a partial feed must not count as complete', async (t) => {
  const { url } = await hostOf(t, (request, response) => {
    const page = pageOf(request.url);
    response.end(JSON.stringify({ items: [{ id: page }], next: `?page=${page + 1}` }));
  });
  await t.throwsAsync(summary(paged(url, { ...QUICK, maxPages: 20 })), { message: /does not end/ });
});

/** Returns the `Authorization` headers that a host received, in order. */
async function credentialsHost(
  t: ExecutionContext,
  answer: RequestListener,
): Promise<{ url: string; sent: unknown[] }> {
  const sent: unknown[] = [];
  const { url } = await hostOf(t, (request, response) => {
    sent.push(request.headers.authorization);
    answer(request, response);
  });
  return { url, sent };
}

const lastPage: RequestListener = (_, response) => void response.end('{"items":[{"id":9}],"next":null}');
const headers = { authorization: 'Bearer of-the-feed' };

test('credentials of a feed are sent to its host on every page, and to no other host', async (t) => {
  const other = await credentialsHost(t, lastPage);
  const same = await credentialsHost(t, (request, response) => {
    const page = pageOf(request.url);
    if (page === 1) return void response.writeHead(302, { location: '?page=2' }).end();
    const next = page === 2 ? '?page=3' : other.url;
    response.end(JSON.stringify({ items: [{ id: page }], next }));
  });
  const privateHosts = [new URL(other.url).host];
  const rows = pagedJson({ url: same.url, readPage: nextLink, map, signal, headers, privateHosts, limits: QUICK });
  t.deepEqual(await summary(rows), ['2', '3', '9']);
  t.deepEqual(same.sent, Array(3).fill(headers.authorization));
  t.deepEqual(other.sent, [undefined], 'a next page elsewhere');

  const moved = await credentialsHost(t, (_, response) => void response.writeHead(307, { location: other.url }).end());
  t.deepEqual(
    await summary(pagedJson({ url: moved.url, readPage: nextLink, map, signal, headers, privateHosts, limits: QUICK })),
    ['9'],
  );
  t.deepEqual(other.sent, [undefined, undefined], 'a redirect elsewhere');
});

test('a feed cannot lead to private addresses, other schemes or loops', async (t) => {
  const inner = await credentialsHost(t, lastPage);
  const { host, port } = new URL(inner.url);
  const targets = [
    inner.url,
    `http://localhost:${port}/feed`,
    `http://user:secret@${host}/feed`,
    'file:///etc/passwd',
    'http://',
  ];
  for (const target of targets) {
    for (const answer of [
      (_: unknown, response: ServerResponse) => void response.end(JSON.stringify({ items: [{ id: 1 }], next: target })),
      (_: unknown, response: ServerResponse) => void response.writeHead(302, { location: target }).end(),
    ]) {
      const leading = await hostOf(t, answer);
      await t.throwsAsync(summary(paged(leading.url)), { message: /refused/ }, target);
      t.is(leading.asked.length, 1, 'no second try');
    }
  }
  t.deepEqual(inner.sent, []);
  const round = await hostOf(t, (_, response) => void response.writeHead(302, { location: '/feed' }).end());
  await t.throwsAsync(summary(paged(round.url)), { message: /redirects/ });
  t.true(round.asked.length < 10);
});

test('requests stop with the run', async (t) => {
  const controller = new AbortController();
  const silent = await hostOf(t, () => controller.abort(new Error('stopped')));
  await t.throwsAsync(summary(paged(silent.url, { ...QUICK, timeoutMs: 60_000 }, controller.signal)), {
    message: 'stopped',
  });
});

test('an ad of a source without ids keeps its id while its content is equal', (t) => {
  t.is(contentId(['a', ' b ']), contentId(['a', 'b']));
  t.not(contentId(['a', 'b']), contentId(['ab', '']));
  t.regex(contentId(['a']), /^[0-9a-f]{24}$/);
});

/** Returns `id title` of the accepted rows of a file, and `reason: detail` of rejected ones. */
async function textsOf(
  read: typeof csvFile | typeof ndjsonFile,
  content: Buffer | string,
  encoding?: Encoding,
): Promise<string[]> {
  const texts: string[] = [];
  const path = await fileOf(content);
  for await (const row of read({ path, map, signal, ...(encoding && { encoding }) }))
    texts.push(row.ok ? `${row.raw.source_listing_id} ${row.raw.title}` : `${row.reason}: ${row.detail}`);
  return texts;
}

/** `شقة` in Windows-1256. */
const FLAT = Buffer.from([0xd4, 0xde, 0xc9]);
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

test('a row that is not UTF-8 is rejected, and its neighbors are read', async (t) => {
  const rows = Array.from({ length: 200 }, (_, index) => latin(`${index},plain\n`));
  rows[7] = Buffer.concat([latin('7,'), FLAT, latin('\n')]);
  rows[9] = Buffer.concat([latin('9,"two\n'), FLAT, latin('"\n')]);
  const read = await textsOf(csvFile, Buffer.concat([latin('id,title\n'), ...rows]));
  t.is(read.length, 200);
  t.is(read[6], '6 plain');
  for (const at of [7, 9]) t.is(read[at], 'malformed_row: the bytes are not UTF-8');
  t.is(read[10], '10 plain');
  const lines = Array.from({ length: 200 }, (_, index) => latin(`{"id": ${index}, "title": "plain"}\n`));
  lines[7] = Buffer.concat([latin('{"id": 7, "title": "'), FLAT, latin('"}\n')]);
  const parsed = await textsOf(ndjsonFile, Buffer.concat(lines));
  t.is(parsed[7], 'malformed_row: the bytes are not UTF-8');
  t.is(parsed.length, 200);
});

test('a file with more than 1% of invalid rows is refused with the remedy, and read in its stated encoding', async (t) => {
  const file = Buffer.concat([latin('id,title\n'), latin('1,plain\n'), latin('2,'), FLAT, latin('\n')]);
  const error = await t.throwsAsync(textsOf(csvFile, file));
  t.regex(error?.message ?? '', /is not UTF-8: 1 of 3 lines are invalid.*set encoding: 'windows-1256'/);
  t.deepEqual(await textsOf(csvFile, file, 'windows-1256'), ['1 plain', '2 شقة']);
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
  t.deepEqual(await textsOf(csvFile, 'id,title\r1,plain\r2,"a ""big"" villa"\r'), ['1 plain', '2 a "big" villa']);
  t.deepEqual(await textsOf(csvFile, 'id,title\r\n1,plain\r\n'), ['1 plain']);
  t.deepEqual(await textsOf(ndjsonFile, '{"id": 1, "title": "a"}\r{"id": 2, "title": "b"}\r'), ['1 a', '2 b']);
});

test('integers above 2^53 keep the digits as written', async (t) => {
  const ids = ['9007199254740992', '9007199254740993', '123456789012345678901234567890', '-9007199254740993', '12'];
  t.deepEqual(
    await textsOf(ndjsonFile, ids.map((id) => `{"id": ${id}, "title": "x"}\n`).join('')),
    ids.map((id) => `${id} x`),
  );
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(`{"items": [${ids.map((id) => `{"id": ${id}, "title": "x"}`).join()}], "next": null}`);
  });
  const { url, close } = await listen(server);
  t.teardown(close);
  t.deepEqual(await summary(paged(url)), ids);
});

interface Posted {
  method: string | undefined;
  type: string | undefined;
  secret: string | undefined;
  body: JsonRow;
}

/** A host that records POST requests. `answer` returns the status and value of each response. */
async function postHost(
  t: ExecutionContext,
  answer: (body: JsonRow, nth: number) => [status: number, value: unknown],
): Promise<{ url: string; posted: Posted[] }> {
  const posted: Posted[] = [];
  const { url } = await hostOf(t, (request, response) => {
    json(request).then(
      (body) => {
        const { 'content-type': type, authorization: secret } = request.headers;
        posted.push({ method: request.method, type, secret, body: body as JsonRow });
        const [status, value] = answer(body as JsonRow, posted.length);
        response.writeHead(status, status === 307 ? { location: String(value) } : {}).end(JSON.stringify(value));
      },
      () => response.destroy(),
    );
  });
  return { url, posted };
}

const byCursor = (body: unknown, _address: URL, posted: JsonRow): JsonPage => {
  if (!isJsonRow(body) || !Array.isArray(body.items)) throw new Error('a page without items');
  return { rows: body.items, next: body.cursor === null ? null : { post: { ...posted, cursor: body.cursor } } };
};

const readPosted = (url: string, readPage = byCursor) => {
  const post = { city: 'riyadh', cursor: null };
  return readToEnd(pagedJson({ url, post, readPage, map, signal, headers, limits: { ...QUICK, retries: 2 } }));
};

test('pages are requested with POST, with the cursor in the JSON body, and a failed one is retried', async (t) => {
  const { url, posted } = await postHost(t, ({ cursor }, nth) => {
    if (nth === 2) return [503, {}];
    return [200, cursor === null ? { items: [{ id: 1 }], cursor: 'b' } : { items: [{ id: 2 }], cursor: null }];
  });
  const { ids, end } = await readPosted(url);
  t.deepEqual(ids, ['1', '2']);
  t.is(end.cut, null);
  t.deepEqual(
    posted.map(({ body }) => body),
    [
      { city: 'riyadh', cursor: null },
      { city: 'riyadh', cursor: 'b' },
      { city: 'riyadh', cursor: 'b' },
    ],
  );
  for (const { method, type, secret } of posted)
    t.deepEqual([method, type, secret], ['POST', 'application/json', headers.authorization]);
});

test('a POST feed whose cursor does not move, or that repeats a page, counts as truncated', async (t) => {
  let id = 0;
  const stuck = await postHost(t, () => [200, { items: [{ id: ++id }], cursor: null }]);
  const same = await readPosted(stuck.url, (body, _address, posted) => ({
    ...byCursor(body, _address, posted),
    next: { post: posted },
  }));
  t.regex(same.end.cut ?? '', /is followed by itself/);
  const repeating = await postHost(t, () => [200, { items: [{ id: 1 }], cursor: 'b' }]);
  const repeated = await readPosted(repeating.url);
  t.deepEqual(repeated.ids, ['1']);
  t.regex(repeated.end.cut ?? '', /repeats a page/);
});

test('a redirect or next page of a POST at another host is refused, because the body is for the configured host', async (t) => {
  const other = await postHost(t, () => [200, { items: [], cursor: null }]);
  const moved = await postHost(t, () => [307, other.url]);
  await t.throwsAsync(readPosted(moved.url), { message: /returned HTTP status 307/ });
  const leading = await postHost(t, () => [200, { items: [] }]);
  await t.throwsAsync(
    readPosted(leading.url, () => ({ rows: [], next: other.url })),
    { message: /a POST to another host/ },
  );
  t.deepEqual(other.posted, []);
});
