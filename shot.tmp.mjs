import { chromium } from 'playwright-core';

const [, , base, ...items] = process.argv;
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
for (const item of items) {
  const [path, name, mode = 'light', width = '1280', wait = '', full = 'full'] = item.split('|');
  const context = await browser.newContext({
    viewport: { width: Number(width), height: Number(width) < 500 ? 740 : 800 },
    colorScheme: mode,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.on('console', (m) => {
    if (m.type() === 'error' || m.type() === 'warning') console.log(name, m.type(), m.text().slice(0, 300));
  });
  page.on('pageerror', (e) => console.log(name, 'pageerror', e.message.slice(0, 300)));
  page.on('request', (r) => {
    if (!r.url().startsWith(base) && r.url().startsWith('http')) console.log(name, 'OUTSIDE', r.url());
  });
  const t = Date.now();
  await page.goto(base + path);
  if (wait)
    await page.waitForSelector(wait, { timeout: 20000 }).catch((e) => console.log(name, e.message.slice(0, 200)));
  await page.waitForTimeout(wait ? 2500 : 300);
  await page.screenshot({ path: `/tmp/shots/${name}.png`, fullPage: full === 'full' });
  console.log(name, Date.now() - t, 'ms', await page.evaluate('document.documentElement.scrollWidth'));
  await context.close();
}
await browser.close();
