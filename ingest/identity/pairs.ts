import { SIGNATURE_SIZE } from '../normalize/signature.ts';
import { type AdSet, type Columns, FEW_HOMES, MAX_TYPES } from './ads.ts';
import { SLOTS, slotOf } from './rarity.ts';
import type { Shared } from './score.ts';

/** Side of a grid cell: about 100 m from south to north, and slightly less from west to east. */
const CELL_DEGREES = 0.001;
const CELLS_PER_ROW = 1_000_000;
/** Ads whose areas differ by more than both limits become candidates only by location, text or photos. */
const AREA_WINDOW = 1.05;
const AREA_WINDOW_METERS = 5;
/** Maximum price ratio between an ad without an area and its candidates. */
const PRICE_WINDOW = 1.2;
/** Maximum differences of an ad without a location from its candidates: square meters, and share of the price. */
const CITY_WINDOW_METERS = 1.5;
const CITY_WINDOW_PRICE = 0.031;
/** Maximum number of candidates above the ad's area or price, and below. Bounds the work for a crowded point. */
const MAX_COMPARED = 200;
/** As `MAX_COMPARED`, for an ad without a location: higher, because the price excludes most candidates. */
const MAX_IN_CITY = 1_000;
/** Maximum number of candidates per shared photo or signature position, in each direction of the home order. */
const MAX_NEAR = 16;
/** Minimum number of rare positions that two signatures must share, because a single one may be equal by chance. */
const SHARED_SLOTS = 2;

/**
 * Finds candidates: nearby ads; ads in the neighborhood with a similar area or price; for an ad without a location, ads
 * in the city with nearly the same area and price; and, of any type, ads that share a rare photo or rare words. A pair
 * may be found several times.
 */
export class Candidates {
  readonly #columns: Columns;
  readonly #cells: Grouping;
  readonly #blocks: Grouping;
  readonly #prices: Grouping;
  readonly #city: Grouping;
  readonly #words: SlotChains;
  /** Chains across all types; null if the set has only one type. */
  readonly #wordsOfAll: SlotChains | null;
  /** For each ad, the last visited ad that shares a photo with it, and the last that shares words. */
  readonly #sharesPhoto: Int32Array;
  readonly #sharesWords: Int32Array;
  /** Result object of `shared`, reused to avoid allocations for millions of pairs. */
  readonly #shared: Shared = { photos: false, words: false };

