import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ExecutionContext, TestFn } from 'ava';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { SampleApp } from '#test/sample-app.ts';

/** Paths where Debian and other systems install Chromium. The tests download nothing. */
export const CHROMIUM = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));
/** Software rendering, because test machines have no graphics card. */
export const ARGS = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-dev-shm-usage',
];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Timeout in milliseconds, with a margin for busy machines. */
export const TIMEOUT_MS = 20_000;
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 360, height: 740 };

/** Files of the explorer's map. */
export const OF_MAP = /\/(map|land)-|map-worker/;

interface Opened {
  page: Page;
  context: BrowserContext;
  /** Requests to other hosts, logged errors, and violations of the content security policy. */
  faults: string[];
  /** Compressed bytes of every response, by path. */
  sizes: Map<string, number>;
}

/** One browser on the sample, which all browser tests share. */
export interface BrowserTools {
  test: TestFn;
  sample(): SampleApp;
  /** Opens a page in a new context. With `key`, the tab has an API key. */
  open(path: string, options?: Parameters<Browser['newContext']>[0] & { key?: string }): Promise<Opened>;
  /** Logs figures, and writes them to the folder of screenshots. */
  note(t: ExecutionContext, figures: string): void;
  show(page: Page, name: string): Promise<void>;
  /** Id of a home whose price was cut. */
  listing(): number;
}

/** Waits until an expression is true. A function needs no `eval`, which the content security policy forbids. */
export const until = (page: Page, expression: string) =>
  page.waitForFunction(new Function(`return ${expression};`) as () => unknown);

/** Whether the list and the map have loaded, and the map does not move. */
export const LOADED = `document.querySelector('.map-box')?.ariaBusy !== 'true' && ['.count', '.map-note'].every((each) => /[^…]$/.test(document.querySelector(each)?.textContent ?? ''))`;

/** Number of listings on the map: one for each pin, and the count of each circle. */
export const DRAWN = `[...document.querySelectorAll('.map-pin, .map-cluster')].reduce((sum, each) => sum + (each.matches('.map-pin') ? 1 : Number(each.firstChild.textContent.replaceAll(',', ''))), 0)`;

/** Records the time from each input to the frame that shows its effect. */
export const WATCH_EVENTS = `globalThis.inputs = {};
new PerformanceObserver((list) => {
  for (const { interactionId: id, duration } of list.getEntries())
    if (id) globalThis.inputs[id] = Math.max(duration, globalThis.inputs[id] ?? 0);
}).observe({ type: 'event', durationThreshold: 16 });`;

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

/** Serious findings of axe, each with its location. */
export async function findings(page: Page, name: string): Promise<string[]> {
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
