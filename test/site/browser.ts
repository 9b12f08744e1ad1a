import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ExecutionContext, TestFn } from 'ava';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { EXPLORER_TEXTS } from '#site/text/explorer.ts';
import type { SampleApp } from '#test/sample-app.ts';

/** Paths where Debian and other systems install Chromium. The tests download nothing. */
const CHROMIUM = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));
/** Software rendering, because test machines have no graphics card. */
const ARGS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-dev-shm-usage'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Folder for screenshots and measurements, optional. */
const SCREENSHOTS = process.env.SCREENSHOTS;

/** Timeout in milliseconds, with a margin for busy machines. */
const TIMEOUT_MS = 20_000;
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

/** Page paths by screenshot name. `{id}` is a listing id. */
const PAGES: Readonly<Record<string, string>> = {
  home: '/',
  guides: '/guides',
  guide: '/guides/first-call',
  errors: '/docs/errors',
  listing: '/listings/{id}',
  explorer: '/explorer',
  reference: '/reference',
  operation: '/reference/search-listings',
  changelog: '/changelog',
  pricing: '/pricing',
  coverage: '/coverage',
  status: '/status',
};
/**
 * Page budgets until a page is complete: requests, and compressed kilobytes, of which the typeface is two files with 54. Photos and the lazily loaded map are excluded.
 */
const BUDGETS: Readonly<Record<string, readonly [requests: number, kilobytes: number]>> = {
  explorer: [18, 300],
  pricing: [9, 115],
};
const DEFAULT_BUDGET = [8, 115] as const;
/** Selectors that are present when a page is complete. */
const COMPLETE: Readonly<Record<string, string>> = {
  explorer: '.card',
  operation: '.test-request:not([hidden])',
};

/** Files of the explorer's map. */
const OF_MAP = /\/(map|land)-|map-worker/;

interface Opened {
  page: Page;
  context: BrowserContext;
  /** Requests to other hosts, logged errors, and violations of the content security policy. */
  faults: string[];
  /** Compressed bytes of every response, by path. */
  sizes: Map<string, number>;
}

