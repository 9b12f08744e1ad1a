import { app } from '#test/sample-app.ts';
import { findings, LOADED, open, test, until } from './tools.ts';

const SEARCH = '/explorer?city=riyadh&listing_type=rent';

test('explorer: movements that the page makes do not change the address', async (t) => {
  const { page } = await open(t, SEARCH, { key: '' });
  await until(page, LOADED);
  await page.setViewportSize({ width: 1240, height: 700 });
  await until(page, LOADED);
  await page.selectOption('#filter-city', 'jeddah');
  await page.waitForURL(/city=jeddah/);
  await until(page, LOADED);
  t.false(new URL(page.url()).searchParams.has('map'));
});

test('explorer: the field for the key and the filters are reached by Tab', async (t) => {
  const { page } = await open(t, SEARCH, { key: '' });
  await until(page, LOADED);
  const reached: string[] = [];
  for (let tabs = 0; tabs < 30; tabs++) {
    await page.keyboard.press('Tab');
    reached.push(await page.evaluate<string>(`document.activeElement.ariaLabel ?? document.activeElement.id`));
  }
  t.true(reached.includes('API key'), reached.join());
  t.true(reached.includes('filter-city'), reached.join());
  t.is(await page.locator('details[tabindex="-1"]').count(), 0);
});

test('explorer: after a failed start, one retry repairs names, filters, list and map', async (t) => {
  const { page } = await open(t, '/guides', { key: '', expected: /Failed to load|ERR_|503/ });
  await page.route('**/explorer/api/**', (route) => route.abort());
  await page.goto(new URL(SEARCH, app.url).href);
  await page.getByRole('alert').first().waitFor();
  t.is(await page.getByRole('alert').count(), 1);
  t.is(await page.locator('.map-note').innerText(), 'The map has no results to show.');
  await page.unroute('**/explorer/api/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.waitForSelector('.card');
  await page.waitForSelector('.map-cluster, .map-pin');
  t.is(await page.locator('#filter-city option:checked').innerText(), 'Riyadh');
  t.is(await page.getByRole('alert').count(), 0);
});

for (const [width, height] of [
  [820, 1180],
  [1024, 768],
  [1440, 900],
] as const)
  test(`explorer: at ${width} px, results and map are on the first screen`, async (t) => {
    const { page } = await open(t, SEARCH, { key: '', viewport: { width, height } });
    await until(page, LOADED);
    const topOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? height;
    t.true((await topOf('.card')) < height / 2, 'list');
    t.true((await topOf('.map-box')) < height / 2, 'map');
    t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'));
    if (width > 1_120) return;
    await page.getByRole('button', { name: 'Filters and key' }).click();
    t.true(await page.locator('#filter-city').isVisible());
    t.true(await page.locator('.card').first().isVisible());
    t.deepEqual(await findings(page, 'filters'), []);
  });

test('explorer: a price that is not a number is refused at its field', async (t) => {
  const { page } = await open(t, SEARCH, { key: '' });
  await until(page, LOADED);
  await page.fill('#filter-price_max', 'cheap');
  await page.keyboard.press('Tab');
  await page.locator('.fault').waitFor();
  t.is(await page.locator('.fault').innerText(), 'Enter a number, for example 60,000 or 60k.');
  t.false(new URL(page.url()).searchParams.has('price_max'));
});

test('explorer: responses that arrive do not replace the text that a visitor is typing', async (t) => {
  const { page } = await open(t, SEARCH, { key: '' });
  await until(page, LOADED);
  const held = Promise.withResolvers<void>();
  await page.route(/\/explorer\/api\/listings\?/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.selectOption('#filter-listing_type', 'sale');
  await page.waitForURL(/listing_type=sale/);
  await page.fill('#filter-price_max', '3m');
  held.resolve();
  await page.waitForSelector('.card');
  await until(page, LOADED);
  t.is(await page.inputValue('#filter-price_max'), '3m');
  await page.keyboard.press('Tab');
  await page.waitForURL(/price_max=3000000/);
});
