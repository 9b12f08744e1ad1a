import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { flatMeters } from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { EXPLORER_TEXTS } from '#site/text/index.ts';
import { app, keys } from '#test/sample-app.ts';
import { api, findings, latinWords, NEXT_FRAME, open, PHONE, processorTime, test, until } from './tools.ts';

const RENTS = 'city=riyadh&listing_type=rent';

/** Whether the list and the map have loaded, and the map does not move. */
const LOADED = `document.querySelector('.map-box')?.ariaBusy !== 'true' && ['.count', '.map-note'].every((each) => /[^…]$/.test(document.querySelector(each)?.textContent ?? ''))`;
/** Number of listings on the map: one for each pin, and the count of each circle. */
const DRAWN = `[...document.querySelectorAll('.map-pin, .map-cluster')].reduce((sum, each) => sum + (each.matches('.map-pin') ? 1 : Number(each.firstChild.textContent.replaceAll(',', ''))), 0)`;

/** Number of listings that match but are not on the map, according to its note. */
const OTHERS = `Number(/([\\d,]+) (?:is|are)/.exec(document.querySelector('.map-note').textContent)?.[1].replaceAll(',', '') ?? 0)`;

/** Opens the explorer with a key. */
const explore = (t: ExecutionContext, query: string, options: Parameters<typeof open>[2] = {}) =>
  open(t, `/explorer?${query}`, { key: keys.enterprise, ...options });

const countOf = async (query: string): Promise<number> => (await api(`/v1/listings/count?${query}`)).data.total;

const paramsOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

const hasNote = (text: string): string => `document.querySelector('.map-note').textContent.startsWith('${text}')`;

/** Checks that the list is the first page of a search. */
async function shows(t: ExecutionContext, page: Page, query: string, prefix = ''): Promise<void> {
  const { data } = await api(`/v1/listings?${query}&limit=20`);
  const hrefs = (data as { id: number }[]).map(({ id }) => `${prefix}/listings/${id}`);
  await page.waitForSelector(`.cards li:first-child .card[href="${hrefs[0]}"]`);
  t.deepEqual(
    await page.locator('.card').evaluateAll((cards) => cards.map((card) => card.getAttribute('href'))),
    hrefs,
  );
}

test('explorer: without a key, all filters apply, rejected values are marked, and no request needs a key', async (t) => {
  const texts = EXPLORER_TEXTS.ar;
  const { page } = await open(t, '/ar/explorer?city=jeddah&price_min=90000&price_max=50000', {
    key: '',
    expected: /400/,
  });
  const called: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v1/')) called.push(request.url());
  });
  await page.locator('#filter-price_min[aria-invalid=true]').waitFor();
  t.notRegex(await page.locator('.results [role=alert]').innerText(), /GET \/|must be|parameter/);
  t.deepEqual(await findings(page, 'explorer'), []);
  await page.fill('#filter-price_max', 'cheap');
  await page.keyboard.press('Tab');
  await page.locator('#filter-price_max-fault').waitFor();
  t.is(paramsOf(page).get('price_max'), '50000');
  await page.fill('#filter-price_max', '');
  await page.keyboard.press('Tab');
  await shows(t, page, 'city=jeddah&listing_type=rent&price_min=90000', '/ar');
  t.is(await page.locator('[aria-invalid], .fault, [role=alert]').count(), 0);

  await page.selectOption('#filter-listing_type', 'sale');
  const sales = 'city=jeddah&listing_type=sale&price_min=90000';
  await shows(t, page, sales, '/ar');
  const total = (await countOf(sales)).toLocaleString('en');
  await until(page, `document.querySelector('#filter-listing_type [value=sale]').textContent.endsWith('(${total})')`);
  await page.locator('.tabs button', { hasText: texts.view_prices }).click();
  await page.getByText(texts.view_needs_key.replace('{plan}', 'Starter')).waitFor();
  t.is(await page.locator('.card').count(), 0);
  t.deepEqual(called, []);
  // The field for the key is reached by Tab.
  t.is(await page.locator('details[tabindex="-1"]').count(), 0);
  await page.fill('.key input', keys.enterprise);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.chart .bar');
  t.is(await page.inputValue('#filter-price_min'), '90000');
});

