import { SIGNATURE_SIZE } from '../normalize/signature.ts';
import type { HomeOrder } from './home-order.ts';

/** Number of different homes in a set from which shared evidence has no weight. */
export const COMMON = 32;

/** Returns the weight of a shared photo or word by the homes that have it: 1 for up to two, 0 from `COMMON` on. */
export function rarityOf(homes: number): number {
  return Math.min(1, Math.max(0, Math.log2(COMMON / homes) / 4));
}

const VALUES = 0x10000;
/** Upper limit for results of `slotOf`. */
export const SLOTS = SIGNATURE_SIZE * VALUES;
/** Homes and last counted ad by signature position and value. Shared by all sets, and reset after each set. */
const counts = new Uint8Array(SLOTS);
const lastAds = new Int32Array(SLOTS);
const ALONE = 0;

/**
 * Returns for each signature position the minimum number of homes with the same value in its group, at most `COMMON`: 0
 * if only one ad has the value, `COMMON` without text.
 * @param groups ads by group, in the order of `homes`
 * @param most upper bounds for the returned counts, if known
 */
export function countSlots(
  signatures: Uint16Array,
  hasText: readonly boolean[],
  homes: HomeOrder,
  groups: Iterable<Iterable<number>>,
  most: Uint8Array | null = null,
): Uint8Array {
  const found = new Uint8Array(hasText.length * SIGNATURE_SIZE);
  const mayBeShared = (at: number): boolean => most === null || most[at] !== ALONE;
  for (const ads of groups) {
    // The loops are inlined, because a function call per position would take longer than the work itself. Values in
    // `counts` are the number of homes plus one.
    for (const ad of ads)
      for (let place = 0, at = ad * SIGNATURE_SIZE; place < SIGNATURE_SIZE; place++, at++) {
        if (!mayBeShared(at)) continue;
        const slot = slotOf(place, signatures[at] as number);
        const count = counts[slot] as number;
        if (count === 0) counts[slot] = 1;
        else {
          const differ = homes.differ(lastAds[slot] as number, ad);
          if (count === 1) counts[slot] = differ ? 3 : 2;
          else if (differ && count <= COMMON) counts[slot] = count + 1;
        }
        lastAds[slot] = ad;
      }
    for (const ad of ads)
      for (let place = 0, at = ad * SIGNATURE_SIZE; place < SIGNATURE_SIZE; place++, at++)
        if (mayBeShared(at)) found[at] = (counts[slotOf(place, signatures[at] as number)] as number) - 1;
    for (const ad of ads)
      for (let place = 0, at = ad * SIGNATURE_SIZE; place < SIGNATURE_SIZE; place++, at++)
        if (mayBeShared(at)) counts[slotOf(place, signatures[at] as number)] = 0;
  }
  for (let ad = 0; ad < hasText.length; ad++)
    if (!hasText[ad]) found.fill(COMMON, ad * SIGNATURE_SIZE, (ad + 1) * SIGNATURE_SIZE);
  return found;
}

/** Returns a number for a value at a signature position, unique across positions. */
export const slotOf = (place: number, value: number): number => place * VALUES + value;

/** Number of ads in one city from which a photo is common: a placeholder, a logo, or the facade of a tower. */
const COMMON_IN_CITY = 40;
const COUNTERS = 1 << 23;

/** Counts photos by city in constant memory. A hash collision rarely makes a photo appear common. */
export class PhotoCounter {
  readonly #counters = new Uint8Array(COUNTERS);

  // @param city numeric id of the city in which the photo is counted
  add(photo: number, city = 0): void {
    const at = counterOf(photo, city);
    if ((this.#counters[at] as number) < COMMON_IN_CITY) this.#counters[at] = (this.#counters[at] as number) + 1;
  }

  isCommon(photo: number, city = 0): boolean {
    return this.#counters[counterOf(photo, city)] === COMMON_IN_CITY;
  }
}

const counterOf = (photo: number, city: number): number => ((photo >>> 0) + (city >>> 0)) & (COUNTERS - 1);
