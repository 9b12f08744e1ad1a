import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { ServedIndex } from '#domain/index-state.ts';
import type { FileReport } from '#ingest/official/file-report.ts';
import { type ImportOptions, importOfficial } from '#ingest/official/import.ts';
import type { OfficialContext } from '#ingest/official/official-context.ts';
import { createPool } from '#stores/postgres/pool.ts';
import { startTestApp } from './app.ts';
import { createDatabase, removeIndexes } from './engines.ts';
import { createOrganization } from './factories.ts';

/** A test environment for official data, with a separate database, indexes and app, and the cities of the gazetteer. */
export type OfficialGround = Awaited<ReturnType<typeof officialGround>>;

export async function officialGround(
  name: string,
  cities: readonly string[] = ['riyadh', 'jeddah'],
  indexes: readonly ServedIndex[] = ['transactions'],
) {
  const databaseUrl = await createDatabase(`official_${name}`);
  const prefix = `${process.env.INDEX_PREFIX ?? ''}o${randomBytes(4).toString('hex')}_`;
  const dir = await mkdtemp(join(tmpdir(), 'official-'));
  const app = await startTestApp({
    env: { DATABASE_URL: databaseUrl, INDEX_PREFIX: prefix },
    indexes,
  });
  for (const slug of cities) {
    const city = CITIES.find((candidate) => candidate.slug === slug);
    if (city) await app.addCity(city, neighborhoodsOf(slug));
  }
  const { key } = await createOrganization(app.services);
  const pool = createPool(databaseUrl, { max: 4, statementTimeout: 60_000 });
  const context: OfficialContext = {
    pool,
    opensearch: app.services.opensearch,
    idKey: createHash('sha256').update('test').digest('hex'),
    signal: new AbortController().signal,
  };
  const write = async (file: string, content: string | Uint8Array): Promise<string> => {
    const path = join(dir, file);
    await writeFile(path, content);
    return path;
  };
  const importPath = async (path: string, options?: ImportOptions): Promise<FileReport[]> => {
    const reports = await importOfficial(context, path, options);
    // Clears caches, so that the app sees the imported data immediately.
    app.services.loadedQuarters.clear();
    app.services.statistics.clear();
    return reports;
  };
  /** Writes and imports one file. @returns its report */
  const importFile = async (file: string, content: string | Uint8Array, options?: ImportOptions): Promise<FileReport> =>
    (await importPath(await write(file, content), options))[0] as FileReport;
  const close = async (): Promise<void> => {
    await app.close();
    await pool.end();
    await removeIndexes(prefix);
    await rm(dir, { recursive: true, force: true });
  };
  return { app, key, pool, context, databaseUrl, prefix, dir, write, import: importPath, importFile, close };
}

/** A registered deal for tests. */
export interface Deal {
  reference: number;
  /** Date as `YYYY-MM-DD`. */
  day: string;
  city_ar: string;
  district_ar: string;
  class_ar: string;
  price: number;
  area: number;
  count?: number;
}

export const DEAL_HEADER =
  'المنطقة,المدينة,المدينة / الحي,الرقم المرجعي للصفقة,تاريخ الصفقة ميلادي,تاريخ الصفقة هجري,تصنيف العقار,عدد العقارات,السعر,المساحة';

const thousands = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 });

/** Renders deals as CSV in the ministry's current layout. */
export function dealsCsv(deals: readonly Deal[]): string {
  const lines = deals.map(({ reference, day, city_ar, district_ar, class_ar, price, area, count = 1 }) =>
    [
      'منطقة الرياض',
      city_ar,
      `${city_ar}/ ${district_ar} `,
      reference,
      day.replaceAll('-', '/'),
      '',
      class_ar,
      count,
      `"${thousands(price)}"`,
      `"${thousands(area)}"`,
    ].join(','),
  );
  return `\ufeff${[DEAL_HEADER, ...lines].join('\r\n')}\r\n`;
}

export interface DealsOptions {
  quarter: string;
  count: number;
  random: () => number;
  /** Reference number of the first deal. */
  from: number;
  city_ar?: string;
  districts?: readonly string[];
}

const CLASSES = ['سكني', 'سكني', 'سكني', 'تجاري', 'زراعي'] as const;

/**
 * Generates realistic deals for one quarter: expensive and low-cost districts, small and large plots, and few deals in
 * some classes.
 */
export function dealsOf({ quarter, count, random, from, city_ar = 'الرياض', districts = [] }: DealsOptions): Deal[] {
  const whole = (below: number): number => Math.floor(random() * below);
  const year = Number(quarter.slice(0, 4));
  const first = (Number(quarter.slice(6)) - 1) * 3;
  return Array.from({ length: count }, (_, at) => {
    const area = Math.round((100 + random() * 900) * 100) / 100;
    const place = Math.floor(random() ** 2 * districts.length);
    // The last deal is in the last month, so that the quarter counts as complete.
    const month = at === count - 1 ? first + 2 : first + whole(3);
    return {
      reference: from + at,
      day: new Date(Date.UTC(year, month, 1 + whole(28))).toISOString().slice(0, 10),
      city_ar,
      district_ar: districts[place] ?? 'أخرى',
      class_ar: CLASSES[whole(CLASSES.length)] as string,
      price: Math.round(area * (1_000 + place * 300) * (0.5 + random())),
      area,
    };
  });
}
