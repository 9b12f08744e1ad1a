import { keys } from '#test/sample-app.ts';
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

/** Page paths by name. `{id}` is a listing id. */
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
 * Maximum number of requests until a page is complete, and of compressed kilobytes, of which the typeface is two files
 * with 54. Photos and the lazily loaded map are excluded.
 */
const BUDGETS: Readonly<Record<string, readonly [requests: number, kilobytes: number]>> = { explorer: [16, 160] };
const DEFAULT_BUDGET = [8, 115] as const;
/** Selectors that are present when a page is complete. */
const COMPLETE: Readonly<Record<string, string>> = {
  // The page contains cards before its script has loaded.
  explorer: '.locate',
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
      const { page } = await open(t, local.replace('{id}', String(droppedListing)), { viewport, colorScheme });
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
  const { page } = await open(t, '/');
  const block = page.locator('.code code').first();
  t.true((await block.innerText()).includes(keys.pro));
  // Browsers load the icon of a page whenever they have time.
  const loaded = async () => (await loadedBy(page)).requests.filter((path) => !path.includes('/icon-'));
  const requests = await loaded();
  await page.fill('#key', keys.free);
  t.true((await block.innerText()).includes(keys.free));
  // Commands are pasted into a shell, so only a valid key may be inserted.
  await page.fill('#key', `x'; rm -rf "$HOME`);
  t.notRegex(await block.innerText(), /;|\$/);
  t.deepEqual(await loaded(), requests);
});

test('home: the search box answers what is typed with listings and their request, and drops the answer to an earlier text', async (t) => {
  for (const [path, sentence, viewport] of [
    ['/', '3 bedroom apartment in riyadh under 60k', DESKTOP],
    ['/ar', 'شقة ثلاث غرف في الرياض تحت 60 ألف', PHONE],
  ] as const) {
    const { page } = await open(t, path, { viewport });
    const held = Promise.withResolvers<void>();
    await page.route('**/answer?sentence=villa', async (route) => {
      await held.promise;
      await route.continue().catch(() => {});
    });
    const earlier = page.waitForRequest('**/answer?sentence=villa');
    const box = page.locator('.seek input');
    await box.fill('villa');
    await earlier;
    await box.fill(sentence);
    await page.locator('#answer .chips').waitFor();
    held.resolve();
    const query = new URLSearchParams((await api(`/v1/listings/parse?q=${encodeURIComponent(sentence)}`)).data.filters);
    query.set('listing_type', 'rent');
    const { total } = (await api(`/v1/listings/count?${query}`)).data;
    await until(
      page,
      `document.querySelector('#answer[aria-busy=false] [role=status]').textContent.includes('${total}')`,
    );
    t.is(await page.locator('#answer .homes li').count(), 3);
    t.is(await page.locator('#answer svg.map').count(), 1);
    t.true((await page.locator('#answer .output code').innerText()).includes('"data"'));
    await page.getByRole('tab', { name: 'Assistant' }).click();
    const prompt = page.locator('#answer [data-language=prompt]');
    t.true((await prompt.innerText()).includes('searchListings'));
    t.is(await prompt.locator('button').count(), 1);
    t.deepEqual(await findings(page, 'home'), []);
    if (path === '/ar') t.deepEqual(await latinWords(page), []);
    const [inner, scrolled] = await page.evaluate<[number, number]>(
      '[innerWidth, document.documentElement.scrollWidth]',
    );
    t.true(scrolled <= inner, path);
  }
});

test('customers on a phone reach a listing, the figures of a district, a key and the record of estimates in at most 3 pages', async (t) => {
  for (const [prefix, sentence] of [
    ['', 'villa for sale in riyadh'],
    ['/ar', 'فيلا للبيع في الرياض'],
  ] as const) {
    const { page } = await open(t, prefix || '/', { viewport: PHONE });
    const home = page.url();
    await page.locator('.seek input').fill(sentence);
    await page.locator('#answer .chips').waitFor();
    await page.locator('#answer .homes a').first().click();
    await page.waitForURL(/\/listings\/\d+$/);
    await page.goto(home);
    await page.locator(`.places a[href="${prefix}/riyadh"]`).click();
    await page.locator('#around + .places a').first().click();
    await page.waitForURL(/\/riyadh\/[\w-]+$/);
    for (const part of [
      '#newest + .homes a',
      'section[aria-labelledby=medians] td',
      'section[aria-labelledby=deals] td',
    ])
      t.true((await page.locator(part).count()) > 0, part);
    const quarters = await page.locator('section[aria-labelledby=deals] tbody th bdi').allInnerTexts();
    t.is(new Set(quarters).size, quarters.length, 'a quarter is one row');
    await page.goto(home);
    await page.locator(`a.button[href="${prefix}/pricing#key"]`).click();
    await page.locator('h2#key').waitFor();
    await page.goto(home);
    await page.locator(`.doors a[href="${prefix}/accuracy"]`).click();
    await page.waitForURL(/\/accuracy$/);
  }
});

