import { ERROR_CODES, errorType } from '#domain/errors.ts';
import { readGuides } from '#site/server/guide-pages.ts';
import { MAX_TITLE, MIN_DESCRIPTION } from '#site/server/page.ts';
import { PRICES } from '#src/metering/prices.ts';
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
/** Operations whose prices are in one row of the guides' table. */
const PRICE_ROWS: readonly (readonly (keyof typeof PRICES)[])[] = [
  ['reference', 'official', 'administration'],
  ['search', 'projects'],
  ['market', 'listing', 'project', 'count'],
  ['price_band', 'market_position'],
  ['trends', 'comparables', 'rental_yield', 'compare'],
];
/** For a missing page, browsers receive a page, other clients by the API. */
const BROWSER = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const inArabic = (path: string): string => (path === '/' ? '/ar' : `/ar${path}`);

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
  const { siteUrl } = app.services.config;
  const titles = new Set<string>();
  const pages = await inBoth([...PATHS, '/reference/search-listings']);
  for (const { language, path, own, other, status, text, headers } of pages) {
    t.is(status, 200, own);
    t.is(headers.get('content-language'), language);
    t.true(text.includes(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`), own);
    t.true(text.includes(`<a class="language" href="${other}"`), own);
    const policy = headers.get('content-security-policy') ?? '';
    t.regex(policy, /default-src 'none'; script-src 'self'; /);
    t.false(policy.includes('unsafe'), own);
    t.notRegex(text, /<style| style="| on\w+="|<script>|undefined|\[object/, own);
    // For search engines.
    titles.add(/<title>([^<]+)</.exec(text)?.[1] ?? '');
    const description = /<meta name="description" content="([^"]{20,201})">/.exec(text)?.[1] ?? '';
    t.is(/\p{Script=Arabic}/u.test(description), language === 'ar', `${own}: ${description}`);
    t.true(text.includes(`<link rel="canonical" href="${siteUrl}${own}">`), own);
    t.true(text.includes(`<link rel="alternate" hreflang="ar" href="${siteUrl}${inArabic(path)}">`), own);
  }
  t.is(titles.size, pages.length);
});

test('every page of the sitemap has a title and a description of a length that search engines show, and the 404 page links both languages', async (t) => {
  const { text: list } = await app.request('/sitemaps/pages.xml');
  const paths = [...list.matchAll(/<loc>([^<]+)</g)].map(([, url = '']) => new URL(url).pathname);
  t.true(paths.length > 150, String(paths.length));
  for (const path of paths) {
    const { text } = await app.request(path);
    const title = textOfMarkup(/<title>([^<]*)</.exec(text)?.[1] ?? '');
    const description = textOfMarkup(/<meta name="description" content="([^"]*)">/.exec(text)?.[1] ?? '');
    t.true(title.length > 0 && title.length <= MAX_TITLE, `${path}: ${title}`);
    t.true(description.length >= MIN_DESCRIPTION, `${path}: ${description}`);
  }
  const missing = (await app.request('/nothing', BROWSER)).text;
  for (const language of ['en', 'ar', 'x-default']) t.true(missing.includes(`hreflang="${language}"`), language);
});

test('icons that browsers request without a link exist', async (t) => {
  for (const path of ['/favicon.ico', '/apple-touch-icon.png']) {
    const { status, headers } = await app.request(path);
    t.is(status, 200, path);
    t.is(headers.get('content-type'), 'image/png', path);
  }
});

test('links between pages resolve', async (t) => {
  const links = new Set<string>();
  const { siteUrl } = app.services.config;
  const documents = ['/changelog', '/docs/errors'];
  for (const { text } of await inBoth([
    ...PATHS,
    ...documents,
    '/reference/search-listings',
    '/reference/create-export',
  ])) {
    for (const [, href = ''] of text.matchAll(/<(?:a|link) [^>]*href="(\/[^"]*)"/g)) links.add(textOfMarkup(href));
    for (const [, href = ''] of text.matchAll(/<a [^>]*href="(https?:[^"]*)"/g)) {
      t.notRegex(decodeURI(href), /[\u0600-\u06ff]/, `${href} ends with Arabic text`);
      if (href.startsWith(`${siteUrl}/`)) links.add(href.slice(siteUrl.length));
    }
  }
  t.true(links.size > 100, String(links.size));
  for (const link of links) {
    const { pathname, hash } = new URL(link, app.url);
    const { status, text, headers } = await app.request(pathname, BROWSER);
    // The console leads to the sign-in.
    const target = status === 303 ? (headers.get('location') ?? '') : pathname;
    t.is(status === 303 ? (await app.request(target, BROWSER)).status : status, 200, link);
    t.is(status === 303, /^(\/ar)?\/console/.test(pathname), link);
    if (hash !== '') t.true(text.includes(`id="${hash.slice(1)}"`), link);
  }
});

test('each guide is in the menu and served as Markdown with absolute links, and llms.txt lists those in English', async (t) => {
  const list = (await app.request('/llms.txt')).text;
  const all = (await app.request('/llms-full.txt')).text;
  t.true(list.includes('/llms-full.txt)'));
  for (const { slug } of readGuides('en')) {
    t.true(list.includes(`/guides/${slug}.md)`), slug);
    for (const prefix of ['', '/ar']) {
      const { status, headers, text } = await app.request(`${prefix}/guides/${slug}.md`);
      t.is(status, 200, slug);
      t.true((await app.request(`${prefix}/guides`)).text.includes(`href="${prefix}/guides/${slug}"`), slug);
      t.regex(headers.get('content-type') ?? '', /^text\/markdown/);
      const negotiated = await app.request(`${prefix}/guides/${slug}`, {
        headers: { Accept: 'text/markdown, text/html;q=0.9' },
      });
      t.is(negotiated.text, text, slug);
      t.regex(negotiated.headers.get('vary') ?? '', /Accept/);
      if (prefix === '') t.true(all.includes(text.trim()), slug);
      t.notRegex(text, /\{\{\w+\}\}|\]\(\/|\{#/);
      for (const [, path] of text.matchAll(/\]\([^)]*?((?:\/ar)?\/guides\/[\w-]+\.md)/g))
        t.is((await app.request(path ?? '')).status, 200, path);
    }
  }
});

test('every error code has an example response in both languages', async (t) => {
  for (const { text } of await inBoth(['/docs/errors']))
    for (const code of ERROR_CODES) {
      const entry = new RegExp(`<article id="${code}".*?</article>`, 's').exec(text)?.[0] ?? '';
      const json = /<pre tabindex="0"><code>(.*?)<\/code>/s.exec(entry)?.[1] ?? '';
      const { error } = JSON.parse(textOfMarkup(json));
      t.like(error, { code, type: errorType(code) });
      t.true(error.doc_url.endsWith(`/docs/errors#${code}`), code);
    }
});

