import { mkdir } from 'node:fs/promises';
import { neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { monthOf } from '#domain/months.ts';
import { OFFICIAL_RULES, type OfficialRules } from '#domain/official/rules.ts';
import { buildRelease } from '#domain/property-index/release.ts';
import { inTransaction } from '#postgres/transaction.ts';
import { readMaterials } from '#src/property-index/material.ts';
import { getData } from '#test/market.ts';
import { type Deal, dealsCsv, dealsOf, type OfficialGround, officialGround } from '#test/official.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

/** Tests each rule that excludes deals. */

const DISTRICTS = ['الملقا', 'حي الياسمين', 'النرجس', 'العارض', 'غير معروف هنا'];
const random = seeded(12);

let ground: OfficialGround;
test.before(async () => {
  ground = await officialGround('rules');
});
test.after(() => ground.close());

/** Enough neighborhoods in both cities for an index of registered land. */
const MANY = {
  riyadh: neighborhoodsOf('riyadh').slice(0, 14),
  jeddah: neighborhoodsOf('jeddah').slice(0, 14),
};
const manyDeals = (quarter: string, from: number): Deal[] =>
  (['riyadh', 'jeddah'] as const).flatMap((city, at) =>
    dealsOf({
      quarter,
      count: 600,
      random,
      from: from + at * 1_000,
      city_ar: at === 0 ? 'الرياض' : 'جدة',
      districts: MANY[city].map(({ name_ar }) => name_ar),
    }),
  );

test('deals that a rule excludes do not affect any figure, but would if the rule were disabled', async (t) => {
  // Deals of Riyadh in the last quarter end before the cut-off date.
  const base = {
    '2020-Q1': dealsOf({ quarter: '2020-Q1', count: 80, random, from: 950_000, districts: DISTRICTS }),
    '2022-Q4': dealsOf({ quarter: '2022-Q4', count: 80, random, from: 960_000, districts: DISTRICTS }),
    '2025-Q4': manyDeals('2025-Q4', 1_000_000),
    '2026-Q1': manyDeals('2026-Q1', 1_010_000),
    '2026-Q2': manyDeals('2026-Q2', 1_020_000).filter(({ city_ar, day }) => city_ar === 'جدة' || day <= '2026-05-18'),
  };
  const added = {
    '2020-Q2': dealsOf({ quarter: '2020-Q2', count: 60, random, from: 900_000, districts: DISTRICTS }),
    '2023-Q1': dealsOf({ quarter: '2023-Q1', count: 190, random, from: 910_000, districts: DISTRICTS }),
    // Late deals: in the last month of the quarter, and in quarters without other deals.
    '2026-Q2': [
      ...base['2026-Q2'],
      ...MANY.riyadh.flatMap(({ name_ar }, at) =>
        dealsOf({ quarter: '2026-Q2', count: 60, random, from: 920_000 + at * 100, districts: [name_ar] }).map(
          (deal) => ({ ...deal, day: '2026-06-29' }),
        ),
      ),
    ],
    '2026-Q3': dealsOf({ quarter: '2026-Q3', count: 50, random, from: 930_000, districts: DISTRICTS }),
    '2026-Q4': dealsOf({ quarter: '2026-Q4', count: 50, random, from: 940_000, districts: DISTRICTS }),
  };
  const folder = (name: string, files: Record<string, Deal[]>) => officialFolder(ground, name, files);
  await ground.import(await folder('base', base));
  const span = { quarter_from: '2020-Q1', quarter_to: '2027-Q1' };
  const get = (path: string, query: object) => getData(ground.app, ground.key, path, { ...span, ...query });
  const months = async (from: string, to: string) =>
    (
      await ground.app.request(`/v1/transactions?city=riyadh&month_from=${from}&month_to=${to}&limit=100`, {
        key: ground.key,
      })
    ).body;
  const index = (rules: OfficialRules) =>
    inTransaction(ground.pool, async (db) =>
      buildRelease(
        monthOf(new Date('2027-02-05')),
        await readMaterials(db, monthOf(new Date('2027-02-05')), '2026-03-09', rules),
        { rules },
      ),
    );
  const figures = async (rules: OfficialRules = OFFICIAL_RULES) => ({
    city: await get('/v1/market/transactions', { city: 'riyadh' }),
    each: await get('/v1/market/transactions', { city: 'riyadh', group_by: 'neighborhood' }),
    land: await get('/v1/market/land-prices', { city: 'riyadh' }),
    index: await index(rules),
    pages: {
      '2020-Q2': await months('2020-04', '2020-06'),
      '2023-Q1': await months('2023-01', '2023-03'),
      late: await months('2026-05', '2026-12'),
    },
    other: await get('/v1/market/transactions', { city: 'jeddah' }),
    periods: (
      await ground.app.request('/v1/market/land-prices?city=riyadh&quarter_from=2019-Q1&quarter_to=2019-Q1', {
        key: ground.key,
      })
    ).body.error.details,
  });
  const before = await figures();
  t.true(before.index.series.length > 0 && before.city.coverage.deals > 0);
  const extra = await folder('more', added);
  const reports = await ground.import(extra);
  t.deepEqual(
    reports.map(({ status }) => status),
    reports.map(() => 'imported'),
  );
  t.deepEqual(await figures(), before);

  const without = async (rules: OfficialRules) => {
    await ground.import(extra, { rules });
    return figures(rules);
  };
  for (const quarter of ['2020-Q2', '2023-Q1'] as const) {
    const excluded = OFFICIAL_RULES.excluded_quarters.filter((rule) => rule.quarter !== quarter);
    t.is(excluded.length, OFFICIAL_RULES.excluded_quarters.length - 1);
    const found = await without({ ...OFFICIAL_RULES, excluded_quarters: excluded });
    const count = added[quarter].length;
    t.is(found.city.coverage.deals - before.city.coverage.deals, count, quarter);
    t.notDeepEqual(found.each.cells, before.each.cells, quarter);
    t.notDeepEqual(found.land.series, before.land.series, quarter);
    t.true(found.periods.available_periods.includes(quarter));
    t.is(found.pages[quarter].data.length, Math.min(count, 100), quarter);
    t.deepEqual(found.pages.late, { ...before.pages.late, coverage: found.pages.late.coverage });
  }
  const late = await without({ ...OFFICIAL_RULES, cut_offs: [] });
  t.is(late.city.coverage.deals - before.city.coverage.deals, 14 * 60 + 100);
  t.notDeepEqual(late.each.cells, before.each.cells);
  t.notDeepEqual(late.land.series, before.land.series);
  t.notDeepEqual(late.index, before.index);
  t.notDeepEqual(late.pages.late, before.pages.late);
  t.is(late.city.coverage.complete_through_quarter, '2026-Q4');
  t.deepEqual(await without(OFFICIAL_RULES), before);
});

async function officialFolder(on: OfficialGround, name: string, files: Record<string, Deal[]>): Promise<string> {
  await mkdir(`${on.dir}/${name}`, { recursive: true });
  for (const [quarter, list] of Object.entries(files)) await on.write(`${name}/${quarter}.csv`, dealsCsv(list));
  return `${on.dir}/${name}`;
}
