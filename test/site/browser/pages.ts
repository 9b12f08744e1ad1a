import { app, keys } from '#test/sample-app.ts';
import {
  api,
  DESKTOP,
  droppedListing,
  findings,
  latinWords,
  loadedBy,
  NEXT_FRAME,
  open,
  PHONE,
  test,
  until,
} from './tools.ts';

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
  accuracy: '/accuracy',
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

/** The sum of the layout shifts since the start of the page, as browsers score them without user input. */
const SHIFT = `(async () => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value; }).observe({ type: 'layout-shift', buffered: true });
  await ${NEXT_FRAME};
  return sum;
})()`;

for (const [name, path] of Object.entries(PAGES)) {
  test(`${name}: the page is accessible and within its size budget, in English and Arabic`, async (t) => {
    // Colors and sizes do not depend on the language, so two of the eight combinations can be omitted.
    for (const [language, colorScheme, viewport] of [
      ['en', 'light', DESKTOP],
      ['ar', 'dark', PHONE],
    ] as const) {
      const local = (language === 'ar' ? `/ar${path}` : path).replace(/\/$/, '') || '/';
      const { page } = await open(t, local.replace('{id}', String(droppedListing)), {
        viewport,
        colorScheme,
      });
      const complete = COMPLETE[name];
      if (complete) await page.waitForSelector(complete);
      const where = `${name}-${language}-${colorScheme}`;
      const { requests, kilobytes } = await loadedBy(page);
      const [mostRequests, mostKilobytes] = BUDGETS[name] ?? DEFAULT_BUDGET;
      t.log(`${where}: ${requests.length} requests, ${Math.round(kilobytes)} KB`);
      t.true(requests.length <= mostRequests, `${where}: ${requests.join(' ')}`);
      t.true(kilobytes < mostKilobytes, `${where}: ${kilobytes} KB`);
      const shift = await page.evaluate<number>(SHIFT);
      t.true(shift < 0.05, `${where}: a layout shift of ${shift}`);
      t.deepEqual(await findings(page, name), [], where);
      const [inner, scrolled] = await page.evaluate<[number, number]>(
        '[innerWidth, document.documentElement.scrollWidth]',
      );
      t.true(scrolled <= inner, `${where} is ${scrolled} wide on a screen of ${inner}`);
    }
  });
}

test('home: a pasted key appears in the commands and is sent nowhere', async (t) => {
  const { page, sizes } = await open(t, '/');
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
});

test('guides: the chosen code language is remembered, and all languages show without scripts', async (t) => {
  const { page } = await open(t, '/guides/first-call');
  const shown = () =>
    page
      .locator('.tabs')
      .first()
      .locator('.code')
      .evaluateAll((blocks) =>
        blocks.filter((each) => each.checkVisibility()).map((each) => (each as HTMLElement).dataset.language),
      );
  const all = await page
    .locator('.tabs')
    .first()
    .locator('.code')
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
  const plain = await open(t, '/guides/first-call', { javaScriptEnabled: false, viewport: PHONE });
  t.is(await plain.page.locator('.tabs').first().locator('pre').count(), all.length);
  for (const block of await plain.page.locator('.tabs pre').all()) t.true(await block.isVisible());
  // The menu needs no script, and the search is hidden.
  await plain.page.locator('summary', { hasText: 'Build and run' }).click();
  t.true(await plain.page.getByRole('link', { name: 'Webhooks', exact: true }).isVisible());
  t.false(await plain.page.locator('.search').isVisible());
});

