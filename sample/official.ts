import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { City, Neighborhood } from '#domain/geography/places.ts';
import { INDEX_ITEM_CODES, REGION_OF_CITY, REGIONS } from '#domain/official/official-vocabulary.ts';
import { parseQuarter, quarterDays, quarterLabel } from '#domain/official/quarters.ts';
import { hijriText } from '#ingest/official/official-dates.ts';
import { csvLine } from './files.ts';
import tables from './official.json' with { type: 'json' };
import { hashText, Random, Weighted } from './random.ts';
import { arabicDigits, looseSpelling } from './words.ts';

/** Twelve quarters, two excluded ones, one that ends early for Riyadh, and Riyadh from 2024 with notaries only. */
const FIRST = parseQuarter('2023-Q1');
const LAST = parseQuarter('2026-Q2');
const LEFT_OUT = parseQuarter('2020-Q2');
const REBASED = parseQuarter('2024-Q3');
/** Market shares in percent. Other cities divide the rest of the deals. */
const SHARES: Readonly<Record<string, number>> = tables.shares;
const REST =
  (100 - Object.values(SHARES).reduce((sum, share) => sum + share, 0)) / (CITIES.length - Object.keys(SHARES).length);
/** SAR per square meter of a residential plot, and the quarterly drift. */
const LEVELS: Readonly<Record<string, number>> = tables.levels;
const OTHER_LEVEL = 1_100;
const DRIFT = 0.013;
const CLASSES = new Weighted(
  tables.classes.map((each) => [each as [string, number, number], each[2] as number] as const),
);
const DAY_MS = 86_400_000;

type Cells = readonly (string | number)[];

/** Writes files in the layouts of the three publishers. */
export function generateOfficialSample({
  dir,
  seed,
  deals = 1_800,
}: {
  dir: string;
  seed: number;
  deals?: number;
}): string {
  const root = join(dir, 'official');
  rmSync(root, { recursive: true, force: true });
  for (const folder of ['deals', 'rents', 'indicators', 'index']) mkdirSync(join(root, folder), { recursive: true });
  writeDeals(join(root, 'deals'), seed, deals);
  writeRents(join(root, 'rents'), seed);
  writeIndicators(join(root, 'indicators'), seed, deals);
  writeIndex(join(root, 'index'), seed);
  // Written last: marks the sample as complete.
  writeFileSync(join(root, 'manifest.json'), `${JSON.stringify({ seed, deals })}\n`);
  return root;
}

const writeCsv = (path: string, header: string, rows: readonly Cells[]): void =>
  writeFileSync(path, `\ufeff${header}\r\n${rows.map((row) => csvLine(row).replace('\n', '\r\n')).join('')}`);

/** Creates a generator for each part, so that changing one does not affect the others. */
const randomOf = (seed: number, ...part: (string | number)[]): Random => new Random(seed, hashText(part.join(' ')));

const regionOf = (city: string): (typeof REGIONS)[keyof typeof REGIONS] =>
  Object.values(REGIONS).find(({ slug }) => slug === REGION_OF_CITY[city]) ?? REGIONS[1];
const regions = () => [...Map.groupBy(CITIES, ({ slug }) => regionOf(slug))];
/** SAR per square meter: the level of the city, times a factor of the neighborhood. */
const levelOf = ({ slug }: City, place: Neighborhood | null): number =>
  (LEVELS[slug] ?? OTHER_LEVEL) *
  (place === null ? 1 : 0.6 + (hashText(`${place.city} ${place.slug}`) % 1_000) / 1_000);
const growth = (quarter: number): number => (1 + DRIFT) ** (quarter - FIRST);
const yearAndQuarter = (quarter: number): [number, number] => [Math.floor(quarter / 4), (quarter % 4) + 1];

/**
 * Writes a file a quarter: one in Arabic digits; that of 2020 in the layout for one city, which has columns that are
 * ignored.
 */