test('URL variants redirect to the canonical path and keep the query string, in both languages', async (t) => {
  for (const [from, to] of [
    ['/docs', '/guides'],
    ['/explorer/?city=riyadh', '/explorer?city=riyadh'],
    ['/reference//', '/reference'],
    ['/Guides', '/guides'],
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
  for (const path of ['/nothing', '/ar/nothing', '/docs/none', '/listings/0', '/docs/errors/none', '//x']) {
    const { status, headers, text } = await app.request(new URL(app.url).origin + path, BROWSER);
    t.is(status, 404, path);
    t.regex(headers.get('content-type') ?? '', /^text\/html/, path);
    t.is(headers.get('content-language'), path.startsWith('/ar') ? 'ar' : 'en');
    t.notRegex(text, /href="\/\//, path);
    const program = await app.request(new URL(app.url).origin + path);
    t.is(program.status, 404, path);
    t.is(program.body.error.code, 'route_not_found', path);
  }
  const headers = { ...BROWSER.headers, 'Accept-Language': 'ar-SA,ar;q=0.9,en;q=0.5' };
  t.is((await app.request('/nothing', { headers })).headers.get('content-language'), 'ar');
  for (const path of ['/v1/nothing', '/v1', '/V1/listings/'])
    t.is((await app.request(path, BROWSER)).body.error.code, 'route_not_found', path);
});

test('assets are compressed, have hashed names and are cached permanently', async (t) => {
  for (const path of ['/', '/ar', '/guides', '/explorer', '/ar/explorer']) {
    const { text } = await app.request(path);
    const loaded = [
      ...text.matchAll(/<(?:link rel="(?:stylesheet|modulepreload)" href|script type="module" src)="([^"]+)"/g),
    ];
    t.true(loaded.length >= 2 && loaded.length <= 9, `${path}: ${loaded.join(' ')}`);
    for (const [, file = ''] of loaded) {
      const response = await fetch(new URL(file, app.url), {
        headers: { 'Accept-Encoding': 'gzip, deflate, br, zstd' },
      });
      t.is(response.status, 200, file);
      t.is(response.headers.get('content-encoding'), 'br', file);
      t.regex(file, /^\/assets\/.*-([0-9a-f]{12}|[0-9A-Z]{8})\.\w+$/);
      t.regex(response.headers.get('cache-control') ?? '', /immutable/);
      t.is(response.headers.get('x-content-type-options'), 'nosniff');
      await response.body?.cancel();
    }
  }
  t.is((await app.request('/assets/nothing-000000000000.js')).status, 404);
  t.is((await app.request('/assets/..%2fmanifest.json')).status, 404);
});

test('what the explorer loads until its map is shown takes 8 seconds at 400 kbit/s', async (t) => {
  for (const path of ['/explorer', '/ar/explorer']) {
    const { text } = await app.request(path);
    const linked = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => file);
    const { files } = JSON.parse(/id="data">(.*?)<\/script>/.exec(text)?.[1] ?? '{}');
    const loaded = [...new Set([path, ...linked, ...Object.values<string | string[]>(files).flat()])];
    const sizes = await Promise.all(
      loaded.map(async (file) => {
        // What fetch decompresses states the compressed length.
        const response = await fetch(new URL(file, app.url), { headers: { 'Accept-Encoding': 'gzip, deflate, br' } });
        await response.body?.cancel();
        return Number(response.headers.get('content-length'));
      }),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    t.true(sizes.every((size) => size > 0) && bytes < 8 * 50_000, `${path}: ${bytes} bytes of ${loaded.join(' ')}`);
  }
});

test('the guides state the limits of the plans table, and one price for operations of the same price', async (t) => {
  const { rows: plans } = await app.services.pool.query<Record<string, number | string | null>>(
    'select units_per_minute, units_per_month, page_size, paging_depth from plans where units_per_month is not null order by rank',
  );
  for (const { text, own } of await inBoth(['/guides/plans-and-units'])) {
    const [table = ''] = /<table>[\s\S]*?<\/table>/.exec(text) ?? [];
    const cells = [...table.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell]) => cell);
    for (const [at, plan] of plans.entries())
      t.deepEqual(
        cells.slice(6 * at + 1, 6 * at + 5),
        Object.values(plan).map((value) => Number(value).toLocaleString('en')),
        own,
      );
  }
  for (const [first, ...others] of PRICE_ROWS)
    for (const other of others) t.deepEqual(PRICES[other], PRICES[first as keyof typeof PRICES], other);
});