  constructor(set: AdSet) {
    const { columns, size } = set;
    this.#columns = columns;
    const all = Array.from({ length: size }, (_, index) => index);
    const { area, price, lat, lng, neighborhood, type } = columns;
    const typed = (group: number, index: number): number => group * MAX_TYPES + (type[index] as number);
    this.#cells = new Grouping(
      all.filter((index) => !Number.isNaN((lat[index] as number) + (lng[index] as number))),
      (index) => typed(cellOf(lat[index] as number, lng[index] as number), index),
      (index) => orZero(area[index]),
    );
    const inBlocks = all.filter((index) => neighborhood[index] !== 0);
    const blockOf = (index: number): number => typed(neighborhood[index] as number, index);
    this.#blocks = new Grouping(
      inBlocks.filter((index) => !Number.isNaN(area[index])),
      blockOf,
      (index) => area[index] as number,
    );
    const without = inBlocks.some((index) => Number.isNaN(area[index]));
    this.#prices = new Grouping(
      without ? inBlocks.filter((index) => !Number.isNaN(price[index])) : [],
      blockOf,
      (index) => price[index] as number,
    );
    const unplaced = all.some((index) => this.#isUnplaced(index));
    this.#city = new Grouping(
      unplaced ? all.filter((index) => !Number.isNaN((area[index] as number) + (price[index] as number))) : [],
      (index) => typed(0, index),
      (index) => area[index] as number,
    );
    this.#sharesPhoto = new Int32Array(size).fill(-1);
    this.#sharesWords = new Int32Array(size).fill(-1);
    const { byType, byHome, slotCounts, slotCountsOfAll } = columns;
    this.#words = new SlotChains(set.signatures, slotCounts, byType.values());
    this.#wordsOfAll = byType.size < 2 ? null : new SlotChains(set.signatures, slotCountsOfAll, [byHome]);
  }

  /**
   * Calls back for each candidate of an ad.
   * @param found receives candidates whose own visit also finds this ad
   * @param alone receives candidates whose own visit may not find this ad
   */
  visit(index: number, found: (other: number) => void, alone: (other: number) => void): void {
    const { area, price, lat, lng, neighborhood, type } = this.#columns;
    const ownType = type[index] as number;
    const ownArea = area[index] as number;
    const isUnplaced = this.#isUnplaced(index);
    // Collected before the first callback, so that `shared` is complete for every pair.
    const byPhoto = this.#byPhoto(index);
    for (const other of byPhoto) this.#sharesPhoto[other] = index;
    const byWords = (other: number): void => {
      this.#sharesWords[other] = index;
      found(other);
    };
    this.#words.visit(index, byWords);
    this.#wordsOfAll?.visit(index, (other) => {
      if (type[other] !== ownType) byWords(other);
    });
    for (const other of byPhoto) found(other);
    if (!Number.isNaN(lat[index])) {
      const cell = cellOf(lat[index] as number, lng[index] as number);
      for (const row of [-CELLS_PER_ROW, 0, CELLS_PER_ROW])
        for (const step of [-1, 0, 1])
          this.#cells.near((cell + row + step) * MAX_TYPES + ownType, index, orZero(ownArea), MAX_COMPARED, found);
    }
    if (neighborhood[index] !== 0) {
      const block = (neighborhood[index] as number) * MAX_TYPES + ownType;
      if (!Number.isNaN(ownArea)) {
        const most = Math.max(ownArea * AREA_WINDOW, ownArea + AREA_WINDOW_METERS);
        const least = Math.min(ownArea / AREA_WINDOW, ownArea - AREA_WINDOW_METERS);
        this.#blocks.within(block, index, ownArea, [least, most], MAX_COMPARED, found);
      } else if (!Number.isNaN(price[index])) {
        const own = price[index] as number;
        this.#prices.within(block, index, own, [own / PRICE_WINDOW, own * PRICE_WINDOW], MAX_COMPARED, alone);
      }
    }
    if (isUnplaced && !Number.isNaN(ownArea)) {
      const own = price[index] as number;
      const window = [ownArea - CITY_WINDOW_METERS, ownArea + CITY_WINDOW_METERS] as const;
      this.#city.within(ownType, index, ownArea, window, MAX_IN_CITY, (other) => {
        if (Math.abs((price[other] as number) - own) <= own * CITY_WINDOW_PRICE) alone(other);
      });
    }
  }

  // Returns the ads that share a rare photo with this ad.
  #byPhoto(index: number): number[] {
    const { photos } = this.#columns;
    const others: number[] = [];
    for (const photo of photos.of(index)) {
      if (photos.homesOf(photo) > FEW_HOMES) continue;
      const sharing = photos.adsWith(photo);
      const own = sharing.length <= 2 * MAX_NEAR ? MAX_NEAR : sharing.indexOf(index);
      for (let at = Math.max(0, own - MAX_NEAR); at < Math.min(sharing.length, own + MAX_NEAR + 1); at++)
        others.push(sharing[at] as number);
    }
    return others;
  }

  // Returns the shared evidence for the last visited ad and another ad.
  shared(index: number, other: number): Shared {
    this.#shared.photos = this.#sharesPhoto[other] === index;
    this.#shared.words = this.#sharesWords[other] === index;
    return this.#shared;
  }

  // Returns whether an ad states neither a neighborhood nor a point.
  #isUnplaced(index: number): boolean {
    return this.#columns.neighborhood[index] === 0 && Number.isNaN(this.#columns.lat[index]);
  }
}

const orZero = (value: number | undefined): number => (value === undefined || Number.isNaN(value) ? 0 : value);

function cellOf(lat: number, lng: number): number {
  return Math.floor(lat / CELL_DEGREES) * CELLS_PER_ROW + Math.floor(lng / CELL_DEGREES) + CELLS_PER_ROW / 2;
}

/** Groups of ads, each sorted by a value, then by index. */
class Grouping {
  readonly #order: Int32Array;
  readonly #values: Float64Array;
  readonly #ranges = new Map<number, readonly [from: number, to: number]>();

  constructor(members: readonly number[], groupOf: (index: number) => number, sortBy: (index: number) => number) {
    const numbers = new Map<number, number>();
    const sizes: number[] = [];
    const groups = new Int32Array(members.length);
    for (let at = 0; at < members.length; at++) {
      const group = groupOf(members[at] as number);
      let number = numbers.get(group);
      if (number === undefined) {
        number = sizes.push(0) - 1;
        numbers.set(group, number);
      }
      sizes[number] = (sizes[number] as number) + 1;
      groups[at] = number;
    }
    // The next free position in each group; after the loop below, the end of the group.
    const ends = new Int32Array(sizes.length);
    for (let number = 1; number < sizes.length; number++)
      ends[number] = (ends[number - 1] as number) + (sizes[number - 1] as number);
    this.#order = new Int32Array(members.length);
    this.#values = new Float64Array(members.length);
    for (let at = 0; at < members.length; at++) {
      const place = ends[groups[at] as number] as number;
      ends[groups[at] as number] = place + 1;
      this.#order[place] = members[at] as number;
    }
    for (const [group, number] of numbers) {
      const to = ends[number] as number;
      const from = to - (sizes[number] as number);
      // The sort is stable, so ads with equal values remain sorted by index.
      if (to - from > 1) this.#order.subarray(from, to).sort((a, b) => sortBy(a) - sortBy(b));
      this.#ranges.set(group, [from, to]);
    }
    for (let at = 0; at < members.length; at++) this.#values[at] = sortBy(this.#order[at] as number);
  }

