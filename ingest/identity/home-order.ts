/** Facts that differ between homes in one building. */
interface HomeFacts {
  id: number;
  area: number;
  textArea: number;
  floor: string | null;
  unit: string | null;
}

/** Areas of one home may differ by rounding. */
const AREA_STEP = 0.02;

/** Makes ads for one home adjacent, so that they count as one. */
export class HomeOrder {
  /** 0 if not stated. */
  readonly #areas: Int32Array;
  readonly #floors: Int32Array;
  readonly #units: Int32Array;
  readonly #ids: Float64Array;
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

  differ(a: number, b: number): boolean {
    return this.#areas[a] !== this.#areas[b] || areTwo(this.#floors, a, b) || areTwo(this.#units, a, b);
  }

  /** Returns the minimum number of homes among ads in this order. */
  count(ads: readonly number[]): number {
    let homes = 1;
    for (let at = 1; at < ads.length; at++) if (this.differ(ads[at - 1] as number, ads[at] as number)) homes++;
    return homes;
  }
}

/** By the area in the text, else in the field. */
export function areaStep({ area, textArea }: Pick<HomeFacts, 'area' | 'textArea'>): number {
  const stated = Number.isNaN(textArea) ? area : textArea;
  return stated > 0 ? Math.max(1, Math.round(Math.log(stated) / AREA_STEP)) : 0;
}

const areTwo = (column: Int32Array, a: number, b: number): boolean =>
  column[a] !== 0 && column[b] !== 0 && column[a] !== column[b];

/** Numbers distinct texts in sort order; 0 for null. */
export function numbers(texts: readonly (string | null)[]): Int32Array {
  const known = new Map<string | null, number>([[null, 0]]);
  for (const text of [...new Set(texts)].sort()) if (text !== null) known.set(text, known.size);
  return Int32Array.from(texts, (text) => known.get(text) as number);
}
