import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { findNeighborhood } from '#domain/geography/locate.ts';
import { nameKeys } from '#domain/geography/names.ts';
import { cityInName } from '#ingest/official/import.ts';
import type { OfficialKind } from '#ingest/official/layouts.ts';
import { isSideOfCity } from '#ingest/official/places.ts';
import { openOfficialFile } from '#ingest/official/read.ts';
import { UnreadableFile } from '#ingest/official/table.ts';
import type { Bench, Figure, Part, PartResult } from '../bench.ts';

const MIN_MATCHED = 97;
/** Names of the list, of each kind and city. */
const LISTED = 10;

/** How many deals of real files lie in a neighborhood that was found. Reads files alone: nothing is imported. */
export const districtsPart: Part = {
  name: 'districts',
  summary: 'districts of real official files (in OFFICIAL_DIR) that are matched, and a list of the rest',
  run,
};

/** What kinds of files count, and name places by. */
const COLUMNS: Partial<Record<OfficialKind, { district: string; deals: string | null }>> = {
  transactions: { district: 'ministry_district_ar', deals: null },
  sales_indicators: { district: 'neighborhood_ar', deals: 'deed_count' },
  registered_rents: { district: 'neighborhood_ar', deals: 'contract_count' },
};

interface Counts {
  deals: number;
  /** Those that name a district, and not a side of a city. */
  named: number;
  sides: number;
  matched: number;
  rest: Map<string, number>;
}

async function run({ screen, signal }: Bench): Promise<PartResult> {
  const dir = process.env.OFFICIAL_DIR;
  if (!dir || !existsSync(dir)) {
    const note = 'Not measured: set OFFICIAL_DIR to a folder of files as the publishers brought them out.';
    return { figures: [], tables: [], notes: [note] };
  }
  const found = await screen.step('Reading the files', () => readAll(resolve(dir), signal));
  const figures = [...found].flatMap(([kind, cities]): Figure[] => {
    const [named, matched] = [total(cities, 'named'), total(cities, 'matched')];
    if (named === 0) return [];
    const value = (matched / named) * 100;
    return [
      {
        name: `${kind}: deals matched, of those that name a district`,
        value,
        unit: '%',
        target: { atLeast: MIN_MATCHED },
      },
    ];
  });
  const rows = [...found].flatMap(([kind, cities]) =>
    [...cities]
      .filter(([, { named }]) => named > 0)
      .map(([city, { deals, named, sides, matched }]) => [
        kind,
        city,
        deals,
        sides,
        named,
        matched,
        share(matched, named),
      ]),
  );
  const rest = [...found].flatMap(([kind, cities]) =>
    [...cities].flatMap(([city, counts]) =>
      [...counts.rest]
        .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
        .slice(0, LISTED)
        .map(([name, deals]) => [kind, city, name, deals, hintOf(city, name)]),
    ),
  );
  return {
    figures,
    tables: [
      {
        title: 'Deals of cities of the service',
        head: ['Kind', 'City', 'deals', 'of a side of a city', 'name a district', 'matched', '%'],
        rows,
      },
      {
        title: 'The names that are not matched, the most frequent of each city',
        head: ['Kind', 'City', 'Name', 'deals', ''],
        rows: rest,
      },
    ],
    notes: [
      'Deals are rows of the ministry, deeds of the indicators, contracts of the rents. A side of a city (`شرق الرياض`) is no district: its deals are counted apart. Files that name towns alone are left out.',
    ],
  };
}

async function readAll(dir: string, signal: AbortSignal): Promise<Map<OfficialKind, Map<string, Counts>>> {
  const found = new Map<OfficialKind, Map<string, Counts>>();
  for (const path of await filesOf(dir)) {
    signal.throwIfAborted();
    const file = await openOfficialFile(path, signal).catch((error: unknown) => {
      if (error instanceof UnreadableFile) return null;
      throw error;
    });
    const named = file === null ? undefined : COLUMNS[file.reader.kind];
    if (file === null || named === undefined) continue;
    const cities = found.get(file.reader.kind) ?? new Map<string, Counts>();
    found.set(file.reader.kind, cities);
    const columns = Object.keys(file.reader.columns);
    const at = (name: string): number => columns.indexOf(name);
    for await (const rows of file.batches({ city: cityInName(path), idKey: '' }))
      for (const row of rows) {
        const city = 'taken' in row ? row.taken.values[at('city')] : null;
        if (!('taken' in row) || typeof city !== 'string') continue;
        const { values } = row.taken;
        const district = values[at(named.district)];
        const isMatched = values[at('neighborhood_id')] !== null;
        const deals = named.deals === null ? 1 : Number(values[at(named.deals)]);
        const counts = cities.get(city) ?? {
          deals: 0,
          named: 0,
          sides: 0,
          matched: 0,
          rest: new Map<string, number>(),
        };
        cities.set(city, counts);
        counts.deals += deals;
        if (typeof district !== 'string') continue;
        if (!isMatched && isSideOfCity(district)) counts.sides += deals;
        else counts.named += deals;
        if (isMatched) counts.matched += deals;
        else counts.rest.set(district, (counts.rest.get(district) ?? 0) + deals);
      }
  }
  return found;
}

/** Every file once: one that lies there as a workbook too is read as text. */
async function filesOf(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.(csv|xlsx)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const texts = new Set(paths.filter((path) => /\.csv$/i.test(path)).map(stem));
  return paths.filter((path) => /\.csv$/i.test(path) || !texts.has(stem(path)));
}
const stem = (path: string): string => path.slice(0, -extname(path).length);

const total = (cities: ReadonlyMap<string, Counts>, count: 'named' | 'matched'): number =>
  [...cities.values()].reduce((sum, counts) => sum + counts[count], 0);
const share = (part: number, whole: number): number => (whole === 0 ? 100 : Math.round((part / whole) * 1000) / 10);

const SIDES = /^(?:شرقي|غربي|شمالي|جنوبي|وسط)$/;

/** What a name that is not matched may mean, for whoever reads the list. */
function hintOf(city: string, name: string): string {
  if (isSideOfCity(name)) return 'a side of a city';
  const { loose } = nameKeys(name);
  const sides = neighborhoodsOf(city).filter(({ name_ar }) => {
    const key = nameKeys(name_ar).loose;
    return key.startsWith(loose) && SIDES.test(nameKeys(key.slice(loose.length)).loose);
  });
  if (sides.length > 1) return `one of ${sides.map(({ name_ar }) => name_ar).join(', ')}`;
  const elsewhere = CITIES.filter(({ slug }) => slug !== city && findNeighborhood(slug, name) !== null);
  return elsewhere.length === 0 ? '' : `a neighborhood of ${elsewhere.map(({ slug }) => slug).join(', ')}`;
}
