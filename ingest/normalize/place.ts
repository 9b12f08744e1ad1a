import { flatMeters } from '#domain/geography/distance.ts';
import { CITIES } from '#domain/geography/gazetteer.ts';
import { findCity, findNeighborhood, nearestNeighborhood } from '#domain/geography/locate.ts';
import type { City, LatLng } from '#domain/geography/places.ts';
import { readPoint } from './coordinates.ts';
import type { RawListing } from './listing.ts';
import { isBlank } from './numbers.ts';
import { neighborhoodInText } from './text-place.ts';

/** Maximum distance of a point from the center of its city. */
const CITY_REACH_M = 40_000;
/** A point farther than this from the named city's center is a mistake, and is dropped. */
const TRUSTED_M = 60_000;
/** A point belongs to the neighborhood with the nearest center, when within this. */
const NEIGHBORHOOD_REACH_M = 3_000;

export interface Place {
  city: string;
  neighborhood_id: number | null;
  /** Whether the row names the neighborhood, so that it does not follow from the point. */
  neighborhood_stated: boolean;
  /** Whether only title and description name it. */
  neighborhood_from_text: boolean;
  lat: number | null;
  lng: number | null;
}

/**
 * Where a row lies: by the names it states, or else by its point, or else by the neighborhood that its text names. Null
 * when no city is found.
 */
export function readPlace(
  raw: Pick<RawListing, 'city' | 'neighborhood' | 'lat' | 'lng'>,
  title: string | null = null,
  description = '',
): Place | null {
  const stated = readPoint(raw.lat, raw.lng);
  const named = isBlank(raw.city) ? null : findCity(raw.city as string);
  const city = named ?? (stated === null ? null : cityAround(stated));
  if (city === null) return null;
  const point = stated !== null && flatMeters(stated, city.center) <= TRUSTED_M ? stated : null;
  const neighborhood = isBlank(raw.neighborhood) ? null : findNeighborhood(city.slug, raw.neighborhood as string);
  const known = neighborhood?.id ?? nearestId(city, point);
  const read = known === null ? neighborhoodInText(city.slug, title, description) : null;
  return {
    city: city.slug,
    neighborhood_id: known ?? read?.id ?? null,
    neighborhood_stated: neighborhood !== null,
    neighborhood_from_text: read !== null,
    lat: point?.lat ?? null,
    lng: point?.lng ?? null,
  };
}

/**
 * The city a point lies in. Where cities adjoin (Dammam, Dhahran, Khobar), the nearest center is often that of the wrong
 * city, so the nearest neighborhood decides.
 */
function cityAround(point: LatLng): City | null {
  let nearest: City | null = null;
  let nearestM = Number.POSITIVE_INFINITY;
  let inhabited: City | null = null;
  let inhabitedM = NEIGHBORHOOD_REACH_M;
  for (const city of CITIES) {
    const cityM = flatMeters(point, city.center);
    if (cityM > CITY_REACH_M) continue;
    if (cityM < nearestM) [nearest, nearestM] = [city, cityM];
    const center = nearestNeighborhood(city.slug, point, inhabitedM)?.center;
    if (center) [inhabited, inhabitedM] = [city, flatMeters(point, center)];
  }
  return inhabited ?? nearest;
}

function nearestId(city: City, point: LatLng | null): number | null {
  return point === null ? null : (nearestNeighborhood(city.slug, point, NEIGHBORHOOD_REACH_M)?.id ?? null);
}
