import { ERRORS } from '#domain/errors.ts';
import { readGuides } from '#site/server/guide-pages.ts';

import { bestOf, queryWords, rankedTopic, type SearchEntry, searchWords } from '#site/server/search-words.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

test('the search index contains every guide, error and operation in both languages', async (t) => {
  const { body: openApi } = await app.request('/v1/openapi.json');
  const operations = Object.values<object>(openApi.paths).flatMap((item) =>
    Object.keys(item).filter((method) => method === 'get' || method === 'post'),
  );
  for (const prefix of ['', '/ar']) {
    const entries: SearchEntry[] = (await app.request(`${prefix}/guides/search.json`)).body;
    const paths = entries.map(([, , path]) => path);
    t.is(new Set(paths).size, paths.length);
    for (const [path, word] of [
      ['/reference/search-listings', 'price_min'],
      ['/reference/create-webhook', 'event_type'],
      // The index of a language also finds the titles of the other.
      ['/guides/webhooks', searchWords('إشعارات')[0] ?? ''],
    ] as const) {
      const entry = entries.find((each) => each[2] === `${prefix}${path}`);
      t.true(entry?.[3].split(' ').includes(word), `${path} ${word}`);
    }
    for (const { slug } of readGuides('en')) t.true(paths.includes(`${prefix}/guides/${slug}`), slug);
    for (const code of Object.keys(ERRORS)) t.true(paths.includes(`${prefix}/docs/errors#${code}`), code);
    t.is(paths.filter((path) => path.startsWith(`${prefix}/reference/`)).length, operations.length);
  }
});

test('words of customers that no title has find the page that answers them first', async (t) => {
  const index = async (prefix: string): Promise<SearchEntry[]> =>
    (await app.request(`${prefix}/guides/search.json`)).body;
  const entries = { '': await index(''), '/ar': await index('/ar') };
  for (const [query, path] of [
    ['how much does it cost', '/pricing'],
    ['price per month', '/pricing'],
    ['price', '/pricing'],
    ['plans', '/pricing'],
    ['get key', '/pricing#key'],
    ['api key', '/pricing#key'],
    ['contact', '/pricing#key'],
    ['phone', '/pricing#key'],
    ['sign up', '/pricing#key'],
    ['uptime', '/status'],
    ['php', '/guides/sdks'],
    ['429', '/docs/errors#rate_limited'],
    ['error 429', '/docs/errors#rate_limited'],
    ['webhook', '/guides/webhooks'],
    ['الأسعار', '/ar/pricing'],
    ['كم السعر', '/ar/pricing'],
    ['تكلفة الاشتراك', '/ar/pricing'],
    ['مفتاح', '/ar/pricing#key'],
    ['تواصل', '/ar/pricing#key'],
    ['خطأ 429', '/ar/docs/errors#rate_limited'],
  ] as const) {
    const topics = entries[path.startsWith('/ar') ? '/ar' : ''].map((entry) => ({
      path: entry[2],
      ...rankedTopic(entry),
    }));
    const found = bestOf(topics, queryWords(query)).map((topic) => topic.path);
    t.is(found[0], path, `${query}: ${found.slice(0, 4).join(' ')}`);
  }
});
