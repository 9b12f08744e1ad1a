import { inCountry } from '#domain/geography/country.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { wordsOf } from '#domain/text/phrases.ts';
import { readSmall, type Scalar } from './numbers.ts';

/** Words with degrees of the northern and eastern hemisphere. */
const DEGREES = new Set(
  wordsOf('+, n, e, north, east, lat, latitude, lng, lon, long, longitude, deg, degrees, شمال, شمالا, شرق, شرقا'),
);

/** Reads a point within the country from degrees, and corrects swapped coordinates. Null for anything else. */
export function readPoint(lat: Scalar, lng: Scalar): LatLng | null {
  const north = readSmall(lat, DEGREES);
  const east = readSmall(lng, DEGREES);
  if (north === null || east === null) return null;
  const point = { lat: north, lng: east };
  const swapped = { lat: east, lng: north };
  if (inCountry(point)) return point;
  return inCountry(swapped) ? swapped : null;
}