test('guides: the chosen code language is remembered, and all languages and the menu show without scripts', async (t) => {
  const { page } = await open(t, '/guides/first-call');
  const python = page.locator('.tabs .code[data-language=python]').first();
  t.false(await python.isVisible());
  await page.getByRole('tab', { name: 'Python' }).click();
  await page.reload();
  await python.waitFor();
  const plain = (await open(t, '/guides/first-call', { javaScriptEnabled: false, viewport: PHONE })).page;
  for (const block of await plain.locator('.tabs pre').all()) t.true(await block.isVisible());
  await plain.locator('summary', { hasText: 'Build and run' }).click();
  t.true(await plain.getByRole('link', { name: 'Webhooks', exact: true }).isVisible());
});

test('guides: the search finds guides, errors and operations by keyboard', async (t) => {
  for (const [path, query, address] of [
    ['/ar/guides', 'الإشعارات', /\/ar\/guides\/webhooks$/],
    ['/guides/sync', 'rate_limited', /\/docs\/errors#rate_limited$/],
    ['/reference', 'price_min', /\/reference\//],
  ] as const) {
    const { page } = await open(t, path);
    await page.keyboard.press('/');
    await page.keyboard.type(query);
    await page.waitForSelector('.results a');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(address);
    t.true((await page.locator('h1').count()) > 0);
  }
});

test('reference: code samples contain the entered values, and an error marks its field', async (t) => {
  const { page } = await open(t, '/ar/reference/search-listings', { expected: /400/, key: keys.enterprise });
  await page.locator('.test-request summary').click();
  await page.fill('#input-q', 'مسبح');
  // The samples of the clients follow the form too.
  for (const [language, part] of [
    ['sh', "--data-urlencode 'q=مسبح'"],
    ['ts', "q: 'مسبح'"],
    ['python', 'q="مسبح"'],
  ] as const) {
    const text = await page.locator(`.reference aside [data-language=${language}] code`).first().textContent();
    t.true(text?.includes(part), text ?? '');
  }
  await page.fill('#input-q', '');
  await page.fill('#input-price_min', 'x');
  // Only required parameters are filled in.
  const command = await page.locator('.reference aside [data-language=sh] code').innerText();
  t.true(command.endsWith("/listings?city=riyadh&listing_type=rent&price_min=x'"), command);
  await page.locator('.test-request button.main').click();
  await page.locator('#input-price_min[aria-invalid]').waitFor();
  t.is(await page.evaluate('document.activeElement.id'), 'input-price_min');
  await page.locator('#field-error', { hasText: 'price_min' }).waitFor();
  await page.fill('#input-price_min', '');
  await page.locator('.test-request button.main').click();
  await page.locator('.test-request output.good').waitFor();
  t.is(await page.locator('#field-error').count(), 0);
});

test('pricing: the calculator shows the units for the entered calls', async (t) => {
  const { page } = await open(t, '/pricing?search=0');
  await page.getByLabel('Search: Calls per month').fill('100000');
  await page.getByLabel('Search: Results per call').fill('11');
  await page.getByRole('button', { name: 'Calculate' }).click();
  await page.waitForURL(/search=100000/);
  t.is(await page.locator('#units').innerText(), '200,000 units');
});

test('listing: the Arabic page is in Arabic, and arrow keys change the photo, also when enlarged', async (t) => {
  const { page } = await open(t, `/ar/listings/${droppedListing}`, { viewport: PHONE });
  t.true((await page.locator('.chart, .map').count()) >= 2);
  t.deepEqual(await latinWords(page), []);
  const images = page.locator('.photos img');
  const photos = await images.count();
  await images.first().evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
  await page.locator('.photos').focus();
  await page.keyboard.press('ArrowLeft');
  await until(page, `document.querySelector('.gallery-bar span').textContent === '2 / ${photos}'`);
  await images.nth(1).click();
  const counter = page.locator('dialog[open] .gallery-bar span');
  t.is(await counter.innerText(), `2 / ${photos}`);
  await page.keyboard.press('ArrowRight');
  await until(page, `document.querySelector('dialog[open] .gallery-bar span').textContent === '1 / ${photos}'`);
  t.deepEqual(await findings(page, 'listing'), []);
  await page.keyboard.press('Escape');
  t.is(await page.locator('dialog[open]').count(), 0);
});

test('listing: a visitor without a key sees the estimate and its comparables on scrolling to it', async (t) => {
  const { data } = await api('/v1/listings?city=riyadh&listing_type=rent&property_type=apartment&limit=20');
  let found = { listing_id: 0, status: '', comparables: [] as { listing_id: number }[] };
  for (const { id } of data) {
    found = (await api(`/v1/listings/${id}/estimate`)).data;
    if (found.status === 'available') break;
  }
  const { page } = await open(t, `/listings/${found.listing_id}`, { viewport: PHONE });
  const place = page.locator('#estimated');
  t.is(await place.innerText(), '', 'the first screen does not wait for the estimate');
  await place.scrollIntoViewIfNeeded();
  await place.locator('.verdict').waitFor();
  t.deepEqual(
    await place.locator('tbody a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    found.comparables.slice(0, 5).map(({ listing_id }) => `/listings/${listing_id}`),
  );
  t.deepEqual(await findings(page, 'listing'), []);
});
