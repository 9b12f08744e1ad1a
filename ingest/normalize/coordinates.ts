import { inCountry } from '#domain/geography/country.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { readNumber, type Scalar, SMALL } from './numbers.ts';

/** Reads a point within the country from degrees, and corrects swapped coordinates. Null for anything else. */
export function readPoint(lat: Scalar, lng: Scalar): LatLng | null {
  const north = readNumber(lat, SMALL);
  const east = readNumber(lng, SMALL);
  if (north === null || east === null) return null;
  const point = { lat: north, lng: east };
  const swapped = { lat: east, lng: north };
  if (inCountry(point)) return point;
  return inCountry(swapped) ? swapped : null;
}
