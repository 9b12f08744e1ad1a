import { appendFileSync } from 'node:fs';
import type { TestFn } from 'ava';
import { type Browser, chromium } from 'playwright-core';
import type { SampleApp } from '#test/sample-app.ts';
import { explorerTests } from './browser/explorer.ts';
import { explorerLanguageTests } from './browser/explorer-languages.ts';
import { explorerMapTests } from './browser/explorer-map.ts';
import { pageTests } from './browser/pages.ts';
import { ARGS, type BrowserTools, CHROMIUM, DESKTOP, TIMEOUT_MS } from './browser/tools.ts';

/** Folder for screenshots and measurements, optional. */
const SCREENSHOTS = process.env.SCREENSHOTS;

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

  const open: BrowserTools['open'] = async (path, { key, ...options } = {}) => {
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
  };

  const note: BrowserTools['note'] = (t, figures) => {
    t.log(figures);
    if (SCREENSHOTS) appendFileSync(`${SCREENSHOTS}/figures.txt`, `${figures}\n`);
  };
  const show: BrowserTools['show'] = async (page, name) => {
    if (SCREENSHOTS)
      await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: !/explorer|request/.test(name) });
  };

  const tools: BrowserTools = { test, sample, open, note, show, listing: () => id };
  pageTests(tools);
  explorerTests(tools);
  explorerMapTests(tools);
  explorerLanguageTests(tools);
}