  /** Calls `found` for all ads in a group; in a large group, only for those with the nearest values. */
  near(group: number, index: number, value: number, most: number, found: (index: number) => void): void {
    const range = this.#ranges.get(group);
    if (range === undefined) return;
    const [from, to] = range;
    if (to - from > 2 * most) this.within(group, index, value, EVERYTHING, most, found);
    else for (let at = from; at < to; at++) found(this.#order[at] as number);
  }

  /** Calls `found` for the ads in a group whose values are within a window, at most `most` on each side. */
  within(
    group: number,
    index: number,
    value: number,
    [least, highest]: readonly [number, number],
    most: number,
    found: (index: number) => void,
  ): void {
    const range = this.#ranges.get(group);
    if (range === undefined) return;
    const middle = this.#placeOf(range, index, value);
    const to = Math.min(range[1], middle + most);
    for (let at = middle; at < to && (this.#values[at] as number) <= highest; at++) found(this.#order[at] as number);
    const from = Math.max(range[0], middle - most);
    for (let at = middle - 1; at >= from && (this.#values[at] as number) >= least; at--)
      found(this.#order[at] as number);
  }

  #placeOf([from, to]: readonly [number, number], index: number, value: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#values[middle] as number;
      if (other < value || (other === value && (this.#order[middle] as number) < index)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const EVERYTHING = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** Links ads that share rare values in their signatures: one chain per position and value. */
class SlotChains {
  /** Previous and next entry in each chain; -1 if there is none. */
  readonly #before: Int32Array;
  readonly #behind: Int32Array;
  readonly #shared: Uint8Array;
  readonly #touched: number[] = [];

  /**
   * @param counts for each signature position, the number of homes with the same value
   * @param groups ads by group, ordered so that similar areas are adjacent; ads in different groups are not linked
   */
  constructor(signatures: Uint16Array, counts: Uint8Array, groups: Iterable<Iterable<number>>) {
    const length = counts.length;
    this.#shared = new Uint8Array(length / SIGNATURE_SIZE);
    this.#before = new Int32Array(length).fill(-1);
    this.#behind = new Int32Array(length).fill(-1);
    const isShared = (at: number): boolean => {
      const count = counts[at] as number;
      return count > 0 && count <= FEW_HOMES;
    };
    for (const ads of groups) {
      for (const ad of ads)
        for (let place = 0, at = ad * SIGNATURE_SIZE; place < SIGNATURE_SIZE; place++, at++) {
          if (!isShared(at)) continue;
          const slot = slotOf(place, signatures[at] as number);
          const before = (lastPlaces[slot] as number) - 1;
          lastPlaces[slot] = at + 1;
          if (before === -1) continue;
          this.#before[at] = before;
          this.#behind[before] = at;
        }
      for (const ad of ads)
        for (let place = 0, at = ad * SIGNATURE_SIZE; place < SIGNATURE_SIZE; place++, at++)
          if (isShared(at)) lastPlaces[slotOf(place, signatures[at] as number)] = 0;
    }
  }

  // Calls `found` for ads that share at least `SHARED_SLOTS` rare positions with an ad.
  visit(index: number, found: (other: number) => void): void {
    const from = index * SIGNATURE_SIZE;
    for (let own = from; own < from + SIGNATURE_SIZE; own++) {
      this.#follow(this.#behind, own, found);
      this.#follow(this.#before, own, found);
    }
    for (const other of this.#touched) this.#shared[other] = 0;
    this.#touched.length = 0;
  }

  /** Counts the shared positions for the next ads in a chain, in one direction. */
  #follow(next: Int32Array, own: number, found: (other: number) => void): void {
    let at = next[own] as number;
    for (let steps = 0; at !== -1 && steps < MAX_NEAR; steps++) {
      const other = Math.floor(at / SIGNATURE_SIZE);
      const shared = (this.#shared[other] as number) + 1;
      this.#shared[other] = shared;
      if (shared === 1) this.#touched.push(other);
      if (shared === SHARED_SLOTS) found(other);
      at = next[at] as number;
    }
  }
}

/** Last position of each value, counted from 1; 0 for none. Shared by all sets, and reset after each set. */
const lastPlaces = new Int32Array(SLOTS);
