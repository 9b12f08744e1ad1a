import { flatMeters, METERS_PER_DEGREE } from './distance.ts';
import { CITIES, neighborhoodsOf } from './gazetteer.ts';
import { type NameKeys, nameKeys } from './names.ts';
import type { City, LatLng, Neighborhood } from './places.ts';

/**
 * Finds places by name or coordinates. The indexes are built once and lookup keys are cached, because every row of a
 * feed is looked up.
 */

interface NameIndex<T> {
  exact: Map<string, T>;
  loose: Map<string, T | null>;
}

const cityNames = indexNames(CITIES);
const bySlug = new Map(CITIES.map((city) => [city.slug, city]));
const neighborhoodNames = new Map(CITIES.map((city) => [city.slug, indexNames(neighborhoodsOf(city.slug))]));

/** Feeds may contain any text, so the cache is bounded. */
const MAX_CACHED = 20_000;
const cachedKeys = new Map<string, NameKeys>();

/**
 * Finds a city by slug or by a common spelling of its name in either language. Returns null if the name is ambiguous or
 * unknown.
 */
export function findCity(name: string): City | null {
  return bySlug.get(name) ?? look(cityNames, name);
}

/**
 * Finds a neighborhood by name, in either language, within the city with the given slug. Returns null if the name is
 * unknown or ambiguous.
 */
export function findNeighborhood(city: string, name: string): Neighborhood | null {
  const index = neighborhoodNames.get(city);
  return index === undefined ? null : look(index, name);
}

/**
 * Finds the neighborhood whose center is nearest to a point, within `maxM` meters and within the city with the given
 * slug.
 */
export function nearestNeighborhood(city: string, point: LatLng, maxM: number): Neighborhood | null {
  const grid = gridOf(city);
  const reach = Math.ceil(maxM / CELL_M);
  const row = Math.floor(point.lat / CELL_DEG);
  const column = Math.floor(point.lng / CELL_DEG);
  let best: Neighborhood | null = null;
  let bestM = maxM;
  // Searches rings of grid cells outward until the best match is nearer than the next ring.
  for (let ring = 0; ring <= reach + 1; ring++) {
    if ((ring - 1) * CELL_M * MIN_COS > bestM) break;
    for (let r = row - ring; r <= row + ring; r++) {
      const edge = r === row - ring || r === row + ring;
      for (let c = column - ring; c <= column + ring; c += edge || ring === 0 ? 1 : 2 * ring) {
        for (const [center, neighborhood] of grid.get(r * GRID_STRIDE + c) ?? []) {
          const m = flatMeters(point, center);
          if (m < bestM || (m === bestM && best === null)) {
            best = neighborhood;
            bestM = m;
          }
        }
      }
    }
  }
  return best;
}

const CELL_DEG = 0.02;
const CELL_M = CELL_DEG * METERS_PER_DEGREE;
/** South of 33 degrees north, a degree of longitude is at least this many times as long as a degree of latitude. */
const MIN_COS = 0.83;
const GRID_STRIDE = 1_000_000;
const grids = new Map<string, Map<number, [LatLng, Neighborhood][]>>();

function gridOf(city: string): Map<number, [LatLng, Neighborhood][]> {
  const known = grids.get(city);
  if (known !== undefined) return known;
  const grid = new Map<number, [LatLng, Neighborhood][]>();
  if (!bySlug.has(city)) return grid;
  for (const neighborhood of neighborhoodsOf(city)) {
    const { center } = neighborhood;
    if (center === null) continue;
    const cell = Math.floor(center.lat / CELL_DEG) * GRID_STRIDE + Math.floor(center.lng / CELL_DEG);
    const held = grid.get(cell);
    if (held === undefined) grid.set(cell, [[center, neighborhood]]);
    else held.push([center, neighborhood]);
  }
  grids.set(city, grid);
  return grid;
}

/** Names take precedence over other spellings. A loose key that two places share is dropped. */
function indexNames<T extends { slug: string; name_en: string; name_ar: string; aliases: string[] }>(
  places: readonly T[],
): NameIndex<T> {
  const index: NameIndex<T> = { exact: new Map(), loose: new Map() };
  for (const place of places) for (const name of [place.name_en, place.name_ar]) addExact(index, name, place);
  for (const place of places) for (const name of place.aliases) addExact(index, name, place);
  for (const place of places) {
    for (const name of [place.name_en, place.name_ar, ...place.aliases]) {
      const { loose } = nameKeys(name);
      const held = index.loose.get(loose);
      if (loose !== '') index.loose.set(loose, held === undefined || held === place ? place : null);
    }
  }
  return index;
}

function addExact<T>(index: NameIndex<T>, name: string, place: T): void {
  const { exact } = nameKeys(name);
  if (exact !== '' && !index.exact.has(exact)) index.exact.set(exact, place);
}

function look<T>(index: NameIndex<T>, name: string): T | null {
  let keys = cachedKeys.get(name);
  if (keys === undefined) {
    keys = nameKeys(name);
    if (cachedKeys.size >= MAX_CACHED) cachedKeys.clear();
    cachedKeys.set(name, keys);
  }
  return index.exact.get(keys.exact) ?? index.loose.get(keys.loose) ?? null;
}
