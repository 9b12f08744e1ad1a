/** Stated facts that differ between homes in one building. */
interface HomeFacts {
  id: number;
  area: number;
  textArea: number;
  floor: string | null;
  unit: string | null;
}

/** Areas of one home may differ by rounding, so areas are grouped in steps of 2%. */
const AREA_STEP = 0.02;

/** Orders ads by area, floor and unit, so that ads for one home are adjacent and can be counted as one home. */
export class HomeOrder {
  /** Area steps, 0 if missing; numeric ids for floors and units, 0 if not stated. */
  readonly #areas: Int32Array;
  readonly #floors: Int32Array;
  readonly #units: Int32Array;
  readonly #ids: Float64Array;
  /** Indexes of all ads, sorted by area, floor and unit. */
  readonly order: Int32Array;

  constructor(ads: readonly HomeFacts[]) {
    this.#areas = Int32Array.from(ads, areaStep);
    this.#floors = numbers(ads.map(({ floor }) => floor));
    this.#units = numbers(ads.map(({ unit }) => unit));
    this.#ids = Float64Array.from(ads, ({ id }) => id);
    this.order = Int32Array.from(ads.keys()).sort((a, b) => this.compare(a, b));
  }

  compare(a: number, b: number): number {
    return (
      (this.#areas[a] as number) - (this.#areas[b] as number) ||
      (this.#floors[a] as number) - (this.#floors[b] as number) ||
      (this.#units[a] as number) - (this.#units[b] as number) ||
      (this.#ids[a] as number) - (this.#ids[b] as number)
    );
  }

  // Returns whether two ads are in different area steps, or state different floors or units.
  differ(a: number, b: number): boolean {
    return this.#areas[a] !== this.#areas[b] || areTwo(this.#floors, a, b) || areTwo(this.#units, a, b);
  }

  /** Returns the minimum number of different homes among ads that are sorted as in `order`. */
  count(ads: readonly number[]): number {
    let homes = 1;
    for (let at = 1; at < ads.length; at++) if (this.differ(ads[at - 1] as number, ads[at] as number)) homes++;
    return homes;
  }
}

/** Returns the area step for the home's area in the text, or else in the field. */
export function areaStep({ area, textArea }: Pick<HomeFacts, 'area' | 'textArea'>): number {
  const stated = Number.isNaN(textArea) ? area : textArea;
  return stated > 0 ? Math.max(1, Math.round(Math.log(stated) / AREA_STEP)) : 0;
}

const areTwo = (column: Int32Array, a: number, b: number): boolean =>
  column[a] !== 0 && column[b] !== 0 && column[a] !== column[b];

/** Assigns a number to each distinct text, in the sort order of the texts; 0 for null. */
export function numbers(texts: readonly (string | null)[]): Int32Array {
  const known = new Map<string | null, number>([[null, 0]]);
  for (const text of [...new Set(texts)].sort()) if (text !== null) known.set(text, known.size);
  return Int32Array.from(texts, (text) => known.get(text) as number);
}
