import { METERS_PER_DEGREE, metersBetween, metersPerDegreeEast } from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { judgePrice, mayJudge, type Verdict } from '#domain/statistics/deals.ts';
import {
  AREA_TOLERANCE_PCT,
  cohortOf,
  keysOf,
  MAX_NEARBY,
  type Observation,
  RADII,
  type Subject,
} from '#domain/statistics/price-band.ts';
import { PointGrid } from '../point-grid.ts';

export interface Home extends Omit<Observation, 'distance' | 'keys' | keyof LatLng>, LatLng {
  /** Whether no other home has its photos. */
  ownPhotos: boolean;
}

type KeyedHome = Home & Required<Pick<Observation, 'keys'>>;

export type Market = Pick<Subject, 'city' | 'listing_type' | 'property_type' | 'bedrooms'>;

/** Meters. If it finds too few homes, the radii of price bands follow. */
const FIRST_RADIUS = 500;
const CELL_M = 500;
/** Most by which a distance on a flat map differs, as a factor, within the radii and 85 degrees of latitude. */
const FLAT = 1.01;
/** Bounds the work if a feed puts a whole city on one point. */
const MAX_CONSIDERED = { first: 4_000, further: 20_000 };

/** A deal, or so far below comparable homes that it is not accepted as one. */
export interface HomeVerdict {
  id: number;
  verdict: NonNullable<Verdict>;
}

/** Only homes with their own photos can be deals, and only the oldest ad of a dwelling. */
export function judgeHomes(market: Market, stated: readonly Home[], signal?: AbortSignal): HomeVerdict[] {
  const homes = stated.map((home) => ({ ...home, keys: keysOf(home) })).sort((a, b) => a.id - b.id);
  const grid = new PointGrid<KeyedHome>(CELL_M);
  for (const home of homes) grid.cellOf(home).push(home);
  const found: HomeVerdict[] = [];
  const dwellings = new Set<string>();
  for (const [index, home] of homes.entries()) {
    if (index % 1_000 === 0) signal?.throwIfAborted();
    if (!home.ownPhotos) continue;
    const { id, area, age, price, lat, lng } = home;
    const subject = { ...market, id, area, age, price, lat, lng };
    const cohort = cohortOf(subject, nearest(home, grid), (units) => mayJudge(subject, units));
    const verdict = cohort && judgePrice(subject, cohort);
    if (!verdict) continue;
    if (verdict.kind === 'deal') {
      const { dwelling } = home.keys;
      if (dwellings.has(dwelling)) continue;
      dwellings.add(dwelling);
    }
    found.push({ id, verdict });
  }
  return found;
}

/** Homes of similar area, nearest first, then oldest first. */
function nearest(home: KeyedHome, grid: PointGrid<KeyedHome>): Observation[] {
  const { lat, lng, area } = home;
  const tolerance = (area * AREA_TOLERANCE_PCT) / 100;
  const [least, most] = [area - tolerance, area + tolerance];
  const east = metersPerDegreeEast(lat);
  let found: KeyedHome[] = [];
  /** Squares of the distances on a flat map. */
  let flat: number[] = [];
  for (const radius of [FIRST_RADIUS, ...RADII]) {
    found = [];
    flat = [];
    let left = radius === FIRST_RADIUS ? MAX_CONSIDERED.first : MAX_CONSIDERED.further;
    const [surely, hardly] = [(radius / FLAT) ** 2, (radius * FLAT) ** 2];
    for (const cell of grid.around(home, radius))
      for (const other of cell) {
        if (left-- === 0) break;
        if (other.area < least || other.area > most || other === home) continue;
        const square = ((other.lat - lat) * METERS_PER_DEGREE) ** 2 + ((other.lng - lng) * east) ** 2;
        if (square > hardly || (square > surely && metersBetween(home, other) > radius)) continue;
        found.push(other);
        flat.push(square);
      }
    if (found.length >= MAX_NEARBY) break;
  }
  const farthest = Float64Array.from(flat).sort()[MAX_NEARBY - 1] ?? Number.POSITIVE_INFINITY;
  return found
    .filter((_, at) => (flat[at] as number) <= farthest * FLAT ** 4)
    .map((other) => observed(other, metersBetween(home, other)))
    .sort((a, b) => a.distance - b.distance || a.id - b.id)
    .slice(0, MAX_NEARBY);
}

/** Properties by name are several times faster than a spread. */
function observed(home: KeyedHome, distance: number): Observation {
  const { id, lat, lng, price, area, bathrooms, age, compound, advertiser, keys } = home;
  return { id, lat, lng, price, area, bathrooms, age, compound, advertiser, distance, keys };
}
