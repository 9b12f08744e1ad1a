import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { ExecutionContext } from 'ava';
import type { BrowserContextOptions } from 'playwright-core';
import type { TestApp } from '#test/app.ts';
import { listen } from '#test/listen.ts';
import { test } from '#test/test.ts';
import { HAS_CHROMIUM, launch } from '../../site/browser/chromium.ts';
import { newPerson, rawClient, startOauthApp } from './assistant.ts';

const LIMIT_MS = 30_000;
const testIn = HAS_CHROMIUM ? test : test.skip;

let app: TestApp;
let browser: Awaited<ReturnType<typeof launch>> | undefined;
let client: Awaited<ReturnType<typeof listen>>;
test.before(async () => {
  app = await startOauthApp();
  client = await listen(assistantSite());
  if (HAS_CHROMIUM) browser = await launch();
});
test.after(async () => {
  await browser?.close();
  await client.close();
  await app.close();
});

/** A site of an assistant: it opens a window, whose last page sends it the code. */
const assistantSite = (): Server =>
  createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://assistant.invalid');
    const opened = JSON.stringify(url.searchParams.get('open') ?? '');
    const script =
      url.pathname === '/callback'
        ? 'opener?.postMessage(location.search, "*")'
        : `addEventListener('message', ({ data }) => { document.title = data; }); function start() { window.open(${opened}, 'window', 'popup'); }`;
    response
      .setHeader('Content-Type', 'text/html')
      .end(`<script>${script}</script><button onclick="start()">Connect</button>`);
  });

async function openContext(t: ExecutionContext, options: BrowserContextOptions) {
  const person = await newPerson(app);
  const context = await browser?.newContext(options);
  if (!context) throw new Error('The browser has not started.');
  context.setDefaultTimeout(LIMIT_MS);
  t.teardown(() => context.close());
  await context.addCookies([...person.browser.cookies].map(([name, value]) => ({ name, value, url: app.url })));
  const address = new URL(await rawClient(app, `${client.url}/callback`).authorizeUrl(), app.url).href;
  return { context, address };
}

for (const [locale, allow] of [
  ['en', 'Connect'],
  ['ar', 'ربط'],
] as const)
  testIn(`without scripts, on a phone, a person connects an assistant in Chromium (${locale})`, async (t) => {
    const viewport = { width: 360, height: 740 };
    const { context, address } = await openContext(t, { locale, viewport, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(address);
    t.is(await page.locator('html').getAttribute('lang'), locale);
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/consent-${locale}.png`, fullPage: true });
    await page.getByRole('button', { name: allow, exact: true }).click();
    await page.waitForURL(/\/callback\?/);
    t.truthy(new URL(page.url()).searchParams.get('code'), 'obstacle 15');
  });

testIn(
  'the window that a site opened for the consent returns the code to it, and the consent is accessible',
  async (t) => {
    const { context, address } = await openContext(t, { locale: 'en' });
    const page = await context.newPage();
    await page.goto(`${client.url}/?open=${encodeURIComponent(address)}`);
    const [window] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button').click()]);
    const allow = window.getByRole('button', { name: 'Connect', exact: true });
    await allow.waitFor();
    await window.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    const { violations } = await window.evaluate<{ violations: { id: string; impact: string }[] }>('axe.run()');
    t.deepEqual(
      violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'),
      [],
    );
    await allow.click();
    await page.waitForFunction('document.title.includes("code=")');
    t.pass('obstacle 16');
  },
);
