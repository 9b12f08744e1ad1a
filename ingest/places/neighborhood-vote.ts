import { METERS_PER_DEGREE, metersPerDegreeEast } from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';

export type Verdict =
  | { neighborhood: number }
  | 'split'
  /** No voter is nearby. */
  | 'none';

const VOTERS = 5;
/** Meters. */
const REACH_M = 1_000;
/** The weight is 1 / (distance + this many meters), because points are imprecise. */
const BLUR_M = 10;
/** Of the total weight. */
const MAJORITY = 0.6;

/** Degrees, about 280 m. */
const CELL = 0.0025;
const STRIDE = 1_000_000;
/** Bounds the work. Ads with equal point and neighborhood count once. */
const MAX_IN_CELL = 256;

interface Voter extends LatLng {
  neighborhood: number;
}

/** The nearest ads follow borders more closely than centers do. */
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

  /** Nearest first, then the lower id. */
  #nearest(point: LatLng): { meters: number; neighborhood: number }[] {
    const perDegreeEast = metersPerDegreeEast(point.lat);
    const row = Math.floor(point.lat / CELL);
    const column = Math.floor(point.lng / CELL);
    const cellM = CELL * Math.min(METERS_PER_DEGREE, perDegreeEast);
    const found: { meters: number; neighborhood: number }[] = [];
    for (let ring = 0; (ring - 1) * cellM < REACH_M; ring++) {
      // Voters from this ring on are at least this far away.
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
