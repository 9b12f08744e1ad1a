import { flatMeters } from '#domain/geography/distance.ts';
import { CITIES, NEIGHBORHOODS_BY_ID } from '#domain/geography/gazetteer.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { addTo } from '#domain/multimap.ts';
import { likenessOfNames, type ParsedName, readDeveloperName, readProjectName } from './names.ts';
import { skeletonOf, soundLikeness } from './phonetic-key.ts';

export interface ProjectCopy {
  id: number;
  source: string;
  live: boolean;
  name_en: string | null;
  name_ar: string | null;
  developer: number | null;
  developer_en?: string | null;
  developer_ar?: string | null;
  city: string;
  neighborhood_id: number | null;
  lat: number | null;
  lng: number | null;
  license: string | null;
}

const SAME_PROJECT = 5.5;
/** Up to this score, copies are not even merged through a third one. */
const CLEARLY_TWO = -2;
const EXCLUDED = Number.NEGATIVE_INFINITY;

/** The readme of this folder describes the validation. */
const POINTS = {
  /** Regardless of name and developer. */
  license: 30,
  /** A first phase may be announced without a number, before a second phase exists. */
  first_phase: -1.5,
  /** By distance in meters between gate, center or sales office. Larger distances exclude a match. */
  meters: [
    [150, 3],
    [400, 2],
    [1_000, 1],
    [2_000, -1],
  ],
  neighborhood: 1.5,
  /** By meters between the centers of two stated neighborhoods. */
  neighborhood_meters: [
    [3_000, -1],
    [6_000, -2],
  ],
  /** Names are reused within a city, so an unknown location lowers the score. */
  unknown_place: -1,
  /** By minimum similarity. */
  name: [
    [0.92, 6],
    [0.85, 5],
    [0.75, 3.5],
    [0.65, 1],
    [0.5, -3],
  ],
  other_name: -9,
  /** Different projects rarely share a long name. */
  long_name: 1,
  /** Multiplied by `developerLikeness`. */
  developer: 3,
  other_developer: -12,
} as const;
const [[MOST_ALIKE]] = POINTS.name;

interface ComparableCopy {
  copy: ProjectCopy;
  names: readonly ParsedName[];
  numbers: string;
  developers: readonly ParsedName[];
  /** Sounds of the city and the developer, which sources may add to a project name. */
  accompanyingSounds: readonly string[];
}

/**
 * Returns for each copy the id of the oldest copy in its cluster, which is the project's id. A source lists a project
 * once, so two live copies from one source are never merged. Pairs are merged in descending order of score, and two
 * clusters only if no two of their copies clearly differ. Pure; the order of copies does not affect the result.
 */
export function findCopies(copies: readonly ProjectCopy[]): Map<number, number> {
  const known = copies.map(read);
  const candidates = candidatePairs(known);
  const sellers = findSellers(candidates);
  const pairs = candidates.flatMap(({ a, b, points }) => {
    const score = points + developerPoints(a, b, sellers);
    return score >= SAME_PROJECT ? [{ a, b, score }] : [];
  });
  pairs.sort((x, y) => y.score - x.score || x.a.copy.id - y.a.copy.id || x.b.copy.id - y.b.copy.id);
  const groups = new Map(known.map((each) => [each.copy.id, [each]]));
  for (const { a, b } of pairs) {
    const left = groups.get(a.copy.id) as ComparableCopy[];
    const right = groups.get(b.copy.id) as ComparableCopy[];
    if (left === right || sharesSource(left, right)) continue;
    if (left.some((one) => right.some((other) => likeness(one, other, sellers) <= CLEARLY_TWO))) continue;
    const joined = [...left, ...right];
    for (const { copy } of joined) groups.set(copy.id, joined);
  }
  return new Map(
    copies.map(({ id }) => [
      id,
      (groups.get(id) as ComparableCopy[]).reduce((least, { copy }) => Math.min(least, copy.id), id),
    ]),
  );
}

