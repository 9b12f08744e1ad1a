import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { TestFn } from 'ava';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { SampleApp } from '#test/sample-app.ts';

/** Where Debian and others put Chromium; nothing is downloaded for these tests. */
const CHROMIUM = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));
/** Drawing by the processor: there is no graphics card here. */
const ARGS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-dev-shm-usage'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** A folder for pictures of the pages, to be looked at. */
const SCREENSHOTS = process.env.SCREENSHOTS;

/** Milliseconds until something is there, on a busy machine. */
const PATIENCE = 20_000;
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

/** The pages by a name for their pictures; `{id}` is a listing. */
const PAGES: Readonly<Record<string, string>> = {
  home: '/',
  guides: '/guides',
  guide: '/guides/first-call',
  errors: '/docs/errors',
  listing: '/listings/{id}',
  explorer: '/explorer',
  reference: '/reference',
};
/** What a page shows when it is complete. */
const COMPLETE: Readonly<Record<string, string>> = {
  explorer: '.card',
  reference: '#reference h2',
};

interface Opened {
  page: Page;
  context: BrowserContext;
  /** What was asked of other hosts, logged as an error, or forbidden by the policy. */
  faults: string[];
  /** Compressed bytes of every answer, by path. */
  sizes: Map<string, number>;
}