test('customers read no commands for operators, which only an installation with demo keys shows', async (t) => {
  for (const { text, own } of await inBoth(readGuides('en').map(({ slug }) => `/guides/${slug}`)))
    t.notRegex(text, /npm (start|run)|\.data\/demo\.json/, own);
  const demo = await startTestApp({
    env: { WEBHOOK_SOURCE_ADDRESSES: '203.0.113.7, 198.51.100.0/28' },
    overrides: { demoKey: 'svc_live_demo' },
  });
  t.teardown(() => demo.close());
  t.regex((await demo.request('/guides/first-call')).text, /npm start/);
  for (const path of ['/guides/webhooks', '/ar/guides/webhooks']) {
    const [stated, unstated] = [(await demo.request(path)).text, (await app.request(path)).text];
    t.true(
      ['203.0.113.7', '198.51.100.0/28'].every((address) => stated.includes(address)),
      path,
    );
    t.regex(unstated, /addresses that can change|عناوين قد تتغير/);
  }
});

test('the home page is in the language of the browser, unless a page in another language was seen', async (t) => {
  const open = (headers: Record<string, string>) => app.request('/', { headers });
  const { status, headers } = await open({ 'Accept-Language': 'ar-SA, en;q=0.5' });
  t.deepEqual([status, headers.get('location')], [302, '/ar']);
  t.regex(headers.get('vary') ?? '', /Accept-Language.*Cookie/);
  t.is((await open({})).status, 200);
  t.is((await open({ 'Accept-Language': 'ar', Cookie: 'language=en' })).status, 200);
});