test('explorer: a keyboard search shows the API result, Back restores filters, and the median action uses under 100 ms of CPU', async (t) => {
  const { page, context } = await open(t, '/explorer');
  await page.waitForSelector('.card');
  await page.waitForSelector('.map-label, .map-cluster');
  // A field for each filter of the OpenAPI document.
  const { body } = await app.request('/v1/openapi.json');
  const parameters = body.paths['/listings'].get.parameters as { name: string }[];
  const paging = ['limit', 'cursor', 'sort', 'fields', 'max_units', 'dry_run'];
  const onMap = ['bbox', 'near', 'near_any', 'radius_m', 'polygon'];
  // The buttons for numbers set them.
  const ofButtons = ['beds_min', 'beds_max', 'bathrooms_min', 'bathrooms_max'];
  const others = [...paging, ...onMap, ...ofButtons];
  t.is(
    await page.locator('.filters .field, .filters .choice').count(),
    parameters.filter(({ name }) => !others.includes(name)).length,
  );

  // By keyboard: to the minimum price, a value, and on to the next field.
  await page.locator('#filter-price_min').focus();
  await page.keyboard.type('50000');
  await page.keyboard.press('Tab');
  await page.waitForURL(/price_min=50000/);
  t.is(await page.evaluate('document.activeElement.id'), 'filter-price_max');
  await page.selectOption('#filter-listing_type', 'sale');
  await page.waitForURL(/listing_type=sale/);
  await shows(t, page, 'city=riyadh&listing_type=sale&price_min=50000');
  t.true((await page.locator('.request .note').innerText()).endsWith('2 units'));
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
    t.log(`${name}: ${Math.round(work.at(-1) ?? 0)} ms of work`);
  }
  t.true((work.toSorted((x, y) => x - y)[work.length >> 1] as number) < 100, work.join());
});

test('explorer: the count next to a filter value equals the number of listings with that value', async (t) => {
  const filters = `${RENTS}&price_min=30000&amenities=parking`;
  const { page } = await explore(t, filters);
  const beds = page.getByRole('group', { name: 'Bedrooms', exact: true }).locator('button:not(.or-more)');
  await beds.locator('small').first().waitFor();
  const shown = async () => Object.fromEntries((await beds.allInnerTexts()).map((text) => text.split(/\s+/)));
  const before = await shown();
  for (const number of ['1', '3', '6']) t.is(before[number], String(await countOf(`${filters}&beds=${number}`)));

  // The counts of a filter ignore its own values. Each search is one request.
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/explorer/api/listings/facets')) requests++;
  });
  await beds.nth(2).click();
  await page.waitForURL(/beds=3/);
  await beds.nth(3).click();
  await page.waitForURL(/beds=3,4/);
  const total = await countOf(`${filters}&beds=3,4`);
  await until(page, `document.querySelector('.count').textContent === '${total} listings match'`);
  t.deepEqual(await shown(), before);
  t.is(requests, 2);

  // The price slider and the price fields update each other.
  const [low, high] = [page.locator('.slider input').first(), page.locator('.slider input').last()];
  await low.press('ArrowUp');
  await page.waitForURL((url) => url.searchParams.get('price_min') !== '30000');
  t.is(paramsOf(page).get('price_min'), await page.inputValue('#filter-price_min'));
  await high.press('ArrowDown');
  await page.waitForURL(/price_max=\d+/);
  await page.fill('#filter-price_max', '');
  await page.keyboard.press('Tab');
  await page.waitForURL((url) => !url.searchParams.has('price_max'));
  t.is(await high.getAttribute('max'), await high.inputValue());
});