function read(copy: ProjectCopy): ComparableCopy {
  const names = [copy.name_en, copy.name_ar].flatMap((name) => (name === null ? [] : [readProjectName(name)]));
  const developers = [copy.developer_en, copy.developer_ar].flatMap((name) =>
    name == null ? [] : [readDeveloperName(name)],
  );
  return {
    copy,
    names,
    numbers: names.map(({ numbers }) => numbers).find((numbers) => numbers !== '') ?? '',
    developers,
    accompanyingSounds: [
      ...(CITY_SOUNDS.get(copy.city) ?? []),
      ...developers.flatMap(({ words }) => words.map((word) => word.sounds)),
    ],
  };
}

const CITY_SOUNDS = new Map(
  CITIES.map(({ slug, name_en, name_ar }) => [
    slug,
    [name_en, name_ar].flatMap((name) => readProjectName(name).words.map(({ sounds }) => sounds)),
  ]),
);

function sharesSource(left: readonly ComparableCopy[], right: readonly ComparableCopy[]): boolean {
  const sources = new Set(left.flatMap(({ copy: { live, source } }) => (live ? [source] : [])));
  return right.some(({ copy: { live, source } }) => live && sources.has(source));
}

interface Pair {
  a: ComparableCopy;
  b: ComparableCopy;
  /** Without those for the developer. */
  points: number;
}

/**
 * Copies with the same license, or that share a developer or a similar-sounding word (at most one consonant differs).
 */
function candidatePairs(known: readonly ComparableCopy[]): Pair[] {
  const pairs: Pair[] = [];
  const blocks = new Map<string, number[]>();
  for (const [index, each] of known.entries()) {
    const others = new Set<number>();
    for (const key of new Set(blockKeys(each))) {
      for (const at of blocks.get(key) ?? []) others.add(at);
      addTo(blocks, key, index);
    }
    for (const at of others) {
      const other = known[at] as ComparableCopy;
      const [a, b] = each.copy.id < other.copy.id ? [each, other] : [other, each];
      const points = mayBeOne(a, b) ? pointsBetween(a, b) : EXCLUDED;
      if (points !== EXCLUDED) pairs.push({ a, b, points });
    }
  }
  return pairs;
}

function* blockKeys({ copy, names }: ComparableCopy): Iterable<string> {
  if (copy.license !== null) yield `license ${copy.license}`;
  if (copy.developer !== null) yield `developer ${copy.developer}`;
  for (const { words } of names)
    for (const { sounds, meaning } of words) {
      if (meaning !== null && words.length > 1) continue;
      const skeleton = skeletonOf(sounds);
      yield skeleton;
      if (skeleton.length > 3)
        for (let at = 0; at < skeleton.length; at++) yield skeleton.slice(0, at) + skeleton.slice(at + 1);
    }
}

const mayBeOne = (a: ComparableCopy, b: ComparableCopy): boolean =>
  !(a.copy.live && b.copy.live && a.copy.source === b.copy.source);

/** Companies that only market projects conflict with several others, and few matches confirm them. */
function findSellers(pairs: readonly Pair[]): Set<number> {
  const against = new Map<number, Set<number>>();
  const confirmed = new Map<number, number>();
  for (const { a, b, points } of pairs) {
    const [left, right] = [a.copy.developer, b.copy.developer];
    if (left === null || right === null || points < SAME_ELSE) continue;
    const likely = developerLikeness(a, b);
    if (likely === 1) for (const each of [left, right]) confirmed.set(each, (confirmed.get(each) ?? 0) + 1);
    if (likely !== -1) continue;
    against.set(left, (against.get(left) ?? new Set()).add(right));
    against.set(right, (against.get(right) ?? new Set()).add(left));
  }
  return new Set(
    [...against].flatMap(([id, others]) =>
      others.size >= SOLD_FOR && others.size > 2 * (confirmed.get(id) ?? 0) ? [id] : [],
    ),
  );
}

const SOLD_FOR = 3;
/** From this score without developers on, a pair is evidence about its developers. */
const SAME_ELSE = 6;

/** Symmetric: the words of the older copy are always matched first. */
function likeness(one: ComparableCopy, other: ComparableCopy, sellers: ReadonlySet<number>): number {
  const [a, b] = one.copy.id < other.copy.id ? [one, other] : [other, one];
  return pointsBetween(a, b) + developerPoints(a, b, sellers);
}

