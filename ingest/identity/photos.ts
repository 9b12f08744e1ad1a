import type { HomeOrder } from './home-order.ts';

const MASK = (1 << 20) - 1;
/** Number of photos per hash, at most two. Shared by all sets of ads, and all zero between two sets. */
const seen = new Uint8Array(MASK + 1);
const NONE: readonly number[] = [];

const placeOf = (photo: number): number => (photo >>> 0) & MASK;

/** The photos that several ads of a set have, numbered. Most photos are on one ad and cost nothing here. */
export class SharedPhotos {
  /** For each photo, the minimum number of different homes among its ads. */
  readonly #homes: number[] = [];
  /** Number of photos of each ad, including photos of no other ad. */
  readonly counts: Int32Array;
  readonly #shared: (readonly number[])[] = [];
  readonly #ads: number[][] = [];

  /** @param photos of each ad, without repetition @param homes which ads are clearly of two homes */
  constructor(photos: readonly (readonly number[])[], homes: HomeOrder) {
    this.counts = new Int32Array(photos.length);
    for (const own of photos) for (const photo of own) seen[placeOf(photo)] = seen[placeOf(photo)] === 0 ? 1 : 2;
    const adsOf = new Map<number, number[]>();
    for (let ad = 0; ad < photos.length; ad++) {
      const own = photos[ad] as readonly number[];
      this.counts[ad] = own.length;
      for (const photo of own) {
        if (seen[placeOf(photo)] === 1) continue;
        const sharing = adsOf.get(photo);
        if (sharing === undefined) adsOf.set(photo, [ad]);
        else sharing.push(ad);
      }
    }
    for (const own of photos) for (const photo of own) seen[placeOf(photo)] = 0;
    const lists: (number[] | undefined)[] = [];
    for (const sharing of adsOf.values()) {
      if (sharing.length === 1) continue;
      // In the order of their homes, so that neighbors are most similar.
      sharing.sort((a, b) => homes.compare(a, b));
      const number = this.#ads.push(sharing) - 1;
      this.#homes.push(homes.count(sharing));
      for (const ad of sharing) {
        lists[ad] ??= [];
        lists[ad].push(number);
      }
    }
    for (let ad = 0; ad < photos.length; ad++) this.#shared.push(lists[ad] ?? NONE);
  }

  /** Returns the numbers of the photos that an ad shares. */
  of(ad: number): readonly number[] {
    return this.#shared[ad] as readonly number[];
  }

  /** Returns the minimum number of different homes that a shared photo shows, by the areas, floors and units of its ads. */
  homesOf(photo: number): number {
    return this.#homes[photo] as number;
  }

  /** Returns the ads with a shared photo, in the order of their homes. */
  adsWith(photo: number): readonly number[] {
    return this.#ads[photo] as readonly number[];
  }
}
