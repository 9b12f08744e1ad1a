import { findNeighborhood } from '#domain/geography/locate.ts';
import { getData, type Query } from '#test/market.ts';
import { type Deal, dealsCsv, dealsOf, type OfficialGround, officialGround } from '#test/official.ts';
import { allRows } from '#test/pages.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

/** Compares every figure of registered deals and rents, and of the price index, with a reference implementation over the imported rows. */

const QUARTERS = [
  '2020-Q2',
  '2022-Q4',
  '2023-Q1',
  '2023-Q2',
  '2023-Q3',
  '2023-Q4',
  '2024-Q1',
  '2024-Q2',
  '2026-Q1',
  '2026-Q2',
];
/** Quarters that the rules exclude. In Riyadh, they also exclude deals after 2026-05-18. */
const EXCLUDED = ['2020-Q2', '2023-Q1'];
const DISTRICTS = ['الملقا', 'حي الياسمين', 'النرجس', 'العارض', 'غير معروف هنا'];
const random = seeded(11);
const deals: Deal[] = QUARTERS.flatMap((quarter, at) => [
  ...dealsOf({ quarter, count: 150 + at * 10, random, from: at * 10_000, districts: DISTRICTS }),
  ...dealsOf({ quarter, count: 40, random, from: at * 10_000 + 5_000, city_ar: 'جدة', districts: ['الصفا'] }),
]);

interface Rent {
  quarter: string;
  town: string;
  district: string;
  type: string;
  contracts: number;
  mean: number;
}

const OFFICE = 'مكتب - تجاري';
const TYPES = { 'شقة - سكني': 'apartment', 'فيلا - سكني': 'villa', [OFFICE]: 'office' } as const;
const rents: Rent[] = ['2024-Q2', '2024-Q3', '2024-Q4'].flatMap((quarter) =>
  ['الرياض', 'الخرج', 'الخرج - الرفاع', 'المجمعة'].flatMap((town) =>
    (town === 'الرياض' ? ['الملقا', 'الياسمين', 'حي لا يعرف', ''] : ['']).flatMap((district) =>
      Object.keys(TYPES).map((type) => ({
        quarter,
        town,
        district,
        type,
        contracts: 1 + Math.floor(random() ** 2 * 40),
        // Means of commercial types are published per m².
        mean: Math.round((type === OFFICE ? 300 + random() * 600 : 20_000 + random() * 60_000) * 1e5) / 1e5,
      })),
    ),
  ),
);

const lines = rents.map(({ quarter, town, district, type, contracts, mean }) =>
  [
    quarter.slice(0, 4),
    quarter.slice(6),
    'الرياض',
    town,
    district,
    type,
    contracts,
    mean,
    type === OFFICE ? '' : (mean / 120).toFixed(2),
  ].join(','),
);
const rentHeader = 'السنة ,الربع,المنطقة ,المدينة ,الحي,نوع العقار ,مجموع الصفقات,المتوسط,متوسط سعر المتر';
const old =
  'السنة,التاريخ,رمز المنطقة الإدارية,المنطقة الإدارية,رمز البند,البند,الرقم القياسي,الأهمية النسبية,نسبة التغير السنوي,نسبة التغير الربعي';
// The file with base year 2023 has other columns, in another order.
const rebased =
  'السنة,التاريخ,رمز المنطقة الإدارية,المنطقة الإدارية,رمز البند,البند,الرقم القياسي,نسبة التغير الربعي,نسبة التغير السنوي';

let ground: OfficialGround;
test.before(async () => {
  ground = await officialGround('oracle', ['riyadh', 'jeddah', 'kharj']);
  await ground.write('rents.csv', `\ufeff${rentHeader}\r\n${lines.join('\r\n')}\r\n`);
  await ground.write(
    'index-old.csv',
    `${old}\n2023,2023 / Q4,99,المملكة,0,الرقم القياسي العام,82.5,100,0.01,0.002\n2024,2024 / Q2,99,المملكة,0,الرقم القياسي العام,83.943,100,0.017293616,0.011203065\n2024,2024 / Q2,99,المملكة,015,بيت سكني,80,2.5,,\n2024,2024 / Q2,1,الرياض,0,الرقم القياسي العام,90.1,100,0.05,0.01\n`,
  );
  await ground.write(
    'index-new.csv',
    `${rebased}\n2024,2024 / Q3,99,المملكة,0,الرقم القياسي العام,102.56,0.008,0.026\n2024,2024 / Q3,99,المملكة,015,دور سكني,101,0.004,-0.016\n2024,2024 / Q3,1,الرياض,0,الرقم القياسي العام,104,0.02,0.09\n`,
  );
  for (const [at, quarter] of QUARTERS.entries())
    await ground.write(
      `deals-${quarter}.csv`,
      dealsCsv(deals.filter(({ reference }) => Math.floor(reference / 10_000) === at)),
    );
  const reports = await ground.import(ground.dir);
  if (reports.some(({ status }) => status !== 'imported')) throw new Error(JSON.stringify(reports));
});
test.after(() => ground.close());

