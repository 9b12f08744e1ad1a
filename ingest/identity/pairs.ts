import type { ComparableAd } from './ads.ts';
import { FEW_HOMES } from './evidence.ts';
import type { SharedValue } from './sharing.ts';

/** About 100 m. */
const CELL_DEGREES = 0.001;
/** Ads whose areas differ by more than both limits become candidates only by location, text or photos. */
const AREA_WINDOW = 1.05;
const AREA_WINDOW_METERS = 5;
/** For an ad without an area. */
const PRICE_WINDOW = 1.2;
/** For an ad without a location: square meters, and share of the price. */
const CITY_WINDOW_METERS = 1.5;
const CITY_WINDOW_PRICE = 0.031;
/** Candidates on each side of an ad, which bounds the work for a crowded point. */
const MAX_COMPARED = 200;
/** Higher, because the price excludes most candidates. */
const MAX_IN_CITY = 1_000;
/** Candidates per shared photo or word, on each side of an ad. */
const MAX_NEAR = 16;
/** A single equal position may be chance. */
const SHARED_SLOTS = 2;

/**
 * Finds nearby ads; ads in the neighborhood with a similar area or price; for an ad without a location, ads in the city
 * with nearly the same area and price; and, of any type, ads that share a rare photo or rare words.
 */
export class Candidates {
  readonly #set: readonly ComparableAd[];
  readonly #cells: Grouping;
  readonly #blocks: Grouping;
  readonly #prices: Grouping;
  readonly #city: Grouping;

  constructor(set: readonly ComparableAd[]) {
    this.#set = set;
    const inBlocks = set.filter(({ neighborhood }) => neighborhood !== 0);
    this.#cells = new Grouping(set.filter(hasPoint), (ad) => cellKey(ad), areaOrZero);
    this.#blocks = new Grouping(inBlocks.filter(hasArea), blockKey, ({ area }) => area);
    this.#prices = new Grouping(inBlocks.filter(hasPrice), blockKey, ({ price }) => price);
    this.#city = new Grouping(
      set.filter((ad) => hasArea(ad) && hasPrice(ad)),
      ({ type }) => type,
      ({ area }) => area,
    );
  }

  /** A pair whose ads both find each other is only found by the first one. */
  of(ad: ComparableAd): Set<ComparableAd> {
    const found = new Set<ComparableAd>();
    const add = (other: ComparableAd): void => {
      if (other.at > ad.at) found.add(other);
    };
    for (const other of this.#byWords(ad)) add(other);
    for (const photo of ad.photos) if (photo.homes <= FEW_HOMES) for (const at of nextTo(photo, ad)) add(this.#ad(at));
    const { area, price } = ad;
    if (hasPoint(ad))
      for (const row of [-1, 0, 1])
        for (const column of [-1, 0, 1])
          this.#cells.within(cellKey(ad, row, column), ad, [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY], add);
    if (ad.neighborhood !== 0 && hasArea(ad)) {
      const least = Math.min(area / AREA_WINDOW, area - AREA_WINDOW_METERS);
      const most = Math.max(area * AREA_WINDOW, area + AREA_WINDOW_METERS);
      this.#blocks.within(blockKey(ad), ad, [least, most], add);
    } else if (ad.neighborhood !== 0 && hasPrice(ad))
      this.#prices.within(blockKey(ad), ad, [price / PRICE_WINDOW, price * PRICE_WINDOW], (other) => found.add(other));
    else if (!hasPoint(ad) && hasArea(ad)) {
      const window = [area - CITY_WINDOW_METERS, area + CITY_WINDOW_METERS] as const;
      const addPriced = (other: ComparableAd): void => {
        if (Math.abs(other.price - price) <= price * CITY_WINDOW_PRICE) found.add(other);
      };
      this.#city.within(ad.type, ad, window, addPriced, MAX_IN_CITY);
    }
    found.delete(ad);
    return found;
  }

  *#byWords(ad: ComparableAd): Generator<ComparableAd> {
    const shared = new Map<number, number>();
    for (const [words, isOwnType] of [
      [ad.words, true],
      [ad.wordsOfAll, false],
    ] as const) {
      shared.clear();
      for (const word of words ?? []) {
        if (word === undefined || word.homes > FEW_HOMES) continue;
        for (const at of nextTo(word, ad)) {
          const count = (shared.get(at) ?? 0) + 1;
          shared.set(at, count);
          if (count === SHARED_SLOTS && (this.#ad(at).type === ad.type) === isOwnType) yield this.#ad(at);
        }
      }
    }
  }

  #ad(at: number): ComparableAd {
    return this.#set[at] as ComparableAd;
  }
}

const hasPoint = ({ lat, lng }: ComparableAd): boolean => !Number.isNaN(lat + lng);
const hasArea = ({ area }: ComparableAd): boolean => !Number.isNaN(area);
const hasPrice = ({ price }: ComparableAd): boolean => !Number.isNaN(price);
const areaOrZero = (ad: ComparableAd): number => (hasArea(ad) ? ad.area : 0);

const blockKey = ({ neighborhood, type }: ComparableAd): string => `${neighborhood} ${type}`;
const cellKey = ({ lat, lng, type }: ComparableAd, row = 0, column = 0): string =>
  `${Math.floor(lat / CELL_DEGREES) + row} ${Math.floor(lng / CELL_DEGREES) + column} ${type}`;

/** Adjacent ads are the most similar. */
function nextTo({ ads }: SharedValue, { at }: ComparableAd): readonly number[] {
  if (ads.length <= 2 * MAX_NEAR) return ads;
  const own = firstFrom(ads.length, (index) => (ads[index] as number) >= at);
  return ads.slice(Math.max(0, own - MAX_NEAR), own + MAX_NEAR + 1);
}

function firstFrom(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

class Grouping {
  readonly #groups: Map<string, ComparableAd[]>;
  readonly #sortBy: (ad: ComparableAd) => number;

  constructor(ads: readonly ComparableAd[], keyOf: (ad: ComparableAd) => string, sortBy: (ad: ComparableAd) => number) {
    this.#sortBy = sortBy;
    this.#groups = Map.groupBy(ads, keyOf);
    for (const group of this.#groups.values()) group.sort((a, b) => sortBy(a) - sortBy(b));
  }

  /** Calls `found` for ads whose values are within a window, at most `limit` on each side of an ad. */
  within(
    key: string,
    ad: ComparableAd,
    [least, most]: readonly [number, number],
    found: (other: ComparableAd) => void,
    limit = MAX_COMPARED,
  ): void {
    const group = this.#groups.get(key);
    if (group === undefined) return;
    const sortBy = this.#sortBy;
    const value = sortBy(ad);
    const middle = firstFrom(group.length, (index) => {
      const other = group[index] as ComparableAd;
      return sortBy(other) > value || (sortBy(other) === value && other.at >= ad.at);
    });
    for (const other of group.slice(Math.max(0, middle - limit), middle + limit))
      if (sortBy(other) >= least && sortBy(other) <= most) found(other);
  }
}
