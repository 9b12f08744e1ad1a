import { parseJson } from '../parse-json.ts';
import type { LatLng } from './places.ts';
import { roundDegrees } from './tiles.ts';

/**
 * One GeoJSON polygon as in RFC 7946. A hand-drawn boundary is closed, wound in the right direction and cleaned of
 * small loops. An irreparable one is rejected with a reason.
 */

/** `[lng, lat]`. */
export type Position = [number, number];

export interface Boundary {
  type: 'Polygon';
  /** The outer ring, closed and counterclockwise, then the holes, clockwise. */
  coordinates: Position[][];
}

const BOUNDARY_FAULTS = [
  'unreadable',
  'too_many_positions',
  'too_few_positions',
  'out_of_range',
  'crosses_itself',
  'too_large',
  'away_from_point',
] as const;
export type BoundaryFault = (typeof BOUNDARY_FAULTS)[number];

export type BoundaryResult = { ok: true; boundary: Boundary; repaired: boolean } | { ok: false; reason: BoundaryFault };

/** Maximum number of positions and rings. Detecting self-intersections takes quadratic time. */
const DRAWN = { positions: 500, rings: 20 };
export const SURVEYED: typeof DRAWN = { positions: 5_000, rings: 100 };
/** Largest extent in degrees. */
const MAX_EXTENT = 0.5;
/** Area of the loops that may be cut off a self-intersecting ring, relative to the remaining ring. */
const SLIP_SHARE = 0.1;
/** Largest distance in degrees between a boundary and its project's location. */
const MAX_AWAY = 0.03;

/**
 * Reads a boundary from a GeoJSON geometry, a GeoJSON feature or WKT.
 * @param point known location of the project
 */
export function readBoundary(given: unknown, point: LatLng | null, limits = DRAWN): BoundaryResult {
  const rings = ringsOf(given);
  if (rings === null || rings.length === 0 || rings.length > limits.rings) return { ok: false, reason: 'unreadable' };
  if (rings.reduce((sum, ring) => sum + ring.length, 0) > limits.positions)
    return { ok: false, reason: 'too_many_positions' };
  let repaired = false;
  const coordinates: Position[][] = [];
  for (const [index, ring] of rings.entries()) {
    if (ring.some(([lng, lat]) => !(Math.abs(lng) <= 180 && Math.abs(lat) <= 90)))
      return { ok: false, reason: 'out_of_range' };
    const open = withoutRepeats(ring);
    if (open.length < 3) return { ok: false, reason: 'too_few_positions' };
    const simple = untangled(open);
    if (simple === null || Math.abs(signedArea(simple)) === 0) return { ok: false, reason: 'crosses_itself' };
    if (simple !== open) repaired = true;
    const outer = index === 0;
    if (signedArea(simple) > 0 !== outer) simple.reverse();
    coordinates.push([...simple, simple[0] as Position]);
  }
  const box = boxOf(coordinates[0] as Position[]);
  if (box.east - box.west > MAX_EXTENT || box.north - box.south > MAX_EXTENT) return { ok: false, reason: 'too_large' };
  if (point !== null && !isNear(box, point)) return { ok: false, reason: 'away_from_point' };
  return { ok: true, boundary: { type: 'Polygon', coordinates }, repaired };
}

/**
 * Removes positions (Douglas-Peucker): every removed one is at most `tolerance` degrees from the new edge. A ring that
 * would then cross itself or have no area is unchanged.
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
  return open.length >= 3 && findCrossing(open) === null ? [...open, open[0] as Position] : ring;
}

/** Returns the distance in degrees. */
function distanceFrom([x, y]: Position, [fromX, fromY]: Position, [toX, toY]: Position): number {
  const [dx, dy] = [toX - fromX, toY - fromY];
  const along = ((x - fromX) * dx + (y - fromY) * dy) / (dx * dx + dy * dy || 1);
  const bounded = Math.max(0, Math.min(1, along));
  return Math.hypot(x - fromX - bounded * dx, y - fromY - bounded * dy);
}

export function centerOf({ coordinates }: Boundary): LatLng {
  const ring = coordinates[0] as Position[];
  const [baseLng, baseLat] = ring[0] as Position;
  let [area, x, y] = [0, 0, 0];
  for (let at = 0; at + 1 < ring.length; at++) {
    const [ax, ay] = relative(ring[at] as Position);
    const [bx, by] = relative(ring[at + 1] as Position);
    const cross = ax * by - bx * ay;
    area += cross;
    x += (ax + bx) * cross;
    y += (ay + by) * cross;
  }
  return { lat: roundDegrees(baseLat + y / (3 * area)), lng: roundDegrees(baseLng + x / (3 * area)) };

  function relative([lng, lat]: Position): Position {
    return [lng - baseLng, lat - baseLat];
  }
}

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