/** Returns the servable deals in a city. */
const visible = (slug: string): Deal[] =>
  deals.filter(({ city_ar, day }) => {
    if (city_ar !== (slug === 'riyadh' ? 'الرياض' : 'جدة')) return false;
    if (EXCLUDED.includes(quarterOf(day))) return false;
    return slug !== 'riyadh' || day <= '2026-05-18';
  });
const quarterOf = (day: string): string => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
const neighborhoodOf = (deal: Deal): number | null =>
  findNeighborhood(deal.city_ar === 'الرياض' ? 'riyadh' : 'jeddah', deal.district_ar)?.id ?? null;
const CLASS: Record<string, string> = { سكني: 'residential', تجاري: 'commercial', زراعي: 'agricultural' };
const classOf = (deal: Deal): string => CLASS[deal.class_ar] as string;

/** Returns a quantile by definition 2 of Hyndman and Fan. */
function quartile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = sorted.length * share;
  const at = (position: number): number => sorted[Math.min(Math.max(position, 1), sorted.length) - 1] as number;
  return Number.isInteger(rank) ? (at(rank) + at(rank + 1)) / 2 : at(Math.ceil(rank));
}
const cents = (value: number, unit = 100): number => Math.round(value * unit) / unit;

interface Group {
  neighborhood: number | null;
  deals: Deal[];
}