test('guides: the search finds guides, errors and operations in both languages, by keyboard', async (t) => {
  for (const [path, query, address] of [
    ['/guides', 'webhooks', /\/guides\/webhooks$/],
    ['/ar/guides', 'الإشعارات', /\/ar\/guides\/webhooks$/],
    ['/guides/sync', 'rate_limited', /\/docs\/errors#rate_limited$/],
    ['/reference', 'price_min', /\/reference\//],
  ] as const) {
    const { page, sizes } = await open(t, path);
    t.false([...sizes.keys()].some((each) => each.endsWith('search.json')));
    await page.keyboard.press('/');
    await page.keyboard.type(query);
    await page.waitForSelector('.results a');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(address);
  }
  const { page } = await open(t, '/guides');
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
});

test('guides, reference: the menu is collapsed on phones', async (t) => {
  const { page } = await open(t, '/guides/first-call', { viewport: PHONE });
  const link = page.locator('#menu').getByRole('link', { name: 'Quickstart by language' });
  t.false(await link.isVisible());
  await page.getByRole('button', { name: 'Guides and help' }).click();
  t.true(await link.isVisible());
  await page.goto(new URL('/reference/search-listings', page.url()).href);
  const operation = page.locator('#menu').getByRole('link', { name: 'Count listings', exact: true });
  t.false(await operation.isVisible());
  await page.getByRole('button', { name: 'Operations' }).click();
  t.true(await operation.isVisible());
});

test('pricing: the calculator recomputes units and plans while the visitor types', async (t) => {
  const { page } = await open(t, '/pricing?search=0');
  t.is(await page.locator('#units').innerText(), '0 units');
  await page.getByLabel('Search: Calls per month').fill('100000');
  await page.getByLabel('Search: Results per call').fill('11');
  t.is(await page.locator('#units').innerText(), '200,000 units');
  t.regex(await page.locator('[data-plan="starter"]').innerText(), /SAR 900 for 150,000 units/);
  t.is(await page.locator('tr.best').getAttribute('data-plan'), 'growth');
  await page.getByLabel('Exports of listings: Rows per month').fill('1');
  t.is(await page.locator('tr.best').getAttribute('data-plan'), 'enterprise');
});

test('listing: arrow keys change the photo, also when enlarged, in both text directions', async (t) => {
  for (const [prefix, forward] of [
    ['', 'ArrowRight'],
    ['/ar', 'ArrowLeft'],
  ] as const) {
    const { page } = await open(t, `${prefix}/listings/${droppedListing}`, { viewport: PHONE });
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
  }
});

test('listing: the first photo is shown without scripts', async (t) => {
  const { page } = await open(t, `/listings/${droppedListing}`, { javaScriptEnabled: false });
  const box = await page.locator('.photos img').first().boundingBox();
  t.true((box?.width ?? 0) > 300 && (box?.y ?? 1_000) < DESKTOP.height / 2);
  t.true(await page.locator('section:has(#estimated) noscript p').isVisible());
});

test('listing: a visitor without a key sees the estimate and its comparables on scrolling to it', async (t) => {
  const { data } = await api('/v1/listings?city=riyadh&listing_type=rent&property_type=apartment&limit=20');
  let found = { listing_id: 0, status: '', comparables: [] as { listing_id: number }[] };
  for (const { id } of data) {
    found = (await api(`/v1/listings/${id}/estimate`)).data;
    if (found.status === 'available') break;
  }
  const { page, sizes } = await open(t, `/listings/${found.listing_id}`, { viewport: PHONE });
  const path = `/explorer/api/listings/${found.listing_id}/estimate`;
  t.false(sizes.has(path), 'the first screen does not wait for the estimate');
  const place = page.locator('#estimated');
  await place.scrollIntoViewIfNeeded();
  await place.locator('.verdict').waitFor();
  t.regex(await place.locator('.verdict').innerText(), /estimate$/);
  t.deepEqual(
    await place.locator('tbody a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    found.comparables.slice(0, 5).map(({ listing_id }) => `/listings/${listing_id}`),
  );
  t.deepEqual(await findings(page, 'listing'), []);
});

test('listing: the link above the title leads back to the results of the explorer', async (t) => {
  const { page } = await open(t, '/explorer?city=riyadh&listing_type=rent&beds=3', {
    key: keys.pro,
  });
  await page.waitForSelector('.card');
  const address = page.url();
  await page.goto(new URL(`/listings/${droppedListing}`, app.url).href);
  const back = page.getByRole('link', { name: 'Back to results' });
  await back.click();
  await page.waitForSelector('.card');
  t.is(page.url(), address);
});

test('listing: the Arabic page is in Arabic and shows its photos', async (t) => {
  const { page } = await open(t, `/ar/listings/${droppedListing}`);
  t.true((await page.locator('.photos img').count()) > 0);
  await page
    .locator('.photos img')
    .first()
    .evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
  t.true((await page.locator('.chart, .map').count()) >= 2);
  t.deepEqual(await latinWords(page), []);
});