test('explorer: at 1,440 pixels, filters and order are one row, and what it opens is over the results', async (t) => {
  const { page } = await open(t, `/explorer?${RENTS}&beds=3`, { viewport: { width: 1440, height: 900 } });
  await page.waitForSelector('.card');
  const controls = ['#filter-city', '#filter-listing_type', '#filter-price_min', '.filters > .sort select'];
  const boxes = await Promise.all(controls.map((each) => page.locator(each).boundingBox()));
  const bottoms = boxes.map((box) => (box ? box.y + box.height : 0));
  t.true(Math.max(...bottoms) - Math.min(...bottoms) < 8 && Math.max(...bottoms) < 300, bottoms.join());
  await page.locator('.more > details > summary').click();
  const last = await page.locator('.groups .group').last().boundingBox();
  t.true(last !== null && last.x >= 0 && last.x + last.width <= 1440);
  t.deepEqual(await findings(page, 'explorer'), []);
});

test('explorer: a suggestion for the current text is chosen by keyboard, and keeps other filters', async (t) => {
  const { page } = await explore(t, 'city=jeddah&listing_type=rent&price_min=1000');
  await page.waitForSelector('.card');
  const box = page.getByRole('combobox', { name: 'Search by place or sentence' });
  const option = page.locator('.search-box [role=option]');
  // Suggestions for an earlier text are not shown.
  const held = Promise.withResolvers<void>();
  await page.route('**/explorer/api/suggest?q=jed', async (route) => {
    await held.promise;
    await route.continue();
  });
  const earlier = page.waitForRequest('**/explorer/api/suggest?q=jed');
  const late = page.waitForResponse('**/explorer/api/suggest?q=jed');
  await box.fill('jed');
  await earlier;
  await box.fill('yasm');
  await option.first().waitFor();
  held.resolve();
  await late;

  // Places of the chosen city are first. Places without listings are not suggested.
  type Suggested = { id: number; city: string; name_en: string; listing_count: number };
  const { data } = await api('/v1/suggest?q=yasm');
  const places = (data as Suggested[]).filter(({ listing_count }) => listing_count > 0);
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
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/neighborhood_id=/);
  const { city, neighborhood_id, price_min } = Object.fromEntries(paramsOf(page));
  t.deepEqual([city, neighborhood_id, price_min], [first?.city, String(first?.id), '1000']);
  t.is(await page.inputValue('[role=combobox]'), '');
});

test('explorer: a sentence sets filters and marks its unrecognized words', async (t) => {
  const sentence = 'شقة ثلاث غرف في الياسمين أقل من تسعين ألف بإطلالة بحرية';
  const { page } = await open(t, '/ar/explorer?city=jeddah&listing_type=rent&max_age=9', { key: keys.enterprise });
  await page.waitForSelector('.card');
  await page.fill('[role=combobox]', sentence);
  await page.keyboard.press('Enter');
  await page.waitForURL(/sentence=/);
  const { filters, alternatives } = (await api(`/v1/listings/parse?q=${encodeURIComponent(sentence)}`)).data;
  t.true(Object.keys(filters).length >= 5);
  // The sentence replaces the earlier filters. Without an offer, it keeps the previous one.
  const expected = { listing_type: 'rent', ...filters };
  t.deepEqual(Object.fromEntries(paramsOf(page)), { ...expected, sentence });
  // A link opens the same view.
  await page.reload();
  await page.waitForSelector('.chips li');
  t.is(await page.locator('.chips li').count(), Object.keys(expected).length);
  t.true((await page.locator('.not-understood mark').allInnerTexts()).join(' ').includes('بحرية'));
  t.deepEqual(await findings(page, 'explorer'), []);
  await page.getByRole('button', { name: 'إزالة: غرف النوم' }).click();
  await page.waitForURL((url) => !url.searchParams.has('beds'));
  await page.getByRole('button', { name: 'البحث عن هذه' }).click();
  await page.waitForURL(/[?&]q=/);
  t.is(await page.locator('.alternatives button').count(), alternatives.length);
  await page.locator('.alternatives button').first().click();
  await page.waitForURL((url) => url.searchParams.get('neighborhood_id') === String(alternatives[0].neighborhood_id));
});

