import { createHash } from 'node:crypto';
import { headerName } from '../file-text.ts';
import {
  type Boundary,
  type BoundaryFault,
  boxOf,
  centerOf,
  type Position,
  readBoundary,
  SURVEYED,
  simplify,
} from './boundary.ts';
import { cellsOf } from './cells.ts';
import { inCountry } from './country.ts';
import { flatMeters } from './distance.ts';
import { featuresOf } from './feature-collection.ts';
import { CITIES, NEIGHBORHOODS_BY_ID } from './gazetteer.ts';
import { findCity, findNeighborhood } from './locate.ts';
import type { City, LatLng, Neighborhood } from './places.ts';
import { isInside } from './shapes.ts';
import { roundDegrees } from './tiles.ts';

/** The arguments of the constructor of `Boundaries`, which can be sent to a thread. */
export type BoundaryParts = readonly [
  digest: string,
  parts: readonly (readonly [Neighborhood, Boundary])[],
  skipped: readonly string[],
];

export class Boundaries {
  /** Digest of the file; empty without boundaries. */
  readonly digest: string;
  readonly skipped: readonly string[];
  readonly #parts: readonly { neighborhood: Neighborhood; boundary: Boundary; box: ReturnType<typeof boxOf> }[];

  constructor(
    digest = '',
    parts: readonly (readonly [Neighborhood, Boundary])[] = [],
    skipped: readonly string[] = [],
  ) {
    this.digest = digest;
    this.skipped = skipped;
    this.#parts = parts.map(([neighborhood, boundary]) => ({
      neighborhood,
      boundary,
      box: boxOf(boundary.coordinates[0] ?? []),
    }));
  }

  toParts(): BoundaryParts {
    return [this.digest, this.#parts.map(({ neighborhood, boundary }) => [neighborhood, boundary]), this.skipped];
  }

  get size(): number {
    return new Set(this.#parts.map(({ neighborhood }) => neighborhood.id)).size;
  }

  of(id: number): Boundary[] {
    return this.#parts.flatMap(({ neighborhood, boundary }) => (neighborhood.id === id ? [boundary] : []));
  }

  /** Null if no boundary or several contain the point. */
  neighborhoodAt(point: LatLng): Neighborhood | null {
    const { lat, lng } = point;
    let found: Neighborhood | null = null;
    for (const { neighborhood, boundary, box } of this.#parts) {
      if (lng < box.west || lng > box.east || lat < box.south || lat > box.north) continue;
      if (neighborhood === found || !isInside(boundary.coordinates, point)) continue;
      if (found !== null) return null;
      found = neighborhood;
    }
    return found;
  }
}

export const NO_BOUNDARIES: Boundaries = new Boundaries();

/** Positions in a city's boundaries. A response with this number has about 2 MB. */
const MAX_CITY_POSITIONS = 100_000;
/** Meters between a boundary and the center of its neighborhood or city. */
const REACH_M = 40_000;
const MAX_ERRORS = 20;

const FAULTS: Readonly<Record<BoundaryFault, string>> = {
  unreadable: `is no Polygon or MultiPolygon of [longitude, latitude] with up to ${SURVEYED.rings} rings. Export the layer as GeoJSON polygons`,
  too_many_positions: `has more than ${SURVEYED.positions} positions. Simplify it`,
  too_few_positions: 'has a ring of fewer than three positions. Complete or remove the ring',
  out_of_range: 'has positions that are not degrees. Convert it to WGS 84 (EPSG:4326), longitude first',
  crosses_itself: 'has no area. Repair it, for example with "Fix geometries" in QGIS',
  too_large: 'is larger than half a degree. Use boundaries of neighborhoods',
  away_from_point: 'is elsewhere',
};

const id = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/**
 * Reads a GeoJSON FeatureCollection. A feature states `neighborhood_id`, or a name (`name_ar`, `name_en`, `name`) and
 * optionally its `city`; several can be parts of one neighborhood. Unknown names are skipped.
 * @throws Error with a line for each wrong feature
 */
export function readBoundaries(text: string): Boundaries {
  const features = featuresOf(text);
  const parts: [Neighborhood, Boundary][] = [];
  const skipped: string[] = [];
  const errors: string[] = [];
  const positions = new Map<string, number>();
  for (const [at, feature] of features.entries()) {
    const properties: Readonly<Record<string, unknown>> = Object.fromEntries(
      Object.entries(feature?.properties ?? {}).map(([name, value]) => [headerName(name), value]),
    );
    const names = [properties.name_ar, properties.name_en, properties.name].map(id).filter((name) => name !== '');
    const label = `Feature ${at + 1} (${names[0] ?? (id(properties.neighborhood_id ?? properties.district_id) || 'no name')})`;
    const read = polygonsOf(feature?.geometry).map((polygon) => readBoundary(polygon, null, SURVEYED));
    const boundaries = read.flatMap((each) => (each.ok ? [each.boundary] : []));
    const fault = read.find((each) => !each.ok)?.reason;
    const outside = boundaries
      .flatMap(({ coordinates: [ring = []] }) => ring)
      .find(([lng, lat]) => !inCountry({ lat, lng }));
    const found = fault === undefined && !outside ? match(properties, names, boundaries) : null;
    if (fault !== undefined) errors.push(`${label} ${FAULTS[fault]}.`);
    else if (outside)
      errors.push(`${label} is outside Saudi Arabia at ${outside.join(',')}. Positions are longitude, latitude.`);
    else if (typeof found === 'string') errors.push(`${label} ${found}.`);
    else if (found === null) skipped.push(names.join(' / '));
    else {
      for (const boundary of boundaries) parts.push([found, boundary]);
      const count = boundaries.flatMap(({ coordinates }) => coordinates).reduce((sum, ring) => sum + ring.length, 0);
      positions.set(found.city, (positions.get(found.city) ?? 0) + count);
    }
  }
  for (const [city, count] of positions)
    if (count > MAX_CITY_POSITIONS)
      errors.push(
        `The boundaries of ${city} have ${count} positions, and at most ${MAX_CITY_POSITIONS} are accepted. Simplify them.`,
      );
  if (errors.length === 0 && parts.length === 0)
    errors.push('No feature is a known neighborhood. State `neighborhood_id`, or `name_ar` or `name_en` and `city`.');
  const more = errors.length > MAX_ERRORS ? [`${errors.length - MAX_ERRORS} more errors.`] : [];
  if (errors.length > 0) throw new Error([...errors.slice(0, MAX_ERRORS), ...more].join('\n'));
  return new Boundaries(createHash('sha256').update(text).digest('base64url'), parts, skipped);
}

/** Reads polygons, with positions rounded to 0.1 m. */
function polygonsOf(geometry: unknown): unknown[] {
  const { type, coordinates } = (geometry ?? {}) as Readonly<Record<string, unknown>>;
  const polygons =
    type === 'MultiPolygon' && Array.isArray(coordinates) && coordinates.length > 0 ? coordinates : [coordinates];
  return polygons.map((rings) => ({ type: type === 'MultiPolygon' ? 'Polygon' : type, coordinates: rounded(rings) }));
}

const rounded = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(rounded) : typeof value === 'number' ? roundDegrees(value) : value;

/** Returns the neighborhood, or the problem and its remedy; null if its name is unknown. */
function match(
  properties: Readonly<Record<string, unknown>>,
  names: readonly string[],
  boundaries: readonly Boundary[],
): Neighborhood | string | null {
  const center = centerOf(boundaries[0] as Boundary);
  const away = (each: Neighborhood): number => flatMeters(center, each.center ?? (findCity(each.city) as City).center);
  const stated = properties.neighborhood_id;
  if (stated !== undefined && stated !== null) {
    const found = NEIGHBORHOODS_BY_ID.get(Number(stated));
    if (!found) return `has an unknown neighborhood_id, ${id(stated)}. GET /cities/{city}/neighborhoods lists the ids`;
    if (away(found) <= REACH_M) return found;
    return `is ${Math.round(away(found) / 1_000)} km from neighborhood_id ${found.id}, ${found.name_en} in ${found.city}. Correct the id`;
  }
  if (names.length === 0)
    return properties.district_id === undefined
      ? 'has no name. State `neighborhood_id`, or `name_ar` or `name_en` and `city`'
      : 'has only a district_id, which is unknown. State `neighborhood_id`, or `name_ar` or `name_en` and `city`';
  const city = properties.city === undefined ? null : findCity(id(properties.city));
  if (properties.city !== undefined && city === null)
    return `has an unknown city, ${id(properties.city)}. GET /cities lists the cities`;
  const candidates = (city === null ? CITIES : [city]).flatMap(({ slug }) => {
    const found = names.map((name) => findNeighborhood(slug, name)).find((each) => each !== null);
    return found && away(found) <= REACH_M ? [found] : [];
  });
  return candidates.sort((a, b) => away(a) - away(b))[0] ?? null;
}

/** Tolerance of the simplification in degrees, about 30 m. */
const TOLERANCE = 0.0003;

export interface Outline {
  type: 'Feature';
  id: number;
  properties: { id: number; slug: string; name_ar: string; name_en: string; approximate: boolean };
  // Null if neither the boundary nor the center is known.
  geometry: { type: 'MultiPolygon'; coordinates: Position[][][] } | null;
}

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
    const polygons = surveyed.map((each) => (simplified ? simplify(each, TOLERANCE) : each).coordinates);
    const approximate = cell && [[cell.map(([lng, lat]): Position => [roundDegrees(lng), roundDegrees(lat)])]];
    const coordinates = polygons.length > 0 ? polygons : approximate;
    return {
      type: 'Feature',
      id,
      properties: { id, slug, name_ar, name_en, approximate: surveyed.length === 0 },
      geometry: coordinates ? { type: 'MultiPolygon', coordinates } : null,
    };
  });
}
