import { CELL_MEASURES, type CellMeasure, type KeptCell } from '#domain/official/cells-document.ts';
import { type Cell, parseCell } from '#domain/official/transaction.ts';
import type { Quartiles } from '#domain/statistics/quantiles.ts';
import { type CellsInput, type CellsResponse, readCells } from '#queries/transactions/cells.ts';

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

function rowOf([, deals = 0, ...amounts]: KeptCell, cell: Cell, minDeals: number) {
  const quartiles: Partial<Record<CellMeasure, Quartiles>> = {};
  if (deals >= minDeals)
    for (const [at, measure] of CELL_MEASURES.entries()) {
      const [p25, median, p75] = amounts.slice(at * 3, at * 3 + 3);
      if (p25 !== undefined && median !== undefined && p75 !== undefined) quartiles[measure] = { p25, median, p75 };
    }
  return { cell, deals, quartiles };
}
