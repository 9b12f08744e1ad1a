import type { LatLng } from '#domain/geography/places.ts';

/** Returns the great-circle distance of two points in meters by the law of haversines. */
export function sphericalMeters(a: LatLng, b: LatLng): number {
  const radians = Math.PI / 180;
  const sine = (degrees: number): number => Math.sin((degrees * radians) / 2) ** 2;
  const inner = sine(a.lat - b.lat) + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * sine(a.lng - b.lng);
  return 2 * 6_371_008.8 * Math.atan2(Math.sqrt(inner), Math.sqrt(1 - inner));
}
