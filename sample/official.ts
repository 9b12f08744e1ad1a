import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { City, Neighborhood } from '#domain/geography/places.ts';
import { parseQuarter, quarterDays, quarterLabel } from '#domain/official/quarters.ts';
import { INDEX_ITEM_CODES, REGION_OF_CITY, REGIONS } from '#domain/official/vocabulary.ts';
import { hijriText } from '#ingest/official/dates.ts';
import { firstNames } from '#ingest/official/layouts.ts';
import { arabicDigits, looseSpelling } from './formats.ts';
import { hashText, Random, Weighted } from './random.ts';
import { type WorkbookCell, writeWorkbook } from './workbook.ts';

export interface OfficialSampleOptions {
  /** Sample folder. Files are written to its subfolder `official`. */
  dir: string;
  seed: number;
  /** Approximate number of deals per quarter in the whole country. */
  deals?: number;
}

/** Twelve quarters, two excluded ones, one that ends early for Riyadh, and Riyadh from 2024 with notaries only. */
const FIRST = parseQuarter('2023-Q1');
const LAST = parseQuarter('2026-Q2');
const LEFT_OUT = parseQuarter('2020-Q2');
const DEALS = 1_800;
/** By city slug. */
type Shares = Readonly<Record<string, number>>;
/** Market shares in percent. Other cities divide the rest of the deals, and have 1 each in the sales indicators. */
const SHARES: Shares = { riyadh: 38, jeddah: 30, dammam: 6, makkah: 5, madinah: 5, khobar: 4 };
/** SAR per square meter of a residential plot, and the quarterly drift. */
const LEVELS: Shares = { riyadh: 3_600, jeddah: 2_900, khobar: 2_600, makkah: 2_500, dammam: 2_100 };
const OTHER_LEVEL = 1_100;
const DRIFT = 0.013;

/** Writes invented files in the layouts of the three publishers. Equal options give equal bytes. */
export async function generateOfficialSample({ dir, seed, deals = DEALS }: OfficialSampleOptions): Promise<string> {
  const root = join(dir, 'official');
  rmSync(root, { recursive: true, force: true });
  for (const folder of ['deals', 'rents', 'indicators', 'index']) mkdirSync(join(root, folder), { recursive: true });
  await writeDeals(join(root, 'deals'), seed, deals);
  writeRents(join(root, 'rents'), seed);
  writeIndicators(join(root, 'indicators'), seed, deals);
  writeIndex(join(root, 'index'), seed);
  // Written last: marks the sample as complete.
  writeFileSync(join(root, 'manifest.json'), `${JSON.stringify({ seed, deals })}\n`);
  return root;
}

/** Writes a CSV file in the format of the publishers. */
const writeCsv = (path: string, header: string, lines: readonly string[]): void =>
  writeFileSync(path, `\ufeff${[header, ...lines].join('\r\n')}\r\n`);

/** Creates an independent random number generator per part, so that changing one part does not affect the others. */
const randomOf = (seed: number, ...part: (string | number)[]): Random => new Random(seed, hashText(part.join(' ')));

type Region = (typeof REGIONS)[keyof typeof REGIONS];
const regionOf = (city: string): Region =>
  Object.values(REGIONS).find(({ slug }) => slug === REGION_OF_CITY[city]) ?? REGIONS[1];

/** Returns a neighborhood's price level in SAR per square meter: that of its city, times a factor by its slug. */
const levelOf = (city: City, place: Neighborhood): number =>
  (LEVELS[city.slug] ?? OTHER_LEVEL) * (0.6 + (hashText(`${place.city} ${place.slug}`) % 1_000) / 1_000);
const growth = (quarter: number): number => (1 + DRIFT) ** (quarter - FIRST);

/** Selects a neighborhood of a city. Neighborhoods at the start of the gazetteer's list are selected most often. */
function placeIn(random: Random, city: City): Neighborhood {
  const all = neighborhoodsOf(city.slug);
  return all[Math.floor(random.next() ** 2.5 * all.length)] as Neighborhood;
}