function pointsBetween(a: ComparableCopy, b: ComparableCopy): number {
  const place = placePoints(a.copy, b.copy);
  if (place === EXCLUDED) return EXCLUDED;
  if (a.copy.license !== null && a.copy.license === b.copy.license) return POINTS.license;
  const numbers = numberPoints(a, b);
  return numbers === EXCLUDED ? EXCLUDED : place + numbers + namePoints(a, b);
}

function numberPoints({ numbers: a }: ComparableCopy, { numbers: b }: ComparableCopy): number {
  if (a === b) return 0;
  return (a === '' && b === '1') || (a === '1' && b === '') ? POINTS.first_phase : EXCLUDED;
}

const within = (steps: readonly (readonly [meters: number, points: number])[], meters: number): number =>
  steps.find(([most]) => meters <= most)?.[1] ?? EXCLUDED;

function placePoints(a: ProjectCopy, b: ProjectCopy): number {
  if (a.lat !== null && a.lng !== null && b.lat !== null && b.lng !== null) {
    return within(POINTS.meters, flatMeters({ lat: a.lat, lng: a.lng }, { lat: b.lat, lng: b.lng }));
  }
  if (a.city !== b.city) return EXCLUDED;
  if (a.neighborhood_id !== null && a.neighborhood_id === b.neighborhood_id) return POINTS.neighborhood;
  const [left, right] = [whereabouts(a), whereabouts(b)];
  if (left === null || right === null) return POINTS.unknown_place;
  return within(POINTS.neighborhood_meters, flatMeters(left, right));
}

function whereabouts({ lat, lng, neighborhood_id }: ProjectCopy): LatLng | null {
  if (lat !== null && lng !== null) return { lat, lng };
  return neighborhood_id === null ? null : (NEIGHBORHOODS_BY_ID.get(neighborhood_id)?.center ?? null);
}

function namePoints(a: ComparableCopy, b: ComparableCopy): number {
  const accompanyingSounds = [...a.accompanyingSounds, ...b.accompanyingSounds];
  const excused = (sounds: string): boolean => accompanyingSounds.some((each) => soundLikeness(sounds, each) >= 0.8);
  const likeness = likenessBetween(a.names, b.names, excused);
  if (likeness === null) return 0;
  const points = POINTS.name.find(([least]) => likeness >= least)?.[1] ?? POINTS.other_name;
  return likeness >= MOST_ALIKE && isLong(a) && isLong(b) ? points + POINTS.long_name : points;
}

const isLong = ({ names }: ComparableCopy): boolean =>
  names.every(({ words }) => words.length > 1 && words.reduce((sum, { weight }) => sum + weight, 0) >= LONG_NAME);
const LONG_NAME = 5;

/** The mean over common languages; without one, the highest value over pairs of languages. Null without names. */
function likenessBetween(
  left: readonly ParsedName[],
  right: readonly ParsedName[],
  excused?: (sounds: string) => boolean,
): number | null {
  const all = left.flatMap((a) => right.map((b) => ({ a, b })));
  const common = all.filter(({ a, b }) => a.language === b.language);
  const compared = (common.length > 0 ? common : all).map(({ a, b }) => likenessOfNames(a, b, excused));
  if (compared.length === 0) return null;
  return common.length > 0 ? compared.reduce((sum, each) => sum + each, 0) / compared.length : Math.max(...compared);
}

/** 1 for the same developer, -1 for different ones. */
function developerLikeness(a: ComparableCopy, b: ComparableCopy): number {
  const [left, right] = [a.copy.developer, b.copy.developer];
  if (left === null || right === null) return 0;
  if (left === right) return 1;
  const likeness = likenessBetween(a.developers, b.developers);
  if (likeness === null) return -1;
  if (likeness >= 0.8) return 1;
  if (likeness >= 0.72) return 0;
  // Initials are weak evidence.
  return [...a.developers, ...b.developers].some(({ isAcronym }) => isAcronym) ? 0 : -1;
}

function developerPoints(a: ComparableCopy, b: ComparableCopy, sellers: ReadonlySet<number>): number {
  const likely = developerLikeness(a, b);
  if (likely >= 0) return likely * POINTS.developer;
  return [a, b].some(({ copy }) => copy.developer !== null && sellers.has(copy.developer)) ? 0 : POINTS.other_developer;
}
