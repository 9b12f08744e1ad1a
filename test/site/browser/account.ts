import { findings, open, PHONE, test } from './tools.ts';

/** From a cold visit to the first 200, without the time of typing. */
const MAX_MS = 60_000;

for (const [language, prefix, options] of [
  ['English', '', {}],
  ['Arabic, without scripts', '/ar', { javaScriptEnabled: false }],
] as const)
  test(`a stranger on a phone opens an account and sees the 200 of the first call within a minute, in ${language}`, async (t) => {
    const begun = performance.now();
    const { page } = await open(t, `${prefix}/pricing`, { viewport: PHONE, ...options });
    const check = async (name: string) => {
      if (!('javaScriptEnabled' in options)) t.deepEqual(await findings(page, name), []);
      t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${name} fits the screen`);
    };
    await page.click(`a.button[href="${prefix}/sign-up"]`);
    await check('sign-up');
    await page.fill('#name', 'Acme Homes');
    await page.fill('#email', `person${prefix.slice(1)}@acme${prefix.slice(1)}.example`);
    await page.check('[name=terms]');
    await page.click('button.main');
    await check('sent');
    await page.click('a.button[href$="/inbox"]');
    await page.click('.mail a >> nth=0');
    await check('confirm');
    await page.click('button.main');
    t.is(await page.textContent('main strong[dir=ltr]'), '200');
    t.regex((await page.textContent('.secret')) ?? '', /svc_live_\w{36}/);
    await check('key');
    const ms = performance.now() - begun;
    t.log(`${language}: ${Math.round(ms)} ms`);
    t.true(ms < MAX_MS, `${ms} ms`);
    await page.goto(new URL(`${prefix}/sign-in`, page.url()).href);
    await page.click('button.main');
    t.is(await page.locator('#email').count(), 1, 'signed out');
    await check('sign-in');
  });
