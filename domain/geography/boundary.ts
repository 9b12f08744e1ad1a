import { parseJson } from '../parse-json.ts';
import type { LatLng } from './places.ts';
import { polygonFault } from './shapes.ts';
import { roundDegrees } from './tiles.ts';

/** `[lng, lat]`. */
export type Position = [number, number];

export interface Boundary {
  type: 'Polygon';
  /** The outer ring, closed and counterclockwise, then the holes, clockwise. */
  coordinates: Position[][];
}

export type BoundaryFault =
  | 'unreadable'
  | 'too_many_positions'
  | 'too_few_positions'
  | 'out_of_range'
  | 'crosses_itself'
  | 'too_large'
  | 'away_from_point';

export type BoundaryResult = { ok: true; boundary: Boundary } | { ok: false; reason: BoundaryFault };

/** Maximum number of positions and rings, and whether rings must be simple, which takes quadratic time to detect. */
const DRAWN = { positions: 500, rings: 20, simple: true };
export const SURVEYED: typeof DRAWN = { positions: 5_000, rings: 100, simple: false };
/** Largest extent in degrees. */
const MAX_EXTENT = 0.5;
/** Largest distance in degrees between a boundary and its project's location. */
const MAX_AWAY = 0.03;

/**
 * Reads a boundary from a GeoJSON geometry, a GeoJSON feature or WKT. Closes its rings and winds them as in RFC 7946.
 * @param point known location of the project
 */
export function readBoundary(given: unknown, point: LatLng | null, limits = DRAWN): BoundaryResult {
  const rings = ringsOf(given);
  if (rings === null || rings.length === 0 || rings.length > limits.rings) return { ok: false, reason: 'unreadable' };
  if (rings.reduce((sum, ring) => sum + ring.length, 0) > limits.positions)
    return { ok: false, reason: 'too_many_positions' };
  const coordinates: Position[][] = [];
  for (const [index, ring] of rings.entries()) {
    if (ring.some(([lng, lat]) => !(Math.abs(lng) <= 180 && Math.abs(lat) <= 90)))
      return { ok: false, reason: 'out_of_range' };
    const open = withoutRepeats(ring);
    if (open.length < 3) return { ok: false, reason: 'too_few_positions' };
    const { area } = measure(open);
    if (area === 0 || (limits.simple && !isSimple(open))) return { ok: false, reason: 'crosses_itself' };
    if (area > 0 !== (index === 0)) open.reverse();
    coordinates.push([...open, open[0] as Position]);
  }
  const box = boxOf(coordinates[0] as Position[]);
  if (box.east - box.west > MAX_EXTENT || box.north - box.south > MAX_EXTENT) return { ok: false, reason: 'too_large' };
  if (point !== null && !isNear(box, point)) return { ok: false, reason: 'away_from_point' };
  return { ok: true, boundary: { type: 'Polygon', coordinates } };
}

/**
 * Removes positions of which every one is at most `tolerance` degrees from the new edge (Douglas-Peucker). A ring that
 * would then cross itself is unchanged.
 */
export function simplify({ type, coordinates }: Boundary, tolerance: number): Boundary {
  return { type, coordinates: coordinates.map((ring) => simplifyRing(ring, tolerance)) };
}

function simplifyRing(ring: Position[], tolerance: number): Position[] {
  const last = ring.length - 1;
  const kept = new Set([0, last]);
  // The first span has no length: distances in it are from the first position.
  const spans: [from: number, to: number][] = [[0, last]];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [from, to] = span;
    let farthest = from;
    let distance = from === 0 && to === last ? 0 : tolerance;
    for (let at = from + 1; at < to; at++) {
      const away = distanceFrom(ring[at] as Position, ring[from] as Position, ring[to] as Position);
      if (away > distance) [farthest, distance] = [at, away];
    }
    if (farthest === from) continue;
    kept.add(farthest);
    spans.push([from, farthest], [farthest, to]);
  }
  const open = ring.filter((_, at) => at < last && kept.has(at));
  return open.length >= 3 && isSimple(open) ? [...open, open[0] as Position] : ring;
}