/** Tests of the pages in a browser, which all tests share, on the shared sample. */
export function browserTests(test: TestFn, sample: () => SampleApp): void {
  if (!CHROMIUM) {
    test.skip('browser tests are skipped: install Chromium (apt-get install chromium) or set CHROMIUM=<path>', () => {});
    return;
  }
  let browser: Browser;
  let id: number;

  test.serial.before('a browser', async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    const { app, keys } = sample();
    const found = await app.request(
      '/v1/listings?city=riyadh&listing_type=rent&property_type=apartment&sort=price_drop',
      {
        key: keys.pro,
      },
    );
    id = found.body.data[0].id;
  });
  test.after.always('a browser', () => browser?.close());

  async function open(
    path: string,
    { key, ...options }: Parameters<Browser['newContext']>[0] & { key?: string } = {},
  ): Promise<Opened> {
    const { app } = sample();
    const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(TIMEOUT_MS);
    const faults: string[] = [];
    const sizes = new Map<string, number>();
    const origin = new URL(app.url).origin;
    await context.route(
      (url) => url.origin !== origin && url.protocol.startsWith('http'),
      (route) => {
        faults.push(`outside: ${route.request().url()}`);
        return route.abort();
      },
    );
    if (key !== undefined) await context.addInitScript(`sessionStorage.setItem('key', '${key}')`);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('requestfinished', async (request) => {
      const { pathname } = new URL(request.url());
      const { responseBodySize } = await request.sizes().catch(() => ({ responseBodySize: 0 }));
      sizes.set(pathname, responseBodySize);
    });
    await page.goto(new URL(path, app.url).href);
    return { page, context, faults, sizes };
  }

  const note = (t: ExecutionContext, figures: string): void => {
    t.log(figures);
    if (SCREENSHOTS) appendFileSync(`${SCREENSHOTS}/figures.txt`, `${figures}\n`);
  };
  const show = async (page: Page, name: string): Promise<void> => {
    if (SCREENSHOTS)
      await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: !/explorer|request/.test(name) });
  };

  for (const [name, path] of Object.entries(PAGES)) {
    test.serial(`${name}: no accessibility finding in both languages and themes, wide and narrow`, async (t) => {
      // Colors and sizes do not depend on the language, so two of the eight combinations can be omitted.
      for (const [language, colorScheme, viewport] of [
        ['en', 'light', DESKTOP],
        ['ar', 'dark', PHONE],
      ] as const) {
        const local = (language === 'ar' ? `/ar${path}` : path).replace(/\/$/, '') || '/';
        const { page, context, faults } = await open(local.replace('{id}', String(id)), { viewport, colorScheme });
        const complete = COMPLETE[name];
        if (complete) await page.waitForSelector(complete);
        t.is(await page.getAttribute('html', 'lang'), language);
        t.is(await page.getAttribute('html', 'dir'), language === 'ar' ? 'rtl' : 'ltr');
        t.not(await page.locator('h1').first().textContent(), '');
        const where = `${name}-${language}-${colorScheme}`;
        const { requests, kilobytes } = await loadedBy(page);
        const [mostRequests, mostKilobytes] = BUDGETS[name] ?? DEFAULT_BUDGET;
        note(t, `${where}: ${requests.length} requests, ${Math.round(kilobytes)} KB`);
        t.true(requests.length <= mostRequests, `${where}: ${requests.join(' ')}`);
        t.true(kilobytes < mostKilobytes, `${where}: ${kilobytes} KB`);
        await show(page, where);
        t.deepEqual(await findings(page, name), [], where);
        const [inner, scrolled] = await page.evaluate<[number, number]>(
          '[innerWidth, document.documentElement.scrollWidth]',
        );
        t.true(scrolled <= inner, `${where} is ${scrolled} wide on a screen of ${inner}`);
        t.deepEqual(faults, [], where);
        await context.close();
      }
    });
  }

  test.serial('home: a pasted key appears in the commands and is sent nowhere', async (t) => {
    const { page, context, faults, sizes } = await open('/');
    const { keys } = sample();
    t.regex(await page.locator('.code').first().innerText(), new RegExp(keys.pro));
    await page.fill('#key', keys.free);
    for (const block of await page.locator('.tabs code').all()) t.true((await block.innerText()).includes(keys.free));
    // Commands are pasted into a shell, so only a valid key may be inserted.
    await page.fill('#key', `x'; rm -rf "$HOME`);
    t.notRegex(await page.locator('.code code').first().innerText(), /;|\$/);
    t.true(
      [...sizes.keys()].every((path) => path === '/' || path.startsWith('/assets/')),
      [...sizes.keys()].join(),
    );
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial('guides: the chosen language of code is remembered, and all are visible without scripts', async (t) => {
    const { page, context, faults } = await open('/guides/first-call');
    const shown = () =>
      page
        .locator('.tabs .code')
        .evaluateAll((blocks) =>
          blocks.filter((each) => each.checkVisibility()).map((each) => (each as HTMLElement).dataset.language),
        );
    const all = await page
      .locator('.tabs .code')
      .evaluateAll((blocks) => blocks.map((each) => (each as HTMLElement).dataset.language));
    t.deepEqual(await shown(), all.slice(0, 1));
    await page.getByRole('tab', { name: 'Python' }).click();
    t.deepEqual(await shown(), ['python']);
    await page.keyboard.press('ArrowLeft');
    t.not((await shown())[0], 'python');
    await page.keyboard.press('ArrowRight');
    await page.reload();
    await page.getByRole('tab', { name: 'Python', selected: true }).waitFor();
    t.deepEqual(await shown(), ['python']);
    t.deepEqual(faults, []);
    await context.close();
    const plain = await open('/guides/first-call', { javaScriptEnabled: false, viewport: PHONE });
    t.is(await plain.page.locator('.tabs pre').count(), all.length);
    for (const block of await plain.page.locator('.tabs pre').all()) t.true(await block.isVisible());
    // The menu needs no script, and the search is hidden.
    t.true(await plain.page.getByRole('link', { name: 'Webhooks', exact: true }).isVisible());
    t.false(await plain.page.locator('.search').isVisible());
    await plain.context.close();
  });

  test.serial('guides: the search finds guides, errors and operations in both languages, by keyboard', async (t) => {
    for (const [path, query, address] of [
      ['/guides', 'webhooks', /\/guides\/webhooks$/],
      ['/ar/guides', 'الإشعارات', /\/ar\/guides\/webhooks$/],
      ['/guides/sync', 'rate_limited', /\/docs\/errors#rate_limited$/],
      ['/guides', 'تصدير', /exports/],
      ['/reference', 'price_min', /\/reference\//],
      ['/reference/search-listings', 'pagination', /\/guides\/paging$/],
    ] as const) {
      const { page, context, faults, sizes } = await open(path);
      t.false([...sizes.keys()].some((each) => each.endsWith('search.json')));
      await page.keyboard.press('/');
      await page.keyboard.type(query);
      await page.waitForSelector('.results a');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(address);
      t.deepEqual(faults, []);
      await context.close();
    }
    const { page, context } = await open('/guides');
    await page.keyboard.press('/');
    await page.keyboard.type('qqqq');
    await page.locator('.search [role=status]', { hasText: 'Nothing found' }).waitFor();
    await page.keyboard.press('Escape');
    t.false(await page.locator('.results').isVisible());
    t.false(await page.getByText('Nothing found').isVisible());
    await page.fill('.search input', 'paging');
    await page.locator('.results strong', { hasText: 'Paging and depth' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/guides\/paging$/);
    await context.close();
  });

  test.serial('guides, reference: the menu is collapsed on phones', async (t) => {
    const { page, context } = await open('/guides/first-call', { viewport: PHONE });
    const link = page.locator('#menu').getByRole('link', { name: 'Webhooks' });
    t.false(await link.isVisible());
    await page.getByRole('button', { name: 'Guides and help' }).click();
    t.true(await link.isVisible());
    await page.goto(new URL('/reference/search-listings', page.url()).href);
    const operation = page.locator('#menu').getByRole('link', { name: 'Count listings', exact: true });
    t.false(await operation.isVisible());
    await page.getByRole('button', { name: 'Operations' }).click();
    t.true(await operation.isVisible());
    await context.close();
  });

  test.serial('pricing: the calculator recomputes units and plans while the visitor types', async (t) => {
    const { page, context, faults } = await open('/pricing?search=0');
    t.is(await page.locator('#units').innerText(), '0 units');
    await page.getByLabel('Search: Calls per month').fill('100000');
    await page.getByLabel('Search: Results per call').fill('11');
    t.is(await page.locator('#units').innerText(), '200,000 units');
    t.regex(await page.locator('[data-plan="starter"]').innerText(), /SAR 900 for 150,000 units/);
    t.is(await page.locator('tr.best').getAttribute('data-plan'), 'growth');
    await page.getByLabel('Exports of listings: Rows per month').fill('1');
    t.is(await page.locator('tr.best').getAttribute('data-plan'), 'enterprise');
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial('listing: photos turn by keyboard and in the enlarged view, in both directions of writing', async (t) => {
    for (const [prefix, forward] of [
      ['', 'ArrowRight'],
      ['/ar', 'ArrowLeft'],
    ] as const) {
      const { page, context, faults } = await open(`${prefix}/listings/${id}`, { viewport: PHONE });
      const count = page.locator('.gallery-bar span').first();
      const photos = await page.locator('.photos img').count();
      t.true(photos > 1);
      t.is(await count.innerText(), `1 / ${photos}`);
      await page.locator('.photos').focus();
      await page.keyboard.press(forward);
      await until(page, `document.querySelector('.gallery-bar span').textContent === '2 / ${photos}'`);
      await page.locator('.photos img').nth(1).click();
      const large = page.locator('dialog[open] img');
      t.is(await large.getAttribute('src'), await page.locator('.photos img').nth(1).getAttribute('src'));
      await page.keyboard.press(forward);
      t.is(
        await large.getAttribute('src'),
        await page
          .locator('.photos img')
          .nth(2 % photos)
          .getAttribute('src'),
      );
      t.deepEqual(await findings(page, 'listing'), []);
      t.is(await page.locator('dialog[open] .gallery-bar span').innerText(), `${(2 % photos) + 1} / ${photos}`);
      await page.keyboard.press('Escape');
      t.is(await page.locator('dialog[open]').count(), 0);
      t.deepEqual(faults, []);
      await context.close();
    }
  });

  test.serial('listing: the first photo is shown without scripts', async (t) => {
    const { page, context, faults } = await open(`/listings/${id}`, { javaScriptEnabled: false });
    const box = await page.locator('.photos img').first().boundingBox();
    t.true((box?.width ?? 0) > 300 && (box?.y ?? 1_000) < DESKTOP.height / 2);
    t.is(await page.locator('#comparison-form').isVisible(), false);
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial(
    'listing: a key with analytics compares the price in words and with three homes, and other keys learn why not',
    async (t) => {
      const { app, keys } = sample();
      const listed = await app.request('/v1/listings?city=riyadh&listing_type=rent&property_type=apartment&limit=20', {
        key: keys.enterprise,
      });
      let band = { listing_id: 0, status: '', cohort: { distinct_units: 0 } };
      for (const { id: each } of listed.body.data) {
        band = (await app.request(`/v1/listings/${each}/price-band`, { key: keys.enterprise })).body.data;
        if (band.status === 'available') break;
      }
      const compared = band.listing_id;
      const calls: string[] = [];
      const { page, context, faults } = await open(`/listings/${compared}`, { key: keys.free });
      page.on('request', (request) => {
        if (request.url().includes('/v1/')) calls.push(new URL(request.url()).pathname);
      });
      const compare = page.locator('#comparison-form button');
      const result = page.locator('#comparison');
      // Nothing is requested before the click, because requests cost units.
      t.deepEqual(calls, []);
      await compare.click();
      await until(page, `document.querySelector('#comparison').textContent.includes('analytics')`);
      await page.fill('#key', 'svc_live_unknown');
      await page.keyboard.press('Enter');
      await until(page, `document.querySelector('#comparison').textContent.includes('not accepted')`);
      t.is(faults.splice(0).filter((fault) => !/40[13]/.test(fault)).length, 0);
      await page.fill('#key', keys.growth);
      await compare.click();
      await result.locator('.verdict').waitFor();
      const { distinct_units } = band.cohort;
      t.regex(await result.locator('.verdict').innerText(), new RegExp(`median of ${distinct_units} similar homes?$`));
      const { body: found } = await app.request(`/v1/listings/${compared}/comparables?limit=3`, { key: keys.growth });
      t.deepEqual(
        await result.locator('.homes a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
        (found.data.comparables as { listing: { id: number } }[]).map(({ listing }) => `/listings/${listing.id}`),
      );
      t.deepEqual(await findings(page, 'listing'), []);
      t.deepEqual(faults, []);
      await context.close();
    },
  );

  test.serial('listing: the link above the title leads back to the results of the explorer', async (t) => {
    const { page, context, faults } = await open('/explorer?city=riyadh&listing_type=rent&beds=3', {
      key: sample().keys.pro,
    });
    await page.waitForSelector('.card');
    const address = page.url();
    await page.goto(new URL(`/listings/${id}`, sample().app.url).href);
    const back = page.getByRole('link', { name: 'Back to results' });
    await back.click();
    await page.waitForSelector('.card');
    t.is(page.url(), address);
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial(
    'explorer: a search by keyboard and Back shows the API result, and inputs need little processor time',
    async (t) => {
      const { app, keys } = sample();
      const { page, context, faults, sizes } = await open('/explorer');
      await page.waitForSelector('.card');
      await page.waitForSelector('.map-label, .map-cluster');
      const ofMap = [...sizes].reduce((sum, [path, size]) => (OF_MAP.test(path) ? sum + size : sum), 0);
      note(t, `the map: ${Math.round(ofMap / 1024)} KB`);

      // The filters equal those of the OpenAPI document.
      const { body } = await app.request('/v1/openapi.json');
      const parameters = body.paths['/listings'].get.parameters as { name: string }[];
      const fields = await page.locator('.filters .field, .filters .choice').count();
      t.is(
        fields,
        parameters.filter(
          ({ name }) => !['limit', 'cursor', 'sort', 'bbox', 'near', 'radius_m', 'polygon'].includes(name),
        ).length,
      );

      // By keyboard: to the minimum price, a value, and on to the next field.
      await page.locator('#filter-price_min').focus();
      await page.keyboard.type('50000');
      await page.keyboard.press('Tab');
      await page.waitForURL(/price_min=50000/);
      t.is(await page.evaluate('document.activeElement.id'), 'filter-price_max');
      await page.selectOption('#filter-listing_type', 'sale');
      await page.waitForURL(/listing_type=sale/);
      const command = await page.locator('.request code').innerText();
      const address = /'(http[^']+)'/.exec(command)?.[1] ?? '';
      const { pathname, search } = new URL(address);
      const answer = await app.request(`${pathname}${search}`, { key: keys.pro });
      const expected = (answer.body.data as { id: number }[]).map((listing) => `/listings/${listing.id}`);
      await page.waitForSelector(`.cards li:first-child .card[href="${expected[0]}"]`);
      t.deepEqual(
        await page.locator('.card').evaluateAll((cards) => cards.map((card) => card.getAttribute('href'))),
        expected,
      );
      t.regex(await page.locator('.request .note').innerText(), /2 units .*[\d,]+ units left this month/);

      await page.goBack();
      await page.goBack();
      t.is(new URL(page.url()).search, '');
      t.is(await page.inputValue('#filter-price_min'), '');
      t.is(await page.inputValue('#filter-listing_type'), 'rent');
      await page.goForward();
      t.is(await page.inputValue('#filter-price_min'), '50000');

      // Measures the processor time of the main thread, because other processes run in parallel.
      const session = await context.newCDPSession(page);
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
      await page.evaluate(WATCH_EVENTS);
      const view = (name: string) => () => page.getByRole('button', { name, exact: true }).click();
      const acts: [name: string, act: () => Promise<unknown>, shown: string][] = [
        ['prices', view('Prices'), '.chart'],
        ['neighborhoods', view('Neighborhoods'), '.ranking'],
        ['listings', view('Listings'), '.card'],
        ['prices again', view('Prices'), '.chart'],
        ['listings again', view('Listings'), '.card'],
        ['a filter', () => page.selectOption('#filter-listing_type', 'rent'), '.card'],
        ['zoom out', () => page.click('.maplibregl-ctrl-zoom-out'), '.map-cluster'],
        ['zoom in', () => page.click('.maplibregl-ctrl-zoom-in'), '.map-cluster'],
      ];
      const work: number[] = [];
      for (const [name, act, shown] of acts) {
        const before = await processorTime(session);
        await act();
        await page.waitForSelector(shown);
        await page.evaluate(NEXT_FRAME);
        work.push((await processorTime(session)) - before);
        note(t, `${name}: ${Math.round(work.at(-1) ?? 0)} ms of work`);
      }
      note(
        t,
        `time from an input to the next frame, ms: ${(await page.evaluate<number[]>('Object.values(globalThis.inputs)')).join(', ')}`,
      );
      t.true((work.toSorted((x, y) => x - y)[work.length >> 1] as number) < 100, work.join());
      t.deepEqual(faults, []);
      await context.close();
    },
  );

  test.serial(
    'explorer: the map counts the listings of the list with all filters, and circles open on click',
    async (t) => {
      const { app, keys } = sample();
      const filters =
        'city=riyadh&listing_type=rent&price_min=20000&beds=2,3&amenities_exclude=pool&quality_exclude=shared_photos';
      const { page, context, faults } = await open(`/explorer?${filters}&sort=price_asc`, { key: keys.enterprise });
      await page.waitForSelector('.map-cluster, .map-pin');
      const countOf = async (query: string): Promise<number> =>
        (await app.request(`/v1/listings/count?${query}`, { key: keys.enterprise })).body.data.total;
      const total = await countOf(filters);
      t.is(await page.locator('.count').innerText(), `${total.toLocaleString('en')} listings match`);
      // The whole country, with one circle for the city. Listings without a location are not on the map.
      for (let left = 6; left > 0; left--) await page.click('.maplibregl-ctrl-zoom-out');
      await until(page, LOADED);
      await until(page, `document.querySelectorAll('.map-cluster').length === 1`);
      const placed = await countOf(`${filters}&bbox=34,16,56,33`);
      t.true(placed > 0 && placed < total);
      await until(page, `document.querySelector('.map-note').textContent.startsWith('${placed} listings on the map')`);
      const city = page.locator('.map-cluster');
      t.regex(await city.innerText(), new RegExp(`^${placed}\\s+[\\d.]+K$`));
      t.regex((await city.getAttribute('title')) ?? '', new RegExp(`^${placed} listings, median SAR [\\d,]+$`));
      await show(page, 'explorer-country-en');
      await city.focus();
      await page.keyboard.press('Enter');
      await until(page, LOADED);
      await until(page, `${DRAWN} === ${placed}`);
      t.is(await page.evaluate('document.activeElement.className.includes("canvas")'), true);
      await show(page, 'explorer-closer-en');

      // A link opens the same part of the map.
      await until(page, LOADED);
      const notes = await page.locator('.map-note').innerText();
      const markers = await page.locator('.map-cluster, .map-pin').allInnerTexts();
      await page.reload();
      await page.waitForSelector('.map-cluster, .map-pin');
      await until(page, `${DRAWN} === ${placed}`);
      t.is(await page.locator('.map-note').innerText(), notes);
      t.deepEqual(await page.locator('.map-cluster, .map-pin').allInnerTexts(), markers);

      // A search without results has an empty map.
      await page.fill('#filter-price_min', '99999999');
      await page.locator('#filter-price_min').blur();
      await until(page, `document.querySelector('.map-note').textContent.startsWith('0 listings')`);
      t.is(await page.locator('.map-cluster, .map-pin, .card').count(), 0);

      // The part of the map outside of the country has no listings.
      await page.goto(new URL('/explorer?map=0,0,5', app.url).href);
      await page.waitForSelector('.map-note');
      await until(page, `document.querySelector('.map-note').textContent.startsWith('0 listings')`);
      t.deepEqual(faults, []);
      await context.close();
    },
  );

  test.serial('explorer: list and map emphasize the same listing, and the map can be skipped', async (t) => {
    const { page, context, faults } = await open('/explorer?city=riyadh&listing_type=rent&beds=6&sort=price_drop', {
      key: sample().keys.enterprise,
    });
    await page.waitForSelector('.card');
    await until(page, LOADED);
    const dropped = await page.locator('.card').count();
    t.is(await page.locator('.count').innerText(), `${dropped} listings match`);
    t.regex(await page.locator('.results .note').first().innerText(), /only listings with a price drop/);
    t.true((await page.locator('.card .badge').allInnerTexts()).some((text) => /Price cut .-\d+%/.test(text)));
    await page.selectOption('.sort select', 'newest');
    await page.waitForURL(/sort=newest/);
    await page.locator('.card').nth(10).waitFor();
    // A price emphasizes its card, and a card its price or circle.
    await page.waitForSelector('.map-pin, .map-cluster');
    const cards = page.locator('.cards li');
    let pointed = 0;
    for (const card of await cards.all()) {
      await card.locator('a').focus();
      pointed += await page.locator('.map-cluster.pointed, .map-pin.pointed').count();
    }
    t.true(pointed > 5 && pointed <= (await cards.count()), `${pointed} of ${await cards.count()}`);
    const hrefs = await cards.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    for (const pin of await page.locator('.map-pin').all()) {
      await pin.focus();
      const href = `/listings/${await pin.getAttribute('data-id')}`;
      const own = await page
        .locator('.cards .pointed a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      t.deepEqual(own, hrefs.includes(href) ? [href] : []);
    }
    const skip = page.getByRole('button', { name: 'Skip the map' });
    await skip.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    t.true(await page.evaluate(`document.activeElement.closest('footer') !== null`));
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial('explorer: a pin opens a card, and Escape closes it and returns the focus', async (t) => {
    const query = '/explorer?city=riyadh&listing_type=rent&beds=6';
    const { page, context, faults } = await open(query, { key: sample().keys.enterprise });
    await page.waitForSelector('.map-pin');
    await until(page, LOADED);
    const small = await page
      .locator('.map-pin, .map-cluster, .map-label')
      .evaluateAll((all) => all.filter((each) => each.clientWidth < 24 || each.clientHeight < 24).length);
    t.is(small, 0);
    const pin = page.locator('.map-pin').first();
    const id = (await pin.getAttribute('data-id')) ?? t.fail();
    const card = page.locator('.map-card a.card');
    const focused = () =>
      page.evaluate<string>('document.activeElement.dataset.id ?? document.activeElement.className');

    await pin.focus();
    await page.keyboard.press('Enter');
    await card.waitFor();
    t.is(await card.getAttribute('href'), `/listings/${id}`);
    t.regex(await card.innerText(), /SAR [\d,]+ per year[\s\S]*6 bedrooms · [\d.]+\sm²/);
    t.is(await focused(), 'map-card');
    t.is(new URL(page.url()).searchParams.get('selected'), id);
    t.deepEqual(await findings(page, 'explorer'), []);
    await page.keyboard.press('Tab');
    t.true(await card.evaluate((element) => element.matches(':focus')));
    await page.keyboard.press('Escape');
    t.is(await card.count(), 0);
    t.is(await focused(), id);
    t.false(new URL(page.url()).searchParams.has('selected'));

    // The arrow keys move the map, which draws the pins again.
    await page.keyboard.press('ArrowUp');
    await page.waitForURL(/map=/);
    await until(page, LOADED);
    t.true(await page.evaluate(`document.activeElement.matches('.map-pin, .map-cluster')`));

    // A link opens the same card, and leaves the focus at the start of the page.
    await pin.click();
    await card.waitFor();
    const shown = await card.innerText();
    await page.reload();
    await card.waitFor();
    t.is(await card.innerText(), shown);
    t.false(await page.evaluate(`document.querySelector('.map-panel').contains(document.activeElement)`));
    await page.click('.maplibregl-popup-close-button');
    await page.waitForURL((url) => !url.searchParams.has('selected'));
    t.false(await page.evaluate('document.activeElement === document.body'));

    // From the list.
    const row = page.locator('.cards li', { has: page.locator('.locate') }).first();
    await row.locator('.locate').click();
    await card.waitFor();
    t.is(await card.getAttribute('href'), await row.locator('a').getAttribute('href'));
    t.is(await row.locator('.locate').getAttribute('aria-pressed'), 'true');
    await show(page, 'explorer-card-en');
    t.deepEqual(faults, []);
    await context.close();

    const phone = await open(`/ar${query}`, { key: sample().keys.enterprise, viewport: PHONE, hasTouch: true });
    await phone.page.waitForSelector('.map-pin');
    // The sheet covers pins at the bottom of the map.
    const tapped = await phone.page
      .locator('.map-pin')
      .evaluateAll((all) => all.findIndex((each) => each.getBoundingClientRect().top < 350));
    if (tapped >= 0) {
      await phone.page.locator('.map-pin').nth(tapped).tap();
      await phone.page.waitForSelector('.map-card a.card[href^="/ar/listings/"]');
      await show(phone.page, 'explorer-card-ar');
    }
    t.deepEqual(phone.faults, []);
    await phone.context.close();
  });

  test.serial('explorer: the list follows the map until the visitor turns it off, and Back restores it', async (t) => {
    const { app, keys } = sample();
    const { page, context, faults } = await open('/explorer?city=riyadh&listing_type=rent', { key: keys.enterprise });
    await until(page, LOADED);
    const count = page.locator('.count');
    const all = await count.innerText();
    t.regex(all, /listings match$/);
    const inArea = `document.querySelector('.count')?.textContent.endsWith('in this area') && ${LOADED}`;
    for (const _ of [1, 2]) {
      await page.click('.maplibregl-ctrl-zoom-in');
      await page.waitForURL(/map=/);
      await until(page, inArea);
    }
    const numberOf = (text: string): number => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''));
    const shown = await count.innerText();
    const { searchParams } = new URL(/'(http[^']+)'/.exec(await page.locator('.request code').innerText())?.[1] ?? '');
    const query = `city=riyadh&listing_type=rent&bbox=${searchParams.get('bbox')}`;
    const { body } = await app.request(`/v1/listings/count?${query}`, { key: keys.enterprise });
    t.is(numberOf(shown), body.data.total);
    t.true(numberOf(shown) < numberOf(all));
    t.is(numberOf(await page.locator('.map-note').innerText()), numberOf(shown));

    // A link requests the same listings, before the map is loaded.
    const requested: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/v1/listings') requested.push(url.searchParams.get('bbox') ?? '');
    });
    await page.reload();
    await until(page, inArea);
    t.is(await count.innerText(), shown);
    t.deepEqual(requested, [searchParams.get('bbox')]);

    await page.goBack();
    await until(page, `document.querySelector('.count')?.textContent === '${all}'`);
    t.false(new URL(page.url()).searchParams.has('map'));
    await page.goForward();
    await until(page, inArea);

    await page.getByLabel('Search as the map moves').uncheck();
    await page.waitForURL(/follows=no/);
    await until(page, `document.querySelector('.count')?.textContent === '${all}'`);
    await page.click('.maplibregl-ctrl-zoom-in');
    await page.getByRole('button', { name: 'Search in this area' }).click();
    await page.waitForURL(/bbox=/);
    await until(page, LOADED);
    t.true(numberOf(await count.innerText()) < numberOf(shown));
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial('explorer: a part of the map without listings advises to move the map', async (t) => {
    const { page, context, faults } = await open('/explorer?city=riyadh&listing_type=rent&map=20,52,11', {
      key: sample().keys.enterprise,
    });
    await page.getByText('No results in this area. Zoom out or move the map.').waitFor();
    await until(page, `document.querySelectorAll('.bars span').length === 0`);
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial('explorer: the whole country is on the map, and the list names its cities', async (t) => {
    const { app, keys } = sample();
    const { page, context, faults } = await open('/explorer?city=all&listing_type=rent', { key: keys.enterprise });
    await page.waitForSelector('.cities li');
    const query = 'listing_type=rent&bbox=34.4,16,56,32.5&zoom=5';
    const { total } = (await app.request(`/v1/listings/map?${query}`, { key: keys.enterprise })).body.data;
    await until(page, `${DRAWN} === ${total}`);
    const counts = await page.locator('.cities li > :last-child').allInnerTexts();
    t.is(
      counts.reduce((sum, text) => sum + Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', '')), 0),
      total,
    );
    t.true((await page.locator('.map-cluster .place').allInnerTexts()).includes('Riyadh'));
    const cities = await page.locator('.cities button').allInnerTexts();
    for (const city of ['Riyadh', 'Jeddah', 'Dammam']) t.true(cities.includes(city), cities.join());
    t.deepEqual(await findings(page, 'explorer'), []);
    await show(page, 'explorer-cities-en');

    // A circle zooms in, and a city lists its listings.
    await page.locator('.map-cluster').last().click();
    await page.waitForURL(/map=/);
    await until(page, `document.querySelectorAll('.map-cluster, .map-pin').length > 1`);
    t.is(new URL(page.url()).searchParams.get('city'), 'all');
    await page.locator('.cities button', { hasText: 'Riyadh' }).click();
    await page.waitForURL(/city=riyadh/);
    await page.waitForSelector('.card');
    t.false(new URL(page.url()).searchParams.has('map'));
    await page.selectOption('#filter-city', { label: 'All of Saudi Arabia' });
    await page.waitForURL(/city=all/);
    await page.waitForSelector('.cities li');
    t.is(await page.locator('.card').count(), 0);

    // Views of one city show the listings of all cities, with a legend for them.
    await page.getByRole('button', { name: 'Registered deals', exact: true }).click();
    await page.getByText('Choose a city for this view.').waitFor();
    t.regex(await page.locator('.legend').innerText(), /^SAR per year/);
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial('explorer: projects and registered deals follow their filters, and are on the map', async (t) => {
    const { app, keys } = sample();
    const query = 'city=riyadh&price_min=1500000';
    const { page, context, faults } = await open(`/explorer?${query}&listing_type=sale&view=projects`, {
      key: keys.enterprise,
    });
    const { data } = (await app.request(`/v1/projects?${query}&limit=20`, { key: keys.enterprise })).body;
    const projects = data as { name_en: string; location: { lat: number | null } }[];
    await page.waitForSelector('.cards .project');
    t.is(await page.locator('.cards .project').count(), projects.length);
    const placed = projects.filter(({ location }) => location.lat !== null).length;
    t.true(placed > 0);
    t.is(await page.getByText('Not applied here:').count(), 0);
    await until(page, `${DRAWN} === ${placed}`);
    if (projects.length === 20) {
      await page.getByRole('button', { name: 'Show more' }).click();
      await until(page, `document.querySelectorAll('.cards .project').length > 20 && ${DRAWN} > ${placed}`);
    }
    await page.locator('.locate').first().click();
    await page.waitForSelector('.map-card .project');
    t.is(await page.locator('.map-pin.pointed, .map-cluster.pointed').count(), 1);
    const units = page.locator('.map-card details');
    await units.locator('summary').click();
    await units.locator('a, .note').first().waitFor();
    for (const link of await units.locator('a').all())
      t.regex((await link.getAttribute('href')) ?? '', /^\/listings\/\d+$/);
    await show(page, 'explorer-project-en');

    await page.getByRole('button', { name: 'Registered deals', exact: true }).click();
    await page.waitForSelector('.map-cluster .place');
    t.is(await page.locator('.map-card, .map-pin').count(), 0);
    const market = `/v1/market/transactions?city=riyadh&land_use_class=residential`;
    const quarters = (await app.request(market, { key: keys.enterprise })).body.data.cells as { quarter: string }[];
    const quarter = quarters.at(-1)?.quarter;
    const grouped = `${market}&group_by=neighborhood&quarter_from=${quarter}&quarter_to=${quarter}`;
    const { cells } = (await app.request(grouped, { key: keys.enterprise })).body.data;
    const listed = (await app.request('/v1/cities/riyadh/neighborhoods', { key: keys.enterprise })).body.data;
    const neighborhoods = new Map(
      (listed as { id: number; name_en: string; center: object | null }[]).map((each) => [each.id, each]),
    );
    const deals = (cells as { neighborhood_id: number; deal_count: number }[])
      .filter(({ neighborhood_id }) => neighborhoods.get(neighborhood_id)?.center)
      .reduce((sum, { deal_count }) => sum + deal_count, 0);
    await until(page, `document.querySelector('.map-note').textContent.startsWith('${deals} deals on the map')`);
    t.regex(await page.locator('.legend').innerText(), /^SAR per m²/);
    t.true(await page.getByText('Not applied here: Price from (SAR)', { exact: true }).isVisible());
    t.is((await page.locator('.map-cluster.few').count()) > 0, await page.getByText('fewer than 10 deals').isVisible());
    t.deepEqual(await findings(page, 'explorer'), []);
    await show(page, 'explorer-deals-en');
    const name = await page.locator('.map-cluster .place').first().innerText();
    await page.locator('.map-cluster').first().dispatchEvent('click');
    await page.waitForURL(/neighborhood_id=\d+/);
    const id = new URL(page.url()).searchParams.get('neighborhood_id');
    t.is(neighborhoods.get(Number(id))?.name_en, name);
    t.true((await page.locator('.request code').innerText()).includes(`neighborhood_id=${id}`));
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial('explorer: tables scroll by themselves on a phone, and quarters are in Arabic', async (t) => {
    const { page, context, faults } = await open('/ar/explorer?city=riyadh&listing_type=rent&view=neighborhoods', {
      key: sample().keys.enterprise,
      viewport: PHONE,
    });
    for (const view of ['الأحياء', 'الصفقات المسجَّلة']) {
      await page.getByRole('button', { name: view, exact: true }).click();
      await page
        .locator('.results th', { hasText: view === 'الأحياء' ? 'الحي' : 'الربع' })
        .first()
        .waitFor();
      t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), view);
    }
    t.notRegex((await page.locator('td').allInnerTexts()).join(' '), /\d\.\d/);
    t.regex(await page.locator('td').first().innerText(), /^الربع ال\S+ \d{4}$/);
    t.deepEqual(await findings(page, 'explorer'), []);
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial('explorer: prices that overlap at the largest scale are listed', async (t) => {
    const { app, keys } = sample();
    const query = 'city=riyadh&listing_type=rent&property_type=apartment';
    const { body } = await app.request(`/v1/listings/map?${query}&bbox=46,24,47.5,25.5&zoom=10`, {
      key: keys.enterprise,
    });
    const pins = body.data.pins as { id: number; lat: number; lng: number }[];
    const isClose = (a: number, b: number): boolean => Math.abs(a - b) < 1e-4;
    const [first, second] = pins
      .flatMap((a, at) => pins.slice(at + 1).map((b) => [a, b] as const))
      .find(([a, b]) => isClose(a.lat, b.lat) && isClose(a.lng, b.lng)) ?? [t.fail(), t.fail()];
    const { page, context, faults } = await open(`/explorer?${query}&map=${first.lat},${first.lng},17`, {
      key: keys.enterprise,
    });
    await page.waitForSelector('.map-cluster');
    const links = page.locator('.map-list button');
    for (const circle of await page.locator('.map-cluster').all()) {
      const count = await circle.evaluate((element) => Number(element.firstChild?.textContent));
      await circle.click();
      await links.first().waitFor();
      t.is(await links.count(), count);
      const ids = await links.evaluateAll((all) => all.map((link) => link.getAttribute('data-id')));
      if (ids.includes(String(first.id))) t.true(ids.includes(String(second.id)));
      await page.keyboard.press('Escape');
      t.is(await links.count(), 0);
      t.true(await circle.evaluate((element) => element.matches(':focus')));
    }
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial('explorer: the counts of values equal the number of listings with only that value', async (t) => {
    const { app, keys } = sample();
    const filters = 'city=riyadh&listing_type=rent&price_min=30000&amenities=parking';
    const countOf = async (query: string): Promise<number> =>
      (await app.request(`/v1/listings/count?${query}`, { key: keys.enterprise })).body.data.total;
    const { page, context, faults } = await open(`/explorer?${filters}`, { key: keys.enterprise });
    const beds = page.getByRole('group', { name: 'Bedrooms', exact: true }).getByRole('button');
    await beds.locator('small').first().waitFor();
    const shown = async () => Object.fromEntries((await beds.allInnerTexts()).map((text) => text.split(/\s+/)));
    const before = await shown();
    for (const number of ['1', '3', '6']) t.is(before[number], String(await countOf(`${filters}&beds=${number}`)));
    const offer = page.locator('#filter-listing_type option');
    t.is(await offer.first().innerText(), `For rent (${await countOf(filters)})`);

    const types = page.locator('.choice', { hasText: 'Property type' });
    await types.locator('summary').click();
    await types.locator('label').first().waitFor();
    for (const [name, type] of [
      ['Apartment', 'apartment'],
      ['Villa', 'villa'],
    ] as const)
      t.is(
        await types.locator('label', { hasText: name }).locator('small').innerText(),
        String(await countOf(`${filters}&property_type=${type}`)),
      );
    // A listing must have all selected amenities, so their values have no counts.
    const amenities = page.locator('.choice', { has: page.getByText('With', { exact: true }) });
    await amenities.locator('summary').click();
    await amenities.locator('label').first().waitFor();
    t.is(await amenities.locator('small').count(), 0);
    t.deepEqual(await findings(page, 'explorer'), []);

    // The counts of a filter ignore its own values. Each search is one request.
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().includes('/v1/listings/facets')) requests++;
    });
    await beds.nth(2).click();
    await page.waitForURL(/beds=3/);
    await beds.nth(3).click();
    await page.waitForURL(/beds=3,4/);
    const total = await countOf(`${filters}&beds=3,4`);
    await until(page, `document.querySelector('.count').textContent === '${total} listings match'`);
    t.deepEqual(await shown(), before);
    t.is(await beds.nth(3).getAttribute('aria-pressed'), 'true');
    t.is(requests, 2);
    await beds.nth(2).click();
    await page.waitForURL(/beds=4(&|$)/);
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial('explorer: a drawn polygon filters list and map, and a link opens it', async (t) => {
    const { app, keys } = sample();
    const { page, context, faults } = await open('/explorer?city=riyadh&listing_type=rent', { key: keys.enterprise });
    await page.waitForSelector('.map-cluster');
    const draw = page.getByRole('button', { name: 'Draw an area' });
    const finish = page.getByRole('button', { name: 'Finish' });
    const { x, y, width, height } = (await page.locator('.map-box').boundingBox()) ?? t.fail();
    const click = (right: number, down: number) => page.mouse.click(x + width * right, y + height * down);

    // Escape cancels, also before the first corner.
    await draw.click();
    t.true(await finish.isDisabled());
    await click(0.2, 0.3);
    await page.keyboard.press('Escape');
    await draw.waitFor();
    t.false(page.url().includes('polygon'));

    // Sides that cross are not accepted. Backspace removes corners.
    await draw.click();
    for (const [right, down] of [
      [0.05, 0.35],
      [0.7, 0.6],
      [0.7, 0.35],
      [0.05, 0.6],
    ] as const)
      await click(right, down);
    await page.keyboard.press('Enter');
    await page.getByText('The sides cross.').waitFor();
    t.deepEqual(await findings(page, 'explorer'), []);
    for (const _ of [1, 2, 3]) await page.keyboard.press('Backspace');
    await click(0.7, 0.35);
    await click(0.7, 0.6);
    await page.mouse.dblclick(x + width * 0.05, y + height * 0.6);
    await page.waitForURL(/polygon=/);
    const { searchParams } = new URL(page.url());
    t.is(searchParams.get('polygon')?.split(';').length, 4);
    // The double click does not zoom.
    const [first, second] = (searchParams.get('polygon') ?? '').split(';').map((each) => Number(each.split(',')[1]));
    const [, , zoom] = (searchParams.get('map') ?? '').split(',').map(Number);
    const pixelsPerDegree = (512 * 2 ** (zoom ?? 0)) / 360;
    t.true(Math.abs((((second ?? 0) - (first ?? 0)) * pixelsPerDegree) / (0.65 * width) - 1) < 0.02);
    const filters = new URLSearchParams(searchParams);
    filters.delete('map');
    const { total } = (await app.request(`/v1/listings/count?${filters}`, { key: keys.enterprise })).body.data;
    t.true(total > 0);
    const shown = `document.querySelector('.map-note').textContent.startsWith('${total} listings on') && document.querySelector('.count').textContent === '${total} listings match'`;
    await until(page, shown);
    t.true((await page.locator('.map-note').innerText()).endsWith('Listings without a location are not shown.'));
    await show(page, 'explorer-polygon-en');
    t.is(await page.evaluate('document.activeElement.className.includes("canvas")'), true);
    await page.reload();
    await until(page, `document.querySelector('.map-note') && ${shown}`);

    await page.getByRole('button', { name: 'Search everywhere' }).click();
    await page.waitForURL((url) => !url.searchParams.has('polygon'));
    // Back also returns to the part of the map.
    for (const _ of [1, 2]) {
      const before = page.url();
      await page.click('.maplibregl-ctrl-zoom-in');
      await page.waitForURL((url) => url.href !== before);
    }
    await page.goBack();
    await until(page, shown);
    t.is(new URL(page.url()).searchParams.get('map'), searchParams.get('map'));

    // By keyboard: the map moves below the corner that Space adds.
    await draw.focus();
    await page.keyboard.press('Enter');
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft']) {
      await page.keyboard.press('Space');
      const before = page.url();
      await page.keyboard.press(key);
      await page.waitForURL((url) => url.href !== before);
    }
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('polygon') !== searchParams.get('polygon'));
    t.is(new URL(page.url()).searchParams.get('polygon')?.split(';').length, 3);
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial(
    'explorer: the circle of a sentence and of a project is on the map, with a radius to choose',
    async (t) => {
      const { app, keys } = sample();
      const { page, context, faults } = await open('/explorer', { key: keys.enterprise });
      await page.waitForSelector('.card');
      await page.fill('[role=combobox]', 'apartment for rent near al malqa riyadh');
      await page.keyboard.press('Enter');
      await page.waitForURL(/near=/);
      await page.waitForSelector('.chips li');
      const near = new URL(page.url()).searchParams.get('near');
      const radius = page.getByLabel('Within');
      t.is(await radius.inputValue(), '2000');
      await until(page, LOADED);
      const countOf = async (): Promise<number> => {
        const query = new URL(page.url()).searchParams;
        for (const name of ['map', 'sentence', 'view']) query.delete(name);
        return (await app.request(`/v1/listings/count?${query}`, { key: keys.enterprise })).body.data.total;
      };
      await until(page, `document.querySelector('.map-note').textContent.startsWith('${await countOf()} listing')`);
      await show(page, 'explorer-near-en');
      await radius.selectOption('5000');
      await page.waitForURL(/radius_m=5000/);
      t.is(new URL(page.url()).searchParams.get('near'), near);
      const larger = await countOf();
      await until(page, `document.querySelector('.map-note').textContent.startsWith('${larger} listing')`);
      await until(page, `document.querySelector('.count').textContent.startsWith('${larger} listing')`);

      const { body } = await app.request('/v1/projects?city=riyadh&limit=20', { key: keys.enterprise });
      const project = (body.data as { name_en: string; location: { lat: number | null; lng: number | null } }[]).find(
        ({ name_en, location }) => name_en && location.lat !== null,
      );
      await page.fill('[role=combobox]', project?.name_en ?? '');
      await page.locator('.search-box [role=option]', { hasText: 'Off-plan project' }).first().click();
      await page.waitForURL(/radius_m=1000/);
      t.is(await radius.inputValue(), '1000');
      t.deepEqual(faults, []);
      await context.close();
    },
  );

  test.serial('explorer: a suggestion chosen by keyboard sets its place and keeps other filters', async (t) => {
    const { app, keys } = sample();
    const { page, context, faults } = await open('/explorer?city=jeddah&listing_type=rent&price_min=1000', {
      key: keys.enterprise,
    });
    await page.waitForSelector('.card');
    const box = page.getByRole('combobox', { name: 'Search by place or sentence' });
    // Each character is a request, unless the next one follows immediately.
    const requested: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/suggest')) requested.push(new URL(request.url()).searchParams.get('q') ?? '');
    });
    await box.pressSequentially('yasm', { delay: 5 });
    const option = page.locator('.search-box [role=option]');
    await option.first().waitFor();
    t.is(requested.at(-1), 'yasm');
    t.true(requested.length < 4, requested.join());
    t.is(await box.getAttribute('aria-expanded'), 'true');
    const { body } = await app.request('/v1/suggest?q=yasm', { key: keys.enterprise });
    // Places of the chosen city are first.
    const places = body.data as { id: number; city: string; name_en: string }[];
    const first = places.find(({ city }) => city === 'jeddah') ?? places[0];
    t.is(await option.count(), places.length);
    t.true((await option.first().innerText()).startsWith(first?.name_en ?? '?'));
    await page.keyboard.press('ArrowDown');
    t.is(await box.getAttribute('aria-activedescendant'), await option.first().getAttribute('id'));
    t.deepEqual(await findings(page, 'explorer'), []);
    await page.keyboard.press('Escape');
    t.is(await option.count(), 0);
    await page.keyboard.type('i');
    await option.first().waitFor();
    await page.keyboard.press('ArrowUp');
    t.is(await box.getAttribute('aria-activedescendant'), await option.last().getAttribute('id'));
    await page.keyboard.press('ArrowDown');
    t.is(await box.getAttribute('aria-activedescendant'), null);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/neighborhood_id=/);
    const { searchParams } = new URL(page.url());
    t.is(searchParams.get('city'), first?.city ?? null);
    t.is(searchParams.get('neighborhood_id'), String(first?.id));
    t.is(searchParams.get('price_min'), '1000');
    t.is(await page.inputValue('[role=combobox]'), '');
    t.true(await box.evaluate('document.activeElement.role === "combobox"'));
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial('explorer: the response to an outdated text shows no suggestions', async (t) => {
    const { page, context } = await open('/explorer', { key: sample().keys.enterprise });
    await page.waitForSelector('.card');
    const held = Promise.withResolvers<void>();
    await page.route('**/v1/suggest?q=jed', async (route) => {
      await held.promise;
      await route.continue().catch(() => {});
    });
    const first = page.waitForRequest('**/v1/suggest?q=jed');
    const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith('q=jed'));
    await page.fill('[role=combobox]', 'jed');
    await first;
    await page.fill('[role=combobox]', 'riyadh');
    await page.waitForSelector('.search-box [role=option]');
    await aborted;
    held.resolve();
    t.true((await page.locator('.search-box [role=option]').first().innerText()).startsWith('Riyadh'));
    await context.close();
  });

  for (const language of ['en', 'ar'] as const) explorerStateTests(language);

  function explorerStateTests(language: 'en' | 'ar'): void {
    const texts = EXPLORER_TEXTS[language];
    const prefix = language === 'ar' ? '/ar' : '';
    const tab = (page: Page, name: string) => page.locator('.tabs button', { hasText: name });

    test.serial(
      `explorer (${language}): without a key it shows the demo and sends no request to the API`,
      async (t) => {
        const { app, keys } = sample();
        const { page, context, faults } = await open(`${prefix}/explorer?city=jeddah&price_min=90000`, { key: '' });
        const called: string[] = [];
        page.on('request', (request) => {
          if (request.url().includes('/v1/')) called.push(request.url());
        });
        const shows = async (type: string): Promise<void> => {
          const query = `city=jeddah&listing_type=${type}`;
          const listings = await app.request(`/v1/listings?${query}&limit=20`, { key: keys.free });
          const hrefs = (listings.body.data as { id: number }[]).map(({ id }) => `${prefix}/listings/${id}`);
          await page.waitForSelector(`.cards li:first-child .card[href="${hrefs[0]}"]`);
          t.deepEqual(
            await page.locator('.card').evaluateAll((cards) => cards.map((card) => card.getAttribute('href'))),
            hrefs,
          );
          const { total } = (await app.request(`/v1/listings/count?${query}`, { key: keys.free })).body.data;
          const offer = page.locator(`#filter-listing_type option[value=${type}]`);
          t.true((await offer.innerText()).endsWith(`(${total.toLocaleString('en')})`));
        };
        await shows('rent');
        await page.waitForSelector('.map-cluster');
        t.true((await page.locator('.demo').innerText()).startsWith(texts.demo));
        // The demo does not follow this filter.
        t.regex(await page.locator('.demo p').nth(1).innerText(), new RegExp(`^${texts.demo_ignored} `));
        t.true(await page.locator('#filter-price_min').isDisabled());
        t.true(await page.getByText(texts.demo_filters).isVisible());
        await show(page, `explorer-demo-${language}`);
        t.deepEqual(await findings(page, 'explorer'), []);
        await page.selectOption('#filter-listing_type', 'sale');
        await shows('sale');
        await tab(page, texts.view_prices).click();
        await page.getByText(texts.view_needs_key).waitFor();
        t.is(await page.locator('.card').count(), 0);
        t.deepEqual(called, []);

        await page.fill('.key input', keys.enterprise);
        await page.keyboard.press('Enter');
        await page.waitForSelector('.chart .bar');
        t.is(await page.locator('.demo').count(), 0);
        t.true(await page.locator('#filter-price_min').isEnabled());
        t.is(await page.inputValue('#filter-price_min'), '90000');
        t.deepEqual(faults, []);
        await context.close();
      },
    );

    test.serial(`explorer (${language}): tabs name the plan that they need, and send no refused request`, async (t) => {
      const { page, context, faults } = await open(`${prefix}/explorer?city=riyadh&listing_type=rent&view=trend`, {
        key: sample().keys.free,
      });
      await page.waitForSelector('.locked');
      for (const [view, plan] of [
        [texts.view_prices, 'Starter'],
        [texts.view_neighborhoods, 'Starter'],
        [texts.view_trend, 'Growth'],
        [texts.view_projects, 'Pro'],
      ] as const) {
        t.is(await tab(page, view).innerText(), `${view} ${plan}`);
        await tab(page, view).click();
        await page.getByText(texts.view_needs_plan.replace('{plan}', plan)).waitFor();
      }
      await show(page, `explorer-plans-${language}`);
      t.is(await tab(page, texts.view_deals).innerText(), texts.view_deals);
      await tab(page, texts.view_deals).click();
      await page.waitForSelector('.chart .bar');
      t.is(await page.locator('.locked').count(), 0);
      // The browser would log a refused request.
      t.deepEqual(faults, []);
      await context.close();
    });

    test.serial(`explorer (${language}): a refused value marks its field until it is corrected`, async (t) => {
      const { page, context } = await open(
        `${prefix}/explorer?city=riyadh&listing_type=rent&price_min=90000&price_max=50000`,
        { key: sample().keys.enterprise },
      );
      const field = page.locator('#filter-price_min[aria-invalid=true]');
      await field.waitFor();
      const fault = await page.locator(`#${await field.getAttribute('aria-describedby')}`).innerText();
      t.true(fault.length > 10);
      t.notRegex(fault, /`/);
      t.true((await page.locator('.results [role=alert]').innerText()).includes(texts.advice_field));
      await show(page, `explorer-field-${language}`);
      t.deepEqual(await findings(page, 'explorer'), []);
      await page.fill('#filter-price_min', '40000');
      await page.keyboard.press('Tab');
      await page.waitForSelector('.card');
      t.is(await page.locator('[aria-invalid], .fault, [role=alert]').count(), 0);
      await context.close();
    });

    test.serial(`explorer (${language}): slider and fields of the prices follow each other`, async (t) => {
      const { page, context, faults } = await open(`${prefix}/explorer?city=riyadh&listing_type=rent`, {
        key: sample().keys.enterprise,
      });
      await page.waitForSelector('.bars span');
      const [low, high] = [page.locator('.slider input').first(), page.locator('.slider input').last()];
      const from = page.locator('#filter-price_min');
      await low.focus();
      for (const _ of [1, 2, 3, 4]) await page.keyboard.press('ArrowUp');
      await page.waitForURL(/price_min=\d+/);
      const chosen = new URL(page.url()).searchParams.get('price_min') ?? '';
      t.is(await from.inputValue(), chosen);
      t.true((await low.getAttribute('aria-valuetext'))?.includes(Number(chosen).toLocaleString('en')));
      t.true(await low.evaluate('document.activeElement.type === "range"'));
      // Several steps are one search.
      await page.goBack();
      await page.waitForURL((url) => !url.searchParams.has('price_min'));
      t.is(await low.inputValue(), '0');
      t.is(await low.getAttribute('aria-valuetext'), texts.any);

      // Both thumbs in one movement are one search as well.
      await low.press('ArrowUp');
      await high.press('ArrowDown');
      await page.waitForURL((url) => url.searchParams.has('price_min') && url.searchParams.has('price_max'));
      await page.goBack();
      await page.waitForURL((url) => !url.searchParams.has('price_min') && !url.searchParams.has('price_max'));

      await page.fill('#filter-price_max', '65000');
      await page.keyboard.press('Tab');
      await page.waitForURL(/price_max=65000/);
      t.true(Number(await high.inputValue()) < Number(await high.getAttribute('max')));

      // The thumb of the lowest price is at the start of the line, and does not pass the other.
      const { x, y, width, height } = (await page.locator('.slider').boundingBox()) ?? t.fail();
      const at = (share: number): number => x + 12 + (width - 24) * (language === 'ar' ? 1 - share : share);
      await page.mouse.move(at(0), y + height / 2);
      await page.mouse.down();
      await page.mouse.move(at(0.3), y + height / 2, { steps: 4 });
      t.not(await from.inputValue(), '');
      await page.mouse.move(at(1), y + height / 2, { steps: 4 });
      await page.mouse.up();
      await page.waitForURL(/price_min=\d+/);
      t.is(Number(await low.inputValue()), Number(await high.inputValue()) - 1);
      await show(page, `explorer-slider-${language}`);
      t.deepEqual(await findings(page, 'explorer'), []);
      t.deepEqual(faults, []);
      await context.close();
    });

    test.serial(
      `explorer (${language}): on a phone the list is pulled over the map, which never traps the page`,
      async (t) => {
        const { page, context, faults } = await open(`${prefix}/explorer?city=riyadh&listing_type=rent`, {
          key: sample().keys.enterprise,
          viewport: PHONE,
          hasTouch: true,
          isMobile: true,
        });
        await page.waitForSelector('.card');
        await page.waitForSelector('.map-cluster');
        const handle = page.locator('.handle');
        const topOf = (selector: string) =>
          page.locator(selector).evaluate((element) => Math.round(element.getBoundingClientRect().top));
        t.is(await handle.getAttribute('aria-expanded'), 'false');
        const map = (await page.locator('.map-box').boundingBox()) ?? t.fail();
        t.true((await topOf('.handle')) - map.y > 0.5 * PHONE.height, 'the map fills the screen');
        t.true((await topOf('.handle')) < PHONE.height - 40, 'the handle is visible');
        await show(page, `explorer-phone-request-${language}`);

        await handle.click();
        await until(page, `document.querySelector('.handle').getAttribute('aria-expanded') === 'true'`);
        t.is(await topOf('.results'), 0);
        t.is(await handle.innerText(), texts.show_map);
        await page.locator('.card').nth(15).scrollIntoViewIfNeeded();
        t.is(await topOf('.handle'), 0);
        await handle.click();
        await until(page, 'scrollY === 0');
        await until(page, `document.querySelector('.handle').getAttribute('aria-expanded') === 'false'`);

        // A finger on the map scrolls the page and does not move the map.
        const session = await context.newCDPSession(page);
        const [x, y] = [map.x + map.width / 2, map.y + map.height / 2];
        for (let moved = 0; moved <= 150; moved += 15)
          await session.send('Input.dispatchTouchEvent', {
            type: moved === 0 ? 'touchStart' : 'touchMove',
            touchPoints: [{ x, y: y - moved }],
          });
        await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
        await until(page, 'scrollY > 100');
        t.false(page.url().includes('map='));
        t.deepEqual(await findings(page, 'explorer'), []);

        // The tab of the view is visible.
        await page.goto(new URL(`${prefix}/explorer?view=deals&beds=3`, page.url()).href);
        await page.waitForSelector('.chart .bar');
        const chosen = (await page.locator('.tabs [aria-pressed=true]').boundingBox()) ?? t.fail();
        t.true(chosen.x >= 0 && chosen.x + chosen.width <= PHONE.width);

        // Filters and key open above the map.
        await page.evaluate('scrollTo(0, 0)');
        t.false(await page.locator('#filter-city').isVisible());
        const filters = page.getByRole('button', { name: `${texts.filters_and_key} (1)` });
        await filters.click();
        t.true(await page.locator('#filter-city').isVisible());
        await page.locator('.close-filters', { hasText: /\d/ }).click();
        t.false(await page.locator('#filter-city').isVisible());
        t.true(await filters.evaluate((each) => each === document.activeElement));
        t.deepEqual(faults, []);
        await context.close();
      },
    );
  }

  test.serial('explorer: the focus never falls to the body when its element disappears', async (t) => {
    const { keys } = sample();
    const { page, context } = await open('/explorer?city=riyadh&listing_type=rent&beds=6', { key: keys.enterprise });
    const focused = () => page.evaluate<string>('document.activeElement.className || document.activeElement.tagName');
    await page.waitForSelector('.card');
    await page.fill('[role=combobox]', '3 bedroom flat in al yasmin below 90k');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chips button');
    await page.getByRole('button', { name: 'Remove: Bedrooms' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.searchParams.has('beds'));
    t.is(await focused(), 'results');

    await page.getByRole('button', { name: 'Trend' }).click();
    await page.locator('.results button.main').focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chart .line');
    t.is(await focused(), 'results');

    await page.locator('.key summary').click();
    await page.fill('.key input', keys.pro);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.key:not([open])');
    // Browsers move the focus from a hidden field after the next frame.
    await until(page, `document.activeElement.className === 'key'`);

    await page.goto(new URL('/explorer?city=riyadh&listing_type=rent&property_type=villa', page.url()).href);
    await page.waitForSelector('.card');
    const more = page.getByRole('button', { name: 'Show more' });
    for (let pages = 0; pages < 20 && (await more.count()) > 0; pages++) {
      await more.focus();
      await page.keyboard.press('Enter');
      await until(page, `!document.querySelector('.results > [aria-disabled=true]')`);
    }
    t.is(await focused(), 'results');
    await context.close();
  });

  test.serial(
    'explorer: while results load, shapes are in their place, and a server error offers to try again',
    async (t) => {
      const { page, context } = await open('/explorer?city=riyadh&listing_type=rent', {
        key: sample().keys.enterprise,
      });
      await page.waitForSelector('.card');
      const held = Promise.withResolvers<void>();
      let requests = 0;
      await page.route('**/v1/listings?city=jeddah*', async (route) => {
        if (requests++ > 0) return route.continue();
        await held.promise;
        const error = { type: 'server_error', code: 'internal_error', message: 'Unavailable.', param: null };
        await route.fulfill({ status: 500, json: { error } });
      });
      await page.selectOption('#filter-city', 'jeddah');
      await page.waitForSelector('.bones span');
      t.is(await page.locator('.card').count(), 0);
      held.resolve();
      await page.getByRole('alert').waitFor();
      t.is(await page.locator('.bones').count(), 0);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.waitForSelector('.card');
      t.is(await page.getByRole('alert').count(), 0);
      await context.close();
    },
  );

  for (const language of ['en', 'ar'] as const) explorerTests(language);

  function explorerTests(language: 'en' | 'ar'): void {
    const prefix = language === 'ar' ? '/ar' : '';
    const words =
      language === 'ar'
        ? { more: 'عرض المزيد', here: 'البحث في هذه المنطقة' }
        : { more: 'Show more', here: 'Search in this area' };

    test.serial(`explorer (${language}): a sentence sets the filters of the API and shows other words`, async (t) => {
      const { app, keys } = sample();
      const [sentence, unknown, alternatives, remove, inAds] =
        language === 'ar'
          ? [
              'شقة ثلاث غرف في الياسمين أقل من تسعين ألف بإطلالة بحرية',
              'بإطلالة بحرية',
              'هل تقصد',
              'إزالة: غرف النوم',
              'البحث عن هذه',
            ]
          : [
              '3 bedroom flat in al yasmin below 90k with sea view',
              'sea view',
              'Did you mean',
              'Remove: Bedrooms',
              'Search for these',
            ];
      const { page, context, faults } = await open(`${prefix}/explorer?city=jeddah&listing_type=rent&max_age=9`, {
        key: keys.enterprise,
      });
      await page.waitForSelector('.card');
      await page.fill('[role=combobox]', sentence);
      await page.keyboard.press('Enter');
      await page.waitForURL(/sentence=/);
      const { body } = await app.request(`/v1/listings/parse?q=${encodeURIComponent(sentence)}`, {
        key: keys.enterprise,
      });
      const { filters, not_understood, alternatives: others } = body.data;
      t.true(Object.keys(filters).length >= 5);
      // The sentence replaces the earlier filters.
      const shown = new URL(page.url()).searchParams;
      shown.delete('sentence');
      t.deepEqual(Object.fromEntries(shown), { listing_type: 'rent', ...filters });
      await page.waitForSelector('.chips li');
      // A sentence without an offer keeps the previous one, which is shown as well.
      const chips = Object.keys({ listing_type: 'rent', ...filters }).length;
      t.is(await page.locator('.chips li').count(), chips);
      t.true((not_understood as { words: string }[]).some(({ words }) => unknown.includes(words)));
      t.true(
        (await page.locator('.not-understood mark').allInnerTexts()).join(' ').includes(unknown.split(' ')[1] ?? '?'),
      );
      t.is(await page.locator('.alternatives button').count(), others.length);
      t.true((await page.locator('.alternatives').innerText()).startsWith(alternatives));
      // The map keeps its place, and what is below it remains on the screen.
      const foot = await page.locator('.map-foot').boundingBox();
      t.true(foot !== null && foot.y + foot.height <= DESKTOP.height);
      await show(page, `explorer-sentence-${language}`);
      t.deepEqual(await findings(page, 'explorer'), []);

      // A link opens the same view.
      await page.reload();
      await page.waitForSelector('.chips li');
      t.is(await page.inputValue('[role=combobox]'), sentence);
      await page.getByRole('button', { name: remove }).click();
      await page.waitForURL((url) => !url.searchParams.has('beds'));
      t.is(await page.locator('.chips li').count(), chips - 1);
      await page.getByRole('button', { name: inAds }).click();
      await page.waitForURL(/[?&]q=/);
      await page.locator('.alternatives button').first().click();
      await page.waitForURL((url) => url.searchParams.get('neighborhood_id') === String(others[0].neighborhood_id));
      t.is(new URL(page.url()).searchParams.get('city'), others[0].city);
      await page.locator('.chips .plain').click();
      await page.waitForURL(/listing_type=sale/);
      t.deepEqual(faults, []);
      await context.close();
    });

    test.serial(`explorer (${language}): a change of city removes the old results and costs 4 units`, async (t) => {
      const { page, context, faults } = await open(`${prefix}/explorer?city=riyadh&listing_type=rent&price_min=1000`);
      // Every response about the first city.
      await page.waitForSelector('.card');
      await until(page, LOADED);
      let units = 0;
      page.on('response', (response) => {
        units += Number(response.headers()['x-request-units'] ?? 0);
      });
      const held = Promise.withResolvers<void>();
      await page.route(/\/v1\/listings(\/map)?\?city=jeddah/, async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.selectOption('#filter-city', 'jeddah');
      await page.waitForURL(/city=jeddah/);
      await until(page, `document.querySelector('.count').textContent.endsWith('…')`);
      // The next frame draws the map while the response is still delayed.
      await until(page, `document.querySelectorAll('.card, .map-pin, .map-cluster').length === 0`);
      held.resolve();
      await page.waitForSelector('.card');
      await until(page, LOADED);
      t.is(units, 4);
      // Both cities are cached now.
      await page.selectOption('#filter-city', 'riyadh');
      await page.waitForSelector('.card');
      await page.selectOption('#filter-city', 'jeddah');
      await page.waitForSelector('.card');
      t.is(units, 4);
      t.deepEqual(faults, []);
      await context.close();
    });

    test.serial(`explorer (${language}): a rate-limited request is retried when the limit recovers`, async (t) => {
      const { page, context } = await open(`${prefix}/explorer`);
      await page.waitForSelector('.card');
      let refused = 0;
      await page.route('**/v1/listings?city=jeddah*', (route) => {
        if (refused++ > 0) return route.continue();
        const error = { type: 'rate_limit', code: 'rate_limited', message: 'Over the limit.' };
        return route.fulfill({ status: 429, headers: { 'Retry-After': '3' }, json: { error } });
      });
      await page.selectOption('#filter-city', 'jeddah');
      const timer = page.getByRole('alert').getByRole('timer');
      await timer.waitFor();
      const first = await timer.innerText();
      await until(page, `document.querySelector('[role=timer]').textContent !== '${first}'`);
      await page.waitForSelector('.card');
      t.is(await page.getByRole('alert').count(), 0);
      await context.close();
    });

    test.serial(
      `explorer (${language}): a link with an area opens the map there, with every listing of the area`,
      async (t) => {
        const { app, keys } = sample();
        const query = 'city=riyadh&listing_type=rent';
        const market = await app.request(`/v1/market/neighborhoods?${query}`, { key: keys.enterprise });
        const rows = market.body.data.neighborhoods as { neighborhood_id: number; sample_size: number }[];
        const [largest] = rows.toSorted((a, b) => b.sample_size - a.sample_size);
        const found = await app.request(`/v1/listings?${query}&neighborhood_id=${largest?.neighborhood_id}&limit=100`, {
          key: keys.enterprise,
        });
        const places = (found.body.data as { location: { lat: number | null; lng: number | null } }[]).flatMap(
          ({ location: { lat, lng } }) => (lat === null || lng === null ? [] : [{ lat, lng }]),
        );
        const lats = places.map(({ lat }) => lat);
        const lngs = places.map(({ lng }) => lng);
        const box = [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)].join(',');
        const { page, context, faults } = await open(`${prefix}/explorer?${query}&bbox=${box}`, {
          key: keys.enterprise,
        });
        const { body } = await app.request(`/v1/listings/count?${query}&bbox=${box}`, { key: keys.enterprise });
        await until(page, `${DRAWN} === ${body.data.total}`);
        t.true(body.data.total > 10, `${body.data.total} listings`);
        await show(page, `explorer-area-${language}`);

        // Adds a neighborhood to the search in its current state.
        await page.fill('#filter-price_min', '1000');
        await page.locator('#filter-price_min').blur();
        await page.waitForURL(/price_min=1000/);
        await page.waitForSelector('.card');
        // Names are drawn where there is space, and the map is redrawn while results arrive.
        await page.click('.maplibregl-ctrl-zoom-out');
        await page.waitForURL(/map=/);
        await page.dispatchEvent('.map-label', 'click');
        await page.waitForURL(/neighborhood_id=\d+/);
        const { searchParams } = new URL(page.url());
        t.is(searchParams.get('price_min'), '1000');
        t.is(searchParams.get('bbox'), box);

        // The other language shows the same search.
        await page.locator('a.language').click();
        await page.waitForURL(language === 'en' ? /\/ar\// : /\/\/[^/]+\/explorer/);
        await until(page, LOADED);
        t.not(await page.getAttribute('html', 'lang'), language);
        t.deepEqual([...new URL(page.url()).searchParams], [...searchParams]);
        t.is(await page.inputValue('#filter-price_min'), '1000');
        t.deepEqual(faults, []);
        await context.close();
      },
    );

    test.serial(`explorer (${language}): Back returns to the same rows at the same scroll position`, async (t) => {
      const { page, context, faults } = await open(`${prefix}/explorer`, { key: sample().keys.enterprise });
      await page.waitForSelector('.card');
      await page.getByRole('button', { name: words.more }).click();
      await page.locator('.card').nth(30).waitFor();
      await page.locator('.card').nth(30).scrollIntoViewIfNeeded();
      const before = await page.evaluate<number>('scrollY');
      t.true(before > 1_000, String(before));
      await page.locator('.card').nth(30).click();
      await page.waitForURL(/\/listings\/\d+$/);
      await page.goBack();
      await page.locator('.card').nth(30).waitFor();
      await until(page, `Math.abs(scrollY - ${before}) < 2`);

      // Checks the same within the explorer.
      await page.selectOption('#filter-listing_type', 'sale');
      await page.waitForURL(/listing_type=sale/);
      await page.evaluate('scrollTo(0, 0)');
      await until(page, 'history.state.y === 0');
      await page.goBack();
      await until(page, `Math.abs(scrollY - ${before}) < 2`);
      t.true((await page.locator('.card').count()) > 30);
      t.deepEqual(faults, []);
      await context.close();
    });

    test.serial(`reference (${language}): test requests send the required parameters and return data`, async (t) => {
      const { page, context, faults } = await open(`${prefix}/reference`, { key: sample().keys.enterprise });
      const { body } = await sample().app.request('/v1/openapi.json');
      for (const path of ['/listings', '/listings/parse', '/listings/map', '/market/summary', '/listings/{id}']) {
        const required = (body.paths[path].get.parameters as { name: string; in: string; required: boolean }[])
          .filter((each) => each.required && each.in === 'query')
          .map(({ name }) => name);
        await page
          .locator('.operations li', { has: page.getByText(path, { exact: true }) })
          .locator('a')
          .click();
        await page.waitForSelector('.test-request:not([hidden])');
        const sent = page.waitForResponse(/\/v1\//);
        await page.locator('.test-request button.main').click();
        const response = await sent;
        t.is(response.status(), 200, path);
        t.deepEqual([...new URL(response.url()).searchParams.keys()].sort(), required.sort(), path);
        await page.locator('.test-request output', { hasText: /^200 · / }).waitFor();
        t.deepEqual(JSON.parse(await page.locator('.test-request pre').innerText()), await response.json());
        await show(page, `reference-request-${path.replaceAll(/\W/g, '')}-${language}`);
        await page.goto(new URL(`${prefix}/reference`, page.url()).href);
      }
      t.deepEqual(faults, []);
      await context.close();
    });

    test.serial(
      `reference (${language}): values in both scripts are within their block, and errors mark their field`,
      async (t) => {
        const { page, context } = await open(`${prefix}/reference/search-listings`, { key: sample().keys.enterprise });
        await page.waitForSelector('.test-request:not([hidden])');
        const columns = await page
          .locator('.intro, .reference aside')
          .evaluateAll((all) => all.map((each) => each.clientWidth));
        t.true(Math.min(...columns) > 400, columns.join());
        for (const block of await page.locator('.reference aside pre:visible').all())
          t.true(await block.evaluate((element) => element.scrollWidth <= element.clientWidth));
        t.is(await page.evaluate(`getComputedStyle(document.querySelector('.reference aside pre')).direction`), 'ltr');
        const block = await page.locator('.reference aside .code').first().boundingBox();
        const end = (block?.y ?? 0) + (block?.height ?? 0);
        t.true(end > 0 && end < DESKTOP.height / 2, `the curl sample ends at ${end}`);
        await page.locator('.test-request summary').click();
        await page.fill('#input-q', 'مسبح');
        const command = page.locator('.reference aside [data-language=sh] code');
        t.true((await command.innerText()).includes("--data-urlencode 'q=مسبح'"));
        await page.fill('#input-q', '');
        await page.fill('#input-price_min', 'x');
        t.true((await command.innerText()).endsWith("/listings?city=riyadh&listing_type=rent&price_min=x'"));
        await page.locator('.test-request button.main').click();
        await page.locator('[aria-invalid]').waitFor();
        t.is(await page.evaluate('document.activeElement.id'), 'input-price_min');
        await page
          .locator('#input-price_min[aria-describedby=field-error] + #field-error', { hasText: 'price_min' })
          .waitFor();
        const link = page.locator('.test-request .error-help');
        t.true((await link.getAttribute('href'))?.endsWith(`${prefix}/docs/errors#invalid_value`));
        await page.fill('#input-price_min', '');
        await page.locator('.test-request button.main').click();
        await page.locator('.test-request output.good').waitFor();
        t.is(await page.locator('#field-error').count(), 0);
        t.false(await link.isVisible());
        t.true((await page.locator('.test-request pre .hljs-attr').count()) > 10);
        await context.close();
      },
    );
  }

  test.serial('explorer: every view and the error message are in Arabic', async (t) => {
    // Uses a key with a higher rate limit than the demo key, which earlier tests have used up.
    const { context, page, faults } = await open('/ar/explorer?city=riyadh&listing_type=sale&view=neighborhoods', {
      key: sample().keys.enterprise,
    });
    await page.waitForSelector('.ranking');
    await page.getByRole('button', { name: 'تكبير' }).waitFor();
    await show(page, 'explorer-neighborhoods-ar');
    for (const [view, complete] of [
      ['الأسعار', '.chart .bar'],
      ['مشاريع على الخارطة', '.card'],
      ['الصفقات المسجَّلة', '.chart .bar'],
    ] as const) {
      await page.getByRole('button', { name: view, exact: true }).click();
      await page.waitForSelector(complete);
      await show(page, `explorer-${complete.replace(/\W/g, '')}-${view.length}-ar`);
    }
    await page.getByRole('button', { name: 'الاتجاه', exact: true }).click();
    await page.locator('.results button.main').click();
    await page.waitForSelector('.chart .line');
    await show(page, 'explorer-trend-ar');
    t.deepEqual(await latinWords(page), []);
    t.deepEqual(faults, []);
    await page.locator('.key summary').click();
    await page.fill('.key input', 'nonsense');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'الإعلانات', exact: true }).click();
    await page.getByRole('alert').first().waitFor();
    t.true((await page.getByRole('alert').first().innerText()).startsWith('المفتاح غير موجود.'));
    // The names remain. Results and units of the previous key do not.
    await page.waitForSelector('.key[open]');
    await page.locator('.map-note', { hasText: 'المفتاح غير موجود.' }).waitFor();
    t.is(await page.locator('.map-pin, .map-cluster, .request output').count(), 0);
    t.is(await page.locator('#filter-city option:checked').innerText(), 'الرياض');
    t.deepEqual(await latinWords(page), []);
    await context.close();
  });

  test.serial('listing: the Arabic page is in Arabic and shows its photos', async (t) => {
    const { page, context, faults } = await open(`/ar/listings/${id}`);
    t.true((await page.locator('.photos img').count()) > 0);
    await page
      .locator('.photos img')
      .first()
      .evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
    t.true((await page.locator('.chart, .map').count()) >= 2);
    t.deepEqual(await latinWords(page), []);
    t.deepEqual(faults, []);
    await context.close();
  });
}

/** Waits until an expression is true. A function needs no `eval`, which the content security policy forbids. */
const until = (page: Page, expression: string) =>
  page.waitForFunction(new Function(`return ${expression};`) as () => unknown);

/** Whether the list and the map have loaded, and the map does not move. */
const LOADED = `document.querySelector('.map-box')?.ariaBusy !== 'true' && ['.count', '.map-note'].every((each) => /[^…]$/.test(document.querySelector(each)?.textContent ?? ''))`;

/** Number of listings on the map: one for each pin, and the count of each circle. */
const DRAWN = `[...document.querySelectorAll('.map-pin, .map-cluster')].reduce((sum, each) => sum + (each.matches('.map-pin') ? 1 : Number(each.firstChild.textContent.replaceAll(',', ''))), 0)`;

/** Records the time from each input to the frame that shows its effect. */
const WATCH_EVENTS = `globalThis.inputs = {};
new PerformanceObserver((list) => {
  for (const { interactionId: id, duration } of list.getEntries())
    if (id) globalThis.inputs[id] = Math.max(duration, globalThis.inputs[id] ?? 0);
}).observe({ type: 'event', durationThreshold: 16 });`;

/** Resolves when the last frame is on the screen. */
const NEXT_FRAME = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))';

/** Processor time of the main thread in milliseconds. */
async function processorTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

/** Files that a page has loaded, except photos and the map. */
async function loadedBy(page: Page): Promise<{ requests: string[]; kilobytes: number }> {
  const entries = await page.evaluate<{ name: string; encodedBodySize: number }[]>(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))`,
  );
  const counted = entries.filter(({ name }) => !OF_MAP.test(name) && !new URL(name).pathname.startsWith('/cdn/'));
  return {
    requests: counted.map(({ name }) => new URL(name).pathname),
    kilobytes: counted.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1024,
  };
}

/** Serious findings of axe, each with its location. */
async function findings(page: Page, name: string): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResult>(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run(),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${name}: ${id}: ${nodes.map(({ html }) => html.slice(0, 140)).join(' | ')}`);
}

interface AxeResult {
  violations: readonly { id: string; impact: string; nodes: readonly { html: string }[] }[];
}

/** Visible words in Latin letters on an Arabic page, except code, names of sources, and the link to the other language. */
async function latinWords(page: Page): Promise<string[]> {
  const text = await page.evaluate<string>(`(() => {
    const copy = document.body.cloneNode(true);
    for (const each of copy.querySelectorAll('script, code, pre, noscript, [lang=en], [dir=ltr], .card small, .source, .brand, footer a[href="/ar"], .no-words')) each.remove();
    return [...copy.querySelectorAll('*')].filter((each) => each.children.length === 0).map((each) => each.textContent).join('\\n');
  })()`);
  return [...new Set(text.match(/[A-Za-z]{3,}/g) ?? [])].filter((word) => !KNOWN.has(word));
}

/** Abbreviations and names that are the same in both languages. */
const KNOWN = new Set(['API', 'OpenAPI', 'HTTP', 'JSON']);
