import type { ErrorCode } from '#domain/errors.ts';
import type { PlaceCheck } from '#domain/geography/places.ts';
import { component, isAbove, type JsonSchema, object } from '#domain/json-schema.ts';
import { listSingleValues, searchValues } from '#queries/filters/compile.ts';
import type { FilterRow } from '#queries/filters/kinds.ts';
import { filterRows } from '#queries/filters/table.ts';
import { TRANSACTION_FILTERS } from '#queries/transactions/filters.ts';
import type { Dataset, Filters } from '#src/exports/dataset.ts';
import { compileBodyCheck } from '#src/http/body/check.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { describeValue } from '#src/http/errors/describe-schema.ts';
import { explainRefused } from '#src/http/errors/refused-value.ts';
import { explainContradiction } from '#src/http/parameters.ts';

/** Their values are checked against each other and the reference data. */
const FILTER_ROWS: readonly FilterRow[] = [...filterRows(), ...TRANSACTION_FILTERS];

export const FILTER_ERRORS: readonly ErrorCode[] = [
  ...new Set(['invalid_value', ...FILTER_ROWS.flatMap(({ kind }) => kind.check?.code ?? [])] as const),
];

export interface FilterContext {
  places: PlaceCheck;
  /** In epoch milliseconds. */
  now: number;
  historyStart: string;
}

export type FilterSet = Pick<Dataset, 'filters' | 'resolve'>;

/**
 * @returns the filters with defaults
 * @throws ApiError with the path in the body
 */
export function checkFilters(dataset: FilterSet, body: Filters, { places, now, historyStart }: FilterContext): Filters {
  const filters = listSingleValues(body, dataset.filters.properties);
  const fault = checkOf(dataset)({ filters });
  if (fault) throw new ApiError(fault.code, { param: fault.param, message: fault.message?.() });
  requireOneRange(dataset, filters);
  for (const row of FILTER_ROWS) {
    const { name, notBelow } = row;
    if (notBelow === undefined || !isAbove(filters[notBelow], filters[name], row.kind.schema(row))) continue;
    const message = explainContradiction(notBelow, name, filters, 'filters.');
    throw new ApiError('invalid_value', { param: `filters.${notBelow}`, message });
  }
  for (const row of FILTER_ROWS) {
    const { name, kind } = row;
    if (!kind.check || filters[name] === undefined) continue;
    const param = `filters.${name}`;
    const field = { name: param, notation: 'json' } as const;
    const refused = { ...field, schema: kind.schema(row), inList: Array.isArray(filters[name]) };
    for (const given of searchValues(name, filters[name])) {
      const context = { ...field, values: filters, places, explain: () => '' };
      const accepts = (value: unknown): boolean => !kind.check?.refuse(value, context);
      const explain = () =>
        explainRefused({ ...refused, given, accepts, candidates: kind.check?.candidates?.bind(kind.check, context) });
      const message = kind.check.refuse(given, { ...context, explain });
      if (message) throw new ApiError(kind.check.code, { param, message: message() });
    }
  }
  return dataset.resolve ? dataset.resolve(filters, { now, historyStart }) : filters;
}

/** @throws ApiError unless exactly one range is given, with its `from` */
function requireOneRange({ filters: { ranges, properties } }: FilterSet, filters: Filters): void {
  if (ranges === undefined) return;
  const isGiven = (name: string): boolean => filters[name] !== undefined;
  const [range, other] = ranges.filter(({ from, to }) => isGiven(from) || isGiven(to));
  if (range && other) {
    const [first, second] = [range, other].map(({ from, to }) => `filters.${isGiven(from) ? from : to}`);
    const message = `\`${second}\` cannot be combined with \`${first}\`.`;
    throw new ApiError('invalid_value', { param: second ?? null, message });
  }
  if (range && isGiven(range.from)) return;
  const accepted = (range ? [range] : ranges).map(({ from }) => `\`filters.${from}\``).join(' or ');
  const { from = '' } = range ?? ranges[0] ?? {};
  const param = `filters.${from}`;
  const schema = properties[from] ?? {};
  throw new ApiError('invalid_body', { param, message: `${accepted} is required: ${describeValue(schema, 'json')}.` });
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

/** Converts `listing_changes` to `ListingChanges`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** One alternative per range, if exactly one of several ranges is required. */
export function filtersDocument(
  name: string,
  { properties, required, ranges }: Dataset['filters'],
  description?: string,
): JsonSchema {
  const form = (formName: string, without: readonly string[], also: readonly string[]): JsonSchema => {
    const own = Object.entries(properties).filter(([filter]) => !without.includes(filter));
    const described = own.map(([filter, schema]) => [filter, orSingleValue(schema, formName + pascalCase(filter))]);
    return component(formName, {
      ...object(Object.fromEntries(described)),
      required: [...required, ...also],
      additionalProperties: false,
      ...(description === undefined ? {} : { description }),
    });
  };
  if (ranges === undefined) return form(name, [], []);
  return component(name, {
    // The forms exclude each other, as do a list and a value: generators for Go support only exclusive alternatives.
    oneOf: ranges.map((range) => {
      const others = ranges.filter((each) => each !== range).flatMap(({ from, to }) => [from, to]);
      return form(`${name}By${pascalCase(range.from)}`, others, [range.from]);
    }),
  });
}

/** @param name of the type in Go: ogen would derive the same one for the filters `advertiser` and `advertiser_type` */
function orSingleValue(schema: JsonSchema, name: string): JsonSchema {
  const { description, ...list } = schema;
  if (schema.type !== 'array' || schema.prefixItems !== undefined) return schema;
  return { description, oneOf: [list, list.items as JsonSchema], 'x-ogen-name': `${name}Filter` };
}
