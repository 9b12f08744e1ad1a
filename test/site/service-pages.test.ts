import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceClock } from '#domain/listings/source-clock.ts';
import { ESTIMATE_VERSION } from '#domain/statistics/estimate.ts';
import { sourceName } from '#site/server/format.ts';
import { type CalculatorPlan, type CalculatorRow, estimateUnits, ROWS } from '#site/server/pricing-page.ts';
import { PRICES } from '#src/metering/prices.ts';
import { recordEstimate } from '#stores/postgres/estimate-ledger.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '#test/app.ts';
import { indexListings, makeListing } from '#test/factories.ts';
import { textOfMarkup } from '#test/markup.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

/** Unique, because runs share the index. */
const SOURCES = { fresh: `fresh_${randomInt(1_000_000_000)}`, unread: `unread_${randomInt(1_000_000_000)}` };
const NOW = Date.parse('2026-11-25T12:00:00Z');
const hoursAgo = (hours: number): number => NOW / 1_000 - hours * 3_600;

async function sourceClock(seen: Readonly<Record<string, number>>): Promise<SourceClock> {
  const clock = new SourceClock(async () => new Map(Object.entries(seen)));
  await clock.refresh();
  return clock;
}

async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  return startTestApp({
    ...options,
    overrides: {
      clock: { now: () => NOW, chargeTime: () => null },
      sourceClock: await sourceClock({ [SOURCES.fresh]: hoursAgo(2) }),
      ...options.overrides,
    },
  });
}

let app: TestApp;
test.before(async () => {
  app = await startApp();
});
test.after(() => app.close());

/** The texts of the cells in each row of the tables of a page, by the text of the first cell. */
function rowsOf(page: string): Map<string, string[]> {
  const rows = [...page.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => textOfMarkup(cell).trim()),
  );
  return new Map(rows.map(([name = '', ...cells]) => [name, cells]));
}

test('the pricing page states the limits of the plans table, and "on request" for prices that are not configured', async (t) => {
  const { rows: plans } = await app.services.pool.query<{ name: string; minute: number; month: string; sar: string }>(
    'select name, units_per_minute as minute, units_per_month as month, overage_sar_per_1000 as sar from plans where overage',
  );
  t.true(plans.length > 0);
  const priced = await startApp({ env: { PLAN_PRICES: 'starter=500, growth=1500.50' } });
  t.teardown(() => priced.close());
  const [rows, configured] = [await app.request('/pricing'), await priced.request('/pricing')].map(({ text }) => [
    ...rowsOf(text.split('<form class="calculator"')[0] ?? '').entries(),
  ]);
  const cellsOf = (list: typeof rows, name: string): string[] =>
    list?.find(([title]) => title.toLowerCase().startsWith(name))?.[1] ?? [];
  for (const { name, minute, month, sar } of plans)
    t.deepEqual(cellsOf(rows, name), [
      'on request',
      Number(month).toLocaleString('en'),
      String(minute),
      cellsOf(rows, name)[3],
      `SAR ${Number(sar)}`,
    ]);
  t.is(cellsOf(rows, 'free')[0], 'free');
  t.is(cellsOf(configured, 'starter')[0], 'SAR 500');
  t.is(cellsOf(configured, 'growth')[0], 'SAR 1,500.5');
  t.is(cellsOf(configured, 'pro')[0], 'on request');
});

test('the price calculator has a row for every defined price, and computes the units of a query string', async (t) => {
  const known = new Set(ROWS.map(({ units, per }) => `${units} per ${per}`));
  for (const [name, price] of Object.entries(PRICES))
    if (price.units > 0) t.true(known.has(`${price.units} per ${'per' in price ? price.per : null}`), name);
  const { text } = await app.request('/pricing?search=300000&search_results=25&analysis=0&projects_results=10');
  // 25 results cost 3 units.
  t.regex(text, /<strong id="units">900,000 /);
  t.true(text.includes('SAR 600 for 150,000 units'));
  t.notRegex(text, /is not possible/);
  for (const [query, said] of [
    ['search=100&search_results=200', 'Search, Results per call: “200” is not possible. The calculation uses 100.'],
    ['listing=-5', '“-5” is not possible. The calculation uses 0.'],
    ['market=abc', '“abc” is not possible. The calculation uses 0.'],
  ] as const)
    t.true(
      textOfMarkup((await app.request(`/pricing?${query}`)).text)
        .replace(/[\u2066\u2069]/g, '')
        .includes(said),
      query,
    );
  const hostile = (await app.request('/pricing?search=%3Cscript%3E&listing=-5&market=1e400')).text;
  t.regex(hostile, /<strong id="units">0 units/);
});

const search = (calls: number, results: number): CalculatorRow => ({
  name: 'search',
  scope: 'listings',
  units: 1,
  per: 10,
  calls,
  results,
});
const plan = (name: string, quota: number | null, priceSar: number | null, more: Partial<CalculatorPlan> = {}) => ({
  name,
  quota,
  priceSar,
  overageSar: 5,
  scopes: ['listings', 'analytics'],
  ...more,
});

test('the calculator states for each plan the total, missing operations, and units beyond the quota', (t) => {
  const plans = [plan('small', 1_000, 100), plan('large', 50_000, 200)];
  const estimate = (calls: number) => estimateUnits([search(calls, 10)], plans);
  t.is(estimate(3_000).units, 3_000);
  t.like(estimate(3_000).fits[0], { status: 'overage', excess: 2_000, excessSar: 10, totalSar: 110 });
  const trends = { name: 'trends', scope: 'analytics', units: 15, per: null, calls: 10, results: 1 };
  const others = [
    plan('basic', 10_000, null, { scopes: ['listings'] }),
    plan('fixed', 100, null, { overageSar: null }),
    plan('full', 5_000, null),
    plan('agreed', null, null),
  ];
  const { units, fits } = estimateUnits([search(10, 11), trends], others);
  t.is(units, 170);
  t.deepEqual(
    fits.map(({ status }) => status),
    ['missing', 'exceeded', 'covered', 'agreement'],
  );
  t.deepEqual(fits[0]?.missing, ['analytics']);
});

