import type { LatLng } from '#domain/geography/places.ts';

/** Returns the distance between two points in meters, computed with the spherical law of cosines. */
export function sphericalMeters(a: LatLng, b: LatLng): number {
  const [lat1, lat2, lng] = [a.lat, b.lat, b.lng - a.lng].map((degrees) => (degrees * Math.PI) / 180) as [
    number,
    number,
    number,
  ];
  return (
    6_371_008.8 *
    Math.acos(Math.min(1, Math.sin(lat1) * Math.sin(lat2) + Math.cos(lat1) * Math.cos(lat2) * Math.cos(lng)))
  );
}
