import { flatMeters, METERS_PER_DEGREE } from './distance.ts';
import { CITIES, neighborhoodsOf } from './gazetteer.ts';
import { nameKeys } from './name-keys.ts';
import type { City, LatLng, Neighborhood } from './places.ts';

/** Indexes are built once, because every row of a feed is looked up. */

interface NameIndex<T> {
  exact: Map<string, T>;
  loose: Map<string, T | null>;
}

const cityNames = indexNames(CITIES);
const bySlug = new Map(CITIES.map((city) => [city.slug, city]));
const neighborhoodNames = new Map(CITIES.map(({ slug }) => [slug, indexNames(neighborhoodsOf(slug))]));

/** Finds a city by slug or a common spelling in either language. Returns null if the name is unknown or ambiguous. */
export function findCity(name: string): City | null {
  return bySlug.get(name) ?? look(cityNames, name);
}

/** Returns the neighborhood of a city by its name, as `findCity` does for cities. */
export function findNeighborhood(city: string, name: string): Neighborhood | null {
  const index = neighborhoodNames.get(city);
  return index === undefined ? null : look(index, name);
}

export function nearestNeighborhood(city: string, point: LatLng, maxM: number): Neighborhood | null {
  let best: Neighborhood | null = null;
  let bestM = maxM;
  for (const neighborhood of neighborhoodsOf(city)) {
    const { center } = neighborhood;
    // This comparison costs less than the distance, and most centers are too far north or south.
    if (center === null || Math.abs(center.lat - point.lat) * METERS_PER_DEGREE > bestM) continue;
    const m = flatMeters(point, center);
    if (m < bestM || (m === bestM && best === null)) {
      best = neighborhood;
      bestM = m;
    }
  }
  return best;
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
  const keys = nameKeys(name);
  return index.exact.get(keys.exact) ?? index.loose.get(keys.loose) ?? null;
}
