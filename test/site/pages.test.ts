import { ERROR_CODES, errorType } from '#domain/errors.ts';
import { PROPERTY_TYPES } from '#domain/listings/vocabulary.ts';
import { EXPORT_PRICE, PRICES, type Price } from '#metering/prices.ts';
import { filterRows } from '#queries/filters/table.ts';
import type { ExplorerData } from '#site/server/explorer-page.ts';
import { readGuides } from '#site/server/guides.ts';
import { TEXTS } from '#site/text/index.ts';
import { sharedApp, startTestApp, type TestApp } from '#test/app.ts';
import { textOfMarkup } from '#test/markup.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

const PATHS = [
  '/',
  '/explorer',
  '/reference',
  '/guides',
  '/docs/errors',
  '/changelog',
  '/pricing',
  '/coverage',
  '/accuracy',
  '/status',
  ...readGuides('en').map(({ slug }) => `/guides/${slug}`),
];
const PLAN_PAGES = ['/guides/plans-and-units', '/ar/guides/plans-and-units'];
const numbersOf = (price: Price): number[] => ('per' in price ? [price.units, price.per] : [price.units]);
const { reference, official, administration, search, projects, batch, listing, project, count, market } = PRICES;
const { price_band, market_position, comparables, rental_yield, compare, trends, deals } = PRICES;
/** Prices in each row of the guides' table. */
const PRICE_ROWS = [
  ...[
    [reference, official, administration],
    [search, projects],
    [batch],
    [listing, project, count, market],
    [price_band, market_position],
    [comparables, rental_yield, compare, trends],
    [deals],
  ].map((row) => row.map(numbersOf)),
  [[EXPORT_PRICE.units, EXPORT_PRICE.perRows]],
];
const inArabic = (path: string): string => (path === '/' ? '/ar' : `/ar${path}`);

/** Files that a page loads immediately. */
const loadedBy = (text: string): string[] =>
  [...text.matchAll(/<(?:link rel="stylesheet" href|script type="module" src)="([^"]+)"/g)].map(([, url]) => url ?? '');

/** Requests paths in both languages. */
const inBoth = async (paths: readonly string[]) =>
  Promise.all(
    paths
      .flatMap((path) => [
        { language: 'en', path, own: path, other: inArabic(path), answer: app.request(path) },
        { language: 'ar', path, own: inArabic(path), other: path, answer: app.request(inArabic(path)) },
      ])
      .map(async ({ answer, ...page }) => ({ ...page, ...(await answer) })),
  );

