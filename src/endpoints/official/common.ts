import { arrayOf, integer, nullable, object, oneOf, string } from '#domain/json-schema.ts';
import { ATTRIBUTION_SCHEMA } from '#domain/official/attribution.ts';
import { CELL_MEASURES, type CellMeasure, type CellRecord } from '#domain/official/cells-document.ts';
import { parseQuarter, QUARTER_SCHEMA, quarterLabel } from '#domain/official/quarters.ts';
import { OFFICIAL_RULES } from '#domain/official/rules.ts';
import { type Cell, parseCell } from '#domain/official/transaction.ts';
import type { Quartiles } from '#domain/statistics/quantiles.ts';
import { type CellsInput, type CellsResponse, MAX_QUARTERS, readCells } from '#queries/transactions/cells.ts';
import { transactionRow } from '#queries/transactions/filters.ts';
import type { Parameter, ValuesOf } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { PRICES } from '#src/metering/prices.ts';
import { toParameter } from '../listings/parameters.ts';

export const OFFICIAL = {
  area: 'Official open data',
  audience: 'data',
  // Every data key has access, regardless of its scopes.
  scope: null,
  price: PRICES.official,
  caching: 'fresh',
} as const;

export const OPEN_DATA_NOTE = 'Open government data, available on every plan. Publish the `attribution` with the data.';

export const cityParameter = toParameter(transactionRow('city'));
export const neighborhoodParameter = toParameter(transactionRow('neighborhood_id'));
export const landUseParameter = toParameter(transactionRow('land_use_class'));

export const minSampleSizeParameter = {
  name: 'min_sample_size',
  schema: {
    type: 'integer',
    minimum: OFFICIAL_RULES.min_sample_size,
    maximum: 10_000,
    default: OFFICIAL_RULES.min_sample_size,
  },
  description: `Minimum number of deals or contracts for which a cell contains prices or rents, at least ${OFFICIAL_RULES.min_sample_size}.`,
  example: '10',
} as const satisfies Parameter;

const DEFAULT_QUARTERS = 12;

export const quarterParameters = [
  {
    name: 'quarter_from',
    schema: QUARTER_SCHEMA,
    description: `First quarter, \`YYYY-Qn\`. Defaults to ${DEFAULT_QUARTERS - 1} quarters before \`quarter_to\`, a range of ${DEFAULT_QUARTERS} quarters. The range is limited to ${MAX_QUARTERS} quarters.`,
    example: '2025-Q1',
  },
  {
    name: 'quarter_to',
    schema: QUARTER_SCHEMA,
    notBelow: 'quarter_from',
    description: 'Last quarter, `YYYY-Qn`. Defaults to the latest published quarter.',
    example: '2025-Q4',
  },
] as const satisfies readonly Parameter[];

/**
 * @param available quarters with data, ascending
 * @throws ApiError `period_not_found` without data in the range; `invalid_value` if the range is too long
 */
export function quarterRange(
  { quarter_from, quarter_to }: ValuesOf<(typeof quarterParameters)[number]>,
  available: readonly number[],
): { from: number; to: number } {
  // NaN without data, so that no quarter is found.
  const newest = available.at(-1) ?? Number.NaN;
  const to = quarter_to === undefined ? newest : parseQuarter(quarter_to);
  const from = quarter_from === undefined ? to - DEFAULT_QUARTERS + 1 : parseQuarter(quarter_from);
  if (to - from >= MAX_QUARTERS)
    throw new ApiError('invalid_value', {
      param: 'quarter_from',
      message: `The range from \`quarter_from\` to \`quarter_to\` is limited to ${MAX_QUARTERS} quarters.`,
    });
  if (!available.some((quarter) => quarter >= from && quarter <= to)) {
    const param = quarter_from === undefined ? 'quarter_to' : 'quarter_from';
    throw new ApiError('period_not_found', { param, details: { available_periods: available.map(quarterLabel) } });
  }
  return { from, to };
}

export const coverageSchema = {
  notary_only_from_quarter: nullable(string),
  complete_through_quarter: nullable(string),
  notes: arrayOf(string),
} as const;

export const registeredSchema = { price_source: oneOf(['registered']), attribution: ATTRIBUTION_SCHEMA } as const;

export const neighborhoodNamesSchema = {
  neighborhood_id: nullable(integer),
  name_en: nullable(string),
  name_ar: nullable(string),
} as const;

export const periodSchema = object({ quarter_from: string, quarter_to: string });

/** @param minDeals minimum number of deals for quartiles */
export function readCellRows(response: CellsResponse, input: CellsInput, minDeals: number) {
  // Stored cells cover the entire city, so cells that were not requested are skipped.
  const places = input.neighborhood_id === undefined ? null : new Set(input.neighborhood_id);
  const classes = input.land_use_class === undefined ? null : new Set<string>(input.land_use_class);
  const isWanted = ({ neighborhood_id, land_use_class }: Cell): boolean =>
    (places === null || neighborhood_id === null || places.has(neighborhood_id)) &&
    (classes === null || classes.has(land_use_class));
  return [...readCells(response)]
    .sort(([a = 0], [b = 0]) => a - b)
    .flatMap((kept) => {
      const cell = parseCell(kept[0] as number);
      return isWanted(cell)
        ? [rowOf(kept, input.byNeighborhood ? cell : { ...cell, neighborhood_id: null }, minDeals)]
        : [];
    });
}

function rowOf([, deals = 0, ...amounts]: CellRecord, cell: Cell, minDeals: number) {
  const quartiles: Partial<Record<CellMeasure, Quartiles>> = {};
  if (deals >= minDeals)
    for (const [at, measure] of CELL_MEASURES.entries()) {
      const [p25, median, p75] = amounts.slice(at * 3, at * 3 + 3);
      if (p25 !== undefined && median !== undefined && p75 !== undefined) quartiles[measure] = { p25, median, p75 };
    }
  return { cell, deals, quartiles };
}
