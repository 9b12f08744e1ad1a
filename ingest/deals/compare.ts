import { metersBetween } from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { judgePrice, type Verdict } from '#domain/statistics/deals.ts';
import {
  AREA_TOLERANCE_PCT,
  cohortOf,
  dwellingKey,
  MAX_NEARBY,
  type Observation,
  RADII,
  type Subject,
} from '#domain/statistics/price-band.ts';
import { PointGrid } from '../point-grid.ts';

export interface Home extends Omit<Observation, 'distance' | keyof LatLng>, LatLng {
  /** Whether no other home has its photos. */
  ownPhotos: boolean;
}

export type Market = Pick<Subject, 'city' | 'listing_type' | 'property_type' | 'bedrooms'>;

/** Meters. If it finds too few homes, the radii of price bands follow. */
const FIRST_RADIUS = 500;
const CELL_M = 500;
/** Bounds the work if a feed puts a whole city on one point. */
const MAX_CONSIDERED = { first: 4_000, further: 20_000 };

/** A deal, or so far below comparable homes that it is not accepted as one. */
export interface HomeVerdict {
  id: number;
  verdict: NonNullable<Verdict>;
}

/** Only homes with their own photos can be deals, and only the oldest ad of a dwelling. */
export function judgeHomes(market: Market, stated: readonly Home[], signal?: AbortSignal): HomeVerdict[] {
  const homes = stated.toSorted((a, b) => a.id - b.id);
  const grid = new PointGrid<Home>(CELL_M);
  for (const home of homes) grid.cellOf(home).push(home);
  const found: HomeVerdict[] = [];
  const dwellings = new Set<string>();
  for (const [index, home] of homes.entries()) {
    if (index % 1_000 === 0) signal?.throwIfAborted();
    if (!home.ownPhotos) continue;
    const { id, area, age, price, lat, lng } = home;
    const subject = { ...market, id, area, age, price, lat, lng };
    const cohort = cohortOf(subject, nearest(home, grid));
    const verdict = cohort && judgePrice(subject, cohort);
    if (!verdict) continue;
    if (verdict.kind === 'deal') {
      const dwelling = dwellingKey(home);
      if (dwellings.has(dwelling)) continue;
      dwellings.add(dwelling);
    }
    found.push({ id, verdict });
  }
  return found;
}

function isOfSimilarArea({ area }: Home, other: Home): boolean {
  const tolerance = (area * AREA_TOLERANCE_PCT) / 100;
  return other.area >= area - tolerance && other.area <= area + tolerance;
}

/** Homes of similar area, nearest first, then oldest first. */
function nearest(home: Home, grid: PointGrid<Home>): Observation[] {
  let found: Observation[] = [];
  for (const radius of [FIRST_RADIUS, ...RADII]) {
    found = [];
    let left = radius === FIRST_RADIUS ? MAX_CONSIDERED.first : MAX_CONSIDERED.further;
    for (const cell of grid.around(home, radius))
      for (const other of cell) {
        if (left-- === 0) break;
        if (other === home || !isOfSimilarArea(home, other)) continue;
        const distance = metersBetween(home, other);
        if (distance <= radius) found.push({ ...other, distance });
      }
    if (found.length >= MAX_NEARBY) break;
  }
  found.sort((a, b) => a.distance - b.distance || a.id - b.id);
  return found.slice(0, MAX_NEARBY);
}