test('every page exists in both languages with a link to the other, and no inline script can run', async (t) => {
  for (const { language, own, other, status, text, headers } of await inBoth(PATHS)) {
    t.is(status, 200, own);
    t.is(headers.get('content-language'), language);
    t.true(text.includes(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`), own);
    t.true(text.includes(`<a class="language" href="${other}"`), own);
    t.is(text.match(/<h1[ >]/g)?.length, 1, own);
    t.regex(text, /<footer[\s\S]*href="[^"]*\/pricing#key"/, own);
    const policy = headers.get('content-security-policy') ?? '';
    t.regex(policy, /default-src 'none'; script-src 'self'; /);
    t.false(policy.includes('unsafe'), own);
    t.notRegex(text, /<style| style="| on\w+="|<script>|undefined|\[object/, own);
    const tables = text.match(/<table/g)?.length;
    const regions = text.match(/<div class="wide" role="region" aria-label="[^"]+" tabindex="0"><table/g);
    t.is(regions?.length, tables, `every table of ${own} is in a named region that can be focused`);
  }
});

test('every page has a title, a description, its URL in both languages and a preview for search engines', async (t) => {
  const { siteUrl } = app.services.config;
  const titles = new Set<string>();
  const pages = await inBoth([...PATHS, '/reference/search-listings']);
  for (const { path, own, text } of pages) {
    const [head = ''] = text.split('</head>');
    const content = (name: string) =>
      new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(head)?.[1];
    titles.add(/<title>([^<]+)</.exec(head)?.[1] ?? '');
    const description = content('description') ?? '';
    t.true(description.length > 20 && description.length <= 201, `${own}: ${description}`);
    t.is(/lang="ar"/.test(text.slice(0, 100)), /\p{Script=Arabic}/u.test(description), `${own}: ${description}`);
    t.true(head.includes(`<link rel="canonical" href="${siteUrl}${own}">`), own);
    for (const [language, address] of [
      ['en', path],
      ['ar', inArabic(path)],
      ['x-default', path],
    ])
      t.true(head.includes(`<link rel="alternate" hreflang="${language}" href="${siteUrl}${address}">`), own);
    t.is(content('og:url'), `${siteUrl}${own}`);
    t.is(content('og:description'), description);
    t.is(content('twitter:card'), 'summary_large_image');
    const image = new URL(content('og:image') ?? '');
    t.is(image.origin, new URL(siteUrl).origin);
    if (path === '/' || path === '/guides') {
      const response = await fetch(new URL(image.pathname, app.url));
      t.is(response.headers.get('content-type'), 'image/jpeg', own);
      await response.body?.cancel();
    }
  }
  t.is(titles.size, pages.length);
  const [, json = ''] =
    /<script type="application\/ld\+json">([^<]*"DataCatalog"[^<]*)</.exec((await app.request('/')).text) ?? [];
  t.is(JSON.parse(json).dataset.length, 3);
  t.is((await app.request('/previews/en/nothing.jpg')).status, 404);
});

test('robots.txt names the sitemap and excludes API responses and redirects to other sites', async (t) => {
  const { status, headers, text } = await app.request('/robots.txt');
  t.is(status, 200);
  t.regex(headers.get('content-type') ?? '', /^text\/plain/);
  t.true(text.includes(`Sitemap: ${app.services.config.siteUrl}/sitemap.xml\n`));
  t.regex(text, /^Disallow: \/v1\/$/m);
  t.regex(text, /^Disallow: \/r\/$/m);
});

test('links between pages resolve', async (t) => {
  const links = new Set<string>();
  for (const { text } of await inBoth([...PATHS, '/reference/search-listings', '/reference/create-export']))
    for (const [, href = ''] of text.matchAll(/<a [^>]*href="(\/[^"]*)"/g)) links.add(href);
  t.true(links.size > 100, String(links.size));
  for (const link of links) {
    const { pathname, hash } = new URL(link, app.url);
    const { status, text } = await app.request(pathname);
    t.is(status, 200, link);
    if (hash !== '') t.true(text.includes(`id="${hash.slice(1)}"`), link);
  }
});

test('each guide is served as Markdown with absolute links, and llms.txt lists those in English', async (t) => {
  const list = await app.request('/llms.txt');
  t.is(list.status, 200);
  t.regex(list.headers.get('content-type') ?? '', /^text\/plain/);
  for (const { slug } of readGuides('en')) {
    t.true(list.text.includes(`/guides/${slug}.md)`), slug);
    for (const prefix of ['', '/ar']) {
      const { status, headers, text } = await app.request(`${prefix}/guides/${slug}.md`);
      t.is(status, 200, slug);
      t.regex(headers.get('content-type') ?? '', /^text\/markdown/);
      t.regex(text, /^# /);
      t.notRegex(text, /\{\{\w+\}\}|\]\(\/|\{#/);
      for (const [, path] of text.matchAll(/\]\([^)]*?((?:\/ar)?\/guides\/[\w-]+\.md)/g))
        t.is((await app.request(path ?? '')).status, 200, path);
    }
  }
});

test('every error code has its cause, its remedy and an example response in both languages', async (t) => {
  for (const language of ['en', 'ar'] as const) {
    const page = await app.request(language === 'en' ? '/docs/errors' : '/ar/docs/errors');
    for (const code of ERROR_CODES) {
      t.is(page.text.split(`id="${code}"`).length, 2, `${language} ${code}`);
      const entry = new RegExp(`<article id="${code}".*?</article>`, 's').exec(page.text)?.[0] ?? '';
      const texts = TEXTS[language];
      for (const label of [texts.error_cause, texts.error_remedy]) t.true(entry.includes(label), `${code} ${label}`);
      const json = /<pre tabindex="0"><code>(.*?)<\/code>/s.exec(entry)?.[1] ?? '';
      const { error } = JSON.parse(textOfMarkup(json));
      t.like(error, { code, type: errorType(code) });
      t.true(error.message.length > 10 && !error.message.includes('undefined'), code);
      t.true(error.doc_url.endsWith(`/docs/errors#${code}`), code);
    }
  }
});

