import type { Box } from './country.ts';

/** Latitude at which the square world of Web Mercator ends. */
const MAX_LATITUDE = 85.0511287798066;
/** Degrees by which an index may round a coordinate into the next tile. */
const ROUNDING = 1e-6;

const column = (lng: number, zoom: number): number => Math.floor(((lng + 180) / 360) * 2 ** zoom);

function row(lat: number, zoom: number): number {
  const bounded = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat));
  const northing = Math.asinh(Math.tan((bounded * Math.PI) / 180)) / Math.PI;
  return Math.floor(((1 - northing) / 2) * 2 ** zoom);
}

/** Returns the number of tiles that contain points of a box. At `zoom` 0 the world is one tile. */
export function countTiles([west, south, east, north]: Box, zoom: number): number {
  const last = 2 ** zoom - 1;
  const between = (from: number, to: number): number => Math.min(to, last) - Math.max(from, 0) + 1;
  const columns = between(column(west - ROUNDING, zoom), column(east + ROUNDING, zoom));
  return columns * between(row(north + ROUNDING, zoom), row(south - ROUNDING, zoom));
}

/** @param key `zoom/column/row` */
export function boxOfTile(key: string): Box {
  const [zoom = 0, x = 0, y = 0] = key.split('/').map(Number);
  const lng = (at: number): number => roundDegrees((at / 2 ** zoom) * 360 - 180);
  const lat = (at: number): number =>
    roundDegrees((Math.atan(Math.sinh(Math.PI * (1 - (2 * at) / 2 ** zoom))) * 180) / Math.PI);
  return [lng(x), lat(y + 1), lng(x + 1), lat(y)];
}

/** Rounds to about a tenth of a meter. */
export const roundDegrees = (value: number): number => Math.round(value * 1e6) / 1e6;
