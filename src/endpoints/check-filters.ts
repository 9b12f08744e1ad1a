import { ApiError } from '#domain/errors.ts';
import { CITY_SLUG, cityCandidates, type PlaceCheck } from '#domain/geography/places.ts';
import { isAbove } from '#domain/json-schema.ts';
import type { Dataset, Filters } from '#exports/dataset.ts';
import { compileBodyCheck } from '#http/check-body.ts';
import { explainContradiction } from '#http/parameters.ts';
import { explainRefused } from '#http/refused-value.ts';
import { listSingleValues } from '#queries/filters/json.ts';
import type { FilterRow } from '#queries/filters/kinds.ts';
import { filterRows } from '#queries/filters/table.ts';
import { TRANSACTION_FILTERS } from '#queries/transactions/filters.ts';

/** Of all datasets. */
const FILTER_ROWS: readonly FilterRow[] = [...filterRows(), ...TRANSACTION_FILTERS];

export interface FilterContext {
  places: PlaceCheck;
  /** Epoch milliseconds. */
  now: number;
  historyStart: string;
}

/** Which filters there are, and which must be given. */
export type FilterSet = Pick<Dataset, 'filters' | 'resolve'>;

/**
 * Checks the filters in a body against those that there are. Names of faults are paths into the body.
 * @returns the filters with what was left out filled in
 * @throws ApiError
 */
export function checkFilters(
  dataset: FilterSet,
  given: Filters,
  { places, now, historyStart }: FilterContext,
): Filters {
  const filters = listSingleValues(given, dataset.filters.properties);
  const fault = checkOf(dataset)({ filters });
  if (fault) throw new ApiError(fault.code, { param: fault.param, message: fault.message?.() });
  for (const row of FILTER_ROWS) {
    const { name, notBelow } = row;
    if (notBelow === undefined || !isAbove(filters[notBelow], filters[name], row.kind.schema(row))) continue;
    const message = explainContradiction(notBelow, name, filters, 'filters.');
    throw new ApiError('invalid_value', { param: `filters.${notBelow}`, message });
  }
  checkCity(filters.city, places);
  return dataset.resolve ? dataset.resolve(filters, { now, historyStart }) : filters;
}

/** @throws ApiError unknown_city for the first that is not covered */
function checkCity(cities: unknown, places: PlaceCheck): void {
  const unknown = Array.isArray(cities) ? cities.find((slug) => !places.hasCity(String(slug))) : undefined;
  if (unknown === undefined) return;
  const message = explainRefused({
    name: 'filters.city',
    given: unknown,
    schema: { type: 'string', accepts: CITY_SLUG },
    notation: 'json',
    inList: true,
    accepts: (slug) => places.hasCity(String(slug)),
    candidates: cityCandidates(places),
  });
  throw new ApiError('unknown_city', { param: 'filters.city', message });
}

type Check = ReturnType<typeof compileBodyCheck>;
const checks = new Map<FilterSet, Check>();

function checkOf(dataset: FilterSet): Check {
  const known = checks.get(dataset);
  if (known) return known;
  const { properties, required } = dataset.filters;
  const filters = { type: 'object', additionalProperties: false, properties, required };
  const check = compileBodyCheck({ type: 'object', properties: { filters } });
  checks.set(dataset, check);
  return check;
}
