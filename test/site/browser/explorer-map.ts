import { flatMeters } from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { keys } from '#test/sample-app.ts';
import { api, DRAWN, findings, LOADED, open, PHONE, test, until } from './tools.ts';

test('explorer: the map shows the filtered listings that have a location, and Enter on a circle zooms in', async (t) => {
  const filters =
    'city=riyadh&listing_type=rent&price_min=20000&beds=2,3&amenities_exclude=pool&quality_exclude=shared_photos';
  const { page } = await open(t, `/explorer?${filters}&sort=price_asc`, { key: keys.enterprise });
  await page.waitForSelector('.map-cluster, .map-pin');
  const countOf = async (query: string): Promise<number> => (await api(`/v1/listings/count?${query}`)).data.total;
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
  await city.focus();
  await page.keyboard.press('Enter');
  await until(page, LOADED);
  await until(page, `${DRAWN} === ${placed}`);
  t.is(await page.evaluate('document.activeElement.className.includes("canvas")'), true);

  // A search without results has an empty map.
  await page.fill('#filter-price_min', '99999999');
  await page.locator('#filter-price_min').blur();
  await until(page, `document.querySelector('.map-note').textContent.startsWith('0 listings')`);
  t.is(await page.locator('.map-cluster, .map-pin, .card').count(), 0);
});