test('explorer: failed requests are retried by a button or after the Retry-After delay', async (t) => {
  const { page } = await open(t, '/guides', { key: '', expected: /Failed to load|ERR_|429|503/ });
  const alerts = page.getByRole('alert');
  await page.route('**/explorer/api/**', (route) => route.abort());
  await page.goto(new URL(`/explorer?${RENTS}`, app.url).href);
  await alerts.first().waitFor();
  t.is(await alerts.count(), 1);
  for (const [field, text] of [
    ['#filter-listing_type', 'For rent'],
    ['.results .sort select', 'Newest'],
    ['#filter-city', 'Riyadh'],
  ] as const)
    t.is(await page.locator(`${field} option:checked`).innerText(), text);
  t.is(await page.locator('.map-note').innerText(), EXPLORER_TEXTS.en.map_waits);
  await page.unroute('**/explorer/api/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.waitForSelector('.card');
  await page.waitForSelector('.map-cluster, .map-pin');
  t.is(await page.locator('#filter-city option:checked').innerText(), 'Riyadh');

  const held = Promise.withResolvers<void>();
  let requests = 0;
  await page.route('**/explorer/api/listings?city=jeddah*', async (route) => {
    const number = ++requests;
    if (number === 1) await held.promise;
    if (number !== 2) return route.continue();
    const error = { type: 'rate_limit', code: 'rate_limited', message: 'Over the limit.', param: null };
    return route.fulfill({ status: 429, headers: { 'Retry-After': '3' }, json: { error } });
  });
  await page.selectOption('#filter-city', 'jeddah');
  await page.waitForSelector('.bones span');
  t.is(await page.locator('.card').count(), 0);
  // Responses that arrive do not replace the text that a visitor is typing.
  await page.fill('#filter-price_max', '3m');
  held.resolve();
  await page.waitForSelector('.card');
  await until(page, LOADED);
  t.is(await page.inputValue('#filter-price_max'), '3m');
  await page.keyboard.press('Tab');
  await page.waitForURL(/price_max=3000000/);
  await alerts.getByRole('timer').waitFor();
  await page.waitForSelector('.card');
  t.is(await alerts.count(), 0);
});

test('explorer: the map shows the filtered listings that have a location, and Enter on a circle zooms in', async (t) => {
  const filters = `${RENTS}&price_min=20000&beds=2,3&amenities_exclude=pool&quality_exclude=shared_photos`;
  const { page } = await explore(t, `${filters}&sort=price_asc`);
  await page.waitForSelector('.map-cluster, .map-pin');
  const total = await countOf(filters);
  t.is(await page.locator('.count').innerText(), `${total.toLocaleString('en')} listings match`);
  // The map counts the rest of the listings that match.
  await until(page, `${DRAWN} + ${OTHERS} === ${total}`);
  // The whole country, with one circle for the city. Listings without a location are not on the map.
  for (let left = 6; left > 0; left--) await page.click('.maplibregl-ctrl-zoom-out');
  await until(page, LOADED);
  await until(page, `document.querySelectorAll('.map-cluster').length === 1`);
  const placed = await countOf(`${filters}&bbox=34,16,56,33`);
  t.true(placed > 0 && placed < total);
  await until(page, hasNote(`${placed} listings on the map`));
  const city = page.locator('.map-cluster');
  t.regex((await city.getAttribute('title')) ?? '', new RegExp(`^${placed} listings, median SAR [\\d,]+$`));
  await city.focus();
  await page.keyboard.press('Enter');
  await until(page, LOADED);
  await until(page, `${DRAWN} === ${placed}`);
  // A search without results has an empty map.
  await page.fill('#filter-price_min', '99999999');
  await page.locator('#filter-price_min').blur();
  await until(page, hasNote('0 listings'));
  t.is(await page.locator('.map-cluster, .map-pin, .card').count(), 0);
});

test('explorer: Enter on a pin opens its card, and Escape returns the focus to the pin', async (t) => {
  // The map shows the home that is the farthest from others, which is a pin.
  const { data } = await api(`/v1/listings?${RENTS}&beds=6&limit=100`);
  const places = (data as { location: { lat: number | null; lng: number | null } }[]).flatMap(
    ({ location: { lat, lng } }) => (lat === null || lng === null ? [] : [{ lat, lng }]),
  );
  const gapOf = (place: LatLng): number =>
    Math.min(...places.filter((other) => other !== place).map((other) => flatMeters(place, other)));
  const [alone = t.fail()] = places.toSorted((a, b) => gapOf(b) - gapOf(a));
  const { page } = await explore(t, `${RENTS}&beds=6&map=${alone.lat},${alone.lng},14`);
  await page.waitForSelector('.map-pin');
  await until(page, LOADED);
  const pin = page.locator('.map-pin').first();
  const id = (await pin.getAttribute('data-id')) ?? t.fail();
  const card = page.locator('.map-card a.card');
  await pin.focus();
  await page.keyboard.press('Enter');
  await card.waitFor();
  t.is(await card.getAttribute('href'), `/listings/${id}`);
  t.is(paramsOf(page).get('selected'), id);
  t.deepEqual(await findings(page, 'explorer'), []);
  await page.keyboard.press('Escape');
  t.is(await card.count(), 0);
  t.is(await page.evaluate('document.activeElement.dataset.id'), id);
  t.false(paramsOf(page).has('selected'));
  // A link opens the same card.
  await pin.click();
  await card.waitFor();
  await page.reload();
  await card.waitFor();
  // From the list.
  const row = page.locator('.cards li', { has: page.locator('.locate') }).last();
  await row.locator('.locate').click();
  await page.waitForSelector(`.map-card a.card[href="${await row.locator('a').getAttribute('href')}"]`);
});

test('explorer: the list follows the map while the option is on, and Back restores the list', async (t) => {
  const { page } = await explore(t, 'city=jeddah&listing_type=rent');
  await until(page, LOADED);
  // Movements that the page makes do not change the address.
  await page.setViewportSize({ width: 1240, height: 700 });
  await until(page, LOADED);
  await page.selectOption('#filter-city', 'riyadh');
  await page.waitForURL(/city=riyadh/);
  await until(page, LOADED);
  t.false(paramsOf(page).has('map'));
  const count = page.locator('.count');
  const all = await count.innerText();
  const inArea = `document.querySelector('.count')?.textContent.endsWith('in this area') && ${LOADED}`;
  for (const _ of [1, 2]) {
    await page.click('.maplibregl-ctrl-zoom-in');
    await page.waitForURL(/map=/);
    await until(page, inArea);
  }
  const numberOf = (text: string): number => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''));
  const shown = await count.innerText();
  const command = await page.locator('.request code').innerText();
  const bbox = new URL(/'(http[^']+)'/.exec(command)?.[1] ?? '').searchParams.get('bbox') ?? '';
  t.is(numberOf(shown), await countOf(`${RENTS}&bbox=${bbox}`));
  t.true(numberOf(shown) < numberOf(all));
  t.is(numberOf(await page.locator('.map-note').innerText()), numberOf(shown));

  // A link requests the same listings, before the map is loaded.
  const requested: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/explorer/api/listings') requested.push(url.searchParams.get('bbox') ?? '');
  });
  await page.reload();
  await until(page, inArea);
  t.is(await count.innerText(), shown);
  t.deepEqual(requested, [bbox]);
  await page.goBack();
  await until(page, `document.querySelector('.count')?.textContent === '${all}'`);
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
});

