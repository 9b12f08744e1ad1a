import type { HomeOrder } from './home-order.ts';

const MASK = (1 << 20) - 1;
/** Number of occurrences of each photo hash, at most two. Shared by all sets, and reset after each set. */
const seen = new Uint8Array(MASK + 1);
const NONE: readonly number[] = [];

const placeOf = (photo: number): number => (photo >>> 0) & MASK;

/** Numbers the photos that several ads in a set share. Most photos are on a single ad and use no memory here. */
export class SharedPhotos {
  /** For each shared photo, the minimum number of different homes among its ads. */
  readonly #homes: number[] = [];
  /** Number of photos per ad, including photos that no other ad has. */
  readonly counts: Int32Array;
  readonly #shared: (readonly number[])[] = [];
  readonly #ads: number[][] = [];

  /**
   * @param photos distinct photos of each ad
   * @param homes determines which ads are clearly for different homes
   */
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
      // Sorted by home, so that adjacent ads are the most similar.
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

  of(ad: number): readonly number[] {
    return this.#shared[ad] as readonly number[];
  }

  /** Returns the minimum number of different homes among the ads with a shared photo, by area, floor and unit. */
  homesOf(photo: number): number {
    return this.#homes[photo] as number;
  }

  /** Returns the ads with a shared photo, sorted by home. */
  adsWith(photo: number): readonly number[] {
    return this.#ads[photo] as readonly number[];
  }
}