function expectedCells(groups: readonly Group[], least: number, quarters: readonly string[]) {
  return groups.flatMap(({ neighborhood, deals: mine }) =>
    quarters.flatMap((quarter) =>
      ['residential', 'commercial', 'agricultural'].flatMap((land) => {
        const cell = mine.filter((deal) => quarterOf(deal.day) === quarter && classOf(deal) === land);
        if (cell.length === 0) return [];
        const given = (values: number[], share: number) =>
          cell.length < least ? null : cents(quartile(values, share));
        const [prices, perSqm] = [cell.map(({ price }) => price), cell.map(rateOf)];
        return [
          {
            neighborhood_id: neighborhood,
            quarter,
            land_use_class: land,
            deal_count: cell.length,
            median_price_sar: given(prices, 0.5),
            p25_price_sar: given(prices, 0.25),
            p75_price_sar: given(prices, 0.75),
            median_price_per_sqm_sar: given(perSqm, 0.5),
            p25_price_per_sqm_sar: given(perSqm, 0.25),
            p75_price_per_sqm_sar: given(perSqm, 0.75),
          },
        ];
      }),
    ),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: the body of a response under test
const bare = (cells: any[]) => cells.map(({ coverage_flag, ...figures }) => figures);
/** Returns the data of an endpoint for all quarters. */
const market = (path: string, query: Query) =>
  getData(ground.app, ground.key, `/v1/market/${path}`, {
    ...{ quarter_from: '2020-Q2', quarter_to: '2026-Q2' },
    ...query,
  });
const DISTRICT_IDS = DISTRICTS.flatMap((name) => findNeighborhood('riyadh', name)?.id ?? []).sort((a, b) => a - b);
const groupOf = (id: number): Group => ({
  neighborhood: id,
  deals: visible('riyadh').filter((deal) => neighborhoodOf(deal) === id),
});

test('transaction statistics of a city by quarter and land-use class match the reference implementation', async (t) => {
  for (const city of ['riyadh', 'jeddah'])
    for (const least of [5, 12, 40]) {
      const data = await market('transactions', { city, min_sample_size: least });
      const expected = expectedCells([{ neighborhood: null, deals: visible(city) }], least, QUARTERS);
      t.deepEqual(bare(data.cells), expected);
      t.is(data.coverage.deals, visible(city).length);
      t.is(data.coverage.cells_withheld, expected.filter(({ deal_count }) => deal_count < least).length);
      t.is(data.coverage.cells_served + data.coverage.cells_withheld, data.coverage.cells);
      t.is(data.price_source, 'registered');
    }
});

test('transaction statistics of single and combined neighborhoods and classes match the reference implementation', async (t) => {
  t.is(DISTRICT_IDS.length, 4);
  const each = await market('transactions', { city: 'riyadh', group_by: 'neighborhood' });
  t.deepEqual(bare(each.cells), expectedCells(DISTRICT_IDS.map(groupOf), 5, QUARTERS));
  const two = DISTRICT_IDS.slice(0, 2);
  const land_use_class = 'residential,commercial';
  const set = { city: 'riyadh', neighborhood_id: two.join(), land_use_class };
  const both = two.flatMap((id) => groupOf(id).deals).filter((deal) => classOf(deal) !== 'agricultural');
  const expected = (least: number) => expectedCells([{ neighborhood: null, deals: both }], least, QUARTERS);
  // A cell with exactly the minimum has prices.
  const usual = expected(5).map(({ deal_count }) => deal_count);
  for (const least of [5, Math.max(5, ...usual)])
    t.deepEqual(bare((await market('transactions', { ...set, min_sample_size: least })).cells), expected(least));
});

test('coverage flags mark the notary-only and the incomplete quarters of Riyadh, and none of Jeddah', async (t) => {
  const { cells, coverage } = await market('transactions', { city: 'riyadh' });
  for (const { quarter, coverage_flag } of cells)
    t.is(coverage_flag, quarter > '2026-Q1' ? 'incomplete' : quarter >= '2024-Q1' ? 'notary_only' : 'full', quarter);
  t.like(coverage, { notary_only_from_quarter: '2024-Q1', complete_through_quarter: '2026-Q1' });
  const jeddah = await market('transactions', { city: 'jeddah' });
  for (const { coverage_flag } of jeddah.cells) t.is(coverage_flag, 'full');
  t.like(jeddah.coverage, { notary_only_from_quarter: null, complete_through_quarter: '2026-Q2' });
});

interface Point {
  quarter: string;
  coverage_flag: string;
  deal_count: number;
  median_price_per_sqm_sar: number | null;
  change_qoq_pct: number | null;
  change_yoy_pct: number | null;
}
const figuresOf = ({ quarter, deal_count, median_price_per_sqm_sar }: Omit<Point, 'coverage_flag'> | Cell) =>
  [quarter, deal_count, median_price_per_sqm_sar] as const;
type Cell = ReturnType<typeof expectedCells>[number];

test('land prices are medians, and their changes compare only quarters with the same coverage', async (t) => {
  const { asset, series } = await market('land-prices', { city: 'riyadh' });
  t.is(asset, 'land');
  const points: Point[] = series[0].points;
  const cells = expectedCells([{ neighborhood: null, deals: visible('riyadh') }], 5, QUARTERS);
  const residential = cells.filter(({ land_use_class }) => land_use_class === 'residential');
  t.deepEqual(points.map(figuresOf), residential.map(figuresOf));
  const label = (quarter: string, back: number): string => {
    const number = Number(quarter.slice(0, 4)) * 4 + Number(quarter.slice(6)) - 1 - back;
    return `${Math.floor(number / 4)}-Q${(number % 4) + 1}`;
  };
  let measured = 0;
  for (const point of points) {
    for (const [change, back] of [
      [point.change_qoq_pct, 1],
      [point.change_yoy_pct, 4],
    ] as const) {
      const before = points.find(({ quarter }) => quarter === label(point.quarter, back));
      const isComparable = before?.coverage_flag === point.coverage_flag && point.coverage_flag !== 'incomplete';
      const ratio = (point.median_price_per_sqm_sar as number) / (before?.median_price_per_sqm_sar as number);
      t.is(change, isComparable ? cents((ratio - 1) * 100) : null, `${point.quarter} ${back}`);
      if (isComparable) measured++;
    }
  }
  t.true(measured >= 3);
  const query = { city: 'riyadh', neighborhood_id: DISTRICT_IDS.toReversed().join(), land_use_class: 'commercial' };
  const each: { neighborhood_id: number; points: Point[] }[] = (await market('land-prices', query)).series;
  t.deepEqual(
    each.map(({ neighborhood_id }) => neighborhood_id),
    DISTRICT_IDS.toReversed(),
  );
  for (const { neighborhood_id, points: mine } of each) {
    const own = expectedCells([groupOf(neighborhood_id)], 5, QUARTERS);
    t.deepEqual(mine.map(figuresOf), own.filter((cell) => cell.land_use_class === 'commercial').map(figuresOf));
  }
});

test('pages of transactions return every visible deal once, newest month first, and filters work as documented', async (t) => {
  const rows = await allRows(ground.app, '/v1/transactions?city=riyadh&limit=97', ground.key);
  const expected = visible('riyadh');
  t.is(new Set(rows.map(({ id }) => id)).size, rows.length);
  t.true(rows.every(({ id }) => /^txn_[0-9a-f]{13}$/.test(String(id))));
  const months = rows.map((row) => String(row.registration_month));
  t.deepEqual(months, [...months].sort().reverse());
  const served = rows.map((row) =>
    [row.price_sar, row.area_sqm, row.registration_month, row.neighborhood_id, row.land_use_class].join(),
  );
  const imported = expected.map((deal) =>
    [deal.price, deal.area, deal.day.slice(0, 7), neighborhoodOf(deal), classOf(deal)].join(),
  );
  t.deepEqual(served.sort(), imported.sort());
  const malqa = findNeighborhood('riyadh', 'الملقا')?.id;
  const filters: [query: string, belongs: (deal: Deal) => boolean][] = [
    ['month_from=2023-05&month_to=2023-08', ({ day }) => day >= '2023-05' && day < '2023-09'],
    ['price_min=500000&price_max=900000', ({ price }) => price >= 500_000 && price <= 900_000],
    ['area_min=300&area_max=400.5', ({ area }) => area >= 300 && area <= 400.5],
    ['price_per_sqm_min=1500&price_per_sqm_max=2000', (deal) => rateOf(deal) >= 1500 && rateOf(deal) <= 2000],
    ['land_use_class=commercial,agricultural', (deal) => classOf(deal) !== 'residential'],
    [`neighborhood_id=${malqa}`, (deal) => neighborhoodOf(deal) === malqa],
  ];
  for (const [query, belongs] of filters) {
    const found = await allRows(ground.app, `/v1/transactions?city=riyadh&limit=100&${query}`, ground.key);
    t.is(found.length, expected.filter(belongs).length, query);
  }
});
const rateOf = ({ price, area }: Deal): number => cents(price / area);

test('a period without data returns 404 and lists the available periods', async (t) => {
  const ask = async (query: string) => {
    const { status, body } = await ground.app.request(`/v1/market/${query}`, { key: ground.key });
    return { status, ...body.error };
  };
  const quarters = QUARTERS.filter((quarter) => !EXCLUDED.includes(quarter));
  for (const [query, available_periods] of [
    ['transactions?city=riyadh&quarter_from=2023-Q1&quarter_to=2023-Q1', quarters],
    ['land-prices?city=riyadh&quarter_from=2023-Q1&quarter_to=2023-Q1', quarters],
    ['registered-rents?city=riyadh&period=2019-Q1', ['2024-Q2', '2024-Q3', '2024-Q4']],
    ['registered-rents?city=jeddah', []],
    ['index?quarter_from=2031-Q1&quarter_to=2031-Q2', ['2023-Q4', '2024-Q2', '2024-Q3']],
  ] as const)
    t.like(await ask(query), { status: 404, code: 'period_not_found', details: { available_periods } }, query);
  t.is((await ask('transactions?city=riyadh&quarter_from=2001-Q1')).param, 'quarter_from');
  for (const path of ['transactions', 'land-prices', 'registered-rents'])
    t.is((await ask(`${path}?city=riyadh&min_sample_size=4`)).param, 'min_sample_size');
});

const registered = (query: Query) => getData(ground.app, ground.key, '/v1/market/registered-rents', query);
/**
 * Returns the served means.
 * @param unit rounding factor: 100 keeps two decimals. Totals are computed from unrounded means
 */
const meansOf = ({ type, mean }: Rent, unit = 100) => ({
  mean_rent_sar: type === OFFICE ? null : cents(mean, unit),
  mean_rent_per_sqm_sar: type === OFFICE ? cents(mean, unit) : Number((mean / 120).toFixed(2)),
});

test('registered rents of a city include cells, withheld cells and totals over all contracts', async (t) => {
  for (const [city, towns] of [
    ['riyadh', ['الرياض']],
    ['kharj', ['الخرج', 'الخرج - الرفاع']],
  ] as const)
    for (const [period, least] of [
      ['2024-Q4', 5],
      ['2024-Q2', 12],
    ] as const) {
      const data = await registered({ city, period, min_sample_size: least });
      const mine = rents.filter(
        ({ town, quarter }) => (towns as readonly string[]).includes(town) && quarter === period,
      );
      const served = mine.filter(({ contracts }) => contracts >= least);
      const key = (row: { type?: string; district?: string | null; town?: string }) =>
        `${row.town} ${row.district} ${row.type}`;
      const found = new Map<string, Record<string, number | null>>(
        data.cells.map((cell: Record<string, string>) => [
          key({ town: cell.town_ar, district: cell.neighborhood_name_ar ?? '', type: cell.property_type_ar }),
          cell,
        ]),
      );
      t.is(found.size, served.length);
      for (const row of served) {
        const neighborhood_id = findNeighborhood(city, row.district)?.id ?? null;
        t.like(found.get(key(row)), { contract_count: row.contracts, neighborhood_id, ...meansOf(row) });
      }
      const contracts = (list: readonly Rent[]) => list.reduce((sum, row) => sum + row.contracts, 0);
      t.deepEqual(data.coverage, {
        cells: mine.length,
        cells_served: served.length,
        cells_withheld: mine.length - served.length,
        contracts: contracts(mine),
        contracts_withheld: contracts(mine) - contracts(served),
        cells_served_with_neighborhood_id: served.filter(({ district }) => findNeighborhood(city, district)).length,
      });
      for (const total of data.city_totals) {
        const all = mine.filter(({ type }) => TYPES[type as keyof typeof TYPES] === total.property_type);
        const towns = new Set(all.map(({ town }) => town)).size;
        t.like(total, { contract_count: contracts(all), cells: all.length, towns });
        const meanOf = (field: keyof ReturnType<typeof meansOf>) =>
          all.reduce((sum, row) => sum + row.contracts * (meansOf(row, 1e9)[field] ?? Number.NaN), 0) / contracts(all);
        for (const field of ['mean_rent_sar', 'mean_rent_per_sqm_sar'] as const) {
          const mean = meanOf(field);
          t.is(total[field], contracts(all) < 5 || Number.isNaN(mean) ? null : cents(mean), `${city} ${field}`);
        }
      }
      t.like(data, { price_source: 'registered', price_basis: 'yearly_rent', statistic: 'mean' });
    }
});

test('registered rents default to the newest quarter and can be filtered', async (t) => {
  const data = await registered({ city: 'riyadh' });
  t.deepEqual(data.period, { label: '2024-Q4', start: '2024-10-01', end: '2024-12-31' });
  t.deepEqual(data.available_periods, ['2024-Q2', '2024-Q3', '2024-Q4']);
  const malqa = findNeighborhood('riyadh', 'الملقا')?.id;
  const some = await registered({ city: 'riyadh', neighborhood_id: malqa ?? 0, property_type: 'villa,office' });
  t.is(some.coverage.cells, 2);
});

test('the price index is returned for the Kingdom and for a region, with its base years', async (t) => {
  const { region, series, coverage } = await getData(ground.app, ground.key, '/v1/market/index');
  t.is(region.slug, 'kingdom');
  const [general, house, floor] = series;
  const figures = (point: Record<string, unknown>) =>
    ['quarter', 'coverage_flag', 'base_year', 'index', 'weight_pct', 'change_qoq_pct', 'change_yoy_pct'].map(
      (name) => point[name],
    );
  t.deepEqual(general.points.map(figures), [
    ['2023-Q4', 'full', 2014, 82.5, 100, 0.2, 1],
    ['2024-Q2', 'full', 2014, 83.943, 100, 1.1203, 1.7294],
    ['2024-Q3', 'full', 2023, 102.56, null, 0.8, 2.6],
  ]);
  t.deepEqual([house.item, floor.item, floor.points[0].change_yoy_pct], ['house', 'floor', -1.6]);
  // The rules apply to deals in the city of Riyadh, not to the statistics office's index for the region.
  t.like(coverage, { notary_only_from_quarter: null, complete_through_quarter: '2024-Q3' });
  t.is(coverage.notes.at(-1), 'These quarters are missing: 2024-Q1.');
  const query = { city: 'riyadh', item: 'general', quarter_from: '2024-Q3' };
  const riyadh = await getData(ground.app, ground.key, '/v1/market/index', query);
  t.is(riyadh.series.length, 1);
  const point = { index: 104, change_qoq_pct: 2, change_yoy_pct: 9, coverage_flag: 'full' };
  t.like(riyadh.series[0].points[0], point);
});
