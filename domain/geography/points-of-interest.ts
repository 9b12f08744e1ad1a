import { headerName } from '../file-text.ts';
import { foldText, longestLength } from '../fold.ts';
import { inCountry } from './country.ts';
import { flatMeters } from './distance.ts';
import { type Feature, featuresOf } from './feature-collection.ts';
import { CITIES } from './gazetteer.ts';
import { findCity } from './locate.ts';
import type { City, LatLng } from './places.ts';
import { MAX_NEAR_POINTS, RADIUS_M } from './shapes.ts';
import { roundDegrees } from './tiles.ts';

/** Places of the kind `other` are found by name only, the rest also by words such as "near a school". */
export const PLACE_KINDS = ['metro_station', 'school', 'university', 'mall', 'other'] as const;
type PlaceKind = (typeof PLACE_KINDS)[number];

/** A place that search sentences can name. Features with one name are one place with several points, such as gates. */
export interface PointOfInterest extends LatLng {
  kind: PlaceKind;
  name_en: string | null;
  name_ar: string | null;
  aliases: readonly string[];
  city: string;
  /** Meters of "near" without a distance. */
  radius: number | null;
}

const LIMITS = { features: 2_000, aliases: 10, characters: 80, words: 8, errors: 20 } as const;

/**
 * Reads a GeoJSON FeatureCollection of points. A feature states `kind` and `name_en` or `name_ar`, and optionally
 * `aliases`, `city` and `radius_m`.
 * @throws Error with a line for each wrong feature
 */
export function readPointsOfInterest(text: string): PointOfInterest[] {
  const features = boundedFeatures(text);
  const places: PointOfInterest[] = [];
  const errors: string[] = [];
  for (const [at, feature] of features.entries()) {
    const properties = Object.fromEntries(
      Object.entries(feature?.properties ?? {}).map(([name, value]) => [headerName(name), value]),
    );
    const read = readPlace(properties, feature?.geometry);
    const name = [properties.name_en, properties.name_ar].find((each) => typeof each === 'string' && each !== '');
    if (typeof read === 'string') errors.push(`Feature ${at + 1} (${String(name ?? 'no name').slice(0, 80)}) ${read}.`);
    else places.push(read);
  }
  for (const [group, { length }] of Map.groupBy(places, ({ kind, city }) => `${kind} in ${city}`))
    if (length > MAX_NEAR_POINTS && !group.startsWith('other '))
      errors.push(
        `It has ${length} places of kind ${group}, and at most ${MAX_NEAR_POINTS} are accepted. Keep the best-known, or state the kind \`other\`, which is found by name only.`,
      );
  if (errors.length > LIMITS.errors)
    errors.splice(LIMITS.errors, errors.length, `${errors.length - LIMITS.errors} more errors.`);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return places;
}

function boundedFeatures(text: string): Feature[] {
  const features = featuresOf(text);
  const { length } = features;
  if (length > LIMITS.features)
    throw new Error(`It has ${length} features, and at most ${LIMITS.features} are accepted. Keep the best-known.`);
  return features;
}

/** Returns the place, or the problem and its remedy. */
function readPlace(properties: Readonly<Record<string, unknown>>, geometry: NonNullable<Feature>['geometry']) {
  const [lng, lat] = Array.isArray(geometry?.coordinates) ? geometry.coordinates : [];
  if (geometry?.type !== 'Point' || !Number.isFinite(lng) || !Number.isFinite(lat))
    return 'is no Point with [longitude, latitude]. Export points, such as the centroids of areas';
  const point: LatLng = { lat: roundDegrees(lat), lng: roundDegrees(lng) };
  if (!inCountry(point)) {
    const isSwapped = inCountry({ lat: lng, lng: lat });
    return `is outside Saudi Arabia at ${lng},${lat}. Positions are longitude, latitude${isSwapped ? ': swap them' : ''}`;
  }
  const kind = PLACE_KINDS.find((each) => each === properties.kind);
  if (kind === undefined) return `has an unknown kind. State \`kind\`: ${PLACE_KINDS.join(', ')}`;
  const { name_en = null, name_ar = null, aliases = [], city, radius_m = null } = properties;
  if (name_en === null && name_ar === null) return 'has no name. State `name_en` or `name_ar`';
  if (!Array.isArray(aliases) || aliases.length > LIMITS.aliases)
    return `has wrong \`aliases\`. State a list of at most ${LIMITS.aliases} names`;
  const names: unknown[] = [name_en, name_ar, ...aliases].filter((name) => name !== null);
  const wrong = names.find((name) => !isName(name));
  if (wrong !== undefined)
    return `has a name that is not accepted. Use a text of at most ${LIMITS.characters} characters and ${LIMITS.words} words, with three letters or more`;
  const stated = city === undefined || city === null ? nearestCity(point) : findCity(String(city));
  if (stated === null) return 'has an unknown city. GET /cities lists the cities; without `city` it is the nearest';
  if (
    radius_m !== null &&
    !(Number.isInteger(radius_m) && Number(radius_m) >= RADIUS_M.min && Number(radius_m) <= RADIUS_M.max)
  )
    return `has a wrong \`radius_m\`. State meters from ${RADIUS_M.min} to ${RADIUS_M.max}`;
  return {
    ...point,
    kind,
    name_en: name_en as string | null,
    name_ar: name_ar as string | null,
    aliases: aliases as string[],
    city: stated.slug,
    radius: radius_m as number | null,
  } satisfies PointOfInterest;
}

function isName(name: unknown): boolean {
  if (typeof name !== 'string' || longestLength(name, LIMITS.characters) > LIMITS.characters) return false;
  const folded = foldText(name);
  return folded.split(' ').length <= LIMITS.words && (folded.match(/\p{L}/gu)?.length ?? 0) >= 3;
}

function nearestCity(point: LatLng): City | null {
  const [first] = CITIES.toSorted((a, b) => flatMeters(point, a.center) - flatMeters(point, b.center));
  return first ?? null;
}