test('explorer: a search in all cities shows the whole country on the map and lists the cities', async (t) => {
  const { page } = await explore(t, 'city=all&listing_type=rent');
  await page.waitForSelector('.cities li');
  const { total } = (await api('/v1/listings/map?listing_type=rent&bbox=34.4,16,56,32.5&zoom=5')).data;
  await until(page, `${DRAWN} === ${total}`);
  t.deepEqual(await findings(page, 'explorer'), []);
  await page.locator('.cities button', { hasText: 'Riyadh' }).click();
  await page.waitForURL(/city=riyadh/);
  await page.waitForSelector('.card');
  await page.selectOption('#filter-city', { label: 'All of Saudi Arabia' });
  await page.waitForSelector('.cities li');
  // Views of one city need a city.
  await page.getByRole('button', { name: 'Registered deals', exact: true }).click();
  await page.getByText('Choose a city for this view.').waitFor();
});

test('explorer: projects and registered deals on the map match the filters that apply to them', async (t) => {
  const query = 'city=riyadh&price_min=1500000';
  const { page } = await explore(t, `${query}&listing_type=sale&view=projects`);
  const { data } = await api(`/v1/projects?${query}&limit=20`);
  const placed = (data as { location: LatLng }[]).filter(({ location }) => location.lat !== null).length;
  t.true(placed > 0);
  await until(page, `${DRAWN} === ${placed}`);
  t.is(await page.locator('.cards .project').count(), data.length);
  await page.locator('.locate').first().click();
  await page.waitForSelector('.map-card .project');

  await page.getByRole('button', { name: 'Registered deals', exact: true }).click();
  await page.waitForSelector('.map-cluster .place');
  const market = `/v1/market/transactions?city=riyadh&land_use_class=residential`;
  const quarter = (await api(market)).data.cells.at(-1).quarter;
  const grouped = `${market}&group_by=neighborhood&quarter_from=${quarter}&quarter_to=${quarter}`;
  const { cells } = (await api(grouped)).data;
  const listed = (await api('/v1/cities/riyadh/neighborhoods')).data as { id: number; center: object | null }[];
  const centers = new Map(listed.map(({ id, center }) => [id, center]));
  const deals = (cells as { neighborhood_id: number; deal_count: number }[])
    .filter(({ neighborhood_id }) => centers.get(neighborhood_id))
    .reduce((sum, { deal_count }) => sum + deal_count, 0);
  await until(page, hasNote(`${deals} deals on the map`));
  t.true(await page.getByText('Not applied here: Price from (SAR)', { exact: true }).isVisible());
  t.deepEqual(await findings(page, 'explorer'), []);
});

