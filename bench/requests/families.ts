import type { FilterValues } from '#queries/filters/table.ts';
import { searchBody } from '#queries/listings/search.ts';
import { Random, Weighted } from '#sample/random.ts';
import { type Corpus, searchListings } from '../corpus.ts';
import type { Cohort } from './cohorts.ts';

/** A search that each side sends in its native form. */
export interface BenchRequest {
  filters: FilterValues;
  /** Number of rows; 0 for a count. */
  limit: number;
}

/** Different requests of one kind. */
interface Family {
  title: string;
  limit: number;
  requests: BenchRequest[];
}

const FAMILIES = {
  'newest-25': { title: 'newest, 25 rows', limit: 25 },
  'newest-100': { title: 'newest, 100 rows', limit: 100 },
  bbox: { title: 'bounding box, 25 rows', limit: 25 },
  text: { title: 'Arabic words, 25 rows', limit: 25 },
  count: { title: 'count', limit: 0 },
} as const;
export type FamilyName = keyof typeof FAMILIES;
export const FAMILY_NAMES = Object.keys(FAMILIES) as FamilyName[];

/** Typical search words. Some have different inflections in the texts. */
const WORDS =
  'مسبح حديقة مصعد موقف مجلس مطبخ مكيفات خادمة جديدة هادئ واسعة مدارس مسجد مدخل مستقل تشطيب فاخر عوائل حمام صالة شارع سطح ضمانات كهرباء'.split(
    ' ',
  );

/** Clock for all requests, whose results do not depend on it. */
export const NOW = Date.UTC(2026, 0, 1);
const SEED = 20_000;

/** Creates the requests of one kind, all with full pages. Reproducible for the same listings. */
export async function makeFamily(
  name: FamilyName,
  length: number,
  corpus: Corpus,
  cohorts: readonly Cohort[],
): Promise<Family> {
  const { title, limit } = FAMILIES[name];
  const random = new Random(SEED, FAMILY_NAMES.indexOf(name));
  const requests: BenchRequest[] = [];
  for (const filters of distinct(title, length * 8, () => draw(name, cohorts, random))) {
    if (await isFull(corpus, filters, limit)) requests.push({ filters, limit });
    if (requests.length === length) break;
  }
  if (requests.length < 8) throw new Error(`${name}: too few requests have full pages with this few listings`);
  return { title, limit, requests };
}

async function isFull(corpus: Corpus, filters: FilterValues, limit: number): Promise<boolean> {
  if (limit === 0) return true;
  const body = { ...searchBody({ filters, sort: 'newest', size: limit }, { now: NOW }), _source: false };
  return (await searchListings<{ hits: { hits: unknown[] } }>(corpus, body)).hits.hits.length === limit;
}

/** Draws filters in the order of the filter table. */
export function draw(name: FamilyName, cohorts: readonly Cohort[], random: Random): FilterValues {
  const cohort = weighted(cohorts, random);
  const filters: Record<string, unknown> = { city: cohort.city, listing_type: cohort.listing_type };
  if (name === 'bbox') {
    const size = random.between(0.02, 0.25);
    const lat = random.between(cohort.lat.low, cohort.lat.high);
    const lng = random.between(cohort.lng.low, cohort.lng.high);
    filters.bbox = [lng - size / 2, lat - size / 2, lng + size / 2, lat + size / 2].map((degree) =>
      Number(degree.toFixed(4)),
    );
    if (random.chance(0.4)) narrow(filters, cohort, random);
    return filters;
  }
  if (name === 'text') {
    filters.q = words(random);
    if (random.chance(0.3)) filters.property_type = [random.pick(cohort.property_types)];
    return filters;
  }
  // A third of searches only have a city, a third one or two neighborhoods, a third features of the home.
  const kind = random.next();
  if (kind < 1 / 3) {
    if (name === 'count' || random.chance(0.5)) filters.property_type = [random.pick(cohort.property_types)];
  } else if (kind < 2 / 3) {
    const count = random.chance(0.5) ? 1 : 3;
    filters.neighborhood_id = [...new Set(Array.from({ length: count }, () => random.pick(cohort.neighborhoods)))];
    if (name === 'count') narrow(filters, cohort, random);
  } else {
    narrow(filters, cohort, random);
  }
  return filters;
}

function narrow(filters: Record<string, unknown>, { property_types, prices }: Cohort, random: Random): void {
  const [, low = 0, , high = 0, top = 0] = prices;
  if (random.chance(0.7)) filters.property_type = [random.pick(property_types)];
  if (random.chance(0.5)) filters.price_min = rounded(random.between(0, low));
  if (random.chance(0.6)) filters.price_max = rounded(random.between(high, top));
  if (random.chance(0.4)) filters.beds = [Math.floor(random.between(2, 5))];
  else if (random.chance(0.3)) filters.beds_min = 3;
}

function words(random: Random): string {
  const first = random.pick(WORDS);
  const kind = random.next();
  if (kind < 0.6) return first;
  const second = random.pick(WORDS.filter((word) => word !== first));
  return kind < 0.85 ? `${first} ${second}` : `${first} | ${second}`;
}

const rounded = (price: number): number => Math.round(price / 500) * 500;

/** Selects by the square root of the size: large cities are more frequent, but small ones occur. */
export function weighted(cohorts: readonly Cohort[], random: Random): Cohort {
  return new Weighted(cohorts.map((cohort) => [cohort, Math.sqrt(cohort.documents)] as const)).pick(random);
}

/**
 * Draws items until `length` of them differ, by their JSON.
 * @throws Error naming `what` if too few different items exist
 */
export function* distinct<Item>(what: string, length: number, draw: () => Item): Generator<Item, void> {
  const seen = new Set<string>();
  for (let tries = 0; seen.size < length; tries++) {
    if (tries > length * 50) throw new Error(`${what}: fewer than ${length} different requests exist`);
    const item = draw();
    const { size } = seen;
    if (seen.add(JSON.stringify(item)).size > size) yield item;
  }
}
