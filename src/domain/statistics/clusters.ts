import { METERS_PER_DEGREE, metersBetween, metersPerDegreeEast } from '../geography/distance.ts';
import type { LatLng } from '../geography/places.ts';
import { addTo } from '../multimap.ts';

/** Two observations that share one of these facts are in the same cluster, because their prices are not independent. */
export interface Clustered {
  /** Null if unknown; the observation then belongs to no building. */
  lat: number | null;
  lng: number | null;
  compound: string | null;
  advertiser: string | null;
}

/** Largest distance in meters between points of one building. */
const BUILDING = 30;
/** More than the number of grid cells around the equator, so that row and column fit into one number. */
const COLUMNS = 2 ** 21;

/**
 * Groups observations that share a building (30 meters), compound or advertiser, also through other observations.
 * @returns a cluster number for each observation, from 0 without gaps, in order of first appearance
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
  const joinFirst = (index: number, fact: string): boolean => {
    const first = firstOf.get(fact);
    if (first === undefined) firstOf.set(fact, index);
    else join(index, first);
    return first !== undefined;
  };
  // Grid cells are at least as large as a building at every latitude, so that a building spans only adjacent ones.
  const polar = observations.reduce((most, { lat }) => Math.max(most, Math.abs(lat ?? 0)), 0);
  const [height, width] = [BUILDING / METERS_PER_DEGREE, BUILDING / metersPerDegreeEast(polar)];
  const cells = new Map<number, number[]>();
  for (const [index, { lat, lng, compound, advertiser }] of observations.entries()) {
    if (compound !== null) joinFirst(index, `compound ${compound}`);
    if (advertiser !== null) joinFirst(index, `advertiser ${advertiser}`);
    if (lat === null || lng === null) continue;
    if (joinFirst(index, `point ${lat} ${lng}`)) continue;
    const point = { lat, lng };
    const [y, x] = [Math.floor(lat / height), Math.floor(lng / width)];
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        for (const other of cells.get((y + dy) * COLUMNS + x + dx) ?? []) {
          if (metersBetween(point, observations[other] as LatLng) <= BUILDING) join(index, other);
        }
      }
    }
    addTo(cells, y * COLUMNS + x, index);
  }
  const numbers = new Map<number, number>();
  return Uint32Array.from(observations, (_, index) => {
    const of = root(index);
    const number = numbers.get(of) ?? numbers.size;
    numbers.set(of, number);
    return number;
  });
}