// Registered deals

const DEAL_COLUMNS = firstNames('justice_quarterly');
/** Classes with their share of the deals, and their price relative to homes. */
const CLASSES = new Weighted([
  [['سكني', 1], 80],
  [['تجاري', 1.7], 12],
  [['زراعي', 0.1], 4],
  [['صناعي', 0.6], 2],
  [['متعدد الاستخدام', 1.3], 2],
] as const);

interface SampleDeal {
  city: City;
  district: string;
  reference: number;
  day: string;
  land: string;
  count: number;
  price: number;
  area: number;
}

async function writeDeals(folder: string, seed: number, total: number): Promise<void> {
  const file = (name: string): string => join(folder, name);
  // The layout for one city, with plans and parcels that the import ignores.
  const old = dealsOf(seed, LEFT_OUT, 150).filter(({ city }) => city.slug === 'riyadh');
  writeCityCsv(file('deals_riyadh_2020-Q2.csv'), old);
  for (let quarter = FIRST; quarter <= LAST; quarter++) {
    const name = `deals-${quarterLabel(quarter)}`;
    const deals = dealsOf(seed, quarter, total);
    if (quarter % 3 === 0) await writeWorkbook(file(`${name}.xlsx`), [DEAL_COLUMNS, ...deals.map(workbookRow)]);
    else writeDealsCsv(file(`${name}.csv`), deals, quarter % 5 === 0);
  }
  // One quarter is published twice unchanged, and one is published again with corrected prices.
  const twice = `deals-${quarterLabel(FIRST + 4)}`;
  if ((FIRST + 4) % 3 !== 0) copyFileSync(file(`${twice}.csv`), file(`${twice}-again.csv`));
  const corrected = dealsOf(seed, FIRST + 9, total).map((deal, at) =>
    at % 40 === 0 ? { ...deal, price: deal.price + 1_000 } : deal,
  );
  writeDealsCsv(file(`deals-${quarterLabel(FIRST + 9)}-corrected.csv`), corrected);
}

function dealsOf(seed: number, quarter: number, total: number): SampleDeal[] {
  const random = randomOf(seed, 'deals', quarter);
  const { start } = quarterDays(quarter);
  const reference = 30_000_000 + quarter * 100_000;
  const rest =
    (100 - Object.values(SHARES).reduce((sum, share) => sum + share, 0)) / (CITIES.length - Object.keys(SHARES).length);
  const deals = CITIES.flatMap((city) => {
    const count = Math.round((total * (SHARES[city.slug] ?? rest)) / 100);
    return Array.from({ length: count }, () => oneDeal(random, city, quarter));
  });
  const days = (Date.parse(quarterDays(quarter).end) - Date.parse(start)) / 86_400_000;
  return deals
    .map((deal) => ({
      deal,
      day: new Date(Date.parse(start) + random.int(0, days) * 86_400_000).toISOString().slice(0, 10),
    }))
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
    .map(({ deal, day }, at) => ({ ...deal, day, reference: reference + at }));
}

function oneDeal(random: Random, city: City, quarter: number): Omit<SampleDeal, 'day' | 'reference'> {
  const place = placeIn(random, city);
  const [land, factor] = CLASSES.pick(random);
  const area = Math.round((land === 'زراعي' ? 8_000 : 420) * random.spread(0.45) * 100) / 100;
  const price =
    Math.round((area * levelOf(city, place) * factor * growth(quarter) * random.spread(0.22)) / 1_000) * 1_000;
  return {
    city,
    district: districtName(random, place),
    land,
    count: random.chance(0.03) ? 2 : 1,
    price: Math.max(price, 1_000),
    area,
  };
}

