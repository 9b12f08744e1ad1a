import { type Cell, parseCell } from '#domain/official/transaction.ts';
import type { Quartiles } from '#domain/statistics/quantiles.ts';
import type { CellMeasure, CellsResponse } from '#queries/transactions/cells.ts';

/** A cell of deals, as it was measured. */
export interface CellRow {
  cell: Cell;
  deals: number;
  /** Not there for cells that are too small. */
  quartiles: Partial<Record<CellMeasure, Quartiles>>;
}

/** The cells of an answer, by neighborhood, quarter and class. */
export function readCellRows({ aggregations }: CellsResponse, measures: readonly CellMeasure[]): CellRow[] {
  const rows = [...(aggregations.cells.value ?? [])].sort(([a = 0], [b = 0]) => a - b);
  return rows.map(([number = 0, deals = 0, ...amounts]) => {
    const quartiles: CellRow['quartiles'] = {};
    for (const [at, measure] of measures.entries()) {
      const [p25, median, p75] = amounts.slice(at * 3, at * 3 + 3);
      if (p25 !== undefined && median !== undefined && p75 !== undefined) quartiles[measure] = { p25, median, p75 };
    }
    return { cell: parseCell(number), deals, quartiles };
  });
}
