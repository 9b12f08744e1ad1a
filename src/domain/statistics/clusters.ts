/** What tells that two observations are not independent: any of it shared puts them in one cluster. */
export interface Clustered {
  lat: number;
  lng: number;
  compound: string | null;
  advertiser: string | null;
}

/** Meters up to which two points are one building. */
const BUILDING = 30;
const METERS_PER_DEGREE = 111_195;

/** Cells as large as a building, so that one building lies in neighbouring cells at most. */
function cellOf({ lat, lng }: Clustered): [number, number] {
  const degrees = BUILDING / METERS_PER_DEGREE;
  return [Math.floor(lat / degrees), Math.floor((lng * Math.cos((lat * Math.PI) / 180)) / degrees)];
}

/** Meters between two points a few kilometers apart at most. */
export function metersBetween(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const radians = Math.PI / 180;
  const half = (angle: number): number => Math.sin(angle / 2) ** 2;
  const inner =
    half((b.lat - a.lat) * radians) +
    Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * half((b.lng - a.lng) * radians);
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(inner)));
}

/**
 * The cluster of each observation: same building (30 meters), same compound or same advertiser, and whatever hangs
 * together through them.
 * @returns whole numbers from 0 without a gap, in the order of first appearance
 */
export function clustersOf(observations: readonly Clustered[]): Uint32Array {
  const parent = Uint32Array.from(observations, (_, index) => index);
  const root = (index: number): number => {
    let at = index;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] as number] as number;
      at = parent[at] as number;
    }
    return at;
  };
  const join = (a: number, b: number): void => {
    parent[root(a)] = root(b);
  };
  const firstOf = new Map<string, number>();
  const cells = new Map<string, number[]>();
  for (const [index, observation] of observations.entries()) {
    for (const key of [
      observation.compound === null ? null : `compound ${observation.compound}`,
      observation.advertiser === null ? null : `advertiser ${observation.advertiser}`,
    ]) {
      if (key === null) continue;
      const first = firstOf.get(key);
      if (first === undefined) firstOf.set(key, index);
      else join(index, first);
    }
    const [y, x] = cellOf(observation);
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        for (const other of cells.get(`${y + dy} ${x + dx}`) ?? []) {
          if (metersBetween(observation, observations[other] as Clustered) <= BUILDING) join(index, other);
        }
      }
    }
    const cell = `${y} ${x}`;
    const held = cells.get(cell);
    if (held) held.push(index);
    else cells.set(cell, [index]);
  }
  const numbers = new Map<number, number>();
  return Uint32Array.from(observations, (_, index) => {
    const of = root(index);
    const number = numbers.get(of) ?? numbers.size;
    numbers.set(of, number);
    return number;
  });
}
