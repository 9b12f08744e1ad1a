import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { ExecutionContext } from 'ava';
import { isJsonRow, type JsonRow } from '#ingest/sources/kinds/ndjson-file.ts';
import { type JsonPage, pagedJson } from '#ingest/sources/kinds/paged-json.ts';
import { listen } from '#test/listen.ts';
import { test } from '#test/test.ts';

interface Posted {
  method: string | undefined;
  type: string | undefined;
  secret: string | string[] | undefined;
  body: unknown;
}

/** A host that records requests. `answer` returns the status and value of each response. */
async function hostOf(t: ExecutionContext, answer: (body: JsonRow, nth: number) => [status: number, value: unknown]) {
  const posted: Posted[] = [];
  const received = async (request: IncomingMessage): Promise<JsonRow> => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await once(request, 'end');
    const body = JSON.parse(text) as JsonRow;
    const { 'content-type': type, authorization: secret } = request.headers;
    posted.push({ method: request.method, type, secret, body });
    return body;
  };
  const host = await listen(
    createServer((request, response) => {
      received(request).then(
        (body) => {
          const [status, value] = answer(body, posted.length);
          response.writeHead(status, status === 307 ? { location: String(value) } : {}).end(JSON.stringify(value));
        },
        () => response.destroy(),
      );
    }),
  );
  t.teardown(host.close);
  return { url: `${host.url}/search`, posted };
}

const byCursor = (body: unknown, _address: URL, posted: JsonRow): JsonPage => {
  if (!isJsonRow(body) || !Array.isArray(body.items)) throw new Error('a page without items');
  return { rows: body.items, next: body.cursor === null ? null : { post: { ...posted, cursor: body.cursor } } };
};

async function read(url: string, readPage = byCursor) {
  const feed = pagedJson({
    url,
    post: { city: 'riyadh', cursor: null },
    readPage,
    map: (row) => ({ source_listing_id: String(row.id), purpose: 'rent', property_type: 'villa' }),
    signal: new AbortController().signal,
    headers: { authorization: 'Bearer secret' },
    limits: { backoffMs: 1, retries: 2 },
  });
  const ids: string[] = [];
  for (let next = await feed.next(); ; next = await feed.next()) {
    if (next.done) return { ids, end: next.value };
    ids.push(next.value.ok ? next.value.raw.source_listing_id : next.value.reason);
  }
}

test('pages are requested with POST, with the cursor in the JSON body, and a failed one is retried', async (t) => {
  const { url, posted } = await hostOf(t, ({ cursor }, nth) => {
    if (nth === 2) return [503, {}];
    return [200, cursor === null ? { items: [{ id: 1 }], cursor: 'b' } : { items: [{ id: 2 }], cursor: null }];
  });
  const { ids, end } = await read(url);
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
    t.deepEqual([method, type, secret], ['POST', 'application/json', 'Bearer secret']);
});

test('a POST feed whose cursor does not move, or that repeats a page, counts as truncated', async (t) => {
  let id = 0;
  const stuck = await hostOf(t, () => [200, { items: [{ id: ++id }], cursor: null }]);
  const same = await read(stuck.url, (body, _address, posted) => ({
    ...byCursor(body, _address, posted),
    next: { post: posted },
  }));
  t.regex(same.end.cut ?? '', /is followed by itself/);
  const repeating = await hostOf(t, () => [200, { items: [{ id: 1 }], cursor: 'b' }]);
  const repeated = await read(repeating.url);
  t.deepEqual(repeated.ids, ['1']);
  t.regex(repeated.end.cut ?? '', /repeats a page/);
});

test('a redirect or next page of a POST at another host is refused, because the body is for the configured host', async (t) => {
  const other = await hostOf(t, () => [200, { items: [], cursor: null }]);
  const moved = await hostOf(t, () => [307, other.url]);
  await t.throwsAsync(read(moved.url), { message: /returned HTTP status 307/ });
  const leading = await hostOf(t, () => [200, { items: [] }]);
  await t.throwsAsync(
    read(leading.url, () => ({ rows: [], next: other.url })),
    { message: /a POST to another host/ },
  );
  t.deepEqual(other.posted, []);
});
