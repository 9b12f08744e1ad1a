import { SaxesParser } from 'saxes';
import { request } from 'undici';
import { changelogFeed } from '#src/documents/changelog-page.ts';
import { CHANGELOG, parseChangelog } from '#src/openapi/changelog.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await startTestApp({ env: { SITE_URL: 'https://site.test' } });
});
test.after(() => app.close());

/** Texts of the elements of a feed by path. @throws Error for invalid XML */
function readFeed(xml: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const path: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  const add = (name: string, text: string) => found.set(name, [...(found.get(name) ?? []), text]);
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (uri !== 'http://www.w3.org/2005/Atom') throw new Error(`${local} of ${uri}`);
    path.push(local);
    read = '';
    const { href, rel } = attributes as Record<string, { value: string } | undefined>;
    if (href) add(`${path.join('/')}@${rel?.value ?? ''}`, href.value);
  });
  let read = '';
  for (const kind of ['text', 'cdata'] as const)
    parser.on(kind, (text) => {
      read += text;
    });
  parser.on('closetag', () => {
    if (read.trim() !== '') add(path.join('/'), read);
    read = '';
    path.pop();
  });
  parser.write(xml).close();
  return found;
}

test('the changelog page and feed contain every entry, and a reader with the current feed receives 304', async (t) => {
  for (const [language, prefix] of [
    ['en', ''],
    ['ar', '/ar'],
  ] as const) {
    const page = (await app.request(`${prefix}/changelog`)).text;
    const answer = await app.request(`${prefix}/changelog.atom`);
    t.is(answer.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    const feed = readFeed(answer.text);
    const link = `https://site.test${prefix}/changelog`;
    t.deepEqual(feed.get('feed/link@self'), [`${link}.atom`]);
    t.deepEqual(feed.get('feed/updated'), [`${CHANGELOG[0]?.date}T00:00:00.000Z`]);
    const ids = CHANGELOG.map(({ id }) => `${link}#${id}`);
    t.deepEqual(feed.get('feed/entry/id'), ids);
    t.deepEqual(feed.get('feed/entry/link@'), ids);
    t.is(feed.get('feed/entry/content')?.length, CHANGELOG.length);
    for (const { id, title } of CHANGELOG) {
      t.true(page.includes(`<article id="${id}"`), id);
      t.true(page.includes(title[language]), id);
    }
  }
  const etag = (await app.request('/changelog.atom')).headers.get('etag') ?? '';
  // Not `fetch`, which sends `Cache-Control: no-cache` with conditional requests.
  const again = await request(`${app.url}/changelog.atom`, { headers: { 'if-none-match': etag } });
  t.deepEqual([again.statusCode, await again.body.text()], [304, '']);
});

test('markup in a changelog entry is escaped, and deprecated items are listed with their sunset date', (t) => {
  const [entry] = parseChangelog(
    `- { id: a, date: 2026-11-01, kind: deprecated, title: { en: '<b> & ]]>', ar: ت }, text: { en: '<script>', ar: ت },
         deprecates: [{ operation: searchListings, parameter: beds }], sunset: 2028-01-01 }`,
  );
  const feed = readFeed(changelogFeed({ serviceName: 'A & B', siteUrl: 'https://s' }, entry ? [entry] : [], 'en'));
  t.deepEqual(feed.get('feed/entry/title'), ['Deprecated: <b> & ]]>']);
  const [content = ''] = feed.get('feed/entry/content') ?? [];
  t.false(content.includes('<script>'));
  for (const part of ['searchListings', 'beds', '2028-01-01']) t.true(content.includes(part), part);
});
