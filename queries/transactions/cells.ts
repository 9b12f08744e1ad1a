import { CELL_MEASURES, type CellRecord, cellsOf, keptCell } from '#domain/official/cells-document.ts';
import { CELL_UNIT } from '#domain/official/transaction.ts';
import { aggregationBody } from '../clause.ts';
import { type Column, type ColumnsResult, columnsClause, columnsOf } from '../market/collected.ts';
import { transactionClauses } from './filters.ts';

export const MAX_QUARTERS = 40;
/** Maximum number of quarters to read: those of a request and of the preceding year, for price changes. */
const MAX_KEPT_QUARTERS = MAX_QUARTERS + 4;

export interface CellsInput {
  city: string;
  neighborhood_id?: readonly number[] | undefined;
  land_use_class?: readonly string[] | undefined;
  /** Quarter numbers as returned by `parseQuarter`, both inclusive. */
  quarterFrom: number;
  quarterTo: number;
  byNeighborhood: boolean;
}

/** The response to `cellsBody`: stored cells are hits, deals to compute cells from are values. */
export interface CellsResponse {
  hits: { hits: readonly { _source: { display: { cells: readonly CellRecord[] } } }[] };
  aggregations?: { deals: ColumnsResult };
}

const DEALS: readonly Column[] = [
  { field: 'stats.cell', type: 'Longs' },
  ...CELL_MEASURES.map((measure): Column => ({ field: `filter.${measure}`, type: 'Doubles' })),
];

/**
 * Cells of a whole city and of each of its neighborhoods are stored by quarter (`cells-document.ts`); those of several
 * neighborhoods combined are computed.
 */
export const cellsBody = (input: CellsInput): Record<string, unknown> =>
  isKept(input) ? storedCellsBody(input) : dealsBody(input);

const isKept = ({ neighborhood_id, byNeighborhood }: CellsInput): boolean =>
  byNeighborhood || neighborhood_id === undefined || neighborhood_id.length < 2;

function storedCellsBody({ city, neighborhood_id, quarterFrom, quarterTo, byNeighborhood }: CellsInput) {
  const filter = [
    { term: { 'cells.of': cellsOf(city, byNeighborhood || neighborhood_id !== undefined) } },
    { range: { 'cells.quarter': { gte: quarterFrom, lte: quarterTo } } },
  ];
  // Each quarter has one document.
  return { size: MAX_KEPT_QUARTERS, track_total_hits: false, _source: ['display.cells'], query: { bool: { filter } } };
}

/** Requests the deals themselves, because digests of ten thousand mostly small cells would take more memory. */
function dealsBody({ city, neighborhood_id, land_use_class, quarterFrom, quarterTo }: CellsInput) {
  const filter = [
    ...transactionClauses({ city, neighborhood_id, land_use_class }),
    { range: { 'filter.quarter': { gte: quarterFrom, lte: quarterTo } } },
  ];
  return aggregationBody(filter, { deals: columnsClause(DEALS) });
}

/** Returns the cells of the requested neighborhoods together, or the stored cells of a whole city. */
export function readCells({ hits, aggregations }: CellsResponse): readonly CellRecord[] {
  if (aggregations === undefined) return hits.hits.flatMap(({ _source }) => _source.display.cells);
  const [cells = [], ...amounts] = columnsOf(aggregations.deals, DEALS.length);
  const together = Map.groupBy(cells.keys(), (deal) => Number(cells[deal]) % CELL_UNIT);
  return [...together].map(([cell, deals]) =>
    keptCell(
      cell,
      amounts.map((values) => deals.map((deal) => Number(values[deal]))),
    ),
  );
}
