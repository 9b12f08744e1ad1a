import type { Boundaries } from '#domain/geography/boundaries.ts';
import { inCountry } from '#domain/geography/country.ts';
import { flatMeters } from '#domain/geography/distance.ts';
import { CITIES } from '#domain/geography/gazetteer.ts';
import { findCity, findNeighborhood, nearestNeighborhood } from '#domain/geography/locate.ts';
import type { City, LatLng, Neighborhood } from '#domain/geography/places.ts';
import { wordsOf } from '#domain/text/phrases.ts';
import type { RawListing } from './listing.ts';
import { foldNumber, isBlank, readSmall, type Scalar } from './numbers.ts';
import { onlyOf } from './patterns.ts';
import { neighborhoodInText } from './text-place.ts';

/** Maximum distance in meters between a point and the center of its city. */
const CITY_REACH_M = 40_000;
/** Distance in meters from the center of the stated city above which a point counts as an error and is dropped. */
const TRUSTED_M = 60_000;
/** Maximum distance in meters between a point and the center of its neighborhood. */
export const NEIGHBORHOOD_REACH_M = 3_000;

export interface Place {
  city: string;
  /** Whether the row names the city. If not, it is derived from the point. */
  city_named: boolean;
  neighborhood_id: number | null;
  /** Whether the row states the neighborhood. If not, it is derived from the point. */
  neighborhood_stated: boolean;
  neighborhood_from_text: boolean;
  lat: number | null;
  lng: number | null;
}

const DEGREES = new Set(
  wordsOf('+, n, e, north, east, lat, latitude, lng, lon, long, longitude, deg, degrees, شمال, شمالا, شرق, شرقا'),
);

/** Degrees, minutes and seconds: `24°42'49.1"N`. */
const SEXAGESIMAL =
  /^[ne]? ?(\d{1,2}) ?[°º] ?([0-5]?\d(?:\.\d+)?) ?['′’](?: ?([0-5]?\d(?:\.\d+)?) ?(?:["″”]|['′’]{2}))? ?[ne]?$/;
/** Both coordinates in one text, as `24.7, 46.6` and `POINT(46.6 24.7)`. */
const PAIR = /^(?:\p{L}| ?\()*(\d{1,2}\.\d+)(?: ?[,،;] ?| )(\d{1,2}\.\d+)\)?$/u;

function readDegrees(value: Scalar): number | null {
  const isSexagesimal = typeof value === 'string' && /[°º]/.test(value);
  const [, degrees, minutes, seconds = 0] = (isSexagesimal && SEXAGESIMAL.exec(foldNumber(value))) || [];
  return degrees === undefined
    ? readSmall(value, DEGREES)
    : Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
}

/** Of the latitude and longitude if one has both, and the other is the same or missing. */
function readPair(lat: Scalar, lng: Scalar): (number | null)[] {
  const [text = '', ...others] = new Set([lat, lng].filter((value) => !isBlank(value)).map(String));
  const [, ...pair] = (others.length === 0 && PAIR.exec(foldNumber(text))) || [];
  return pair.length === 2 ? pair.map(Number) : [readDegrees(lat), readDegrees(lng)];
}

/** Reads a point within the country from degrees, and corrects swapped coordinates. Null for anything else. */
export function readPoint(lat: Scalar, lng: Scalar): LatLng | null {
  const [north = null, east = null] = readPair(lat, lng);
  if (north === null || east === null) return null;
  const point = { lat: north, lng: east };
  const swapped = { lat: east, lng: north };
  if (inCountry(point)) return point;
  return inCountry(swapped) ? swapped : null;
}

/**
 * Locates a row by its stated place names, else by its point, else by a neighborhood in its text. A point is in the
 * neighborhood whose boundary contains it, else in the one with the nearest center. Null if no city is found.
 */
export function readPlace(
  raw: Pick<RawListing, 'city' | 'neighborhood' | 'lat' | 'lng'>,
  boundaries: Boundaries,
  title: string | null = null,
  description = '',
): Place | null {
  const stated = readPoint(raw.lat, raw.lng);
  const named = isBlank(raw.city) ? null : cityNamed(raw.city as string);
  const within = stated === null ? null : boundaries.neighborhoodAt(stated);
  const city = named ?? (within && findCity(within.city)) ?? (stated === null ? null : cityAround(stated));
  if (city === null) return null;
  const point = stated !== null && flatMeters(stated, city.center) <= TRUSTED_M ? stated : null;
  const neighborhood = isBlank(raw.neighborhood) ? null : neighborhoodNamed(city, raw.neighborhood as string);
  const known = neighborhood?.id ?? (within?.city === city.slug ? within.id : nearestId(city, point));
  const read = known === null ? neighborhoodInText(city.slug, title, description) : null;
  return {
    city: city.slug,
    city_named: named !== null,
    neighborhood_id: known ?? read?.id ?? null,
    neighborhood_stated: neighborhood !== null,
    neighborhood_from_text: read !== null,
    lat: point?.lat ?? null,
    lng: point?.lng ?? null,
  };
}

const MAX_ADDRESS = 100;
const PARTS = /[,،/|()]|\s[-–—]\s/;
const COUNTRY = /^\s*(?:saudi arabia|ksa|(?:المملكة العربية )?السعودية)\s*$/i;
/** Words with the name of a city, but not of its region or of a town near it. */
const WITH_CITY =
  /^(?:مدينة|محافظة|city of|(?:ب?(?:شمال|جنوب|شرق|غرب|وسط)|north|south|east|west|central) )\s*|\s(?:city|governorate|شمال|جنوب|شرق|غرب)$/i;

/** Returns the only city that the parts of an address name: `مدينة جدة`, `North Riyadh`, `Riyadh, Saudi Arabia`. */
function cityNamed(text: string): City | null {
  const whole = findCity(text);
  if (whole !== null || text.length > MAX_ADDRESS) return whole;
  return onlyOf(
    text.split(PARTS).flatMap((part) => findCity(part) ?? findCity(part.trim().replace(WITH_CITY, '')) ?? []),
  );
}

/** Finds a neighborhood that may be followed by its city: `Al Narjis, North Riyadh`, `حي النرجس بالرياض`. */
function neighborhoodNamed(city: City, text: string): Neighborhood | null {
  const whole = findNeighborhood(city.slug, text);
  if (whole !== null || text.length > MAX_ADDRESS) return whole;
  const isCity = (part: string) => cityNamed(part.trim().replace(/^ب(?=ال)/, ''))?.slug === city.slug;
  const [part = '', ...others] = text
    .split(PARTS)
    .filter((each) => each.trim() !== '' && !COUNTRY.test(each) && !isCity(each));
  if (others.length > 0) return null;
  const words = part.trim().split(/\s+/);
  for (let end = words.length; end > 0; end -= 1) {
    if (end < words.length && !isCity(words.slice(end).join(' '))) continue;
    const found = findNeighborhood(city.slug, words.slice(0, end).join(' '));
    if (found !== null) return found;
  }
  return null;
}

/** Returns the city around a point: of the nearest neighborhood, because the centers of adjoining cities mislead. */
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
