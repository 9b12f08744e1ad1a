import { foldDigits } from '../fold.ts';
import type { LatLng } from './places.ts';

export const POLYGON_POINTS = { min: 3, max: 100 } as const;
/** Range and default of `radius_m`, in meters around `near`. */
export const RADIUS_M = { min: 10, max: 50_000, default: 2_000 } as const;

/** Most points of `near_any`, and its notation `lat,lng;lat,lng;...`. */
export const MAX_NEAR_POINTS = 100;
const POINT = String.raw`-?\d{1,2}(\.\d{1,9})?,-?\d{1,3}(\.\d{1,9})?`;
export const POINTS = new RegExp(`^${POINT}(;${POINT}){0,${MAX_NEAR_POINTS - 1}}$`);

/** Reads a text of this notation. */
export const parsePoints = (text: string): LatLng[] =>
  text.split(';').map((point) => {
    const [lat = Number.NaN, lng = Number.NaN] = point.split(',').map(Number);
    return { lat, lng };
  });

/** A polygon without holes: one closed ring of positions, longitude first. */
export interface GeoPolygon {
  readonly type: 'Polygon';
  readonly coordinates: readonly (readonly (readonly number[])[])[];
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Parses `lat,lng;lat,lng;...`; the first point can be repeated at the end.
 * @returns null if the text has too few, too many or malformed points
 */
export function parsePolygon(text: string): LatLng[] | null {
  const points = foldDigits(text)
    .split(';')
    .map((part): LatLng | null => {
      const numbers = part.split(',').map((number) => number.trim());
      const [lat = Number.NaN, lng = Number.NaN] = numbers.map((number) =>
        NUMBER.test(number) ? Number(number) : NaN,
      );
      return numbers.length === 2 && Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
    });
  if (!points.every((point) => point !== null)) return null;
  const corners = withoutClosing(points);
  return corners.length >= POLYGON_POINTS.min && corners.length <= POLYGON_POINTS.max ? corners : null;
}

export const formatPolygon = (corners: readonly LatLng[]): string =>
  corners.map(({ lat, lng }) => `${lat},${lng}`).join(';');

export function cornersOf({ coordinates: [ring = []] }: GeoPolygon): LatLng[] {
  return withoutClosing(ring.map(([lng = Number.NaN, lat = Number.NaN]) => ({ lat, lng })));
}

export function isClosed({ coordinates: [ring = []] }: GeoPolygon): boolean {
  const [first, last] = [ring[0], ring.at(-1)];
  return first?.[0] === last?.[0] && first?.[1] === last?.[1];
}

function withoutClosing(points: readonly LatLng[]): LatLng[] {
  const [first, last] = [points[0], points.at(-1)];
  return points.length > 1 && first && last && isSame(first, last) ? points.slice(0, -1) : [...points];
}

const isSame = (a: LatLng, b: LatLng): boolean => a.lat === b.lat && a.lng === b.lng;

type Edge = readonly [from: LatLng, to: LatLng];

/** The polygon encloses no area, or two of its edges meet. */
export type PolygonFault = 'no area' | readonly [Edge, Edge];

/**
 * Returns why a polygon is not simple, or null if it is. Edges are straight lines in degrees. Equal consecutive points
 * are one corner; edges that touch other than at their common corner count as crossing.
 */
export function polygonFault(points: readonly LatLng[]): PolygonFault | null {
  const corners = points.filter((point, index) => !isSame(point, points.at(index - 1) ?? point));
  const at = (index: number): LatLng => corners[index % corners.length] as LatLng;
  if (corners.every((corner) => turn(at(0), at(1), corner) === 0)) return 'no area';
  const edges = corners.map((corner, index): Edge => [corner, at(index + 1)]);
  for (const [first, edge] of edges.entries()) {
    for (const [offset, other] of edges.slice(first + 1).entries()) {
      const isNext = offset === 0;
      const isPrevious = first + 1 + offset === edges.length - 1 && first === 0;
      const meets = isNext ? foldsBack(edge, other) : isPrevious ? foldsBack(other, edge) : touches(edge, other);
      if (meets) return [edge, other];
    }
  }
  return null;
}

/**
 * Returns whether a point is inside closed rings (`[lng, lat]`), of which inner ones are holes. A point on an edge that
 * two polygons share is inside exactly one of them.
 */
export function isInside(rings: readonly (readonly (readonly [number, number])[])[], { lat, lng }: LatLng): boolean {
  let inside = false;
  for (const ring of rings) {
    let from = ring[0];
    for (const to of ring) {
      if (from !== undefined && from[1] > lat !== to[1] > lat) {
        // The calculation starts at the southern end, so that both polygons with this edge get the same result.
        const [south, north] = from[1] < to[1] ? [from, to] : [to, from];
        if (lng < south[0] + ((lat - south[1]) / (north[1] - south[1])) * (north[0] - south[0])) inside = !inside;
      }
      from = to;
    }
  }
  return inside;
}

/** Relative rounding error of `turn`. Smaller values count as zero. */
const ROUNDING = 1e-12;

/**
 * Returns the side of the line from `a` to `b`: 1, -1, or 0 on the line. Rounds equally for every order of the points, so
 * that a ring is simple from any of its corners and in both directions.
 */
function turn(a: LatLng, b: LatLng, c: LatLng): number {
  if (isAfter(a, b)) return -turn(b, a, c);
  if (isAfter(b, c)) return -turn(a, c, b);
  const left = (b.lng - a.lng) * (c.lat - a.lat);
  const right = (b.lat - a.lat) * (c.lng - a.lng);
  const size = left - right;
  return Math.abs(size) <= ROUNDING * (Math.abs(left) + Math.abs(right)) ? 0 : Math.sign(size);
}

const isAfter = (a: LatLng, b: LatLng): boolean => a.lng > b.lng || (a.lng === b.lng && a.lat > b.lat);

function foldsBack([from, corner]: Edge, [, to]: Edge): boolean {
  const along = (corner.lng - from.lng) * (to.lng - corner.lng) + (corner.lat - from.lat) * (to.lat - corner.lat);
  return along < 0 && turn(from, corner, to) === 0;
}

function touches([a, b]: Edge, [c, d]: Edge): boolean {
  // Most edges are too far north or south, which costs less to compare.
  if (Math.max(a.lat, b.lat) < Math.min(c.lat, d.lat) || Math.min(a.lat, b.lat) > Math.max(c.lat, d.lat)) return false;
  const [toC, toD, toA, toB] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  if (toC * toD < 0 && toA * toB < 0) return true;
  const isOn = (side: number, from: LatLng, to: LatLng, point: LatLng): boolean =>
    side === 0 && isBetween(point.lng, from.lng, to.lng) && isBetween(point.lat, from.lat, to.lat);
  return isOn(toC, a, b, c) || isOn(toD, a, b, d) || isOn(toA, c, d, a) || isOn(toB, c, d, b);
}

const isBetween = (value: number, a: number, b: number): boolean => value >= Math.min(a, b) && value <= Math.max(a, b);