/** Returns the district as clerks spell it. Some values are not districts. */
function districtName(random: Random, place: Neighborhood): string {
  const odd = random.next();
  if (odd < 0.015) return 'أخرى';
  if (odd < 0.02) return 'طريق القوافل القديم';
  if (odd < 0.25) return looseSpelling(place.name_ar);
  return odd < 0.45 ? `حي ${place.name_ar}` : place.name_ar;
}

function writeDealsCsv(path: string, deals: readonly SampleDeal[], arabic = false): void {
  const digits = (text: string): string => (arabic ? arabicDigits(text) : text);
  const lines = deals.map((deal) =>
    [
      `منطقة ${regionOf(deal.city.slug).name_ar.replace(/^(المنطقة|منطقة) /, '')}`,
      deal.city.name_ar,
      `${deal.city.name_ar}/ ${deal.district} `,
      digits(String(deal.reference)),
      digits(deal.day.replaceAll('-', '/')),
      digits(hijriText(deal.day)),
      deal.land,
      digits(String(deal.count)),
      `"${digits(AMOUNT.format(deal.price))}"`,
      `"${digits(AMOUNT.format(deal.area))}"`,
    ].join(','),
  );
  const header = DEAL_COLUMNS.join(',');
  writeCsv(path, arabic ? header.replace('السعر', 'الســعر') : header, lines);
}

const AMOUNT = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const SPREADSHEET_EPOCH = Date.UTC(1899, 11, 30);

function workbookRow(deal: SampleDeal): WorkbookCell[] {
  const serial = (Date.parse(deal.day) - SPREADSHEET_EPOCH) / 86_400_000;
  const place = `${deal.city.name_ar}/${deal.district}`;
  return [
    regionOf(deal.city.slug).name_ar,
    deal.city.name_ar,
    place,
    deal.reference,
    serial,
    hijriText(deal.day),
    deal.land,
    deal.count,
    deal.price,
    deal.area,
  ];
}