/** The pages in a real browser: one for all tests, on the one sample. */
export function browserTests(test: TestFn, sample: () => SampleApp): void {
  if (!CHROMIUM) {
    test('pages in a browser', (t) => {
      t.log('not run: there is no Chromium here (apt-get install chromium, or CHROMIUM=<path>)');
      t.pass();
    });
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
    context.setDefaultTimeout(PATIENCE);
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

  const show = async (page: Page, name: string): Promise<void> => {
    if (SCREENSHOTS)
      await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: !name.includes('explorer') });
  };

  for (const [name, path] of Object.entries(PAGES)) {
    test.serial(`${name}: both languages, both themes, wide and narrow, without a finding`, async (t) => {
      // Colors and sizes are the same in both languages, so that two of the eight ways show each of the six.
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

  test.serial('home: the pasted key is in the commands and goes nowhere', async (t) => {
    const { page, context, faults, sizes } = await open('/');
    const { keys } = sample();
    t.regex(await page.locator('.code').first().innerText(), new RegExp(keys.test));
    await page.fill('#key', keys.free);
    for (const block of await page.locator('.code code').all()) t.true((await block.innerText()).includes(keys.free));
    // A key is pasted into a shell: nothing but a key gets into a command.
    await page.fill('#key', `x'; rm -rf "$HOME`);
    t.notRegex(await page.locator('.code code').first().innerText(), /;|\$/);
    t.true(
      [...sizes.keys()].every((path) => path === '/' || path.startsWith('/assets/')),
      [...sizes.keys()].join(),
    );
    t.true(sizes.size <= 6);
    t.deepEqual(faults, []);
    await context.close();
  });

  test.serial(
    'explorer: a search, by keyboard and back, is what the API answers; first view and interaction are fast',
    async (t) => {
      const { app, keys } = sample();
      const { page, context, faults, sizes } = await open('/explorer');
      await page.waitForSelector('.card');
      await page.waitForSelector('.map-label');
      const total = (chosen: (path: string) => boolean): number =>
        [...sizes].reduce((sum, [path, size]) => (chosen(path) ? sum + size : sum), 0);
      const ofMap = (path: string): boolean => /\/(map|land)-|map-worker/.test(path);
      const first = total((path) => !ofMap(path) && !path.startsWith('/cdn/'));
      t.log(
        `first view ${Math.round(first / 1024)} KB, map ${Math.round(total(ofMap) / 1024)} KB, ${sizes.size} requests`,
      );
      t.true(first < 300 * 1024, `${first} bytes`);
      t.true([...sizes.keys()].filter((path) => !path.startsWith('/cdn/')).length <= 22, [...sizes.keys()].join(' '));

      // The filters are those of the description.
      const { body } = await app.request('/v1/openapi.json');
      const parameters = body.paths['/listings'].get.parameters as { name: string }[];
      const fields = await page.locator('.filters .field, .filters .choice').count();
      t.is(fields, parameters.filter(({ name }) => !['limit', 'cursor', 'sort', 'bbox'].includes(name)).length);

      // By keyboard: to the lowest price, a value, and on to the next field.
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
      t.regex(await page.locator('.request .note').innerText(), /1 unit .*\d+ units left this month/);

      await page.goBack();
      await page.goBack();
      t.is(new URL(page.url()).search, '');
      t.is(await page.inputValue('#filter-price_min'), '');
      t.is(await page.inputValue('#filter-listing_type'), 'rent');
      await page.goForward();
      t.is(await page.inputValue('#filter-price_min'), '50000');

      // What is in memory is shown at once: the work of a click, and the time until the frame that shows it.
      const work: number[] = [];
      const frames: number[] = [];
      for (const view of ['Prices', 'Neighborhoods', 'Listings', 'Prices', 'Listings']) {
        const button = page.getByRole('button', { name: view, exact: true });
        const [worked, framed] = await button.evaluate(async (element) => {
          const frame = (globalThis as unknown as { requestAnimationFrame(then: () => void): void })
            .requestAnimationFrame;
          const begun = performance.now();
          (element as { click(): void }).click();
          await new Promise((resolve) => setTimeout(resolve));
          const done = performance.now();
          await new Promise((resolve) => frame(() => setTimeout(resolve)));
          return [done - begun, performance.now() - begun] as const;
        });
        work.push(worked);
        frames.push(framed);
        await page.waitForSelector(view === 'Listings' ? '.card' : view === 'Prices' ? '.chart' : '.ranking');
      }
      t.log(`a click, ms: ${work.map(Math.round).join(', ')}; to its frame: ${frames.map(Math.round).join(', ')}`);
      // The quicker ones: other processes run beside the tests. A frame is drawn by the processor here, map and all.
      t.true((work.toSorted((x, y) => x - y)[1] as number) < 100, work.join());
      t.deepEqual(faults, []);
      await context.close();
    },
  );

  test.serial('explorer: every view, in Arabic, and what a refusal says', async (t) => {
    // With a key that has more units a minute than the demo's: what the tests before used would be missing.
    const { context, page, faults } = await open('/ar/explorer?city=riyadh&listing_type=sale&view=neighborhoods', {
      key: sample().keys.enterprise,
    });
    await page.waitForSelector('.ranking');
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
    t.is(await page.getByRole('alert').first().innerText(), 'لا يوجد مفتاح كهذا.');
    await context.close();
  });

  test.serial('listing: what is Arabic is Arabic, and the photos are there', async (t) => {
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

/** Serious findings of axe, each with where it is. */
async function findings(page: Page, name: string): Promise<string[]> {
  await page.evaluate(AXE);
  // The viewer of the reference is another project's: what surrounds it is ours.
  const chosen = name === 'reference' ? { exclude: [['#reference']] } : { exclude: [] };
  const { violations } = await page.evaluate<AxeResult, typeof chosen>(
    (context) => (globalThis as unknown as { axe: { run(context: unknown): Promise<AxeResult> } }).axe.run(context),
    chosen,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 140)).join(' | ')}`);
}

interface AxeResult {
  violations: readonly { id: string; impact: string; nodes: readonly { html: string }[] }[];
}

/** Words in Latin letters that a reader of Arabic has to read; not code, names of sources, and the other language's link. */
async function latinWords(page: Page): Promise<string[]> {
  const text = await page.evaluate<string>(`(() => {
    const copy = document.body.cloneNode(true);
    for (const each of copy.querySelectorAll('script, code, pre, noscript, [lang=en], [dir=ltr], .card small, .source, .brand, footer a[href="/ar"], .no-words')) each.remove();
    return [...copy.querySelectorAll('*')].filter((each) => each.children.length === 0).map((each) => each.textContent).join('\\n');
  })()`);
  return [...new Set(text.match(/[A-Za-z]{3,}/g) ?? [])].filter((word) => !KNOWN.has(word));
}

/** Abbreviations and names that are the same in both languages. */
const KNOWN = new Set(['UTC', 'API', 'OpenAPI', 'HTTP', 'JSON']);