test('explorer: a drawn polygon filters list and map, and a reload keeps the polygon', async (t) => {
  const { page } = await explore(t, RENTS);
  await page.waitForSelector('.map-cluster');
  const draw = page.getByRole('button', { name: 'Draw an area' });
  const { x, y, width, height } = (await page.locator('.map-box').boundingBox()) ?? t.fail();
  const click = (right: number, down: number) => page.mouse.click(x + width * right, y + height * down);
  await draw.click();
  await click(0.2, 0.3);
  await page.keyboard.press('Escape');
  await draw.waitFor();
  t.false(paramsOf(page).has('polygon'));
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
  for (const _ of [1, 2, 3]) await page.keyboard.press('Backspace');
  await click(0.7, 0.35);
  await click(0.7, 0.6);
  await page.mouse.dblclick(x + width * 0.05, y + height * 0.6);
  await page.waitForURL(/polygon=/);
  const searchParams = paramsOf(page);
  t.is(searchParams.get('polygon')?.split(';').length, 4);
  searchParams.delete('map');
  const total = await countOf(String(searchParams));
  t.true(total > 0);
  const shown = `document.querySelector('.map-note') && ${hasNote(`${total} listings on`)} && document.querySelector('.count').textContent === '${total} listings match'`;
  await until(page, shown);
  await page.reload();
  await until(page, shown);
  await page.getByRole('button', { name: 'Search everywhere' }).click();
  await page.waitForURL((url) => !url.searchParams.has('polygon'));

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
  await page.waitForURL((url) => url.searchParams.get('polygon')?.split(';').length === 3);
});

