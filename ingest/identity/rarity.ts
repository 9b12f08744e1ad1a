import { SIGNATURE_SIZE } from './signature.ts';

/** What is on so many ads of a set says nothing of any of them. */
export const COMMON = 16;

/** How much it says that two ads share what so many ads of the set have: 1 where the two alone do, 0 where it is common. */
export function rarityOf(ads: number): number {
  return Math.min(1, Math.max(0, Math.log2(COMMON / ads) / 3));
}

const VALUES = 0x10000;
/** Numbers that `slotAt` gives. */
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
  for (let at = 0; at < length; at++) {
    const slot = slotAt(signatures, at);
    if ((counts[slot] as number) < COMMON) counts[slot] = (counts[slot] as number) + 1;
  }
  for (let at = 0; at < length; at++) found[at] = counts[slotAt(signatures, at)] as number;
  for (let at = 0; at < length; at++) counts[slotAt(signatures, at)] = 0;
  for (const [ad, has] of hasText.entries())
    if (!has) found.fill(COMMON, ad * SIGNATURE_SIZE, (ad + 1) * SIGNATURE_SIZE);
  return found;
}

/** A number for the value at a place of a signature, different at every place. */
export function slotAt(signatures: Uint16Array, at: number): number {
  return (at % SIGNATURE_SIZE) * VALUES + (signatures[at] as number);
}

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

const counterOf = (photo: number, city: number): number => ((photo % COUNTERS) + (city % COUNTERS)) % COUNTERS;