test('URL variants redirect to the canonical path and keep the query string, in both languages', async (t) => {
  for (const [from, to] of [
    ['/docs', '/guides'],
    ['/docs/', '/guides'],
    ['/guides/', '/guides'],
    ['/explorer/?city=riyadh', '/explorer?city=riyadh'],
    ['/reference//', '/reference'],
    ['/Guides', '/guides'],
    ['/guides/paging/', '/guides/paging'],
    ['/docs/errors/', '/docs/errors'],
    ['/docs/errors/unknown_city', '/docs/errors#unknown_city'],
    ['/listings/1/', '/listings/1'],
    ['/Pricing/', '/pricing'],
  ] as const) {
    for (const language of ['', '/ar']) {
      const { status, headers } = await app.request(`${language}${from}`);
      t.is(status, 308, `${language}${from}`);
      t.is(headers.get('location'), `${language}${to}`);
    }
  }
  const home = await app.request('/ar/?from=link');
  t.deepEqual([home.status, home.headers.get('location')], [308, '/ar?from=link']);
});

test('a 404 response is HTML for browsers, and JSON below /v1 and for API clients', async (t) => {
  const browser = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
  for (const path of [
    '/nothing',
    '/ar/nothing',
    '/docs/none',
    '/listings',
    '/listings/0',
    '/index.php',
    '/docs/errors/none',
    '//x',
  ]) {
    const { status, headers, text } = await app.request(new URL(app.url).origin + path, browser);
    t.is(status, 404, path);
    t.regex(headers.get('content-type') ?? '', /^text\/html/, path);
    t.is(headers.get('content-language'), path.startsWith('/ar') ? 'ar' : 'en');
    for (const page of ['explorer', 'guides', 'reference'])
      t.regex(text, new RegExp(`<main[\\s\\S]*href="[^"]*/${page}"[\\s\\S]*</main>`), path);
    t.notRegex(text, /href="\/\//, path);
    const program = await app.request(new URL(app.url).origin + path);
    t.is(program.status, 404, path);
    t.is(program.body.error.code, 'route_not_found', path);
  }
  for (const [path, accepted, language] of [
    ['/nothing', 'ar-SA,ar;q=0.9,en;q=0.5', 'ar'],
    ['/guides/none', 'ar', 'ar'],
    ['/nothing', 'fr,en;q=0.5,ar;q=0.2', 'en'],
    ['/ar/nothing', 'en', 'ar'],
  ] as const) {
    const answer = await app.request(path, { headers: { ...browser.headers, 'Accept-Language': accepted } });
    t.is(answer.headers.get('content-language'), language, `${path} ${accepted}`);
    t.true(answer.text.includes(`<html lang="${language}"`));
  }
  for (const path of ['/v1/nothing', '/v1', '/V1/listings/']) {
    const { status, body } = await app.request(path, browser);
    t.is(status, 404);
    t.is(body.error.code, 'route_not_found', path);
  }
  t.is((await app.request('/healthz', browser)).status, 200);
});

test('the filters of the explorer are search parameters and have a name in both languages', async (t) => {
  const read = async (path: string): Promise<ExplorerData> =>
    JSON.parse(/id="data">([^<]+)</.exec((await app.request(path)).text)?.[1] ?? '');
  const data = await read('/explorer');
  const { body } = await app.request('/v1/openapi.json');
  const described = body.paths['/listings'].get.parameters.map(({ name }: { name: string }) => name);
  t.deepEqual(
    data.filters.map(({ name }) => name),
    described,
  );
  const { schema: types } = data.filters.find(({ name }) => name === 'property_type') ?? {};
  t.deepEqual(types?.items, { type: 'string', enum: PROPERTY_TYPES });
  const names = filterRows().map(({ name }) => name as string);
  for (const { labels } of [data, await read('/ar/explorer')]) t.deepEqual(Object.keys(labels), names);
  t.is(data.key, null);
});

test('guides have a menu with sections, the current page marked, and links to the previous and the next page', async (t) => {
  for (const language of ['', '/ar']) {
    const { text: first } = await app.request(`${language}/guides`);
    const menu = /<ul id="menu">[\s\S]*?<\/nav>/.exec(first)?.[0] ?? '';
    const paths = [...menu.matchAll(/<a href="([^"]+)"/g)].map(([, path = '']) => path);
    t.deepEqual(
      readGuides('en').filter(({ slug }) => !paths.includes(`${language}/guides/${slug}`)),
      [],
    );
    t.true((menu.match(/<summary>/g) ?? []).length >= 5);
    for (const [at, path] of paths.entries()) {
      const { text } = await app.request(path);
      t.deepEqual(
        [...text.matchAll(/<a href="([^"]+)" aria-current="page">/g)].map(([, href]) => href),
        [path === `${language}/pricing` ? path : `${language}/guides`, path],
      );
      for (const [rel, neighbor] of [
        ['prev', paths[at - 1]],
        ['next', paths[at + 1]],
      ])
        t.is(new RegExp(`<a rel="${rel}" href="([^"]+)"`).exec(text)?.[1], neighbor, `${path} ${rel}`);
    }
  }
});

test('assets are compressed, have hashed names and are cached permanently', async (t) => {
  for (const path of ['/', '/ar', '/guides', '/explorer', '/ar/explorer']) {
    const loaded = loadedBy((await app.request(path)).text);
    t.true(loaded.length >= 2 && loaded.length <= 5, `${path}: ${loaded.join(' ')}`);
    for (const file of loaded) {
      const response = await fetch(new URL(file, app.url), { headers: { 'Accept-Encoding': 'br' } });
      t.is(response.status, 200, file);
      t.is(response.headers.get('content-encoding'), 'br', file);
      t.regex(file, /^\/assets\/.*-[0-9a-f]{12}\.\w+$/);
      t.regex(response.headers.get('cache-control') ?? '', /immutable/);
      t.is(response.headers.get('x-content-type-options'), 'nosniff');
      await response.body?.cancel();
    }
  }
  t.is((await app.request('/assets/nothing-000000000000.js')).status, 404);
  t.is((await app.request('/assets/..%2fmanifest.json')).status, 404);
});

test('the guides state the limits of the plans table and the defined prices', async (t) => {
  const { rows: plans } = await app.services.pool.query<Record<string, number | string | null>>(
    'select units_per_minute, units_per_month, page_size, paging_depth from plans where units_per_month is not null order by rank',
  );
  const stated = plans.map((plan) => Object.values(plan).map((value) => Number(value).toLocaleString('en')));
  for (const path of PLAN_PAGES) {
    const { text } = await app.request(path);
    const [first = [], second = []] = [...text.matchAll(/<table>[\s\S]*?<\/table>/g)].map(([table]) =>
      [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)]
        .slice(1)
        .map(([, row = '']) => [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => cell)),
    );
    t.deepEqual(
      first.slice(0, plans.length).map((cells) => cells.slice(1, 5)),
      stated,
      path,
    );
    const prices = second.map(([, cell = '']) => (cell.replaceAll(',', '').match(/\d+/g) ?? []).map(Number));
    t.deepEqual(
      prices,
      PRICE_ROWS.map((row) => row[0]),
      path,
    );
  }
  // All prices in one row of the guides are equal.
  for (const row of PRICE_ROWS) for (const price of row) t.deepEqual(price, row[0]);
});