test('the coverage page counts listings by city and source, with the time of the last complete read', async (t) => {
  const { slug } = await app.addCity();
  await indexListings(app.services, [
    makeListing({ location: { city: slug } }, { source: SOURCES.fresh }),
    makeListing({ location: { city: slug }, listing_type: 'sale' }, { source: SOURCES.fresh }),
    makeListing({ location: { city: slug } }, { source: SOURCES.unread }),
    // Searches return neither of these.
    makeListing(
      { location: { city: slug } },
      { source: SOURCES.fresh, plausible_typed: false, plausible_pooled: false },
    ),
    makeListing({ location: { city: slug }, price: { yearly_sar: null } }, { source: SOURCES.unread }),
  ]);
  const { text } = await app.request('/coverage');
  const rows = rowsOf(text);
  const counts = (key: string): string[] => rows.get(key) ?? [];
  const name = app.services.places.cities().find((each) => each.slug === slug)?.name_en ?? '';
  t.deepEqual(counts(name).slice(0, 3), ['3', '2', '1']);
  t.is(counts(name).at(-1), '2');
  t.true(text.replace(/\s/g, ' ').includes('>Nov 25, 1:00 PM</time>'));
  t.deepEqual(counts(sourceName(SOURCES.fresh)).slice(0, 3), ['2', '1', '1']);
  t.deepEqual(counts(sourceName(SOURCES.unread)).slice(0, 3), ['1', '1', '0']);
  t.notRegex(counts(sourceName(SOURCES.unread)).at(-2) ?? '', /\d:/);
});

test('the accuracy page shows the errors of estimates by month, type and city', async (t) => {
  const { slug, name_en } = await app.addCity();
  const compared = [
    { day: '2026-10-31', property_type: 'apartment', price: 100_000, estimate: 104_000 },
    { day: '2026-11-20', property_type: 'villa', price: 100_000, estimate: 130_000 },
  ] as const;
  for (const [index, estimate] of compared.entries()) {
    const entry = { ...estimate, listing_id: index + 1, city: slug, listing_type: 'sale', version: ESTIMATE_VERSION };
    await recordEstimate(app.services.pool, { ...entry, reach_80: 1.1, reach_50: 1.05 });
  }
  const rows = rowsOf((await app.request(`/accuracy?listing_type=sale&city=${slug}`)).text);
  const cells = (name: string): string[] => (rows.get(name) ?? []).map((cell) => cell.replace(/[\u2066\u2069]/g, ''));
  t.deepEqual(cells('Oct 2026'), ['1 few', '4%', '100%', '100%', '100%']);
  t.deepEqual(cells('Villa'), ['1 few', '30%', '0%', '0%', '0%']);
  t.deepEqual(cells(name_en), ['2 few', '17%', '50%', '50%', '50%']);
});

test('the status page names late sources and unavailable datastores', async (t) => {
  const { readiness } = app.services;
  const faulty = Object.assign(Object.create(readiness), {
    read: async () => ({ opensearch: 'opensearch_unavailable', postgres: null }),
  });
  const sources = await sourceClock({ one: hoursAgo(24), other: hoursAgo(26) });
  const [late, down] = [
    await startApp({ overrides: { sourceClock: sources } }),
    await startApp({ overrides: { readiness: faulty } }),
  ];
  t.teardown(async () => {
    await late.close();
    await down.close();
  });
  t.true((await app.request('/status')).text.includes('The service is available.'));
  const rows = rowsOf((await late.request('/status')).text);
  t.is(rows.get('one')?.[1], 'on time');
  t.is(rows.get('other')?.[1], 'late');
  const { status, text } = await down.request('/status');
  t.is(status, 200);
  t.true(text.includes('The service is unavailable'));
  t.is(rowsOf(text).get('Search and statistics')?.[0], 'unavailable');
  t.is(rowsOf(text).get('Keys and accounts')?.[0], 'available');
});

test('the status page shows the incidents in the file with HTML escaped, and ignores an invalid or missing file', async (t) => {
  const folder = await temporaryFolder(t);
  const page = async (name: string, content: string | null): Promise<string> => {
    const file = join(folder, name);
    if (content !== null) await writeFile(file, content);
    const own = await startApp({ env: { INCIDENTS_FILE: file } });
    t.teardown(() => own.close());
    return (await own.request('/status')).text;
  };
  const incident = (title: string, resolved_at?: string) => ({
    started_at: '2026-11-20T10:00:00Z',
    ...(resolved_at && { resolved_at }),
    title: { en: title, ar: 'تعذّر البحث' },
    text: { en: 'A node failed.', ar: 'تعطلت عقدة.' },
  });
  const text = await page(
    'incidents.json',
    JSON.stringify([incident('Searches <b>failed</b>', '2026-11-20T10:40:00Z'), incident('Slow searches')]),
  );
  for (const part of ['Searches &#60;b&#62;failed', 'resolved on', 'Slow searches', 'An incident is in progress'])
    t.true(text.includes(part), part);
  for (const [name, content] of [
    ['missing.json', null],
    ['other.json', '[{"title": "x"}]'],
  ] as const)
    t.true((await page(name, content)).includes('No incidents are recorded.'), name);
});