test('explorer: a visitor without a key chooses a point, describes the home and sees its estimate', async (t) => {
  const { page } = await explore(t, `${RENTS}&view=estimate&map=24.81,46.65,12`, { key: '' });
  await page.waitForSelector('.map-pin, .map-cluster');
  await page.locator('.map-box canvas').focus();
  await page.keyboard.press('Space');
  await page.waitForURL((url) => url.searchParams.get('near') === '24.81000,46.65000');
  await page.getByLabel('Area (m²)').fill('120');
  await page.getByRole('button', { name: 'Estimate', exact: true }).click();
  await page.locator('.estimate tbody a').first().waitFor();
  t.true((await page.locator('.chips').textContent())?.includes('Area (m²): 120'));
  t.deepEqual(await findings(page, 'explorer'), []);
  // A link shows the same to everyone.
  const shown = await page.locator('.estimate').innerText();
  await page.reload();
  await page.locator('.estimate').waitFor();
  t.is(await page.locator('.estimate').innerText(), shown);
});

test('explorer: a search near a place is limited to a radius, which the visitor can change', async (t) => {
  const { page } = await explore(t, '');
  await page.waitForSelector('.card');
  await page.fill('[role=combobox]', 'apartment for rent near al malqa riyadh');
  await page.keyboard.press('Enter');
  await page.waitForURL(/near=/);
  await until(page, LOADED);
  const radius = page.getByLabel('Within');
  t.is(await radius.inputValue(), '2000');
  await page.locator('.chips li', { hasText: 'Within 2 km of Al Malqa' }).waitFor();
  await radius.selectOption('5000');
  await page.waitForURL(/radius_m=5000/);
  const query = paramsOf(page);
  for (const name of ['map', 'sentence', 'view']) query.delete(name);
  const total = await countOf(String(query));
  await until(page, hasNote(`${total} listing`));
  await until(page, `document.querySelector('.count').textContent.startsWith('${total} listing')`);
});

test('explorer: on a phone, the handle opens the list over the map, and tables do not widen the page', async (t) => {
  const { page } = await open(t, `/ar/explorer?${RENTS}`, {
    key: keys.enterprise,
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
  });
  await page.waitForSelector('.card');
  await page.waitForSelector('.map-cluster');
  const handle = page.locator('.handle');
  t.is(await handle.getAttribute('aria-expanded'), 'false');
  await handle.click();
  await until(page, `document.querySelector('.handle').getAttribute('aria-expanded') === 'true'`);
  t.is(await handle.innerText(), EXPLORER_TEXTS.ar.show_map);
  // `click` would first scroll the sticky handle to the middle, which lowers the list.
  await handle.dispatchEvent('click');
  await until(page, 'scrollY === 0');
  t.false(await page.locator('#filter-city').isVisible());
  await page.getByRole('button', { name: EXPLORER_TEXTS.ar.filters_and_key }).click();
  t.true(await page.locator('#filter-city').isVisible());
  await page.locator('.close-filters', { hasText: /\d/ }).click();
  t.false(await page.locator('#filter-city').isVisible());
  for (const [view, heading] of [
    ['الأحياء', 'الحي'],
    ['الصفقات المسجَّلة', 'الربع'],
  ] as const) {
    await page.getByRole('button', { name: view, exact: true }).click();
    await page.locator('.results th', { hasText: heading }).first().waitFor();
    t.true((await page.evaluate<number>('document.documentElement.scrollWidth')) <= PHONE.width, view);
  }
  // Registered deals are sales, whatever the offer of the search.
  t.true(await page.locator('#filter-listing_type').isDisabled());
  t.is(await page.inputValue('#filter-listing_type'), 'sale');
  t.false((await page.locator('.results').innerText()).includes(EXPLORER_TEXTS.ar.ignored));
  t.deepEqual(await findings(page, 'explorer'), []);
});

