import { SIGNATURE_SIZE } from '../normalize/signature.ts';
import type { HomeOrder } from './home-order.ts';

/** Evidence shared by ads of this many different homes of a set has no weight. */
export const COMMON = 32;

/**
 * The weight of what two ads share, by how many different homes at least have it: 1 where it may be of one home, however many
 * ads that home has, 0 where it is common.
 */
export function rarityOf(homes: number): number {
  return Math.min(1, Math.max(0, Math.log2(COMMON / homes) / 4));
}

const VALUES = 0x10000;
/** Numbers that `slotOf` gives. */
export const SLOTS = SIGNATURE_SIZE * VALUES;
/** Homes of each value at each place of signatures, and the last ad counted. One for all sets, and empty between them. */
const counts = new Uint8Array(SLOTS);
const lastAds = new Int32Array(SLOTS);
const ALONE = 0;

/**
 * For each place of each signature, how many different homes at least the ads of the same group with the same value there are
 * of: 0 where one ad alone has it; at most `COMMON`, which is also that of ads without a text.
 * @param homes which ads are clearly of two homes
 * @param groups ads of each group, in the order of `homes`
 * @param most counts that none of these exceeds, where they are known
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
    // Loops, because a call for each position would cost more than its work. A count is the number of homes plus one.
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

/** A number for a value at a place of signatures, different at every place. */
export const slotOf = (place: number, value: number): number => place * VALUES + value;

/** Ads of one city that have a photo, beyond which it is common: a placeholder, a logo, the front of a tower. */
const COMMON_IN_CITY = 40;
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
