import { flatMeters } from '#domain/geography/distance.ts';
import { addTo } from '#domain/multimap.ts';
import { developerKey, languageOf, projectNameKey } from './names.ts';

export interface LinkTarget {
  id: number;
  /** In the live copies. */
  names: readonly string[];
  developer: number | null;
  city: string;
  lat: number | null;
  lng: number | null;
}

export interface UnitReference {
  source: string;
  reference: string | null;
  name: string | null;
  developer: string | null;
  city: string;
  lat: number | null;
  lng: number | null;
}

export interface Link {
  project: number;
  by: 'reference' | 'name';
}

/** Between a unit and its project's point. */
const MAX_METERS = 3_000;
/** If the project has no name in the unit's language to compare. */
const CLOSE_METERS = 300;

/**
 * A unit belongs to the project of its source's own reference, or else to the only one that matches by name, developer
 * and location.
 * @param references project ids by `referenceKey`
 * @param developers ids by `developerKey`
 */
export function createLinker(
  targets: readonly LinkTarget[],
  references: ReadonlyMap<string, number>,
  developers: ReadonlyMap<string, number>,
): (unit: UnitReference) => Link | null {
  const byName = new Map<string, LinkTarget[]>();
  const byDeveloper = new Map<string, LinkTarget[]>();
  for (const target of targets) {
    for (const key of new Set(target.names.map(nameOf))) addTo(byName, key, target);
    for (const language of ['en', 'ar'] as const)
      if (!target.names.some((name) => languageOf(name) === language))
        addTo(byDeveloper, `${language} ${target.developer}`, target);
  }
  return (unit) => {
    const referenced = unit.reference === null ? undefined : references.get(referenceKey(unit.source, unit.reference));
    if (referenced !== undefined) return { project: referenced, by: 'reference' };
    if (unit.name === null) return null;
    const stated = unit.developer === null ? null : developerKey(unit.developer);
    const developer = stated === null ? null : (developers.get(stated) ?? UNKNOWN);
    const fitting = (byName.get(nameOf(unit.name)) ?? []).filter(
      (target) =>
        (developer === null || target.developer === null || target.developer === developer) && isThere(unit, target),
    );
    if (fitting.length === 0 && developer !== null)
      fitting.push(
        ...(byDeveloper.get(`${languageOf(unit.name)} ${developer}`) ?? []).filter((target) =>
          isThere(unit, target, CLOSE_METERS),
        ),
      );
    const [only, another] = fitting;
    return only !== undefined && another === undefined ? { project: only.id, by: 'name' } : null;
  };
}

/** Matches no project. */
const UNKNOWN = -1;

export const referenceKey = (source: string, id: string): string => `${source} ${id}`;

function nameOf(name: string): string {
  const { key, numbers } = projectNameKey(name);
  return `${languageOf(name)} ${key} ${numbers}`;
}

function isThere(unit: UnitReference, target: LinkTarget, within = MAX_METERS): boolean {
  const { lat, lng } = unit;
  // Without coordinates, only the cities can be compared, which is not sufficient for `CLOSE_METERS`.
  if (lat === null || lng === null || target.lat === null || target.lng === null)
    return within === MAX_METERS && unit.city === target.city;
  return flatMeters({ lat, lng }, { lat: target.lat, lng: target.lng }) <= within;
}
