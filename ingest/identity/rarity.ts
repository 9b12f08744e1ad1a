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
 * For each place of each signature, how many ads of the same group have the same value there; at most `COMMON`, which is
 * also that of ads without a text.
 * @param groups ads of each group
 * @param most counts that none of these exceeds, where they are known
 */
export function countSlots(
  signatures: Uint16Array,
  hasText: readonly boolean[],
  groups: Iterable<readonly number[]>,
  most: Uint8Array | null = null,
): Uint8Array {
  const found = new Uint8Array(hasText.length * SIGNATURE_SIZE).fill(1);
  const mayBeShared = (at: number): boolean => most === null || most[at] !== 1;
  for (const ads of groups) {
    // Loops, because a call for each place would cost more than what it does.
    for (const ad of ads)
      for (let place = 0, at = ad * SIGNATURE_SIZE; place < SIGNATURE_SIZE; place++, at++) {
        if (!mayBeShared(at)) continue;
        const slot = slotOf(place, signatures[at] as number);
        if ((counts[slot] as number) < COMMON) counts[slot] = (counts[slot] as number) + 1;
      }
    for (const ad of ads)
      for (let place = 0, at = ad * SIGNATURE_SIZE; place < SIGNATURE_SIZE; place++, at++)
        if (mayBeShared(at)) found[at] = counts[slotOf(place, signatures[at] as number)] as number;
    for (const ad of ads)
      for (let place = 0, at = ad * SIGNATURE_SIZE; place < SIGNATURE_SIZE; place++, at++)
        if (mayBeShared(at)) counts[slotOf(place, signatures[at] as number)] = 0;
  }
  for (let ad = 0; ad < hasText.length; ad++)
    if (!hasText[ad]) found.fill(COMMON, ad * SIGNATURE_SIZE, (ad + 1) * SIGNATURE_SIZE);
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
