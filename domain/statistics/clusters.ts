import { METERS_PER_DEGREE, metersBetween } from '../geography/distance.ts';

/** Two observations that share one of these facts are in the same cluster, because their prices are not independent. */
export interface Clustered {
  lat: number | null;
  lng: number | null;
  compound: string | null;
  advertiser: string | null;
}

/** Largest distance in meters between points of one building. */
const BUILDING = 30;

/**
 * Groups observations that share a building (30 meters), compound or advertiser, also through other observations.
 * @returns a cluster number for each observation, from 0 without gaps, in order of first appearance, and their number
 */
export function clustersOf(observations: readonly Clustered[]): { clusterOf: Uint32Array; clusters: number } {
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
  const joinFirst = (index: number, fact: string): void => {
    const first = firstOf.get(fact);
    if (first === undefined) firstOf.set(fact, index);
    else join(index, first);
  };
  for (const [index, { lat, lng, compound, advertiser }] of observations.entries()) {
    if (compound !== null) joinFirst(index, `compound ${compound}`);
    if (advertiser !== null) joinFirst(index, `advertiser ${advertiser}`);
    if (lat === null || lng === null) continue;
    for (let other = 0; other < index; other++) {
      const { lat: otherLat, lng: otherLng } = observations[other] as Clustered;
      // Most points are too far north or south, which costs less to compare than a distance.
      if (otherLat === null || otherLng === null || Math.abs(otherLat - lat) * METERS_PER_DEGREE > BUILDING) continue;
      if (metersBetween({ lat, lng }, { lat: otherLat, lng: otherLng }) <= BUILDING) join(index, other);
    }
  }
  const numbers = new Map<number, number>();
  const clusterOf = Uint32Array.from(observations, (_, index) => {
    const of = root(index);
    const number = numbers.get(of) ?? numbers.size;
    numbers.set(of, number);
    return number;
  });
  return { clusterOf, clusters: numbers.size };
}