test('explorer: focus on a card or pin highlights its counterpart, and a button skips the map', async (t) => {
  const { page } = await open(t, '/explorer?city=riyadh&listing_type=rent&beds=6&sort=price_drop', {
    key: keys.enterprise,
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
});

test('explorer: Enter on a pin opens its card, and Escape returns the focus to the pin', async (t) => {
  const filters = 'city=riyadh&listing_type=rent&beds=6';
  // The map shows the home that is the farthest from others, which is a pin.
  const { data } = await api(`/v1/listings?${filters}&limit=100`);
  const places = (data as { location: { lat: number | null; lng: number | null } }[]).flatMap(
    ({ location: { lat, lng } }) => (lat === null || lng === null ? [] : [{ lat, lng }]),
  );
  const gapOf = (place: LatLng): number =>
    Math.min(...places.filter((other) => other !== place).map((other) => flatMeters(place, other)));
  const [alone = t.fail()] = places.toSorted((a, b) => gapOf(b) - gapOf(a));
  const query = `/explorer?${filters}&map=${alone.lat},${alone.lng},14`;
  const { page } = await open(t, query, { key: keys.enterprise });
  await page.waitForSelector('.map-pin');
  await until(page, LOADED);
  const small = await page
    .locator('.map-pin, .map-cluster, .map-label')
    .evaluateAll((all) => all.filter((each) => each.clientWidth < 24 || each.clientHeight < 24).length);
  t.is(small, 0);
  const pin = page.locator('.map-pin').first();
  const id = (await pin.getAttribute('data-id')) ?? t.fail();
  const card = page.locator('.map-card a.card');
  const focused = () => page.evaluate<string>('document.activeElement.dataset.id ?? document.activeElement.className');

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

  // The arrow keys move the map, which draws the pins again. The pin can be in a circle now, or out of view.
  const before = page.url();
  await page.keyboard.press('ArrowUp');
  await page.waitForURL((url) => url.href !== before);
  await until(page, LOADED);
  t.true(await page.evaluate(`document.querySelector('.map-box').contains(document.activeElement)`));

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

  const phone = await open(t, `/ar${query}`, { key: keys.enterprise, viewport: PHONE, hasTouch: true });
  await phone.page.waitForSelector('.map-pin');
  // The sheet covers pins at the bottom of the map.
  const tapped = await phone.page
    .locator('.map-pin')
    .evaluateAll((all) => all.findIndex((each) => each.getBoundingClientRect().top < 350));
  if (tapped >= 0) {
    await phone.page.locator('.map-pin').nth(tapped).tap();
    await phone.page.waitForSelector('.map-card a.card[href^="/ar/listings/"]');
  }
});

test('explorer: the list follows the map while the option is on, and Back restores the list', async (t) => {
  const { page } = await open(t, '/explorer?city=riyadh&listing_type=rent', { key: keys.enterprise });
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
  const body = await api(`/v1/listings/count?${query}`);
  t.is(numberOf(shown), body.data.total);
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
});

test('explorer: a message advises to move the map if the visible area has no listings', async (t) => {
  const { page } = await open(t, '/explorer?city=riyadh&listing_type=rent&map=20,52,11', {
    key: keys.enterprise,
  });
  await page.getByText('No results in this area. Zoom out or move the map.').waitFor();
  await until(page, `document.querySelectorAll('.bars span').length === 0`);
  t.is(await page.locator('.bars span').count(), 0);
});

test('explorer: a search in all cities shows the whole country on the map and lists the cities', async (t) => {
  const { page } = await open(t, '/explorer?city=all&listing_type=rent', { key: keys.enterprise });
  await page.waitForSelector('.cities li');
  const query = 'listing_type=rent&bbox=34.4,16,56,32.5&zoom=5';
  const { total } = (await api(`/v1/listings/map?${query}`)).data;
  await until(page, `${DRAWN} === ${total}`);
  const counts = await page.locator('.cities li > :last-child').allInnerTexts();
  t.is(
    counts.reduce((sum, text) => sum + Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', '')), 0),
    total,
  );
  t.true((await page.locator('.map-cluster .place').allInnerTexts()).includes('Riyadh'));
  const overlaps = await page.locator('.map-cluster, .maplibregl-ctrl-group').evaluateAll((all) => {
    const boxes = all.map((each) => each.getBoundingClientRect());
    return boxes.flatMap((a, at) =>
      boxes.slice(at + 1).filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
    ).length;
  });
  t.is(overlaps, 0);
  t.regex(await page.title(), /^All of Saudi Arabia, For rent · Explorer/);
  const cities = await page.locator('.cities button').allInnerTexts();
  for (const city of ['Riyadh', 'Jeddah', 'Dammam']) t.true(cities.includes(city), cities.join());
  t.deepEqual(await findings(page, 'explorer'), []);

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
});

test('explorer: projects and registered deals on the map match the filters that apply to them', async (t) => {
  const query = 'city=riyadh&price_min=1500000';
  const { page } = await open(t, `/explorer?${query}&listing_type=sale&view=projects`, {
    key: keys.enterprise,
  });
  const { data } = await api(`/v1/projects?${query}&limit=20`);
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

  await page.getByRole('button', { name: 'Registered deals', exact: true }).click();
  await page.waitForSelector('.map-cluster .place');
  t.is(await page.locator('.map-card, .map-pin').count(), 0);
  const market = `/v1/market/transactions?city=riyadh&land_use_class=residential`;
  const quarters = (await api(market)).data.cells as { quarter: string }[];
  const quarter = quarters.at(-1)?.quarter;
  const grouped = `${market}&group_by=neighborhood&quarter_from=${quarter}&quarter_to=${quarter}`;
  const { cells } = (await api(grouped)).data;
  const listed = (await api('/v1/cities/riyadh/neighborhoods')).data;
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
  // Joined circles of several neighborhoods zoom in.
  const circle = page.locator('.map-cluster', { hasNotText: '…' }).first();
  const name = await circle.locator('.place').innerText();
  await circle.dispatchEvent('click');
  await page.waitForURL(/neighborhood_id=\d+/);
  const id = new URL(page.url()).searchParams.get('neighborhood_id');
  t.is(neighborhoods.get(Number(id))?.name_en, name);
  t.true((await page.locator('.request code').innerText()).includes(`neighborhood_id=${id}`));
});

test('explorer: a click on a circle at the highest zoom lists the listings that overlap', async (t) => {
  const query = 'city=riyadh&listing_type=rent&property_type=apartment';
  const body = await api(`/v1/listings/map?${query}&bbox=46,24,47.5,25.5&zoom=10`);
  const pins = body.data.pins as { id: number; lat: number; lng: number }[];
  const isClose = (a: number, b: number): boolean => Math.abs(a - b) < 1e-4;
  const [first, second] = pins
    .flatMap((a, at) => pins.slice(at + 1).map((b) => [a, b] as const))
    .find(([a, b]) => isClose(a.lat, b.lat) && isClose(a.lng, b.lng)) ?? [t.fail(), t.fail()];
  const { page } = await open(t, `/explorer?${query}&map=${first.lat},${first.lng},17`, {
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
});

test('explorer: a drawn polygon filters list and map, and a reload keeps the polygon', async (t) => {
  const { page } = await open(t, '/explorer?city=riyadh&listing_type=rent', { key: keys.enterprise });
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
  const { total } = (await api(`/v1/listings/count?${filters}`)).data;
  t.true(total > 0);
  const shown = `document.querySelector('.map-note').textContent.startsWith('${total} listings on') && document.querySelector('.count').textContent === '${total} listings match'`;
  await until(page, shown);
  t.true((await page.locator('.map-note').innerText()).endsWith('Listings without a location are not shown.'));
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
});

test('explorer: a visitor without a key chooses a point, describes the home and sees its estimate', async (t) => {
  const { page } = await open(t, '/explorer?city=riyadh&listing_type=rent&view=estimate&map=24.81,46.65,12', {
    key: '',
  });
  await page.waitForSelector('.map-pin, .map-cluster');
  await page.locator('.map-box canvas').focus();
  await page.keyboard.press('Space');
  await page.waitForURL((url) => url.searchParams.get('near') === '24.81000,46.65000');
  await page.locator('.map-box').click({ position: { x: 200, y: 200 } });
  await page.waitForURL((url) => !url.searchParams.get('near')?.startsWith('24.81000'));
  await page.getByText('Click elsewhere to change it.').waitFor();
  await page.getByLabel('Area (m²)').fill('120');
  await page.getByRole('button', { name: 'Estimate', exact: true }).click();
  await page.locator('.estimate tbody a').first().waitFor();
  t.regex(await page.locator('.estimate').innerText(), /In 8 of 10 such estimates/);
  t.deepEqual(await findings(page, 'explorer'), []);
  // A link shows the same to everyone.
  const shown = await page.locator('.estimate').innerText();
  await page.reload();
  await page.locator('.estimate').waitFor();
  t.is(await page.locator('.estimate').innerText(), shown);
});

test('explorer: a search near a place or a project is limited to a radius, which the visitor can change', async (t) => {
  const { page } = await open(t, '/explorer', { key: keys.enterprise });
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
    return (await api(`/v1/listings/count?${query}`)).data.total;
  };
  await until(page, `document.querySelector('.map-note').textContent.startsWith('${await countOf()} listing')`);
  await radius.selectOption('5000');
  await page.waitForURL(/radius_m=5000/);
  t.is(new URL(page.url()).searchParams.get('near'), near);
  const larger = await countOf();
  await until(page, `document.querySelector('.map-note').textContent.startsWith('${larger} listing')`);
  await until(page, `document.querySelector('.count').textContent.startsWith('${larger} listing')`);

  const body = await api('/v1/projects?city=riyadh&limit=20');
  const project = (body.data as { name_en: string; location: { lat: number | null; lng: number | null } }[]).find(
    ({ name_en, location }) => name_en && location.lat !== null,
  );
  await page.fill('[role=combobox]', project?.name_en ?? '');
  await page.locator('.search-box [role=option]', { hasText: 'Off-plan project' }).first().click();
  await page.waitForURL(/radius_m=1000/);
  t.is(await radius.inputValue(), '1000');
});
