import { toAmount } from '#domain/money.ts';
import { doubled } from '../doubled.ts';
import {
  boundsOf,
  cellName,
  FENCE_KINDS,
  type Fence,
  type FenceKind,
  fenceKey,
  isPricedByArea,
  isPricePerSqm,
  type Judged,
  judgeWithin,
  makeFence,
  TIERS,
  type Tier,
} from './fences.ts';

/** Facts that determine an ad's cells. A market has only a few thousand profiles, which ads share. */
interface Profile {
  judged: Judged;
  /** Cells by kind of fence and tier; -1 if there is none. */
  cells: Int32Array;
}

interface Cell {
  kind: FenceKind;
  tier: Tier;
  name: string;
}

/** Usually, two passes suffice. */
const MAX_PASSES = 10;

/** Ads in typed arrays, about 30 bytes each, because ads share profiles. */
export class Market {
  readonly #profiles: Profile[] = [];
  readonly #profileOf = new Map<string, number>();
  readonly #cells: Cell[] = [];
  readonly #cellOf = new Map<string, number>();
  #ids = new Float64Array(1024);
  #profile = new Int32Array(1024);
  #price = new Float64Array(1024);
  #area = new Float64Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param key equal for ads with equal `judged`, apart from price and area */
  add(id: number, key: string, judged: () => Judged, price: number | null, area: number | null): void {
    let profile = this.#profileOf.get(key);
    if (profile === undefined) {
      profile = this.#profiles.push(this.#describe(judged())) - 1;
      this.#profileOf.set(key, profile);
    }
    if (this.#size === this.#ids.length) {
      this.#ids = doubled(this.#ids);
      this.#profile = doubled(this.#profile);
      this.#price = doubled(this.#price);
      this.#area = doubled(this.#area);
    }
    this.#ids[this.#size] = id;
    this.#profile[this.#size] = profile;
    this.#price[this.#size] = price !== null && price > 0 ? price : Number.NaN;
    this.#area[this.#size] = area ?? Number.NaN;
    this.#size++;
  }

  /** Returns fences for all cells with enough prices, keyed by `fenceKey`. */
  fences(kinds: readonly FenceKind[] = FENCE_KINDS): Map<string, Fence> {
    const fences = new Map<string, Fence>();
    for (const fenceKind of kinds) {
      const first = FENCE_KINDS.indexOf(fenceKind) * TIERS.length;
      for (let column = first; column < first + TIERS.length; column++) {
        for (const [index, prices] of this.#pricesBy(column)) {
          const { kind, tier, name } = this.#cells[index] as Cell;
          const fence = makeFence(kind, tier, name, prices);
          if (fence) fences.set(fenceKey(kind, tier, name), fence);
        }
      }
    }
    return fences;
  }

  /**
   * Sales whose price is per square meter get a total price.
   * @returns these sales
   */
  correctPricesPerSqm(): { id: number; price: number }[] {
    const corrected: { id: number; price: number }[] = [];
    // Corrections change the fences, so passes repeat until nothing is found. A resumed stage then finds nothing more.
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const found = this.#findPricesPerSqm();
      if (found.length === 0) break;
      for (const index of found) {
        const price = (this.#price[index] as number) * (this.#area[index] as number);
        this.#price[index] = toAmount(price);
        corrected.push({ id: this.#ids[index] as number, price: this.#price[index] as number });
      }
    }
    return corrected;
  }

  #findPricesPerSqm(): number[] {
    const fences = this.fences(['per_sqm']);
    const bounds = this.#profiles.map(({ judged }) =>
      judged.listing_type === 'sale' && isPricedByArea(judged.property_type)
        ? boundsOf('typed', judged, fences).perSqm
        : undefined,
    );
    const found: number[] = [];
    for (let index = 0; index < this.#size; index++) {
      const fence = bounds[this.#profile[index] as number];
      if (fence && isPricePerSqm(this.#price[index] as number, this.#area[index] as number, fence)) found.push(index);
    }
    return found;
  }

  forEach(
    fences: ReadonlyMap<string, Fence>,
    visit: (index: number, id: number, typed: boolean, pooled: boolean) => void,
  ) {
    const bounds = this.#profiles.map(({ judged }) => ({
      typed: boundsOf('typed', judged, fences),
      pooled: boundsOf('pooled', judged, fences),
    }));
    for (let index = 0; index < this.#size; index++) {
      const profile = this.#profile[index] as number;
      const { judged } = this.#profiles[profile] as Profile;
      const { typed, pooled } = bounds[profile] as (typeof bounds)[number];
      const price = this.#price[index] as number;
      const area = this.#area[index] as number;
      judged.price = Number.isNaN(price) ? null : price;
      judged.area_sqm = Number.isNaN(area) ? null : area;
      visit(
        index,
        this.#ids[index] as number,
        judgeWithin(judged, typed) === null,
        judgeWithin(judged, pooled) === null,
      );
    }
  }

  #describe(judged: Judged): Profile {
    const cells = new Int32Array(FENCE_KINDS.length * TIERS.length);
    let column = 0;
    for (const kind of FENCE_KINDS) {
      for (const tier of TIERS) {
        const cell = cellName(kind, tier, judged);
        cells[column++] = cell === null ? -1 : this.#cellIndex(kind, tier, cell);
      }
    }
    return { judged: { ...judged }, cells };
  }

  #cellIndex(kind: FenceKind, tier: Tier, name: string): number {
    const key = fenceKey(kind, tier, name);
    const known = this.#cellOf.get(key);
    if (known !== undefined) return known;
    const index = this.#cells.push({ kind, tier, name }) - 1;
    this.#cellOf.set(key, index);
    return index;
  }

  /** Yields prices of one kind and tier, in a single array, ordered by cell. */
  *#pricesBy(column: number): Generator<[cell: number, prices: Float64Array]> {
    const cellOfProfile = Int32Array.from(this.#profiles, ({ cells }) => cells[column] as number);
    const ends = new Int32Array(this.#cells.length);
    const perSqm = column >= FENCE_KINDS.indexOf('per_sqm') * TIERS.length;
    const forEachPrice = (visit: (cell: number, price: number) => void): void => {
      for (let index = 0; index < this.#size; index++) {
        const price = (this.#price[index] as number) / (perSqm ? (this.#area[index] as number) : 1);
        const cell = cellOfProfile[this.#profile[index] as number] as number;
        if (cell !== -1 && Number.isFinite(price)) visit(cell, price);
      }
    };
    forEachPrice((cell) => {
      ends[cell] = (ends[cell] as number) + 1;
    });
    let all = 0;
    // From here on, `ends` has the position of each cell's next price, and finally the end of the cell.
    for (let cell = 0; cell < ends.length; cell++) {
      const count = ends[cell] as number;
      ends[cell] = all;
      all += count;
    }
    const prices = new Float64Array(all);
    forEachPrice((cell, price) => {
      const place = ends[cell] as number;
      prices[place] = price;
      ends[cell] = place + 1;
    });
    let begin = 0;
    for (const [cell, end] of ends.entries()) {
      if (end > begin) yield [cell, prices.subarray(begin, end)];
      begin = end;
    }
  }
}
