import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';
import { createLogger } from '#observability/logger.ts';
import { parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { serveTuning } from '#start/tuning.ts';
import { testConfig } from '#test/env.ts';
import { makeListing } from '#test/factories.ts';
import { listen } from '#test/listen.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../search/own-indexes.ts';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;

/** Serves the page over an index with these titles. */
async function tuningOf(t: ExecutionContext, titles: readonly string[]) {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const index = await own.open();
  await index.bulk(
    titles.map((title, at) => ({ op: 'index', id: at + 1, version: 1, stored: makeListing({ id: at + 1, title }) })),
  );
  await index.refresh();
  const services = {
    opensearch: own.client,
    config: testConfig({ INDEX_PREFIX: own.prefix }),
    logger: createLogger('silent'),
  };
  const { url, close } = await listen(createServer((request, response) => serveTuning(request, response, services)));
  t.teardown(close);
  const root = `${url}/tuning`;
  return async (parameters: Record<string, string> = {}) => {
    const response = await fetch(`${root}?${new URLSearchParams(parameters)}`);
    return { response, page: await response.text() };
  };
}

test('the tuning page shows tokens and results, escapes every value, and allows no script', async (t) => {
  const read = await tuningOf(t, [`villa ${HOSTILE}`, 'شقة مفروشة']);
  const { response, page } = await read({ q: `villa`, edit: HOSTILE, a: 'listings', b: HOSTILE });
  t.is(response.status, 200);
  const policy = response.headers.get('Content-Security-Policy') ?? '';
  t.true(policy.startsWith("default-src 'none'; style-src 'sha256-") && !/script-src|unsafe/.test(policy), policy);
  for (const [name, value] of [
    ['X-Content-Type-Options', 'nosniff'],
    ['Cache-Control', 'no-store'],
    ['Referrer-Policy', 'no-referrer'],
  ] as const)
    t.is(response.headers.get(name), value);
  t.false(/<script|<img|https?:\/\//.test(page));
  t.true(page.includes('1 listings') && page.includes('1: villa &#34;&#62;&#60;script'), page);
  t.true(page.includes('The index does not exist.'));
  t.regex((await read({ q: HOSTILE })).page, /Tokens/);
  t.regex((await read({ q: 'في the' })).page, /no searched word/);
  t.regex((await read()).page, /<form method="get"/);
});

test('an edited synonym line changes only the results on the tuning page, which shows the line to commit', async (t) => {
  const read = await tuningOf(t, ['kwyjibo by the sea', 'villa by the sea']);
  const query = searchTextClause(parseSearchText('kwyjibo'));
  const { page } = await read({ q: 'kwyjibo', line: '0', edit: 'kwyjibo, villa' });
  const [, serving = '', edited = ''] = page.split('<section>');
  t.true(serving.includes('1 listings') && edited.includes('2 listings'), page);
  t.true(edited.includes('<li class="only" dir="auto">2: villa by the sea</li>'));
  t.true(page.includes('<pre dir="auto">kwyjibo, villa</pre>') && page.includes('Nothing is saved'));
  t.deepEqual(searchTextClause(parseSearchText('kwyjibo')), query);
  t.regex((await read({ q: 'kwyjibo', line: '0', edit: 'house for rent, kwyjibo' })).page, /contains the stop word/);
});
