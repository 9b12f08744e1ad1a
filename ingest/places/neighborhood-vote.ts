import { flatMeters } from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { PointGrid } from '../point-grid.ts';

const VOTERS = 5;
/** In meters. The larger distance counts if the smaller one has too few ads. */
const REACHES_M = [250, 1_000];
/** A vote weighs 1 / (distance + this many meters), because points are imprecise. */
const BLUR_M = 10;
/** Share of the total weight. */
const MAJORITY = 0.6;

const CELL_M = 280;
/** Per cell, which bounds the work. Ads with equal point and neighborhood count once. */
const MAX_IN_CELL = 256;

interface Voter extends LatLng {
  neighborhood: number;
}

/** The nearest ads that state their neighborhood follow borders more closely than centers do. */
export class NeighborhoodVote {
  readonly #voters = new PointGrid<Voter>(CELL_M);

  add({ lat, lng }: LatLng, neighborhood: number): void {
    const voters = this.#voters.cellOf({ lat, lng });
    const isKnown = (voter: Voter): boolean =>
      voter.lat === lat && voter.lng === lng && voter.neighborhood === neighborhood;
    if (voters.length < MAX_IN_CELL && !voters.some(isKnown)) voters.push({ lat, lng, neighborhood });
  }

  /** Returns null if no neighborhood has a majority, undefined if no ad with a neighborhood is nearby. */
  of(point: LatLng): number | null | undefined {
    const nearest = this.#nearest(point);
    const votes = new Map<number, number>();
    let all = 0;
    for (const { meters, neighborhood } of nearest) {
      const weight = 1 / (meters + BLUR_M);
      votes.set(neighborhood, (votes.get(neighborhood) ?? 0) + weight);
      all += weight;
    }
    if (all === 0) return undefined;
    for (const [neighborhood, weight] of votes) if (weight >= all * MAJORITY) return neighborhood;
    return null;
  }

  /** Nearest first, then by neighborhood id. */
  #nearest(point: LatLng): { meters: number; neighborhood: number }[] {
    let found: { meters: number; neighborhood: number }[] = [];
    for (const reach of REACHES_M) {
      found = [...this.#voters.around(point, reach)]
        .flat()
        .map((voter) => ({ meters: flatMeters(point, voter), neighborhood: voter.neighborhood }))
        .filter(({ meters }) => meters <= reach);
      if (found.length >= VOTERS) break;
    }
    return found.sort((a, b) => a.meters - b.meters || a.neighborhood - b.neighborhood).slice(0, VOTERS);
  }
}
