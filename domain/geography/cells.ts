import { Delaunay } from 'd3-delaunay';

export interface Center {
  id: number;
  lat: number;
  lng: number;
}

type Ring = readonly (readonly [lng: number, lat: number])[];

export interface Cell {
  id: number;
  ring: Ring;
}

const KM_PER_DEGREE = 111.32;
const CORNERS = 24;

/**
 * Returns the Voronoi cell of each center, clipped to a circle, so that cells at the edge of a city do not extend into
 * the desert.
 */
export function cellsOf(centers: readonly Center[]): Cell[] {
  if (centers.length === 0) return [];
  const shrink = Math.cos(((centers[0]?.lat ?? 0) * Math.PI) / 180);
  const points = centers.map(({ lat, lng }): [number, number] => [lng * shrink, lat]);
  const reach = Math.min(Math.max(1.8 * medianGap(points), 1 / KM_PER_DEGREE), 6 / KM_PER_DEGREE);
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, low, right, high] = [Math.min(...xs) - 1, Math.min(...ys) - 1, Math.max(...xs) + 1, Math.max(...ys) + 1];
  // Collinear points have no triangulation. Four distant points do not affect the clipped cells.
  const beyond: [number, number][] = [left, right].flatMap((x) => [low, high].map((y): [number, number] => [x, y]));
  const voronoi = Delaunay.from([...points, ...beyond]).voronoi([left, low, right, high]);
  return centers.flatMap(({ id }, index) => {
    const polygon = voronoi.cellPolygon(index) as [number, number][] | null;
    const [x, y] = points[index] as [number, number];
    // The second of two centers at one point has no cell.
    if (!polygon) return [];
    const ring = clip(polygon.slice(0, -1), circle(x, y, reach));
    return [{ id, ring: [...ring, ring[0] as [number, number]].map(([px, py]) => [px / shrink, py] as const) }];
  });
}

function medianGap(points: readonly (readonly [number, number])[]): number {
  const gaps = points
    .map(([x, y], index) =>
      points.reduce(
        (least, [ox, oy], other) => (other === index ? least : Math.min(least, Math.hypot(ox - x, oy - y))),
        1,
      ),
    )
    .sort((a, b) => a - b);
  return gaps[Math.floor(gaps.length / 2)] ?? 0;
}

const circle = (x: number, y: number, radius: number): [number, number][] =>
  Array.from({ length: CORNERS }, (_, at) => {
    const angle = (at / CORNERS) * 2 * Math.PI;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });

/** Clips a polygon to a convex one with counterclockwise corners (Sutherland-Hodgman). */
function clip(polygon: [number, number][], by: [number, number][]): [number, number][] {
  return by.reduce((left, from, at) => {
    const to = by[(at + 1) % by.length] as [number, number];
    const side = ([x, y]: [number, number]): number =>
      (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]);
    return left.flatMap((corner, index) => {
      const before = left[(index + left.length - 1) % left.length] as [number, number];
      const [here, there] = [side(corner), side(before)];
      const share = there / (there - here);
      const crossing: [number, number] = [
        before[0] + (corner[0] - before[0]) * share,
        before[1] + (corner[1] - before[1]) * share,
      ];
      if (here >= 0) return there < 0 ? [crossing, corner] : [corner];
      return there >= 0 ? [crossing] : [];
    });
  }, polygon);
}