/**
 * Splits a ring that intersects itself. A part that is much larger than the others is the intended shape; returns null
 * if they are of similar size.
 */
function untangled(ring: Position[]): Position[] | null {
  const parts = [ring];
  const simple: Position[][] = [];
  // Each split leaves two shorter rings. A ring with more intersections than positions is rejected.
  for (let partings = 0; parts.length > 0; ) {
    const part = parts.pop() as Position[];
    const crossing = findCrossing(part);
    if (crossing === null) {
      simple.push(part);
      continue;
    }
    partings += 1;
    if (partings > ring.length) return null;
    for (const next of crossing) if (next.length >= 3) parts.push(next);
  }
  if (simple.length === 1 && simple[0] === ring) return ring;
  const areas = simple.map((part) => Math.abs(signedArea(part)));
  const largest = Math.max(...areas);
  const rest = areas.reduce((sum, area) => sum + area, 0) - largest;
  return largest > 0 && rest <= largest * SLIP_SHARE ? (simple[areas.indexOf(largest)] ?? null) : null;
}

/** Returns an intersection, or a position that occurs twice, and the two parts into which it divides the ring. */
function findCrossing(ring: readonly Position[]): [Position[], Position[]] | null {
  const count = ring.length;
  for (let i = 0; i < count; i++) {
    const [lng, lat] = ring[i] as Position;
    const to = ring[(i + 1) % count] as Position;
    const [south, north] = [Math.min(lat, to[1]), Math.max(lat, to[1])];
    for (let j = i + 2; j < count; j++) {
      if (i === 0 && j === count - 1) continue;
      const other = ring[j] as Position;
      if (lng === other[0] && lat === other[1]) return [ring.slice(i, j), [...ring.slice(0, i), ...ring.slice(j)]];
      const end = ring[(j + 1) % count] as Position;
      if (Math.min(other[1], end[1]) > north || Math.max(other[1], end[1]) < south) continue;
      const at = meeting(ring[i] as Position, ring[i + 1] as Position, other, end);
      if (at !== null)
        return [
          [at, ...ring.slice(i + 1, j + 1)],
          [...ring.slice(0, i + 1), at, ...ring.slice(j + 1)],
        ];
    }
  }
  return null;
}

/** Returns the point where two segments cross between their ends, or null. */
function meeting(a: Position, b: Position, c: Position, d: Position): Position | null {
  const [abX, abY] = [b[0] - a[0], b[1] - a[1]];
  const [cdX, cdY] = [d[0] - c[0], d[1] - c[1]];
  const cross = abX * cdY - abY * cdX;
  if (cross === 0) return null;
  const along = ((c[0] - a[0]) * cdY - (c[1] - a[1]) * cdX) / cross;
  const other = ((c[0] - a[0]) * abY - (c[1] - a[1]) * abX) / cross;
  // Segment ends are excluded, because a split ring would intersect itself there again.
  if (!(along > EDGE && along < 1 - EDGE && other > EDGE && other < 1 - EDGE)) return null;
  return [a[0] + along * abX, a[1] + along * abY];
}

const EDGE = 1e-9;

function signedArea(ring: readonly Position[]): number {
  const [baseX, baseY] = ring[0] as Position;
  let sum = 0;
  for (let at = 0; at < ring.length; at++) {
    const [ax, ay] = ring[at] as Position;
    const [bx, by] = ring[(at + 1) % ring.length] as Position;
    sum += (ax - baseX) * (by - baseY) - (bx - baseX) * (ay - baseY);
  }
  return sum / 2;
}

export function boxOf(ring: readonly Position[]) {
  const lngs = ring.map(([lng]) => lng);
  const lats = ring.map(([, lat]) => lat);
  return { west: Math.min(...lngs), east: Math.max(...lngs), south: Math.min(...lats), north: Math.max(...lats) };
}

function isNear({ west, east, south, north }: ReturnType<typeof boxOf>, { lat, lng }: LatLng) {
  return lng >= west - MAX_AWAY && lng <= east + MAX_AWAY && lat >= south - MAX_AWAY && lat <= north + MAX_AWAY;
}
