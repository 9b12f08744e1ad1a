import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { BrowserContext, Page } from 'playwright-core';
import { buildSite } from '#embedded/install/site.mjs';
import { CONSOLE_PAGES } from '#site/server/console/console-area.ts';
import { CONSOLE_TEXTS } from '#site/text/index.ts';
import type { Language } from '#src/documents/language.ts';
import { administered } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { mailedLinks, openBrowser, SELF_SERVICE_ENV, signIn } from '#test/browser.ts';
import { test as caseTest } from '#test/test.ts';
import { findings } from './browser/axe.ts';
import { HAS_CHROMIUM, launch } from './browser/chromium.ts';

const PHONE = { width: 360, height: 740 };
const TIMEOUT_MS = 20_000;
/** Folder for a screenshot of each step; none are taken without it. */
const { SCREENSHOTS } = process.env;
const test = HAS_CHROMIUM ? caseTest : caseTest.skip;

let app: TestApp;
let city: string;
let browser: Awaited<ReturnType<typeof launch>> | undefined;
caseTest.before(async () => {
  if (!HAS_CHROMIUM) return;
  await buildSite(dirname(dirname(import.meta.dirname)));
  app = await startTestApp({
    env: { ...SELF_SERVICE_ENV, TRUSTED_PROXIES: '', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'api@example.com' },
    overrides: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
  });
  city = (await app.addCity()).slug;
  browser = await launch();
});
caseTest.after(() => Promise.all([browser?.close(), app?.close()]));

/** A phone without scripts, whose pages have no scrollbar across and no words of the other language. */
async function openPhone(t: ExecutionContext, language: Language) {
  if (!browser) throw new Error('The browser has not started.');
  const context: BrowserContext = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false });
  context.setDefaultTimeout(TIMEOUT_MS);
  t.teardown(() => context.close());
  const page = await context.newPage();
  const prefix = language === 'ar' ? '/ar' : '';
  const texts = CONSOLE_TEXTS[language];
  const go = (path: string) => page.goto(new URL(`${prefix}${path}`, app.url).href);
  let step = 0;
  const look = async (name: string): Promise<void> => {
    t.is(await page.locator('html').getAttribute('lang'), language);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    t.true(overflow <= 0, `${language} ${name} is ${overflow} pixels too wide`);
    const tables = await page.evaluate<number>(
      "Math.max(0, ...[...document.querySelectorAll('.console .wide')].map((each) => each.scrollWidth - each.clientWidth))",
    );
    t.true(tables <= 0, `${language} ${name} has a table that is ${tables} pixels too wide`);
    if (!SCREENSHOTS) return;
    await mkdir(SCREENSHOTS, { recursive: true });
    const file = `${language}-${String(++step).padStart(2, '0')}-${name}.png`;
    await page.screenshot({ path: join(SCREENSHOTS, file), fullPage: true });
  };
  /** Sends the first form of an action whose hidden fields match. */
  const send = async (
    action: string,
    fields: Readonly<Record<string, string>> = {},
    within: Pick<Page, 'locator'> = page,
  ) => {
    const form = within.locator(`form:has(input[name=_action][value=${action}])`).first();
    // Without scripts, a closed object opens by its summary.
    for (const summary of await form.locator('xpath=ancestor::details[not(@open)]/summary').all())
      await summary.click();
    for (const [name, value] of Object.entries(fields)) {
      const field = form.locator(`[name=${name}]`).first();
      if ((await field.evaluate((element) => (element as unknown as { tagName: string }).tagName)) === 'SELECT')
        await field.selectOption(value);
      else await field.fill(value);
    }
    await form.locator('button').click();
    await page.waitForLoadState();
  };
  /** The object of a list with a title. */
  const item = (title: string) =>
    page.locator('details.item', { has: page.locator('summary strong', { hasText: title }) }).first();
  return { page, texts, go, look, send, item };
}

