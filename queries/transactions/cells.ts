import { CELL_MEASURES, cellsOf, type KeptCell } from '#domain/official/cells-document.ts';
import { CELL_UNIT } from '#domain/official/transaction.ts';
import { aggregationBody } from '../clause.ts';
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

/** The response to `cellsBody`: stored cells are hits, computed ones aggregations. */
export interface CellsResponse {
  hits: { hits: readonly { _source: { display: { cells: readonly KeptCell[] } } }[] };
  aggregations?: { cells: { value: readonly KeptCell[] | null } };
}

const longs = (field: string): string => `((ScriptDocValues.Longs) doc['${field}']).getValue()`;
const doubles = (field: string): string => `((ScriptDocValues.Doubles) doc['${field}']).get(0)`;

/**
 * Collects amounts by cell number without the neighborhood. Types are explicit: dynamically bound calls take longer
 * than the called functions.
 */
const MAP = `
  HashMap cells = (HashMap) state.cells;
  Long cell = Long.valueOf(${longs('stats.cell')} % ${CELL_UNIT}L);
  ArrayList lists = (ArrayList) cells.get(cell);
  if (lists == null) {
    lists = new ArrayList();
    for (int i = 0; i < ${CELL_MEASURES.length}; i++) { lists.add(new ArrayList()); }
    cells.put(cell, lists);
  }
  ${CELL_MEASURES.map((measure, at) => `((ArrayList) lists.get(${at})).add(${doubles(`filter.${measure}`)});`).join('\n  ')}`;

/** Converts the map of a shard to a list, because a map that a shard sends to a node cannot have numeric keys. */
const COMBINE = `
  List cells = new ArrayList();
  for (Map.Entry entry : ((Map) state.cells).entrySet()) {
    List cell = new ArrayList();
    cell.add(entry.getKey());
    cell.add(entry.getValue());
    cells.add(cell);
  }
  return cells;`;

/**
 * Merges the cells from all shards. A quartile is the value at its rank, or the mean of two if the rank is between
 * them.
 */
const REDUCE = `
  Map cells = new HashMap();
  for (def part : states) {
    if (part == null) { continue; }
    for (def cell : (List) part) {
      List lists = (List) cells.get(cell[0]);
      if (lists == null) { cells.put(cell[0], cell[1]); continue; }
      for (int i = 0; i < lists.size(); i++) { ((List) lists.get(i)).addAll((List) cell[1][i]); }
    }
  }
  List rows = new ArrayList();
  for (Map.Entry entry : cells.entrySet()) {
    List lists = (List) entry.getValue();
    int count = ((List) lists.get(0)).size();
    List row = new ArrayList();
    row.add(entry.getKey());
    row.add(count);
    for (int i = 0; i < lists.size(); i++) {
      List values = (List) lists.get(i);
      if (count < params.least) { break; }
      Collections.sort(values);
      for (int quarter = 1; quarter <= 3; quarter++) {
        int rank = count * quarter;
        double above = (double) values.get(rank / 4);
        row.add(rank % 4 == 0 ? ((double) values.get(rank / 4 - 1) + above) / 2 : above);
      }
    }
    rows.add(row);
  }
  return rows;`;

/**
 * Requests deals by quarter and land-use class, and optionally by neighborhood. Excluded quarters are not in the index.
 * Cells of a whole city and of each of its neighborhoods are stored by quarter (`cells-document.ts`); those of several
 * neighborhoods combined are computed.
 * @param least minimum number of deals for the quartiles of a computed cell
 */
export function cellsBody(input: CellsInput, least: number): Record<string, unknown> {
  return isKept(input) ? storedCellsBody(input) : computedCellsBody(input, least);
}

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

/**
 * Requests ten thousand mostly small cells. A digest for each would take more heap than all deals, so the script sorts
 * amounts, which also makes quartiles exact.
 */
function computedCellsBody(input: CellsInput, least: number): Record<string, unknown> {
  const { city, neighborhood_id, land_use_class, quarterFrom, quarterTo } = input;
  const filter = [
    ...transactionClauses({ city, neighborhood_id, land_use_class }),
    { range: { 'filter.quarter': { gte: quarterFrom, lte: quarterTo } } },
  ];
  return aggregationBody(filter, {
    cells: {
      scripted_metric: {
        params: { least },
        init_script: 'state.cells = new HashMap();',
        map_script: MAP,
        combine_script: COMBINE,
        reduce_script: REDUCE,
      },
    },
  });
}