function distanceFrom([x, y]: Position, [fromX, fromY]: Position, [toX, toY]: Position): number {
  const [dx, dy] = [toX - fromX, toY - fromY];
  const along = ((x - fromX) * dx + (y - fromY) * dy) / (dx * dx + dy * dy || 1);
  const bounded = Math.max(0, Math.min(1, along));
  return Math.hypot(x - fromX - bounded * dx, y - fromY - bounded * dy);
}

export const centerOf = ({ coordinates: [ring = []] }: Boundary): LatLng => measure(ring).center;

function ringsOf(given: unknown): Position[][] | null {
  if (typeof given === 'string')
    return given.trimStart().startsWith('{') ? ringsOf(parseJson(given)) : ringsOfWkt(given);
  if (typeof given !== 'object' || given === null) return null;
  const { type, geometry, coordinates } = given as Record<string, unknown>;
  if (type === 'Feature') return ringsOf(geometry);
  if (type !== 'Polygon' || !Array.isArray(coordinates)) return null;
  return coordinates.every(isRing) ? coordinates.map((ring) => ring.map(([lng, lat]): Position => [lng, lat])) : null;
}

const isRing = (ring: unknown): ring is Position[] =>
  Array.isArray(ring) &&
  ring.every(
    (position) => Array.isArray(position) && typeof position[0] === 'number' && typeof position[1] === 'number',
  );

/** Maximum length: 80 characters for each of the `DRAWN` positions. */
const MAX_WKT = 40_000;

function ringsOfWkt(text: string): Position[][] | null {
  const body = text.length > MAX_WKT ? undefined : /^\s*POLYGON\s*\(\s*(\([\s\S]*\))\s*\)\s*$/i.exec(text)?.[1];
  if (body === undefined) return null;
  const rings = body.split(/\)\s*,\s*\(/).map((ring) =>
    ring
      .replace(/[()]/g, '')
      .split(',')
      .map((pair) => pair.trim().split(/\s+/).map(Number)),
  );
  const read = rings.every((ring) => ring.every((pair) => pair.length === 2 && pair.every(Number.isFinite)));
  return read ? (rings as Position[][]) : null;
}

/** Removes repeated positions, including the closing one. */
const withoutRepeats = (ring: readonly Position[]): Position[] =>
  ring.filter(([lng, lat], at) => {
    const [nextLng, nextLat] = ring[(at + 1) % ring.length] as Position;
    return lng !== nextLng || lat !== nextLat;
  });

const isSimple = (ring: readonly Position[]): boolean =>
  polygonFault(ring.map(([lng, lat]) => ({ lat, lng }))) === null;

/** The area is positive if the ring is counterclockwise. */
function measure(ring: readonly Position[]) {
  const [baseLng, baseLat] = ring[0] as Position;
  let [area, x, y] = [0, 0, 0];
  for (let at = 0; at < ring.length; at++) {
    const [ax, ay] = relative(ring[at] as Position);
    const [bx, by] = relative(ring[(at + 1) % ring.length] as Position);
    const cross = ax * by - bx * ay;
    area += cross;
    x += (ax + bx) * cross;
    y += (ay + by) * cross;
  }
  const center = { lat: roundDegrees(baseLat + y / (3 * area)), lng: roundDegrees(baseLng + x / (3 * area)) };
  return { area: area / 2, center };

  function relative([lng, lat]: Position): Position {
    return [lng - baseLng, lat - baseLat];
  }
}

export function boxOf(ring: readonly Position[]) {
  const lngs = ring.map(([lng]) => lng);
  const lats = ring.map(([, lat]) => lat);
  return { west: Math.min(...lngs), east: Math.max(...lngs), south: Math.min(...lats), north: Math.max(...lats) };
}

function isNear({ west, east, south, north }: ReturnType<typeof boxOf>, { lat, lng }: LatLng) {
  return lng >= west - MAX_AWAY && lng <= east + MAX_AWAY && lat >= south - MAX_AWAY && lat <= north + MAX_AWAY;
}
