import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import { isJsonRow, type JsonRow } from '#ingest/sources/kinds/ndjson-file.ts';
import { type FetchLimits, type JsonPage, type PagedJson, pagedJson } from '#ingest/sources/kinds/paged-json.ts';
import { listen } from '#test/listen.ts';
import { test } from '#test/test.ts';
import { toEnd } from './to-end.ts';

interface ReceivedRequest {
  method: string | undefined;
  url: string | undefined;
  secret: string | undefined;
  body: string;
}
/** Answers a request, given the number of requests before it. */
type Answer = (asked: ReceivedRequest, before: number, response: ServerResponse) => void;

/** A host of feed pages that records its requests, in order. */
async function hostOf(t: ExecutionContext, answer: Answer): Promise<{ url: string; asked: ReceivedRequest[] }> {
  const asked: ReceivedRequest[] = [];
  const record = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url } = request;
    asked.push({ method, url, secret: request.headers.authorization, body: await text(request) });
    answer(asked.at(-1) as ReceivedRequest, asked.length - 1, response);
  };
  const { url, close } = await listen(createServer((request, response) => void record(request, response)));
  t.teardown(close);
  return { url: `${url}/feed`, asked };
}

/** Answers with a page of an item. */
const page = (response: ServerResponse, id: unknown, next: unknown, more: object = {}): void =>
  void response.end(JSON.stringify({ items: [{ id }], next, ...more }));
const pageOf = ({ url }: ReceivedRequest) => Number(new URL(url ?? '/', 'http://x').searchParams.get('page') ?? 1);
const lastPage: Answer = (_, __, response) => page(response, 9, null);
const redirect = (response: ServerResponse, location: string, status = 302): void =>
  void response.writeHead(status, { location }).end();

function readPage(body: unknown): JsonPage {
  if (!isJsonRow(body) || !Array.isArray(body.items)) throw new Error('the host has changed its format');
  return { rows: body.items, next: body.next as string | null, total: (body.total as number | undefined) ?? null };
}
/** Pages whose cursor is in the JSON body of a POST. */
const byCursor = (body: unknown, _: URL, posted: JsonRow): JsonPage => {
  const { rows, next } = readPage(body);
  return { rows, next: next === null ? null : { post: { ...posted, cursor: next } } };
};

const headers = { authorization: 'Bearer of-the-feed' };
/** Retries without delay, with a timeout for busy machines. */
const QUICK: Partial<FetchLimits> = { backoffMs: 5, timeoutMs: 30_000, retries: 3 };

/** Returns the ids of accepted rows and the reasons for rejected ones, and how the feed ended. */
async function read(url: string, options: Partial<PagedJson> = {}): Promise<{ rows: string[]; cut: string }> {
  const feed = pagedJson({
    url,
    readPage,
    map: ({ id }) => ({ source_listing_id: String(id), purpose: 'rent', property_type: 'villa' }),
    signal: new AbortController().signal,
    headers,
    ...options,
    limits: { ...QUICK, ...options.limits },
  });
  const { ids, end } = await toEnd(feed);
  return { rows: ids, cut: end.cut ?? '' };
}
const POST = { post: { city: 'riyadh', cursor: null }, readPage: byCursor };

test('pages are read to the last one, failures are retried, and invalid items are rejected', async (t) => {
  const ids = ['9007199254740992', '9007199254740993', '12'];
  const { url, asked } = await hostOf(t, (request, before, response) => {
    if (before === 1) return void response.writeHead(500).end();
    if (before === 2) return void response.writeHead(429, { 'retry-after': '0' }).end();
    if (before === 3) return void response.destroy();
    const at = pageOf(request);
    response.end(`{"items": [{"id": ${ids[at - 1]}}, "text"], "next": ${at < 3 ? `"?page=${at + 1}"` : null}}`);
  });
  t.deepEqual(await read(url), { rows: ids.flatMap((id) => [id, 'malformed_row']), cut: '' });
  t.is(asked.length, 6);
});

