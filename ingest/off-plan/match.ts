import { distance } from 'fastest-levenshtein';
import { flatMeters, METERS_PER_DEGREE } from '#domain/geography/distance.ts';
import { addTo } from '#domain/multimap.ts';
import { type ProjectNameKey, projectNameKey } from './names.ts';

/** One source's copy of a project: what copies are recognized by. */
export interface ProjectCopy {
  id: number;
  source: string;
  live: boolean;
  name_en: string | null;
  name_ar: string | null;
  developer: number | null;
  city: string;
  neighborhood_id: number | null;
  lat: number | null;
  lng: number | null;
  license: string | null;
}

/** Copies that lie farther apart are of two projects: sources point at its gate, its middle or its sales office. */
const MAX_METERS = 2_000;
/** Without the same developer, or with names only alike, they lie closer. */
const NEAR_METERS = 1_000;
const CLOSE_METERS = 300;
/** Names of this likeness are one name spelled in two ways: 1 is the same. */
const ALIKE = 0.82;

interface Known {
  copy: ProjectCopy;
  en: ProjectNameKey | null;
  ar: ProjectNameKey | null;
}

/**
 * Which copies are of one project: for each copy the id of the oldest copy of its project, which is the project's id.
 * A source lists a project once, so that two live copies of one source are never joined. The likeliest pairs are joined
 * first. Pure; the order of the copies makes no difference.
 */
export function findCopies(copies: readonly ProjectCopy[]): Map<number, number> {
  const known = copies.map(
    (copy): Known => ({
      copy,
      en: copy.name_en === null ? null : projectNameKey(copy.name_en),
      ar: copy.name_ar === null ? null : projectNameKey(copy.name_ar),
    }),
  );
  const pairs = candidatePairs(known).flatMap(([a, b]) => {
    const score = likeness(a, b);
    return score > 0 ? [{ a: a.copy, b: b.copy, score }] : [];
  });
  pairs.sort((x, y) => y.score - x.score || x.a.id - y.a.id || x.b.id - y.b.id);
  const groups = new Map(copies.map((copy) => [copy.id, [copy]]));
  for (const { a, b } of pairs) {
    const left = groups.get(a.id) as ProjectCopy[];
    const right = groups.get(b.id) as ProjectCopy[];
    if (left === right || sharesSource(left, right)) continue;
    const joined = [...left, ...right];
    for (const { id } of joined) groups.set(id, joined);
  }
  return new Map(
    copies.map(({ id }) => [
      id,
      (groups.get(id) as ProjectCopy[]).reduce((least, each) => Math.min(least, each.id), id),
    ]),
  );
}

function sharesSource(left: readonly ProjectCopy[], right: readonly ProjectCopy[]): boolean {
  const sources = new Set(left.flatMap(({ live, source }) => (live ? [source] : [])));
  return right.some(({ live, source }) => live && sources.has(source));
}

/** Pairs that may be of one project: neighbors, and those of one city with one name where a point is missing. */
function candidatePairs(known: readonly Known[]): (readonly [Known, Known])[] {
  const seen = new Set<string>();
  const pairs: (readonly [Known, Known])[] = [];
  const add = (a: Known, b: Known): void => {
    if (a === b) return;
    const [first, second] = a.copy.id < b.copy.id ? [a, b] : [b, a];
    const key = `${first.copy.id} ${second.copy.id}`;
    if (seen.has(key)) return;
    seen.add(key);
    pairs.push([first, second]);
  };
  const cells = new Map<string, Known[]>();
  const names = new Map<string, Known[]>();
  for (const each of known) {
    const { lat, lng, city } = each.copy;
    if (lat !== null && lng !== null) {
      const [row, column] = [Math.floor(lat / CELL), Math.floor(lng / CELL)];
      for (let r = row - 1; r <= row + 1; r++)
        for (let c = column - 1; c <= column + 1; c++)
          for (const other of cells.get(`${r} ${c}`) ?? []) add(each, other);
      addTo(cells, `${row} ${column}`, each);
    }
    for (const [language, name] of [['en', each.en] as const, ['ar', each.ar] as const])
      if (name !== null) addTo(names, `${city} ${language} ${name.key}`, each);
  }
  for (const alike of names.values())
    for (const each of alike)
      for (const other of alike) if (each.copy.lat === null || other.copy.lat === null) add(each, other);
  return pairs;
}

/** Degrees, of longitude too: what is two cells apart is farther than `MAX_METERS`. */
const CELL = (MAX_METERS / METERS_PER_DEGREE) * 1.25;

/** How much speaks for two copies being of one project; 0 and less where too little does. Pure and symmetric. */
export function likeness(a: Known, b: Known): number {
  const meters = metersApart(a.copy, b.copy);
  if (meters > MAX_METERS) return 0;
  if (a.copy.license !== null && a.copy.license === b.copy.license) return 10;
  const [left, right] = [a.copy.developer, b.copy.developer];
  if (left !== null && right !== null && left !== right) return 0;
  if (numbersOf(a) !== numbersOf(b)) return 0;
  const developer = left !== null && left === right;
  const name = nameLikeness(a, b);
  const nearness = 1 - meters / MAX_METERS;
  // Without a name in a common language the place has to tell.
  if (name === null) return developer && meters <= CLOSE_METERS ? 1 + nearness : 0;
  if (name === 1) return developer || meters <= NEAR_METERS ? 5 + (developer ? 2 : 0) + nearness : 0;
  if (name >= ALIKE) return meters <= (developer ? NEAR_METERS : CLOSE_METERS) ? 3 + name + nearness : 0;
  return 0;
}

/** Where a point is missing, places of one city count as near when nothing says that they are not. */
function metersApart(a: ProjectCopy, b: ProjectCopy): number {
  if (a.lat !== null && a.lng !== null && b.lat !== null && b.lng !== null)
    return flatMeters({ lat: a.lat, lng: a.lng }, { lat: b.lat, lng: b.lng });
  if (a.city !== b.city) return Number.POSITIVE_INFINITY;
  const [left, right] = [a.neighborhood_id, b.neighborhood_id];
  return left !== null && right !== null && left !== right ? Number.POSITIVE_INFINITY : NEAR_METERS;
}

const numbersOf = ({ en, ar }: Known): string => (en ?? ar)?.numbers ?? '';

/** 1 for the same name in either language; null where they have no name in a common language. */
function nameLikeness(a: Known, b: Known): number | null {
  const likenesses = [
    [a.en, b.en],
    [a.ar, b.ar],
  ].flatMap(([left, right]) => (left && right && left.key !== '' ? [keyLikeness(left.key, right.key)] : []));
  return likenesses.length === 0 ? null : Math.max(...likenesses);
}

const keyLikeness = (a: string, b: string): number =>
  a === b ? 1 : 1 - distance(a, b) / Math.max(a.length, b.length, 1);
