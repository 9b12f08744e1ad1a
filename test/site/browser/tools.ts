import type { ExecutionContext } from 'ava';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { TestResponse } from '#test/app.ts';
import { app, keys } from '#test/sample-app.ts';
import { test as caseTest } from '#test/test.ts';
import { HAS_CHROMIUM, launch } from './chromium.ts';

export { findings } from './axe.ts';

/** Timeout in milliseconds, with a margin for busy machines. */
const TIMEOUT_MS = 20_000;
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 360, height: 740 };

/** Files of the explorer's map. */
const OF_MAP = /\/(map|land)-|map-worker/;

/** Declares a test that needs the browser. */
export const test = HAS_CHROMIUM ? caseTest : caseTest.skip;
if (!HAS_CHROMIUM)
  caseTest.skip('browser tests are skipped: run `npm ci --prefix chromium`, or set CHROMIUM=<path>', () => {});

/** One browser, which all tests share. */
let browser: Awaited<ReturnType<typeof launch>> | undefined;
/** Id of a home whose price was cut, with a location and several photos. */
export let droppedListing: number;
caseTest.before(async () => {
  if (!HAS_CHROMIUM) return;
  browser = await launch();
  const { data } = await api('/v1/listings?city=riyadh&listing_type=rent&property_type=apartment&sort=price_drop');
  type Dropped = { id: number; images: string[]; location: { lat: number | null } };
  const shown = (data as Dropped[]).find(({ images, location }) => images.length > 1 && location.lat !== null);
  if (!shown) throw new Error('No home with a price cut has a location and photos.');
  droppedListing = shown.id;
});
caseTest.after(() => browser?.close());

/** Returns the body of a response of the API. */
export const api = async (path: string): Promise<TestResponse['body']> =>
  (await app.request(path, { key: keys.enterprise })).body;

/**
 * Opens a page in a new context, which is closed at the end of the test. The test fails if the page has faults:
 * requests to other hosts, logged errors, and violations of the content security policy.
 * @param options `key` is the API key of the tab. Faults that match `expected` are accepted.
 */
export async function open(
  t: ExecutionContext,
  path: string,
  { key, expected, ...options }: Parameters<Browser['newContext']>[0] & { key?: string; expected?: RegExp } = {},
): Promise<{ page: Page; context: BrowserContext }> {
  if (!browser) throw new Error('The browser has not started.');
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  const faults: string[] = [];
  t.teardown(async () => {
    await context.close();
    const unexpected = faults.filter((fault) => !expected?.test(fault));
    if (unexpected.length > 0) throw new Error(`${path}: ${unexpected.join('\n')}`);
  });
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
  await page.goto(new URL(path, app.url).href);
  return { page, context };
}

/** Waits until an expression is true. A function needs no `eval`, which the content security policy forbids. */
export const until = (page: Page, expression: string) =>
  page.waitForFunction(new Function(`return ${expression};`) as () => unknown);

/** Resolves when the last frame is on the screen. */
export const NEXT_FRAME = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))';

/** Processor time of the main thread in milliseconds. */
export async function processorTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

/** Files that a page has loaded, except photos and the map. */
export async function loadedBy(page: Page): Promise<{ requests: string[]; kilobytes: number }> {
  const entries = await page.evaluate<{ name: string; encodedBodySize: number }[]>(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))`,
  );
  const counted = entries.filter(({ name }) => !OF_MAP.test(name) && !new URL(name).pathname.startsWith('/cdn/'));
  return {
    requests: counted.map(({ name }) => new URL(name).pathname),
    kilobytes: counted.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1024,
  };
}

/** Visible words in Latin letters on an Arabic page, except code, names of sources, and the link to the other language. */
export async function latinWords(page: Page): Promise<string[]> {
  const text = await page.evaluate<string>(`(() => {
    const copy = document.body.cloneNode(true);
    for (const each of copy.querySelectorAll('script, code, pre, noscript, [lang=en], [dir=ltr], .card small, .source, .brand, footer a[href="/ar"], .no-words')) each.remove();
    return [...copy.querySelectorAll('*')].filter((each) => each.children.length === 0).map((each) => each.textContent).join('\\n');
  })()`);
  return [...new Set(text.match(/[A-Za-z]{3,}/g) ?? [])].filter((word) => !KNOWN.has(word));
}

/** Abbreviations and names that are the same in both languages. */
const KNOWN = new Set(['API', 'OpenAPI', 'HTTP', 'JSON']);