test('explorer: on a phone of 390 pixels, every action of drawing is visible, and estimated borders are named', async (t) => {
  const viewport = { width: 390, height: 844 };
  for (const language of ['en', 'ar'] as const) {
    const texts = EXPLORER_TEXTS[language];
    const { page } = await open(t, `${language === 'ar' ? '/ar' : ''}/explorer?${RENTS}`, {
      viewport,
      hasTouch: true,
      isMobile: true,
    });
    await page.waitForSelector('.map-cluster');
    t.is(await page.locator('.borders-note').innerText(), texts.borders_approximate);
    await page.getByRole('button', { name: texts.draw, exact: true }).click();
    for (const name of [texts.draw_finish, texts.draw_undo, texts.draw_cancel]) {
      const button = page.getByRole('button', { name, exact: true });
      const { x, width } = (await button.boundingBox()) ?? t.fail();
      t.true(x >= 0 && x + width <= viewport.width, name);
    }
    await page.getByRole('button', { name: texts.draw_cancel, exact: true }).click();
    await page.getByRole('button', { name: texts.draw, exact: true }).waitFor();
  }
});

test('explorer: every view and the error message are in Arabic, and the other language shows the same search', async (t) => {
  const { page } = await open(t, '/ar/explorer?city=riyadh&listing_type=sale&view=neighborhoods', {
    expected: /401/,
    key: keys.enterprise,
  });
  await page.waitForSelector('.ranking');
  for (const [view, complete] of [
    ['الأسعار', '.chart .bar'],
    ['مشاريع على الخارطة', '.card'],
    ['الصفقات المسجَّلة', '.chart .bar'],
  ] as const) {
    await page.getByRole('button', { name: view, exact: true }).click();
    await page.waitForSelector(complete);
  }
  await page.getByRole('button', { name: 'الاتجاه', exact: true }).click();
  await page.locator('.results button.main').click();
  // A line of equal medians has no height, so that Playwright takes it for hidden.
  await page.waitForSelector('.chart .line', { state: 'attached' });
  t.deepEqual(await latinWords(page), []);
  await page.locator('.key summary').click();
  await page.fill('.key input', 'nonsense');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'الأسعار', exact: true }).click();
  await page.getByRole('alert').first().waitFor();
  // Results of the previous key are not shown.
  await page.waitForSelector('.key details[open]');
  t.is(await page.locator('.chart').count(), 0);
  t.deepEqual(await latinWords(page), []);
  const query = String(paramsOf(page));
  await page.locator('a.language').click();
  await page.waitForURL(/\/\/[^/]+\/explorer/);
  t.is(String(paramsOf(page)), query);
});

test('explorer: Back and the link on a listing page return to the same results at the same scroll position', async (t) => {
  const { page } = await explore(t, '');
  await page.waitForSelector('.card');
  await page.getByRole('button', { name: EXPLORER_TEXTS.en.more }).click();
  const card = page.locator('.card').nth(30);
  await card.waitFor();
  await card.scrollIntoViewIfNeeded();
  const before = await page.evaluate<number>('scrollY');
  t.true(before > 1_000, String(before));
  await card.click();
  await page.waitForURL(/\/listings\/\d+$/);
  await page.goBack();
  await card.waitFor();
  await until(page, `Math.abs(scrollY - ${before}) < 2`);
  const address = page.url();
  await card.click();
  await page.getByRole('link', { name: 'Back to results' }).click();
  await page.waitForSelector('.card');
  t.is(page.url(), address);
});
