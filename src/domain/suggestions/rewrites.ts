import { nearestParameters } from './parameters.ts';

/** Returns the point in unknown parameters such as `lat` and `lon`, if one of them or a radius is at fault, or null. */
export function pointOf(param: string, unknown: ReadonlyMap<string, string>): string | null {
  const numberOf = (name: RegExp): string | undefined =>
    [...unknown].find(([each, text]) => name.test(each) && /^-?\d{1,3}(\.\d{1,9})?$/.test(text))?.[1];
  const [lat, lng] = [numberOf(/^(lat|latitude)$/i), numberOf(/^(lng|lon|long|longitude)$/i)];
  const isOfCircle = nearestParameters(param, ['near', 'radius_m']).length > 0;
  return isOfCircle && lat !== undefined && lng !== undefined ? `${lat},${lng}` : null;
}

const POSITION = /(-?\d+(?:\.\d+)?)\s+(-?\d+(?:\.\d+)?)/g;

/** Converts a WKT polygon, whose positions have the longitude first, to `lat,lng;lat,lng;...`, or returns null. */
export function polygonOfWkt(text: string): string | null {
  if (!/^\s*POLYGON\s*\(\(/i.test(text)) return null;
  const points = [...text.matchAll(POSITION)].map(([, lng, lat]) => `${lat},${lng}`);
  // The last position of a ring repeats the first.
  return (points.at(-1) === points[0] ? points.slice(0, -1) : points).join(';');
}
