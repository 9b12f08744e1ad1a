import type { LatLng } from './places.ts';

/** Bounds of the country with its waters, in degrees. */
export const COUNTRY = { west: 34.4, south: 16, east: 56, north: 32.5 } as const;

/** `[min_lng, min_lat, max_lng, max_lat]` in degrees. */
export type Box = readonly [minLng: number, minLat: number, maxLng: number, maxLat: number];

export const inCountry = ({ lat, lng }: LatLng): boolean => overlapsCountry([lng, lat, lng, lat]);

export const overlapsCountry = ([minLng, minLat, maxLng, maxLat]: Box): boolean =>
  maxLng >= COUNTRY.west && minLng <= COUNTRY.east && maxLat >= COUNTRY.south && minLat <= COUNTRY.north;

export const swapAxes = ([minLng, minLat, maxLng, maxLat]: Box): Box => [minLat, minLng, maxLat, maxLng];
