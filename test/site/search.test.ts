import { ERRORS } from '#domain/errors.ts';
import { readGuides } from '#site/server/guides.ts';
import type { SearchEntry } from '#site/server/search-index.ts';
import { bestOf, searchWords, titleWords } from '#site/server/search-words.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

test('spellings of a word are compared as one word, in Arabic and English', (t) => {
  for (const [one, other] of [
    ['الإشعارات', 'إشعار'],
    ['والأخطاء', 'اخطاء'],
    ['مُفتاح', 'مفتاح'],
    ['الوحدة', 'وحده'],
    ['٤٢٩', '429'],
    ['Webhooks', 'webhook'],
  ] as const)
    t.deepEqual(searchWords(one), searchWords(other), one);
  t.deepEqual(searchWords('rate_limited'), ['rate_limited', 'rate', 'limited']);
});

test('the search words of a title include synonyms of its words, in Arabic and English', (t) => {
  for (const [title, synonym] of [
    ['Paging and depth', 'pagination'],
    ['SDKs', 'client'],
    ['الصفحات وعمق التصفح', 'الترقيم'],
  ] as const)
    t.true(titleWords(title).includes(searchWords(synonym)[0] ?? ''), title);
  t.deepEqual(titleWords('Testing'), searchWords('Testing'));
});

test('the search index contains every guide, error, operation and service page with statuses and fields, in both languages', async (t) => {
  const { body: openApi } = await app.request('/v1/openapi.json');
  const operations = Object.values<object>(openApi.paths).flatMap((item) =>
    Object.keys(item).filter((method) => method === 'get' || method === 'post'),
  );
  for (const prefix of ['', '/ar']) {
    const { status, headers, body } = await app.request(`${prefix}/guides/search.json`);
    t.is(status, 200);
    t.is(headers.get('content-language'), prefix === '' ? 'en' : 'ar');
    const entries: SearchEntry[] = body;
    const paths = entries.map(([, , path]) => path);
    t.is(new Set(paths).size, paths.length);
    t.false(entries.some(([, context]) => context === ''));
    for (const [path, word] of [
      ['/docs/errors#rate_limited', '429'],
      ['/reference/search-listings', 'price_min'],
      ['/reference/create-webhook', 'event_type'],
    ] as const)
      t.true(
        entries
          .find((each) => each[2] === `${prefix}${path}`)?.[3]
          .split(' ')
          .includes(word),
        path,
      );
    for (const { slug } of readGuides('en')) t.true(paths.includes(`${prefix}/guides/${slug}`), slug);
    for (const path of ['/pricing', '/coverage', '/accuracy', '/status'])
      t.true(paths.includes(`${prefix}${path}`), path);
    for (const code of Object.keys(ERRORS)) t.true(paths.includes(`${prefix}/docs/errors#${code}`), code);
    t.is(paths.filter((path) => path.startsWith(`${prefix}/reference/`)).length, operations.length);
    // The index of a language also finds the titles of the other.
    for (const query of ['إشعارات', 'webhooks'])
      t.true(
        entries.some(
          ([, , path, words]) =>
            path === `${prefix}/guides/webhooks` && words.split(' ').includes(searchWords(query)[0] ?? ''),
        ),
        `${prefix} ${query}`,
      );
    for (const path of paths.filter((each) => !each.includes('/docs/'))) {
      const [page = '', anchor] = path.split('#');
      const { text, status: found } = await app.request(page);
      t.is(found, 200, path);
      if (anchor !== undefined) t.true(text.includes(`id="${anchor}"`), path);
    }
  }
});

test('a query whose words are in no topic together finds the topics with most of them', async (t) => {
  const { body } = await app.request('/guides/search.json');
  const topics = (body as SearchEntry[]).map(([title, , path, words]) => ({
    path,
    titleWords: titleWords(title),
    words: words.split(' '),
  }));
  const first = (query: string) => bestOf(topics, searchWords(query)).slice(0, 5);
  for (const [query, page] of [
    ['dedup', '/guides/concepts'],
    ['price cut webhook', '/guides/webhooks'],
    ['get key', '/pricing#key'],
  ] as const)
    t.true(
      first(query).some(({ path }) => path.startsWith(page)),
      `${query}: ${first(query).map(({ path }) => path)}`,
    );
});
