import { METERS_PER_DEGREE, metersPerDegreeEast } from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';

export type Verdict =
  | { neighborhood: number }
  // No neighborhood has a majority.
  | 'split'
  /** No ad with a neighborhood is nearby. */
  | 'none';

const VOTERS = 5;
/** Maximum distance of voting ads in meters. */
const REACH_M = 1_000;
/** A vote has the weight 1 / (distance + this many meters), because the ads' points are imprecise. */
const BLUR_M = 10;
/** Minimum share of the total weight for a majority. */
const MAJORITY = 0.6;

/** Side of a cell in degrees, about 280 m. */
const CELL = 0.0025;
const STRIDE = 1_000_000;
/** Maximum number of voters per cell, which bounds the work. Ads with equal point and neighborhood count once. */
const MAX_IN_CELL = 256;

interface Voter extends LatLng {
  neighborhood: number;
}

/** Finds a neighborhood by the nearest ads that state one, which follow borders more closely than centers do. */
export class NeighborhoodVote {
  readonly #cells = new Map<number, Voter[]>();

  add({ lat, lng }: LatLng, neighborhood: number): void {
    const key = Math.floor(lat / CELL) * STRIDE + Math.floor(lng / CELL);
    const voters = this.#cells.get(key);
    if (voters === undefined) this.#cells.set(key, [{ lat, lng, neighborhood }]);
    else if (
      voters.length < MAX_IN_CELL &&
      !voters.some((voter) => voter.lat === lat && voter.lng === lng && voter.neighborhood === neighborhood)
    )
      voters.push({ lat, lng, neighborhood });
  }

  of(point: LatLng): Verdict {
    const nearest = this.#nearest(point);
    const votes = new Map<number, number>();
    let all = 0;
    for (const { meters, neighborhood } of nearest) {
      const weight = 1 / (meters + BLUR_M);
      votes.set(neighborhood, (votes.get(neighborhood) ?? 0) + weight);
      all += weight;
    }
    if (all === 0) return 'none';
    for (const [neighborhood, weight] of votes) if (weight >= all * MAJORITY) return { neighborhood };
    return 'split';
  }

  /** Returns the voters for a point, nearest first. The lower neighborhood id is the tie-breaker. */
  #nearest(point: LatLng): { meters: number; neighborhood: number }[] {
    const perDegreeEast = metersPerDegreeEast(point.lat);
    const row = Math.floor(point.lat / CELL);
    const column = Math.floor(point.lng / CELL);
    const cellM = CELL * Math.min(METERS_PER_DEGREE, perDegreeEast);
    const found: { meters: number; neighborhood: number }[] = [];
    for (let ring = 0; (ring - 1) * cellM < REACH_M; ring++) {
      // Voters in this ring and in wider ones are at least `(ring - 1) * cellM` meters from the point.
      const fifth = found[VOTERS - 1];
      if (fifth !== undefined && fifth.meters < (ring - 1) * cellM) break;
      for (const voter of this.#ring(row, column, ring)) {
        const north = (voter.lat - point.lat) * METERS_PER_DEGREE;
        const east = (voter.lng - point.lng) * perDegreeEast;
        const meters = Math.sqrt(north * north + east * east);
        if (meters <= REACH_M) found.push({ meters, neighborhood: voter.neighborhood });
      }
      found.sort((a, b) => a.meters - b.meters || a.neighborhood - b.neighborhood);
      found.length = Math.min(found.length, VOTERS);
    }
    return found;
  }

  *#ring(row: number, column: number, ring: number): Generator<Voter> {
    for (let r = row - ring; r <= row + ring; r++) {
      const edge = Math.abs(r - row) === ring;
      for (let c = column - ring; c <= column + ring; c += edge || ring === 0 ? 1 : 2 * ring)
        yield* this.#cells.get(r * STRIDE + c) ?? [];
    }
  }
}
