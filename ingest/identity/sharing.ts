/** Facts that differ between homes in one building. */
export interface HomeFacts {
  id: number;
  area: number;
  textArea: number;
  floor: string | null;
  unit: string | null;
}

/** Areas of one home may differ by rounding. */
const AREA_STEP = 0.02;

/** Returns 0 if no area is stated. */
export function areaStep({ area, textArea }: Pick<HomeFacts, 'area' | 'textArea'>): number {
  const stated = Number.isNaN(textArea) ? area : textArea;
  return stated > 0 ? Math.max(1, Math.round(Math.log(stated) / AREA_STEP)) : 0;
}

const compareTexts = (a: string | null, b: string | null): number => (a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1);

/** Ads for one home are then adjacent and can be counted as one home. */
export const byHome = (a: HomeFacts, b: HomeFacts): number =>
  areaStep(a) - areaStep(b) || compareTexts(a.floor, b.floor) || compareTexts(a.unit, b.unit) || a.id - b.id;

export const differ = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b;

/** From this number of homes on, shared evidence has no weight. */
export const COMMON = 32;

/** Ads that share a photo, or a word at one position of the signature. */
export interface SharedValue {
  /** Positions in the set, ascending. */
  readonly ads: readonly number[];
  /** At least this many different homes have the value. */
  readonly homes: number;
  /** 1 for up to two homes, 0 from `COMMON` on. */
  readonly rarity: number;
}

function sharingOf(set: readonly HomeFacts[], ads: readonly number[]): SharedValue {
  let homes = 1;
  for (let at = 1; at < ads.length; at++) {
    const [one, other] = [set[ads[at - 1] as number] as HomeFacts, set[ads[at] as number] as HomeFacts];
    if (areaStep(one) !== areaStep(other) || differ(one.floor, other.floor) || differ(one.unit, other.unit)) homes++;
  }
  return { ads, homes, rarity: Math.min(1, Math.max(0, Math.log2(COMMON / homes) / 4)) };
}

/**
 * Returns for each ad and value the ads that share it; undefined if no other ad has the value.
 * @param set sorted by `byHome`
 */
export function shareValues(
  set: readonly HomeFacts[],
  values: readonly (readonly number[])[],
): (SharedValue | undefined)[][] {
  // Most values are of a single ad, so lists are created only for the others.
  const first = new Map<number, number>();
  const lists = new Map<number, number[]>();
  for (const [at, own] of values.entries())
    for (const value of own) {
      const before = first.get(value);
      const list = lists.get(value);
      if (before === undefined) first.set(value, at);
      else if (list === undefined) lists.set(value, [before, at]);
      else list.push(at);
    }
  const shared = new Map(Array.from(lists, ([value, ads]) => [value, sharingOf(set, ads)]));
  return values.map((own) => own.map((value) => shared.get(value)));
}

/** Ads in one city from which on a photo is a placeholder, a logo, or the facade of a tower. */
const COMMON_IN_CITY = 40;
const COUNTERS = 1 << 23;

/** Counts photos by city in constant memory. A hash collision rarely makes a photo appear common. */
export class PhotoCounter {
  readonly #counters = new Uint8Array(COUNTERS);

  add(photo: number, city = 0): void {
    const at = counterOf(photo, city);
    if ((this.#counters[at] as number) < COMMON_IN_CITY) this.#counters[at] = (this.#counters[at] as number) + 1;
  }

  isCommon(photo: number, city = 0): boolean {
    return this.#counters[counterOf(photo, city)] === COMMON_IN_CITY;
  }
}

const counterOf = (photo: number, city: number): number => ((photo >>> 0) + (city >>> 0)) & (COUNTERS - 1);
