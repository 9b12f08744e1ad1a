import { quartilesAtRanks } from '../statistics/quantiles.ts';
import { OFFICIAL_RULES } from './rules.ts';
import { CELL_UNIT, cellOf, pricePerSqm, type Transaction } from './transaction.ts';

/** Deals of the whole city, or of each neighborhood in it. */
export type CellsOf = `${string}/city` | `${string}/neighborhoods`;

export const cellsOf = (city: string, byNeighborhood: boolean): CellsOf =>
  `${city}/${byNeighborhood ? 'neighborhoods' : 'city'}`;

/** Measures in stored order. */
export const CELL_MEASURES = ['price', 'price_per_sqm'] as const;
export type CellMeasure = (typeof CELL_MEASURES)[number];

/**
 * A cell as an array: the cell number, the number of deals and, unless these are too few for any request, the quartiles
 * of each measure.
 */
export type CellRecord = readonly number[];

type Deal = Pick<Transaction, 'neighborhood_id' | 'land_use_class' | 'price_sar' | 'area_sqm' | 'quarter'>;

/** The cells of a city's deals in one load. */
export class CellsOfCity {
  readonly #amounts = new Map<number, Amounts>();

  add({ neighborhood_id, quarter, land_use_class, price_sar, area_sqm }: Deal): void {
    const cell = cellOf(neighborhood_id, quarter, land_use_class);
    const [prices, rates] = this.#amounts.get(cell) ?? [[], []];
    this.#amounts.set(cell, [prices, rates]);
    prices.push(price_sar);
    rates.push(pricePerSqm(price_sar, area_sqm));
  }

  /** A load contains all deals in its quarter, so each cell is in a single load. */
  documents(city: string, quarter: number, load: number) {
    const together = Map.groupBy(this.#amounts, ([cell]) => cell % CELL_UNIT);
    const ofCity = [...together].map(([cell, parts]) =>
      keptCell(
        cell,
        CELL_MEASURES.map((_, at) => parts.flatMap(([, amounts]) => amounts[at] ?? [])),
      ),
    );
    const ofNeighborhoods = [...this.#amounts]
      .filter(([cell]) => cell >= CELL_UNIT)
      .map(([cell, amounts]) => keptCell(cell, amounts));
    return [ofCity, ofNeighborhoods].map((cells, at) => ({
      display: { cells },
      cells: { of: cellsOf(city, at === 1), quarter },
      filter: { load },
    }));
  }
}

/** By measure. */
type Amounts = [prices: number[], pricesPerSqm: number[]];

/** @param amounts of the deals, by measure */
export function keptCell(cell: number, amounts: readonly (readonly number[])[]): CellRecord {
  const deals = amounts[0]?.length ?? 0;
  if (deals < OFFICIAL_RULES.min_sample_size) return [cell, deals];
  const quartiles = amounts.map((each) => quartilesAtRanks(Float64Array.from(each).sort()));
  return [cell, deals, ...quartiles.flatMap(({ p25, median, p75 }) => [p25, median, p75])];
}
