import { component } from '#domain/json-schema.ts';
import { aggregationBody, type Clause } from '../clause.ts';
import { compileFilters } from '../filters/compile.ts';
import type { ClauseContext, Facet as FacetType, FilterRow } from '../filters/kinds.ts';
import { type FilterValues, filterRows } from '../filters/table.ts';
import { plausible } from './search.ts';

interface Facet {
  name: string;
  type: FacetType;
  row: FilterRow;
  /** Filters on the facet's value, which `exclude_own` ignores. */
  own: readonly string[];
}

/**
 * Facets in table order. A facet has the name of its filter; a range, which has two filters, has the name of the field.
 */
const FACETS: readonly Facet[] = filterRows().flatMap((row: FilterRow): Facet[] => {
  const type = row.kind.facet;
  if (type === undefined) return [];
  const { name, field, notBelow } = row;
  if (type !== 'ranges') return [{ name, type, row, own: [name] }];
  return [{ name: field.slice('filter.'.length), type, row, own: notBelow === undefined ? [name] : [notBelow, name] }];
});

/** The facet that counts the listings which a search would find without each of its filters. */
const GIVEN = 'filters';

export const FACET_NAMES: readonly string[] = component('FacetName', [...FACETS.map(({ name }) => name), GIVEN]);

/** More than any city has neighborhoods. */
export const MAX_FACET_VALUES = 2_000;

/** Fixed borders of ranges, so that responses for different filters can be compared. */
const BORDERS: readonly number[] = [
  0,
  ...Array.from({ length: 8 }, (_, power) => [1, 1.5, 2, 3, 4, 5, 6, 8].map((each) => each * 10 ** (power + 1))).flat(),
];

/**
 * Requests counts. A count is that of the search with only the counted value as the facet's own filter.
 * @param excludeOwn whether values that the facet's own filter excludes are counted; otherwise `all` and `ranges`
 * facets also keep it
 */
export function facetsBody(
  filters: FilterValues,
  names: readonly string[],
  { excludeOwn, ...context }: ClauseContext & { excludeOwn: boolean },
): Record<string, unknown> {
  const counted = facetsOf(names).map((facet) => {
    const keepsOwn = !excludeOwn && (facet.type === 'all' || facet.type === 'ranges');
    const others = keepsOwn ? filters : without(filters, facet.own);
    const only = excludeOwn ? undefined : (filters as Readonly<Record<string, unknown>>)[facet.row.name];
    const oneValue = facet.type === 'any' ? { ...others, [facet.name]: ['one'] } : others;
    return {
      name: facet.name,
      clauses: [...compileFilters(others, context), plausible(oneValue)],
      aggs: { counts: countsClause(facet, only, context) },
    };
  });
  const removed = names.includes(GIVEN) ? setsWithoutEach(filters, context) : [];
  const total = { name: TOTAL, clauses: [...compileFilters(filters, context), plausible(filters)], aggs: {} };
  const all = [total, ...counted, ...removed];
  const texts = all.map(({ clauses }) => new Set(clauses.map((clause) => JSON.stringify(clause))));
  const isShared = (clause: Clause): boolean => texts.every((each) => each.has(JSON.stringify(clause)));
  const aggs = all.map(({ name, clauses, aggs }) => [
    name,
    { filter: { bool: { filter: clauses.filter((clause) => !isShared(clause)) } }, aggs },
  ]);
  return aggregationBody(total.clauses.filter(isShared), Object.fromEntries(aggs));
}

const TOTAL = 'total';
/** Before the name of a filter. */
const WITHOUT = 'without ';
/** Parameters without which there is no search, or which only complete another one. */
const KEPT: readonly string[] = ['city', 'listing_type', 'radius_m'];

const setsWithoutEach = (filters: FilterValues, context: ClauseContext) =>
  Object.keys(filters)
    .filter((name) => !KEPT.includes(name))
    .map((name) => {
      const others = without(filters, name.startsWith('near') ? [name, 'radius_m'] : [name]);
      return { name: WITHOUT + name, clauses: [...compileFilters(others, context), plausible(others)], aggs: {} };
    });

function facetsOf(names: readonly string[]): Facet[] {
  return names.flatMap((name) => FACETS.find((facet) => facet.name === name) ?? []);
}

const without = (filters: FilterValues, names: readonly string[]): FilterValues =>
  Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name)));

/** @param only value of the facet's own filter; an `any` or `boolean` facet counts only this value */
function countsClause({ type, row }: Facet, only: unknown, context: ClauseContext): Clause {
  if (type === 'ranges') {
    const ranges = BORDERS.map((from, at) => ({ from, to: BORDERS[at + 1] }));
    return { range: { field: row.field, ranges } };
  }
  if (type === 'boolean') {
    const values = only === undefined ? [true, false] : [only];
    return {
      filters: {
        filters: Object.fromEntries(values.map((each) => [String(each), row.kind.clause(row, each, context, {})])),
      },
    };
  }
  const include = type === 'any' && only !== undefined ? { include: [only].flat() } : {};
  return { terms: { field: row.field, size: MAX_FACET_VALUES, ...include } };
}

export interface FacetsResponse {
  aggregations: Readonly<Record<string, { doc_count: number; counts?: { buckets: readonly Bucket[] | NamedBuckets } }>>;
}
interface Bucket {
  key: string | number;
  doc_count: number;
  from?: number;
  to?: number;
}
type NamedBuckets = Readonly<Record<string, { doc_count: number }>>;

/**
 * Returns values as the filter accepts them in a URL, or ranges from `from` (inclusive) to `to` (exclusive; null for the
 * highest range). Omits those without listings.
 */
export function readFacets({ aggregations }: FacetsResponse, names: readonly string[]) {
  const facets = facetsOf(names).map(({ name, type }) => {
    const buckets = bucketsOf(aggregations[name]?.counts?.buckets ?? []).filter(({ doc_count }) => doc_count > 0);
    const [values, ranges] = type === 'ranges' ? [[], buckets] : [buckets, []];
    return {
      field: name,
      values: values.map(({ key, doc_count: count }) => ({ value: String(key), count })),
      ranges: ranges.map(({ from = 0, to = null, doc_count: count }) => ({ from, to, count })),
    };
  });
  const removed = Object.entries(aggregations)
    .filter(([name, { doc_count }]) => name.startsWith(WITHOUT) && doc_count > 0)
    .map(([name, { doc_count: count }]) => ({ value: name.slice(WITHOUT.length), count }))
    .sort((a, b) => b.count - a.count);
  if (names.includes(GIVEN)) facets.push({ field: GIVEN, values: removed, ranges: [] });
  return { total: aggregations[TOTAL]?.doc_count ?? 0, facets };
}

/** Returns the buckets, largest first, as in other lists of buckets. */
function bucketsOf(buckets: readonly Bucket[] | NamedBuckets): readonly Bucket[] {
  if (Array.isArray(buckets)) return buckets as readonly Bucket[];
  return Object.entries(buckets as NamedBuckets)
    .map(([key, { doc_count }]) => ({ key, doc_count }))
    .sort((a, b) => b.doc_count - a.doc_count);
}
