import { SIGNATURE_SIZE } from './signature.ts';

/** What is on so many ads of a set says nothing of any of them. */
export const COMMON = 16;

/** How much it says that two ads share what so many ads of the set have: 1 where the two alone do, 0 where it is common. */
export function rarityOf(ads: number): number {
  return Math.min(1, Math.max(0, Math.log2(COMMON / ads) / 3));
}

const VALUES = 0x10000;
/** Numbers that `slotOf` gives. */
export const SLOTS = SIGNATURE_SIZE * VALUES;
/** Counts of each value at each place of signatures. One for all sets, and empty between them. */
const counts = new Uint8Array(SLOTS);

/**
 * For each place of each signature, how many ads of the set have the same value there; at most `COMMON`, which is also that
 * of ads without a text.
 */
export function countSlots(signatures: Uint16Array, hasText: readonly boolean[]): Uint8Array {
  const length = hasText.length * SIGNATURE_SIZE;
  const found = new Uint8Array(length);
  for (let from = 0; from < length; from += SIGNATURE_SIZE)
    for (let place = 0; place < SIGNATURE_SIZE; place++) {
      const slot = slotOf(place, signatures[from + place] as number);
      if ((counts[slot] as number) < COMMON) counts[slot] = (counts[slot] as number) + 1;
    }
  for (let ad = 0; ad < hasText.length; ad++) {
    const from = ad * SIGNATURE_SIZE;
    for (let place = 0; place < SIGNATURE_SIZE; place++)
      found[from + place] = hasText[ad]
        ? (counts[slotOf(place, signatures[from + place] as number)] as number)
        : COMMON;
  }
  for (let from = 0; from < length; from += SIGNATURE_SIZE)
    for (let place = 0; place < SIGNATURE_SIZE; place++) counts[slotOf(place, signatures[from + place] as number)] = 0;
  return found;
}

/** A number for a value at a place of signatures, different at every place. */
export const slotOf = (place: number, value: number): number => place * VALUES + value;

/** Ads of one city that have a photo, beyond which it is common: a placeholder, a logo, the front of a tower. */
const COMMON_IN_CITY = 12;
const COUNTERS = 1 << 23;

/**
 * Counts photos city by city, in as much memory however many there are: photos may share a counter, which seldom makes
 * one common that is not.
 */
export class PhotoCounter {
  readonly #counters = new Uint8Array(COUNTERS);

  /** @param city a number that differs from city to city; photos of a city are counted apart from those of others */
  add(photo: number, city = 0): void {
    const at = counterOf(photo, city);
    if ((this.#counters[at] as number) < COMMON_IN_CITY) this.#counters[at] = (this.#counters[at] as number) + 1;
  }

  isCommon(photo: number, city = 0): boolean {
    return this.#counters[counterOf(photo, city)] === COMMON_IN_CITY;
  }
}

const counterOf = (photo: number, city: number): number => ((photo >>> 0) + (city >>> 0)) & (COUNTERS - 1);
