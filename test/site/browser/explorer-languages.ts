import type { Page } from 'playwright-core';
import { EXPLORER_TEXTS } from '#site/text/index.ts';
import { app, keys } from '#test/sample-app.ts';
import { api, DESKTOP, DRAWN, findings, LOADED, open, PHONE, test, until } from './tools.ts';

/** Moves each thumb of a price slider twice. Between the steps, the page renders but runs no timer. */
const MOVE_BOTH = `(async () => {
  const [low, high] = document.querySelectorAll('.slider input');
  for (const thumb of [low, low, high, high]) {
    thumb.stepUp(thumb === low ? 1 : -1);
    thumb.dispatchEvent(new Event('input', { bubbles: true }));
    for (let turns = 0; turns < 10; turns++) await null;
  }
})()`;

for (const language of ['en', 'ar'] as const) {
  const texts = EXPLORER_TEXTS[language];
  const prefix = language === 'ar' ? '/ar' : '';
  const tab = (page: Page, name: string) => page.locator('.tabs button', { hasText: name });

  test(`explorer (${language}): without a key, all filters apply and no request needs a key`, async (t) => {
    const { page } = await open(t, `${prefix}/explorer?city=jeddah&price_min=90000`, { key: '' });
    const called: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/')) called.push(request.url());
    });
    const shows = async (type: string): Promise<void> => {
      const query = `city=jeddah&listing_type=${type}&price_min=90000`;
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
    await page.waitForSelector('.map-cluster, .map-pin');
    t.deepEqual(await findings(page, 'explorer'), []);
    await page.selectOption('#filter-listing_type', 'sale');
    await shows('sale');
    await tab(page, texts.view_prices).click();
    await page.getByText(texts.view_needs_key.replace('{plan}', 'Starter')).waitFor();
    t.is(await page.locator('.locked a[href$="/pricing"]').count(), 1);
    t.is(await page.locator('.card').count(), 0);
    t.deepEqual(called, []);

    await page.fill('.key input', keys.enterprise);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chart .bar');
    t.is(await page.inputValue('#filter-price_min'), '90000');
  });

  test(`explorer (${language}): a field is marked until its rejected value is corrected`, async (t) => {
    const { page } = await open(t, `${prefix}/explorer?city=riyadh&listing_type=rent&price_min=90000&price_max=50000`, {
      expected: /400/,
      key: keys.enterprise,
    });
    const field = page.locator('#filter-price_min[aria-invalid=true]');
    await field.waitFor();
    const fault = await page.locator(`#${await field.getAttribute('aria-describedby')}`).innerText();
    t.true(fault.length > 10);
    t.notRegex(fault, /`/);
    const advice = await page.locator('.results [role=alert]').innerText();
    t.true(advice.includes(texts.advice_field));
    t.notRegex(advice, /GET \/|must be|parameter/);
    t.is((await page.locator('main').innerText()).split(fault).length, 2, 'the fault is stated once');
    t.deepEqual(await findings(page, 'explorer'), []);
    await page.fill('#filter-price_min', '40000');
    await page.keyboard.press('Tab');
    await page.waitForSelector('.card');
    t.is(await page.locator('[aria-invalid], .fault, [role=alert]').count(), 0);
  });

  test(`explorer (${language}): the price slider and the price fields update each other`, async (t) => {
    const { page } = await open(t, `${prefix}/explorer?city=riyadh&listing_type=rent`, {
      key: keys.enterprise,
    });
    await page.waitForSelector('.bars span');
    const [low, high] = [page.locator('.slider input').first(), page.locator('.slider input').last()];
    const from = page.locator('#filter-price_min');
    await low.press('ArrowUp');
    await page.waitForURL(/price_min=\d+/);
    const chosen = new URL(page.url()).searchParams.get('price_min') ?? '';
    t.is(await from.inputValue(), chosen);
    t.true((await low.getAttribute('aria-valuetext'))?.includes(Number(chosen).toLocaleString('en')));
    t.true(await low.evaluate('document.activeElement.type === "range"'));
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has('price_min'));
    t.is(await low.inputValue(), '0');
    t.is(await low.getAttribute('aria-valuetext'), texts.any);

    // Several steps of both thumbs are one search, if they follow each other immediately. Keys sent from here could be
    // further apart than the debounce delay.
    await page.evaluate(MOVE_BOTH);
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
    t.deepEqual(await findings(page, 'explorer'), []);
  });

  test(`explorer (${language}): on a phone, the handle opens the list over the map, and a swipe on the map scrolls the page`, async (t) => {
    const { page, context } = await open(t, `${prefix}/explorer?city=riyadh&listing_type=rent`, {
      key: keys.enterprise,
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
    });
    await page.waitForSelector('.card');
    await page.waitForSelector('.map-cluster');
    const handle = page.locator('.handle');
    // Positions are fractions of pixels. The sum converts -0 to 0.
    const topOf = (selector: string) =>
      page.locator(selector).evaluate((element) => Math.round(element.getBoundingClientRect().top) + 0);
    t.is(await handle.getAttribute('aria-expanded'), 'false');
    const map = (await page.locator('.map-box').boundingBox()) ?? t.fail();
    t.true((await topOf('.handle')) - map.y > 0.5 * PHONE.height, 'the map fills the screen');
    t.true((await topOf('.handle')) < PHONE.height - 40, 'the handle is visible');

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
  });

  test(`explorer (${language}): a sentence sets filters and marks its unrecognized words`, async (t) => {
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
    const { page } = await open(t, `${prefix}/explorer?city=jeddah&listing_type=rent&max_age=9`, {
      key: keys.enterprise,
    });
    await page.waitForSelector('.card');
    await page.fill('[role=combobox]', sentence);
    await page.keyboard.press('Enter');
    await page.waitForURL(/sentence=/);
    const body = await api(`/v1/listings/parse?q=${encodeURIComponent(sentence)}`);
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
  });

  test(`explorer (${language}): a rate-limited request is retried after the Retry-After delay`, async (t) => {
    const { page } = await open(t, `${prefix}/explorer`, { expected: /429/ });
    await page.waitForSelector('.card');
    let refused = 0;
    await page.route('**/explorer/api/listings?city=jeddah*', (route) => {
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
  });

  test(`explorer (${language}): a link with a bounding box opens the map with every listing in that box`, async (t) => {
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
    const { page } = await open(t, `${prefix}/explorer?${query}&bbox=${box}`, {
      key: keys.enterprise,
    });
    const body = await api(`/v1/listings/count?${query}&bbox=${box}`);
    await until(page, `${DRAWN} === ${body.data.total}`);
    t.true(body.data.total > 10, `${body.data.total} listings`);

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
  });

  test(`explorer (${language}): Back returns to the same rows at the same scroll position`, async (t) => {
    const { page } = await open(t, `${prefix}/explorer`, { key: keys.enterprise });
    await page.waitForSelector('.card');
    await page.getByRole('button', { name: texts.more }).click();
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
  });

  test(`reference (${language}): code samples fit their blocks and contain entered values, and an error marks its field`, async (t) => {
    const { page } = await open(t, `${prefix}/reference/search-listings`, { expected: /400/, key: keys.enterprise });
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
    const sendButton = await page.locator('.test-request button.main').boundingBox();
    t.true((sendButton?.y ?? 0) < DESKTOP.height, `Send begins at ${sendButton?.y}`);
    await page.locator('.test-request summary').click();
    await page.fill('#input-q', 'مسبح');
    const command = page.locator('.reference aside [data-language=sh] code');
    t.true((await command.innerText()).includes("--data-urlencode 'q=مسبح'"));
    // The samples of the clients follow the form too.
    for (const [client, part] of [
      ['ts', "q: 'مسبح'"],
      ['python', 'q="مسبح"'],
    ] as const) {
      const text = await page.locator(`.reference aside [data-language=${client}] code`).first().textContent();
      t.true(text?.includes(part), text ?? '');
    }
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
  });
}
