import type { Boundaries } from './boundaries.ts';
import { type Position, simplify } from './boundary.ts';
import { cellsOf } from './cells.ts';
import type { Neighborhood } from './places.ts';
import { roundDegrees } from './tiles.ts';

/** Tolerance of the simplification in degrees, about 30 m. */
const TOLERANCE = 0.0003;

export interface Outline {
  type: 'Feature';
  id: number;
  properties: { id: number; slug: string; name_ar: string; name_en: string; approximate: boolean };
  // Null if neither the boundary nor the center is known.
  geometry: { type: 'MultiPolygon'; coordinates: Position[][][] } | null;
}

/** Returns surveyed boundaries, or otherwise the area that is nearer to the center than to any other. */
export function outlinesOf(
  neighborhoods: readonly Neighborhood[],
  boundaries: Boundaries,
  simplified: boolean,
): Outline[] {
  const centers = neighborhoods.flatMap(({ id, center }) => (center === null ? [] : [{ id, ...center }]));
  const cells = new Map(cellsOf(centers).map(({ id, ring }) => [id, ring]));
  return neighborhoods.map(({ id, slug, name_ar, name_en }) => {
    const surveyed = boundaries.of(id);
    const cell = cells.get(id);
    const polygons = surveyed?.map((each) => (simplified ? simplify(each, TOLERANCE) : each).coordinates);
    const coordinates =
      polygons ?? (cell && [[cell.map(([lng, lat]): Position => [roundDegrees(lng), roundDegrees(lat)])]]);
    return {
      type: 'Feature',
      id,
      properties: { id, slug, name_ar, name_en, approximate: !surveyed },
      geometry: coordinates ? { type: 'MultiPolygon', coordinates } : null,
    };
  });
}
