import { arrayOf, component, string } from '#domain/json-schema.ts';
import type { ValueCheck } from '#domain/value-check.ts';
import { citiesOf } from '#queries/filters/checks.ts';
import { pickRows } from '#queries/filters/compile.ts';
import type { FilterRow } from '#queries/filters/kinds.ts';
import * as kinds from '#queries/filters/kinds.ts';
import { FILTERS, type FilterValues, rowOf } from '#queries/filters/table.ts';
import { type NegatedResponse, negatedBody, readNegated } from '#queries/listings/negated.ts';
import { SORT_NAMES, SORTS, type Sort, type SortName } from '#queries/listings/sorts.ts';
import type { LoadCall, Parameter } from '#src/http/endpoint.ts';
import { searchIndex } from '../search-index.ts';

interface FilterParameter<Row extends FilterRow> extends Parameter {
  name: Row['name'];
  schema: ReturnType<Row['kind']['schema']>;
  required: Row extends { required: true } ? true : false;
}

export function toParameter<Row extends FilterRow>(row: Row): ParameterOf<Row>;
export function toParameter(row: FilterRow): Parameter {
  return {
    name: row.name,
    schema: row.kind.schema(row),
    description: row.description,
    required: row.required ?? false,
    example: row.example,
    ...(row.kind.check ? { check: row.kind.check } : {}),
    ...(row.notBelow ? { notBelow: row.notBelow } : {}),
  };
}
/** Distributes over a union of rows, so that each name stays paired with its value type. */
type ParameterOf<Row> = Row extends FilterRow ? FilterParameter<Row> : never;

const AREA = ['bbox', 'near', 'polygon'] as const;

/** The city of a search, which an area can replace. */
export const searchedCity = {
  ...toParameter(rowOf('city')),
  description:
    'City slug from `GET /cities`, or several separated by commas. Required without an area: `bbox`, `near` or `polygon`.',
  required: false,
  requiredWithout: AREA,
  sampled: true,
  check: kinds.cities.check,
} as const;

export const filterParameters = FILTERS.map((row) => (row.name === 'city' ? searchedCity : toParameter(row)));

export const sortBy = <Name extends string>(
  names: readonly Name[],
  sorts: Readonly<Record<Name, { description: string }>>,
) =>
  ({
    name: 'sort',
    schema: { type: 'string', enum: names, default: 'newest' },
    description: `Order of the results: ${names.map((name) => `\`${name}\` (${sorts[name].description})`).join(', ')}.`,
    example: 'newest',
  }) as const satisfies Parameter;

export const sortParameter = {
  ...sortBy(SORT_NAMES, SORTS),
  check: {
    code: 'invalid_value',
    refuse: (name, { values }) => {
      const sort: Sort = SORTS[name];
      return sort.requires === undefined || values[sort.requires] !== undefined
        ? null
        : () => `\`sort=${name}\` requires \`${sort.requires}\`.`;
    },
  } satisfies ValueCheck<SortName>,
};

/** Clients synchronize listings rather than units, and units have no filter `near`. */
export const unitSortParameter = sortBy(
  component(
    'UnitSort',
    SORT_NAMES.filter((name) => !['modified_asc', 'distance'].includes(name)),
  ),
  SORTS,
);

/** Equal searches are equal texts, whose cursors and cached responses are the same. */
export function filtersOf(query: FilterValues): FilterValues {
  const filters = pickRows(FILTERS, query);
  return filters.city === undefined ? filters : { ...filters, city: citiesOf(filters.city).join() };
}

/**
 * `modified_since` would match no document of an earlier release.
 * @throws StoreError until documents with its field are published
 */
export function publishedFilters({ query, services }: Pick<LoadCall<unknown, FilterValues>, 'query' | 'services'>) {
  if (query.modified_since !== undefined) services.indexGuard.watermark();
  return filtersOf(query);
}

/** Words that an empty result names. */
export const negatedWords = arrayOf(string);

/**
 * Logs the text of a search, unless a process that starts calls its own operations.
 * @param found number of listings, at least on the first page
 * @returns the hint of `hintOf`
 */
export function logAndHintOf(call: LoadCall<unknown, FilterValues>, filters: FilterValues, found: number) {
  const { queryLog, startup } = call.services;
  if (filters.q !== undefined && startup.isWarm) queryLog.add({ kind: 'q', text: filters.q, results: found });
  return hintOf(call, filters, found);
}

/** Returns an empty object unless the search found nothing because listings only negate words of its `q`. */
export async function hintOf(call: LoadCall<unknown, FilterValues>, filters: FilterValues, found: number) {
  const { q } = filters;
  const body = q === undefined || found > 0 ? null : negatedBody(filters, { now: call.now });
  if (q === undefined || body === null) return {};
  const negated = readNegated(q, await searchIndex<NegatedResponse>(call, 'listings', body));
  return negated.length === 0 ? {} : { negated_words: negated };
}

export const LISTINGS = { area: 'Listings', audience: 'data', scope: 'listings' } as const;

export const listingIdParameter = {
  name: 'id',
  schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  description: 'Listing id.',
  required: true,
  nonCanonicalError: 'listing_not_found',
  example: '1',
} as const satisfies Parameter;
