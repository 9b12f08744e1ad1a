import { findNeighborhood } from '#domain/geography/locate.ts';
import type { FileReport } from '#ingest/official/report.ts';
import { getData, type Query } from '#test/market.ts';
import { type OfficialGround, officialGround } from '#test/official.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

/** Compares registered rents and the statistics office's price index with the imported rows. */

interface Rent {
  quarter: string;
  town: string;
  district: string;
  type: string;
  contracts: number;
  mean: number;
}

const random = seeded(3);
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

let ground: OfficialGround;
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
const header = 'السنة ,الربع,المنطقة ,المدينة ,الحي,نوع العقار ,مجموع الصفقات,المتوسط,متوسط سعر المتر';
const old =
  'السنة,التاريخ,رمز المنطقة الإدارية,المنطقة الإدارية,رمز البند,البند,الرقم القياسي,الأهمية النسبية,نسبة التغير السنوي,نسبة التغير الربعي';
// The file with base year 2023 has other columns, in another order.
const rebased =
  'السنة,التاريخ,رمز المنطقة الإدارية,المنطقة الإدارية,رمز البند,البند,الرقم القياسي,نسبة التغير الربعي,نسبة التغير السنوي';
let reports: FileReport[];
test.before(async () => {
  ground = await officialGround('rents', ['riyadh', 'jeddah', 'kharj']);
  await ground.write('rents.csv', `\ufeff${header}\r\n${lines.join('\r\n')}\r\n`);
  await ground.write(
    'index-old.csv',
    `${old}\n2023,2023 / Q4,99,المملكة,0,الرقم القياسي العام,82.5,100,0.01,0.002\n2024,2024 / Q2,99,المملكة,0,الرقم القياسي العام,83.943,100,0.017293616,0.011203065\n2024,2024 / Q2,99,المملكة,015,بيت سكني,80,2.5,,\n2024,2024 / Q2,1,الرياض,0,الرقم القياسي العام,90.1,100,0.05,0.01\n`,
  );
  await ground.write(
    'index-new.csv',
    `${rebased}\n2024,2024 / Q3,99,المملكة,0,الرقم القياسي العام,102.56,0.008,0.026\n2024,2024 / Q3,99,المملكة,015,دور سكني,101,0.004,-0.016\n2024,2024 / Q3,1,الرياض,0,الرقم القياسي العام,104,0.02,0.09\n`,
  );
  reports = await ground.import(ground.dir);
  if (reports.some(({ status }) => status !== 'imported')) throw new Error(JSON.stringify(reports));
});
test.after(() => ground.close());

const registered = (query: Query) => getData(ground.app, ground.key, '/v1/market/registered-rents', query);
const cents = (value: number, unit = 100): number => Math.round(value * unit) / unit;

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

test('registered rents default to the newest quarter, can be filtered, and return 404 for a missing period', async (t) => {
  const data = await registered({ city: 'riyadh' });
  t.deepEqual(data.period, { label: '2024-Q4', start: '2024-10-01', end: '2024-12-31' });
  t.deepEqual(data.available_periods, ['2024-Q2', '2024-Q3', '2024-Q4']);
  const malqa = findNeighborhood('riyadh', 'الملقا')?.id;
  const some = await registered({ city: 'riyadh', neighborhood_id: malqa ?? 0, property_type: 'villa,office' });
  t.is(some.coverage.cells, 2);
  for (const [query, available] of [
    ['registered-rents?city=riyadh&period=2019-Q1', data.available_periods],
    ['registered-rents?city=jeddah', []],
    ['index?quarter_from=2031-Q1&quarter_to=2031-Q2', ['2023-Q4', '2024-Q2', '2024-Q3']],
  ] as const) {
    const { error } = (await ground.app.request(`/v1/market/${query}`, { key: ground.key })).body;
    t.is(error.code, 'period_not_found', query);
    t.deepEqual(error.details.available_periods, available, query);
  }
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