function writeDeals(folder: string, seed: number, total: number): void {
  const old = dealsOf(seed, LEFT_OUT, 150).filter(({ city }) => city.slug === 'riyadh');
  const rows = old.map(({ district, reference, day, price, area }, at) => {
    const date = new Date(day).toLocaleDateString('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).replace(/,? /, ', ');
    const parcel = [`مخطط/${3_000 + at}`, `قطعة ${100 + at}`];
    return [district, ...parcel, `${date} `, reference, `${price}.00`, area, (price / area).toFixed(2)];
  });
  writeCsv(join(folder, 'deals_riyadh_2020-Q2.csv'), tables.headers.city, rows);
  const amount = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  for (let quarter = FIRST; quarter <= LAST; quarter++) {
    const digits = quarter % 10 === 0 ? arabicDigits : String;
    const rows = dealsOf(seed, quarter, total).map(({ city, district, reference, day, land, count, price, area }) => {
      const region = `منطقة ${regionOf(city.slug).name_ar.replace(/^(المنطقة|منطقة) /, '')}`;
      const dates = [day.replaceAll('-', '/'), hijriText(day)].map(digits);
      const amounts = [count, amount.format(price), amount.format(area)].map(digits);
      return [region, city.name_ar, `${city.name_ar}/ ${district} `, digits(reference), ...dates, land, ...amounts];
    });
    writeCsv(join(folder, `deals-${quarterLabel(quarter)}.csv`), tables.headers.quarterly, rows);
  }
}

function dealsOf(seed: number, quarter: number, total: number) {
  const random = randomOf(seed, 'deals', quarter);
  const { start, end } = quarterDays(quarter);
  const deals = CITIES.flatMap((city) =>
    Array.from({ length: Math.round((total * (SHARES[city.slug] ?? REST)) / 100) }, () => {
      const all = neighborhoodsOf(city.slug);
      const place = all[Math.floor(random.next() ** 2.5 * all.length)] as Neighborhood;
      const [land, factor] = CLASSES.pick(random);
      const area = Math.round((land === 'زراعي' ? 8_000 : 420) * random.spread(0.45) * 100) / 100;
      const price = area * levelOf(city, place) * factor * growth(quarter) * random.spread(0.22);
      const day = Date.parse(start) + random.int(0, (Date.parse(end) - Date.parse(start)) / DAY_MS) * DAY_MS;
      return {
        city,
        district: districtName(random, place),
        land,
        count: random.chance(0.03) ? 2 : 1,
        price: Math.max(1_000, Math.round(price / 1_000) * 1_000),
        area,
        day: new Date(day).toISOString().slice(0, 10),
      };
    }),
  );
  const sorted = deals.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  return sorted.map((deal, at) => ({ ...deal, reference: 30_000_000 + quarter * 100_000 + at }));
}

/** Returns the district as clerks spell it. Some values are not districts. */
function districtName(random: Random, place: Neighborhood): string {
  const odd = random.next();
  if (odd < 0.02) return odd < 0.015 ? 'أخرى' : 'طريق القوافل القديم';
  if (odd < 0.25) return looseSpelling(place.name_ar);
  return odd < 0.45 ? `حي ${place.name_ar}` : place.name_ar;
}

/** Writes a file per region, some with English column names. That of the Riyadh region is by district. */
function writeRents(folder: string, seed: number): void {
  for (const [{ name_ar: name, slug }, cities] of regions()) {
    const random = randomOf(seed, 'rents', name);
    const byDistrict = cities.some((city) => city.slug === 'riyadh');
    const rows: Cells[] = [];
    for (let quarter = FIRST; quarter < LAST; quarter++)
      for (const city of cities)
        for (const place of city.slug === 'riyadh' ? neighborhoodsOf(city.slug).slice(0, 40) : [null])
          for (const [type, share, area] of tables.rents as [string, number, number][]) {
            if (random.chance(place === null ? 0.05 : 0.35)) continue;
            const mean = levelOf(city, place) * area * share * growth(quarter) * random.spread(0.08) * 1.6;
            const contracts = Math.max(1, Math.round((place === null ? 300 : 25) * random.spread(0.9)));
            const district = byDistrict ? [looseSpelling(place?.name_ar ?? '')] : [];
            // The regulator publishes rents of commercial types per square meter, without stating the unit.
            const published = (type.endsWith('تجاري') ? mean / area : mean).toFixed(5);
            const perSqm = byDistrict ? [(mean / area).toFixed(2)] : [];
            const where = [...yearAndQuarter(quarter), name, city.name_ar, ...district];
            rows.push([...where, type, contracts, published, ...perSqm]);
          }
    const { rents, rents_en, rents_by_district } = tables.headers;
    const header = byDistrict ? rents_by_district : cities.length > 2 ? rents_en : rents;
    writeCsv(join(folder, `Rental-indicators-${slug}.csv`), header, rows);
  }
}

/** Writes a file per region and quarter, in the layout of 2025 or of 2024. */
function writeIndicators(folder: string, seed: number, total: number): void {
  for (let quarter = FIRST + 1; quarter <= LAST; quarter++)
    for (const [{ name_ar: name, slug }, cities] of regions()) {
      const random = randomOf(seed, 'indicators', quarter, name);
      const [year, number] = yearAndQuarter(quarter);
      const later = year >= 2025;
      const ordinal = `الربع ${tables.ordinals[number - 1]} `;
      const when = [year, number, ordinal, ...(later ? [] : [`${year}${number}`]), name];
      const rows = cities.flatMap((city) => {
        const places = neighborhoodsOf(city.slug).slice(0, 30);
        const most = (total * 1.6 * (SHARES[city.slug] ?? 1)) / 100 / places.length;
        return places.flatMap((place, at) =>
          (tables.indicators as [string, keyof typeof tables.plots, number, number, number][]).flatMap(
            ([type, use, part, size, factor]) => {
              const deeds = Math.round(most * part * (1.6 - (1.2 * at) / places.length) + random.next() - 0.3);
              if (deeds < 1) return [];
              const area = Math.round(deeds * size * random.spread(0.1) * 100) / 100;
              const mean = levelOf(city, place) * factor * growth(quarter) * random.spread(0.05);
              // The regulator publishes no mean for fewer than five deeds.
              const means = [1, 1.12, 0.88].map((share) => (deeds < 5 ? 'NULL' : (mean * share).toFixed(2)));
              const kind = later ? [type, use] : [type === 'أرض' ? tables.plots[use] : type];
              return [[...when, city.name_ar, place.name_ar, ...kind, deeds, (area * mean).toFixed(2), area, ...means]];
            },
          ),
        );
      });
      const header = tables.headers[later ? 'indicators_2025' : 'indicators_2024'];
      writeCsv(join(folder, `Sales-indicators-${slug}-${quarterLabel(quarter)}.csv`), header, rows);
    }
}

/** Writes a file with the history for base year 2014, then one per quarter for 2023 with fewer items. */
function writeIndex(folder: string, seed: number): void {
  const history = indexRows(seed, parseQuarter('2020-Q1'), REBASED - 1, true);
  writeCsv(join(folder, 'REPI-2024-Q2.csv'), tables.headers.index_2014, history);
  for (let quarter = REBASED; quarter < LAST; quarter++)
    writeCsv(
      join(folder, `REPI-${quarterLabel(quarter)}.csv`),
      tables.headers.index_2023,
      indexRows(seed, quarter, quarter, false),
    );
}

function indexRows(seed: number, first: number, last: number, old: boolean): Cells[] {
  const rows: Cells[] = [];
  for (const [code, { name_ar }] of Object.entries(REGIONS))
    for (const item of Object.keys(INDEX_ITEM_CODES) as (keyof typeof tables.items)[]) {
      if (!old && ((code !== '99' && item !== '0') || item === '012' || item === '024')) continue;
      const value = (quarter: number): number =>
        (old ? 82 : 100) *
        (1 + DRIFT / 2) ** (quarter - REBASED) *
        randomOf(seed, 'index', code, item, quarter).spread(0.004);
      const name = !old && item === '015' ? 'دور سكني' : tables.items[item];
      for (let quarter = first; quarter <= last; quarter++) {
        const [year, number] = yearAndQuarter(quarter);
        const now = value(quarter);
        const changes = [4, 1].map((quarters) => (now / value(quarter - quarters) - 1).toFixed(9));
        const weight = old ? [item === '0' ? '100' : '12.5'] : [];
        rows.push([year, `${year} / Q${number}`, code, name_ar, item, name, now.toFixed(3), ...weight, ...changes]);
      }
    }
  return rows;
}