test('pages are requested with POST, with the cursor in the JSON body, and a failed one is retried', async (t) => {
  const { url, asked } = await hostOf(t, ({ body }, before, response) => {
    if (before === 1) return void response.writeHead(503).end();
    page(response, before, JSON.parse(body).cursor === null ? 'b' : null);
  });
  t.deepEqual(await read(url, POST), { rows: ['0', '2'], cut: '' });
  t.deepEqual(
    asked.map(({ method, secret, body }) => [method, secret, body]),
    [null, 'b', 'b'].map((cursor) => ['POST', headers.authorization, JSON.stringify({ city: 'riyadh', cursor })]),
  );
});

test('a feed with fewer rows than announced, a repeated page, or a cursor that does not move, is truncated', async (t) => {
  const cutOf = async (answer: Answer, options?: Partial<PagedJson>) =>
    (await read((await hostOf(t, answer)).url, options)).cut;
  const announcing =
    (total: number): Answer =>
    (request, _, response) =>
      page(response, pageOf(request), pageOf(request) < 2 ? '?page=2' : null, { total });
  t.is(await cutOf(announcing(2)), '');
  t.regex(await cutOf(announcing(5)), /2 rows, and says that it has 5/);
  t.regex(await cutOf((_, __, response) => page(response, 1, '?page=2')), /repeats a page/);
  t.regex(await cutOf((_, before, response) => page(response, before, 'b'), POST), /is followed by itself/);
});

test('a host that fails, refuses, changes its format or never ends gives an error in bounded time', async (t) => {
  const failing: [answer: Answer, message: RegExp, requests: number, limits?: Partial<FetchLimits>][] = [
    [(_, __, response) => void response.writeHead(503).end(), /failed 4 times.*503/, 4],
    [() => {}, /within 700 ms/, 2, { timeoutMs: 700, retries: 1 }],
    [(_, __, response) => void response.writeHead(403).end(), /403/, 1],
    [(_, __, response) => void response.end('<html>'), /not JSON/, 1],
    [(_, __, response) => void response.end('{"rows":[]}'), /changed its format/, 1],
    [
      (_, __, response) => page(response, 'x'.repeat(90_000), null),
      /more than 50000 bytes/,
      1,
      { maxPageBytes: 50_000 },
    ],
    [
      (request, _, response) => page(response, 1, `?page=${pageOf(request) + 1}`, { at: pageOf(request) }),
      /does not end/,
      20,
      { maxPages: 20 },
    ],
  ];
  for (const [answer, message, requests, limits = {}] of failing) {
    const { url, asked } = await hostOf(t, answer);
    await t.throwsAsync(read(url, { limits }), { message });
    t.is(asked.length, requests, String(message));
  }
  const controller = new AbortController();
  const silent = await hostOf(t, () => controller.abort(new Error('stopped')));
  await t.throwsAsync(read(silent.url, { signal: controller.signal }), { message: 'stopped' });
});

test('credentials of a feed are sent to no other host, nor is the body of a POST', async (t) => {
  const other = await hostOf(t, lastPage);
  const privateHosts = [new URL(other.url).host];
  const same = await hostOf(t, (_, __, response) => page(response, 1, other.url));
  t.deepEqual((await read(same.url, { privateHosts })).rows, ['1', '9']);
  const moved = await hostOf(t, (_, __, response) => redirect(response, other.url, 307));
  t.deepEqual((await read(moved.url, { privateHosts })).rows, ['9']);
  t.is(same.asked[0]?.secret, headers.authorization);
  t.deepEqual(
    other.asked.map(({ secret }) => secret),
    [undefined, undefined],
  );
  await t.throwsAsync(read(moved.url, { ...POST, privateHosts }), { message: /returned HTTP status 307/ });
  await t.throwsAsync(read(same.url, { post: {}, privateHosts }), { message: /a POST to another host/ });
  t.is(other.asked.length, 2);
});

test('the pages of a feed cannot be at private addresses or of other schemes', async (t) => {
  const inner = await hostOf(t, lastPage);
  for (const target of [inner.url, 'file:///etc/passwd', 'http://']) {
    const leading = await hostOf(t, (_, __, response) => page(response, 1, target));
    await t.throwsAsync(read(leading.url), { message: /refused/ }, target);
    t.is(leading.asked.length, 1, 'no second try');
  }
  t.deepEqual(inner.asked, []);
});
