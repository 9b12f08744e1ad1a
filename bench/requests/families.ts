import type { SortPosition } from '#domain/sort-position.ts';
import type { FilterValues } from '#queries/filters/table.ts';
import { countBody, searchBody } from '#queries/listings/search.ts';
import { Random, Weighted } from '#sample/random.ts';
import { countMatches, type Stores, searchListings } from '../corpus/corpus.ts';
import type { Cohort } from './cohorts.ts';
import { distinct } from './distinct.ts';

/** A request that each side sends in its native form. */
export interface BenchRequest {
  filters: FilterValues & { city: string; listing_type: string };
  /** Number of rows; 0 for a count. */
  limit: number;
  /** The last row before the page, and the number of rows before the page. */
  after: { position: SortPosition; offset: number } | null;
}

/** Different requests of one kind. */
export interface Family {
  name: FamilyName;
  title: string;
  limit: number;
  requests: BenchRequest[];
}

export const FAMILY_NAMES = ['newest-25', 'newest-100', 'bbox', 'text', 'count', 'offset-20000'] as const;
export type FamilyName = (typeof FAMILY_NAMES)[number];

/** Typical search words. Some have different inflections in the texts. */
const WORDS =
  'مسبح حديقة مصعد موقف مجلس مطبخ مكيفات خادمة جديدة هادئ واسعة مدارس مسجد مدخل مستقل تشطيب فاخر عوائل حمام صالة شارع سطح ضمانات كهرباء'.split(
    ' ',
  );

/** Clock for all requests, whose results do not depend on it. */
export const NOW = Date.UTC(2026, 0, 1);
const LIST_LENGTH = 96;
const SEED = 20_000;

const TITLES: Record<FamilyName, string> = {
  'newest-25': 'newest, 25 rows',
  'newest-100': 'newest, 100 rows',
  bbox: 'bounding box, 25 rows',
  text: 'Arabic words, 25 rows',
  count: 'count',
  'offset-20000': 'offset 20,000, 25 rows',
};

/** Offset of deep pages: 20,000 rows, or less if no city has that many. */
function deepOffset(cohorts: readonly Cohort[]): number {
  const largest = cohorts[0]?.documents ?? 0;
  return Math.min(20_000, Math.floor(largest * 0.6));
}

/** Creates the requests of one kind, all with full pages. Reproducible for the same listings. */
export async function makeFamily(name: FamilyName, stores: Stores, cohorts: readonly Cohort[]): Promise<Family> {
  const limit = name === 'count' ? 0 : name === 'newest-100' ? 100 : 25;
  const offset = name === 'offset-20000' ? deepOffset(cohorts) : 0;
  const random = new Random(SEED, FAMILY_NAMES.indexOf(name));
  const least = name === 'count' ? 1 : offset + limit + 1;
  const requests: BenchRequest[] = [];
  const seen = new Set<string>();
  for (let tries = 0; requests.length < LIST_LENGTH && tries < 40; tries++) {
    const drafts: FilterValues[] = [];
    for (let i = 0; i < LIST_LENGTH; i++) {
      const draft = draw(name, cohorts, random, least);
      const key = JSON.stringify(draft);
      if (!seen.has(key)) drafts.push(draft);
      seen.add(key);
    }
    const totals = await countMatches(
      stores,
      drafts.map((filters) => countBody(filters, { now: NOW })),
    );
    for (const [at, filters] of drafts.entries()) {
      if ((totals[at] ?? 0) < least || requests.length === LIST_LENGTH) continue;
      const whole = filters as BenchRequest['filters'];
      const after = offset === 0 ? null : { position: await positionAt(stores, whole, offset), offset };
      requests.push({ filters: whole, limit, after });
    }
  }
  if (requests.length < 8) throw new Error(`${name}: too few requests have enough results with this few listings`);
  return {
    name,
    title: offset === 0 ? TITLES[name] : TITLES[name].replace('20,000', offset.toLocaleString('en')),
    limit,
    requests,
  };
}

/** Creates counts with a different price bound each, so that none is cached. */
export function uncachedCounts(cohorts: readonly Cohort[], length = 4 * LIST_LENGTH): Family {
  const random = new Random(SEED, 99);
  const title = 'count, not cached';
  const requests = distinct(title, length, (): BenchRequest => {
    const filters = draw('count', cohorts, random, 1) as BenchRequest['filters'];
    return { filters: { ...filters, price_min: Math.round(random.between(1, 5_000)) }, limit: 0, after: null };
  });
  return { name: 'count', title, limit: 0, requests: [...requests] };
}

/** Draws filters in the order of the filter table. @param least minimum number of listings in the city */
export function draw(name: FamilyName, cohorts: readonly Cohort[], random: Random, least: number): FilterValues {
  const cohort = weighted(
    cohorts.filter(({ documents }) => documents >= least),
    random,
  );
  const filters: Record<string, unknown> = { city: cohort.city, listing_type: cohort.listing_type };
  if (name === 'offset-20000') {
    // Enough rows must remain to reach the deep page.
    if (random.chance(0.7)) filters.price_min = rounded(random.between(0, cohort.prices[0] ?? 0));
    if (random.chance(0.7))
      filters.price_max = rounded(random.between(cohort.prices[4] ?? 0, (cohort.prices[4] ?? 0) * 3));
    return filters;
  }
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
    const ids = new Set(Array.from({ length: count }, () => random.pick(cohort.neighborhoods)));
    filters.neighborhood_id = [...ids];
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
  if (cohorts.length === 0) throw new Error('no city has enough listings for this');
  return new Weighted(cohorts.map((cohort) => [cohort, Math.sqrt(cohort.documents)] as const)).pick(random);
}

/** Returns the sort values of the row at `offset`, found by paging like a client. */
async function positionAt(stores: Stores, filters: FilterValues, offset: number): Promise<SortPosition> {
  let after: SortPosition | undefined;
  for (let left = offset; left > 0; ) {
    const size = Math.min(left, 10_000);
    const body = { ...searchBody({ filters, sort: 'newest', size, after }, { now: NOW }), _source: false };
    const { hits } = (await searchListings<{ hits: { hits: { sort: unknown[] }[] } }>(stores, body)).hits;
    const last = hits.at(-1)?.sort;
    if (hits.length < size || !last) throw new Error('fewer rows were found than counted');
    after = [Number(last.at(-2)), Number(last.at(-1))];
    left -= size;
  }
  if (!after) throw new Error('the offset has no row');
  return after;
}
