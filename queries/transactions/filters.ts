import { LAND_USE_CLASSES } from '#domain/official/official-vocabulary.ts';
import type { Clause } from '../clause.ts';
import { compileRows, pickRows } from '../filters/compile.ts';
import type { FilterRow, ValuesOfRows } from '../filters/kinds.ts';
import * as kinds from '../filters/kinds.ts';
import { rowOf } from '../filters/table.ts';

export const TRANSACTION_FILTERS = [
  rowOf('city'),
  {
    ...rowOf('neighborhood_id'),
    description:
      'One or more neighborhood ids; matches any of them. Deals whose district is not matched to a neighborhood are excluded.',
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
  { ...rowOf('price_min'), description: 'Minimum price in SAR.', example: '500000' },
  { ...rowOf('price_max'), description: 'Maximum price in SAR.', example: '2000000' },
  { ...rowOf('area_min'), example: '200' },
  { ...rowOf('area_max'), example: '900' },
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
type TransactionFilterName = Row['name'];

export type TransactionFilters = ValuesOfRows<Row> & { readonly city: string };

export function transactionRow<Name extends TransactionFilterName>(name: Name): Extract<Row, { name: Name }> {
  return TRANSACTION_FILTERS.find((row) => row.name === name) as Extract<Row, { name: Name }>;
}

export function transactionFilters(query: TransactionFilters): TransactionFilters {
  return { ...pickRows(TRANSACTION_FILTERS, query), city: query.city };
}

export function transactionClauses(values: Partial<TransactionFilters>): Clause[] {
  return compileRows(TRANSACTION_FILTERS, values, { now: 0 });
}