function writeCityCsv(path: string, deals: readonly SampleDeal[]): void {
  const lines = deals.map(({ district, reference, day, price, area }, at) => {
    const date = new Date(day).toLocaleDateString('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).replace(/,? /, ', ');
    const perSqm = Math.round((price / area) * 100) / 100;
    return `${district},مخطط/${3_000 + at},قطعة ${100 + at},"${date} ",${reference},${price}.00,${area},${perSqm.toFixed(2)}`;
  });
  const header =
    'Neighbourhood,Plannedـtransactionـdetails,Detailsـtransaction,Date,transactionـnumber,Total_price,Area,Price_per_meter';
  writeCsv(path, header, lines);
}

// Registered rents

/** Type, yearly rent as a share of the price, area in square meters. */
const RENTS = [
  ['شقة - سكني', 0.055, 120],
  ['استديو - سكني', 0.07, 40],
  ['دور - سكني', 0.05, 220],
  ['فيلا - سكني', 0.04, 330],
  ['دوبلاكس - سكني', 0.045, 260],
  ['محل - تجاري', 0.09, 60],
  ['مكتب - تجاري', 0.08, 80],
  ['معرض تجاري - تجاري', 0.07, 160],
] as const;

/** Returns the regions with cities, in the order of the cities. */
const regionsOf = (): [region: Region, cities: City[]][] => [...Map.groupBy(CITIES, ({ slug }) => regionOf(slug))];

/** Writes one file per region, some with Arabic column names. That of the Riyadh region is by district. */
function writeRents(folder: string, seed: number): void {
  for (const [{ name_ar: name, slug }, cities] of regionsOf()) {
    const random = randomOf(seed, 'rents', name);
    const byDistrict = cities.some(({ slug }) => slug === 'riyadh');
    const header = byDistrict
      ? 'السنة ,الربع,المنطقة ,المدينة ,الحي,نوع العقار ,مجموع الصفقات,المتوسط,متوسط سعر المتر'
      : cities.length > 2
        ? 'year,quarter,region_ar,city_ar,Category,total_deals,average'
        : 'السنة,الربع,المنطقة,المدينة,نوع العقار,مجموع الصفقات,المتوسط';
    const lines: string[] = [];
    for (let quarter = FIRST; quarter < LAST; quarter++) {
      const when = [Math.floor(quarter / 4), (quarter % 4) + 1];
      for (const city of cities) {
        const places = byDistrict && city.slug === 'riyadh' ? neighborhoodsOf(city.slug).slice(0, 40) : [null];
        for (const place of places) {
          for (const [type, share, area] of RENTS) {
            if (random.chance(place === null ? 0.05 : 0.35)) continue;
            const level = place === null ? (LEVELS[city.slug] ?? OTHER_LEVEL) : levelOf(city, place);
            const mean = level * area * share * growth(quarter) * random.spread(0.08) * 1.6;
            const contracts = Math.max(1, Math.round((place === null ? 300 : 25) * random.spread(0.9)));
            const district = byDistrict ? [place === null ? '' : looseSpelling(place.name_ar)] : [];
            const perSqm = byDistrict ? [(mean / area).toFixed(2)] : [];
            // The regulator publishes mean rents of commercial types per square meter, without stating the unit.
            const published = type.endsWith('تجاري') ? mean / area : mean;
            lines.push(
              [...when, name, city.name_ar, ...district, type, contracts, published.toFixed(5), ...perSqm].join(','),
            );
          }
        }
      }
    }
    writeCsv(join(folder, `Rental-indicators-${slug}.csv`), header, lines);
  }
}

// Sales indicators

const INDICATORS = [
  ['أرض', 'سكني', 0.45, 420, 1],
  ['أرض', 'تجاري', 0.06, 700, 1.7],
  ['شقة', 'سكني', 0.3, 140, 1.6],
  ['دور', 'سكني', 0.12, 220, 1.3],
  ['فيلا', 'سكني', 0.07, 330, 1.5],
] as const;
const ORDINALS = ['الأول', 'الثاني', 'الثالث', 'الرابع'];

/** Writes one file per region and quarter, in the layout of 2025, or in the layout of 2024 with its quarter number. */
function writeIndicators(folder: string, seed: number, total: number): void {
  for (let quarter = FIRST + 1; quarter < LAST; quarter++) {
    for (const [{ name_ar: name, slug }, cities] of regionsOf()) {
      const random = randomOf(seed, 'indicators', quarter, name);
      const later = quarter >= parseQuarter('2025-Q1');
      const when = [Math.floor(quarter / 4), (quarter % 4) + 1];
      const lines = cities.flatMap((city) =>
        indicatorLines(random, city, quarter, total, [...when, `الربع ${ORDINALS[quarter % 4]} `], name, later),
      );
      const header = later
        ? 'السنة,الربع,الربع ,المنطقة,المدينة,الحي,نوع العقار,تصنيف العقار,عدد الصكوك ,قيمة الصفقات,المساحة M2,متوسط سعر المتر,الحد الأعلى لسعر المتر,الحد الأدنى لسعر المتر '
        : 'السنة,الربع,الربع ,رقم الربع ,المنطقة,المدينة,الحي,نوع العقار,عدد الصكوك ,مجموع سعر العقار,المساحة M2,متوسط سعر المتر,الحد الأعلى لسعر المتر,الحد الأدنى لسعر المتر ';
      writeCsv(join(folder, `Sales-indicators-${slug}-${quarterLabel(quarter)}.csv`), header, lines);
    }
  }
}

function indicatorLines(
  random: Random,
  city: City,
  quarter: number,
  total: number,
  when: readonly (string | number)[],
  name: string,
  later: boolean,
): string[] {
  const share = SHARES[city.slug] ?? 1;
  const places = neighborhoodsOf(city.slug).slice(0, 30);
  return places.flatMap((place, at) =>
    INDICATORS.flatMap(([type, use, part, size, factor]) => {
      const deeds = Math.round(
        (total * 1.6 * share * part * (1.6 - (1.2 * at) / places.length)) / 100 / places.length + random.next() - 0.3,
      );
      if (deeds < 1) return [];
      const area = Math.round(deeds * size * random.spread(0.1) * 100) / 100;
      const mean = levelOf(city, place) * factor * growth(quarter) * random.spread(0.05);
      // The regulator publishes no mean for fewer than five deeds.
      const stated =
        deeds < 5 ? ['NULL', 'NULL', 'NULL'] : [mean, mean * 1.12, mean * 0.88].map((value) => value.toFixed(2));
      const kind = later ? [type, use] : [type === 'أرض' ? `قطعة أرض-${use === 'سكني' ? 'سكنى' : 'تجارى'}` : type];
      const number = later ? [] : [`${when[0]}${when[1]}`];
      const stating = [deeds, (area * mean).toFixed(2), area, ...stated];
      return [...when, ...number, name, city.name_ar, place.name_ar, ...kind, ...stating].join(',');
    }),
  );
}

// The statistics office's index

const ITEM_NAMES: Readonly<Record<string, string>> = {
  '0': 'الرقم القياسي العام',
  '01': 'سكني',
  '011': 'قطعة أرض سكني',
  '012': 'عمارة سكني',
  '013': 'فيلا سكني',
  '014': 'شقة سكني',
  '015': 'بيت سكني',
  '02': 'تجاري',
  '021': 'قطعة أرض تجاري',
  '022': 'عمارة تجاري',
  '023': 'معرض/ محل تجاري',
  '024': 'مركز تجاري',
  '03': 'زراعي',
  '031': 'أرض زراعية',
};
const REBASED = parseQuarter('2024-Q3');

/** Writes one file with the history for base year 2014, then one per quarter for base year 2023 with fewer items. */
function writeIndex(folder: string, seed: number): void {
  const base = 'السنة,التاريخ,رمز المنطقة الإدارية,المنطقة الإدارية,رمز البند,البند,الرقم القياسي';
  const changes = 'نسبة التغير السنوي,نسبة التغير الربعي';
  const from = parseQuarter('2020-Q1');
  const history = indexLines(seed, from, REBASED - 1, true);
  writeCsv(join(folder, 'REPI-2024-Q2.csv'), `${base},الأهمية النسبية,${changes}`, history);
  for (let quarter = REBASED; quarter < LAST; quarter++) {
    const lines = indexLines(seed, quarter, quarter, false);
    writeCsv(join(folder, `REPI-${quarterLabel(quarter)}.csv`), `${base},${changes}`, lines);
  }
}

function indexLines(seed: number, first: number, last: number, old: boolean): string[] {
  const lines: string[] = [];
  for (const [code, { name_ar }] of Object.entries(REGIONS)) {
    for (const item of Object.keys(INDEX_ITEM_CODES)) {
      if (!old && ((code !== '99' && item !== '0') || item === '012' || item === '024')) continue;
      const value = (quarter: number): number => {
        const random = randomOf(seed, 'index', code, item, quarter);
        return (old ? 82 : 100) * (1 + DRIFT / 2) ** (quarter - REBASED) * random.spread(0.004);
      };
      for (let quarter = first; quarter <= last; quarter++) {
        const now = value(quarter);
        const label = `${Math.floor(quarter / 4)} / Q${(quarter % 4) + 1}`;
        const cells = [
          Math.floor(quarter / 4),
          label,
          code,
          name_ar,
          item,
          !old && item === '015' ? 'دور سكني' : ITEM_NAMES[item],
          now.toFixed(3),
        ];
        if (old) cells.push(item === '0' ? '100' : '12.5');
        cells.push((now / value(quarter - 4) - 1).toFixed(9), (now / value(quarter - 1) - 1).toFixed(9));
        lines.push(cells.join(','));
      }
    }
  }
  return lines;
}