test('customers read no commands for operators, which only an installation with demo keys shows', async (t) => {
  for (const { slug } of readGuides('en'))
    for (const prefix of ['', '/ar']) {
      const { text } = await app.request(`${prefix}/guides/${slug}`);
      t.notRegex(text, /npm (start|run)|\.data\/demo\.json/, `${prefix} ${slug}`);
    }
  const demo = await startTestApp({ overrides: { demoKey: 'svc_live_demo' } });
  try {
    t.regex((await demo.request('/guides/first-call')).text, /npm start/);
  } finally {
    await demo.close();
  }
});

test('the home page is in the language of the browser, unless a page in another language was seen', async (t) => {
  const open = (headers: Record<string, string>) => app.request('/', { headers });
  const { status, headers } = await open({ 'Accept-Language': 'ar-SA, en;q=0.5' });
  t.is(status, 302);
  t.is(headers.get('location'), '/ar');
  t.regex(headers.get('vary') ?? '', /Accept-Language.*Cookie/);
  const english: readonly Record<string, string>[] = [
    {},
    { 'Accept-Language': 'en, ar;q=0.5' },
    { 'Accept-Language': 'ar', Cookie: 'language=en' },
  ];
  for (const each of english) t.is((await open(each)).status, 200);
  t.is((await open({ Cookie: 'language=ar' })).headers.get('location'), '/ar');
});
