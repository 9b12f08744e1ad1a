import { LAND_USE_CLASSES } from '#domain/official/vocabulary.ts';
import type { Clause } from '../clause.ts';
import { compileRows, pickRows, type ValuesOfRows } from '../filters/compile.ts';
import type { FilterRow } from '../filters/kinds.ts';
import * as kinds from '../filters/kinds.ts';

/** Filters for registered deals, of the same kinds as listing filters. */
export const TRANSACTION_FILTERS = [
  {
    name: 'city',
    kind: kinds.city,
    field: 'filter.city',
    description: 'City slug from `GET /cities`.',
    required: true,
    example: 'riyadh',
  },
  {
    name: 'neighborhood_id',
    kind: kinds.anyOfNeighborhoods,
    field: 'filter.neighborhood_id',
    description:
      'One or more neighborhood ids; matches any of them. Deals whose district is not matched to a neighborhood are excluded.',
    example: '1001,1002',
  },
  {
    name: 'land_use_class',
    kind: kinds.anyOf,
    field: 'filter.land_use_class',
    values: LAND_USE_CLASSES,
    description: 'One or more registered land uses; a deal with any of them matches.',
    example: 'residential',
  },
  {
    name: 'month_from',
    kind: kinds.monthFrom,
    field: 'filter.month',
    description: 'First month of registration, `YYYY-MM`.',
    example: '2025-01',
  },
  {
    name: 'month_to',
    kind: kinds.monthTo,
    field: 'filter.month',
    description: 'Last month of registration, `YYYY-MM`.',
    notBelow: 'month_from',
    example: '2025-12',
  },
  {
    name: 'price_min',
    kind: kinds.amountAtLeast,
    field: 'filter.price',
    description: 'Minimum price in SAR.',
    example: '500000',
  },
  {
    name: 'price_max',
    kind: kinds.amountAtMost,
    field: 'filter.price',
    description: 'Maximum price in SAR.',
    notBelow: 'price_min',
    example: '2000000',
  },
  {
    name: 'area_min',
    kind: kinds.amountAtLeast,
    field: 'filter.area',
    description: 'Minimum area in square meters.',
    example: '200',
  },
  {
    name: 'area_max',
    kind: kinds.amountAtMost,
    field: 'filter.area',
    description: 'Maximum area in square meters.',
    notBelow: 'area_min',
    example: '900',
  },
  {
    name: 'price_per_sqm_min',
    kind: kinds.amountAtLeast,
    field: 'filter.price_per_sqm',
    description: 'Minimum price per square meter in SAR.',
    example: '1000',
  },
  {
    name: 'price_per_sqm_max',
    kind: kinds.amountAtMost,
    field: 'filter.price_per_sqm',
    description: 'Maximum price per square meter in SAR.',
    notBelow: 'price_per_sqm_min',
    example: '8000',
  },
] as const satisfies readonly FilterRow[];

type Row = (typeof TRANSACTION_FILTERS)[number];
export type TransactionFilterName = Row['name'];

/** Decoded and validated values by name. The city is required. */
export type TransactionFilters = ValuesOfRows<Row> & { readonly city: string };

export function transactionRow<Name extends TransactionFilterName>(name: Name): Extract<Row, { name: Name }> {
  return TRANSACTION_FILTERS.find((row) => row.name === name) as Extract<Row, { name: Name }>;
}

/** Returns the filters in a query, without pagination parameters. */
export function transactionFilters(query: TransactionFilters): TransactionFilters {
  return { ...pickRows(TRANSACTION_FILTERS, query), city: query.city };
}

/** Returns the clauses of the given filters, in table order. Pure. */
export function transactionClauses(values: Partial<TransactionFilters>): Clause[] {
  // None of these filters depends on the current time.
  return compileRows(TRANSACTION_FILTERS, values, { now: 0 });
}
