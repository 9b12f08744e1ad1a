import type { LatLng } from '#domain/geography/places.ts';
import { readNumber, type Scalar } from './numbers.ts';

/** The country and its waters; a point outside is a mistake. */
const SOUTH = 16;
const NORTH = 32.5;
const WEST = 34.4;
const EAST = 56;

const inCountry = (lat: number, lng: number): boolean => lat >= SOUTH && lat <= NORTH && lng >= WEST && lng <= EAST;

/** A point in the country, from degrees; swapped numbers are put right. Null for anything else. */
export function readPoint(lat: Scalar, lng: Scalar): LatLng | null {
  const north = readNumber(lat);
  const east = readNumber(lng);
  if (north === null || east === null) return null;
  if (inCountry(north, east)) return { lat: north, lng: east };
  return inCountry(east, north) ? { lat: east, lng: north } : null;
}