for (const language of ['en', 'ar'] as const)
  test(`${language}: on a phone without scripts, an owner does the jobs of the console from keys to closing`, async (t) => {
    const org = await administered(app, { plan: 'starter' });
    const email = `owner-${language}@example.com`;
    await org.post('/members', { email, name: 'Noura', role: 'owner' });
    const { page, texts, go, look, send, item } = await openPhone(t, language);

    await go('/console');
    await page.locator('input[name=email]').fill(email);
    await page.locator('main button').first().click();
    const [link = ''] = await mailedLinks(app, email);
    await page.goto(new URL(link, app.url).href);
    await page.locator('main button').first().click();
    await page.waitForURL(/\/console/);
    await look('keys-empty');

    await go('/console/projects');
    for (const [name, cap] of [
      ['Website', '2000'],
      ['Reports', '50'],
    ] as const)
      await send('create', { name, cap });
    await look('projects');

    const projects = (await org.all('/projects')).map(({ id }) => id as string);
    const secrets: string[] = [];
    for (let at = 0; at < 5; at++) {
      await go('/console/keys');
      await send('create', { name: `Key ${at}`, project_id: projects[at % 2] ?? '' });
      secrets.push((await page.locator('.panel code').first().textContent()) ?? '');
    }
    t.is(new Set(secrets.filter((secret) => /^svc_live_\w{36}$/.test(secret))).size, 5);
    await look('key-created');
    await item('Key 0').locator('summary').first().click();
    await look('key');
    await send('rotate', { grace: '3600' }, item('Key 0'));
    const rotated = (await page.locator('.panel code').first().textContent()) ?? '';
    const call = (key: string) => app.request(`/v1/listings?city=${city}&listing_type=rent&limit=10`, { key });
    for (const key of [secrets[0] ?? '', rotated, secrets[1] ?? '']) t.is((await call(key)).status, 200);
    await app.services.requestLog.flush();

    await go('/console/members');
    for (const [name, role] of [
      ['Sara', 'developer'],
      ['Majed', 'billing'],
      ['Lina', 'viewer'],
    ] as const)
      await send('invite', { email: `${name.toLowerCase()}-${language}@example.com`, name, role });
    t.is((await org.all('/members')).filter(({ invited_at }) => invited_at !== null).length, 3);
    await item('Sara').locator('summary').first().click();
    await look('members');
    await send('remove', {}, item('Sara'));
    t.is(await page.getByText(texts.done.remove).count(), 1);
    t.is((await org.all('/members')).length, 3);

    await go('/console/usage');
    await page.locator('select[name=by]').selectOption('project');
    await page.locator('form.filter button').click();
    await page.waitForURL(/by=project/);
    t.regex(await page.locator('table').innerText(), /Reports\s+\d+\s+\d/);
    await look('usage');

    await go('/console/webhooks');
    await send('create', {
      url: 'https://hooks.example/a',
      search: `https://x.example/explorer?city=${city}&listing_type=rent`,
    });
    t.regex((await page.locator('.panel code').first().textContent()) ?? '', /^whsec_/);
    t.like((await org.all('/webhooks'))[0], { filters: { city: [city], listing_type: ['rent'] } });
    await look('webhook');
    await go('/console/webhooks');
    await send('create', { url: 'https://127.0.0.1/', search: 'city=riyadh' });
    // Results of forms have the focus, which the browser sets after it has loaded the page.
    await page.locator('[role=alert]:focus').waitFor();
    await look('webhook-refused');

    await go('/console/billing');
    t.regex(await page.locator('table').innerText(), /searchListings/);
    await send('cap', { cap: '100' });
    t.is((await org.get('')).body.data.overage.spend_cap_sar, 100);
    await send('plan', { plan: 'free' });
    t.is(await page.getByText(texts.done.scheduled).count(), 1);
    await look('billing');

    for (const { name } of CONSOLE_PAGES) {
      await go(`/console/${name}`);
      await look(`page-${name}`);
    }
    await go('/console/log');
    await page.locator('details.item summary').first().click();
    await look('log-call');

    await go('/console/settings');
    await send('close', { name: 'Wrong' });
    t.is(await page.locator('[role=alert]').count(), 1);
    await look('close-refused');
    await send('close', { name: (await org.get('')).body.data.name });
    t.is(await page.getByText(texts.done.closed).count(), 1);
    await look('closed');
    t.is((await call(rotated)).body.error.code, 'revoked_api_key');
  });

test('every page of the console is accessible and fits, on a phone in dark Arabic and on a desktop in light English', async (t) => {
  const org = await administered(app, { plan: 'starter' });
  await org.post('/projects', { name: 'Website', monthly_unit_cap: 100 });
  const hook = { url: 'https://hooks.example/a', event_types: ['listing.created'], filters: { city } };
  await org.post('/webhooks', hook);
  const email = 'accessible@example.com';
  await org.post('/members', { email, name: 'Noura', role: 'owner' });
  const visitor = openBrowser(app);
  await signIn(app, visitor, email);
  for (const [language, colorScheme, viewport] of [
    ['en', 'light', { width: 1280, height: 800 }],
    ['ar', 'dark', PHONE],
  ] as const) {
    const context = await browser?.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
    if (!context) throw new Error('The browser has not started.');
    t.teardown(() => context.close());
    await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: app.url })));
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    for (const { name } of CONSOLE_PAGES) {
      await page.goto(new URL(`${language === 'ar' ? '/ar' : ''}/console/${name}`, app.url).href);
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      t.deepEqual(await findings(page, `${language} ${name}`), []);
      t.true((await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')) <= 0, name);
      if (SCREENSHOTS && language === 'en')
        await page.screenshot({ path: join(SCREENSHOTS, `desktop-${name}.png`), fullPage: true });
    }
    t.deepEqual(faults, []);
  }
});
