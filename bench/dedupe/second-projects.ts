import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { LatLng, Neighborhood } from '#domain/geography/places.ts';
import type { RawProject, RawUnitType } from '#ingest/off-plan/sources/raw.ts';
import { Random, Weighted } from '#ingest/sample/random.ts';
import {
  AFTER,
  abbreviated,
  BEFORE,
  DEVELOPER_BEFORE,
  DEVELOPER_WORDS,
  type Developer,
  developerName,
  GENERIC,
  MARKETERS,
  nameInArabic,
  nameInEnglish,
  PROPER_WORDS,
  type ProjectName,
  TOWER,
} from './project-wording.ts';

/**
 * A generator of off-plan projects and of what several sources say of them. It was written before the code that merges
 * them was looked at, after what Saudi developers, portals and the official list of licenses do.
 */

/** What one copy has that a careful one has not. */
const PROJECT_NOISE = [
  'respelled',
  'translated',
  'generic_word',
  'typo',
  'city_in_name',
  'developer_in_name',
  'phase_unstated',
  'legal_form',
  'developer_abbreviated',
  'marketer',
  'no_developer',
  'no_city',
  'no_neighborhood',
  'next_neighborhood',
  'no_point',
  'point_off',
  'rounded_price',
  'other_delivery',
  'coarse_units',
] as const;
export type ProjectNoise = (typeof PROJECT_NOISE)[number];

/** Why projects of one family invite to be taken for one. */
export type FamilyKind =
  | 'alone'
  | 'phases'
  | 'numbered sisters'
  | 'sisters of other words'
  | 'two cities'
  | 'two developers'
  | 'project and tower';

export interface ProjectCopy {
  source: string;
  raw: RawProject;
  /** Equal for the copies of one project. */
  project: number;
  family: number;
  familyKind: FamilyKind;
  languages: readonly ('en' | 'ar')[];
  noise: readonly ProjectNoise[];
  /** The company that it names as developer, which may be one that only sells; null where it names none, or initials. */
  company: number | null;
}

interface Project {
  id: number;
  name: ProjectName;
  developer: Developer;
  city: string;
  neighborhood: Neighborhood;
  point: LatLng;
  units: RawUnitType[];
  quarter: number;
  year: number;
  status: string;
}

/** A source, and how it is made. */
interface Layout {
  name: string;
  /** The languages of its names; of two, each copy has both. */
  languages: (random: Random) => readonly ('en' | 'ar')[];
  /** The share of its projects with points, and with neighborhoods. */
  points: number;
  neighborhoods: number;
}

const LAYOUTS: readonly Layout[] = [
  { name: 'official_list', languages: () => ['ar'], points: 0.4, neighborhoods: 0.8 },
  { name: 'english_portal', languages: () => ['en'], points: 0.95, neighborhoods: 0.9 },
  { name: 'two_language_portal', languages: () => ['en', 'ar'], points: 0.9, neighborhoods: 0.95 },
  {
    name: 'arabic_portal',
    languages: (random) => (random.chance(0.7) ? ['ar'] : ['en']),
    points: 0.7,
    neighborhoods: 0.9,
  },
];

const CITY_WEIGHTS = new Weighted([
  ['riyadh', 34],
  ['jeddah', 24],
  ['makkah', 8],
  ['madinah', 8],
  ['dammam', 9],
  ['khobar', 8],
  ['taif', 5],
  ['buraidah', 4],
]);
const FAMILIES = new Weighted<FamilyKind>([
  ['alone', 52],
  ['phases', 13],
  ['numbered sisters', 8],
  ['sisters of other words', 9],
  ['two cities', 6],
  ['two developers', 7],
  ['project and tower', 5],
]);
const COPIES = new Weighted([
  [1, 40],
  [2, 40],
  [3, 20],
]);
/** How many kinds of noise a copy has beside its source's manner. */
const AT_ONCE = new Weighted([
  [0, 25],
  [1, 35],
  [2, 25],
  [3, 15],
]);
const DEVELOPERS = 70;
const MARKETED: readonly Developer[] = MARKETERS.map((proper, at) => ({ id: 1_000 + at, before: null, proper }));

export function secondProjects({ projects, seed }: { projects: number; seed: number }): ProjectCopy[] {
  const developers = developersOf(new Random(seed, 0));
  const copies: ProjectCopy[] = [];
  let made = 0;
  for (let family = 1; made < projects; family++) {
    const random = new Random(seed, family);
    const kind = FAMILIES.pick(random);
    for (const project of familyOf(random, kind, developers, () => ++made)) {
      const layouts = LAYOUTS.map((layout) => ({ layout, at: random.next() })).sort((a, b) => a.at - b.at);
      for (const { layout } of layouts.slice(0, COPIES.pick(random)))
        copies.push(copyOf(random, project, layout, family, kind));
    }
  }
  return copies;
}

function developersOf(random: Random): Developer[] {
  return Array.from({ length: DEVELOPERS }, (_, at) => ({
    id: at + 1,
    before: at >= DEVELOPER_WORDS.length || random.chance(0.2) ? random.pick(DEVELOPER_BEFORE) : null,
    proper:
      at < DEVELOPER_WORDS.length
        ? (DEVELOPER_WORDS[at] as (typeof DEVELOPER_WORDS)[number])
        : random.pick(PROPER_WORDS),
  }));
}

function familyOf(random: Random, kind: FamilyKind, developers: readonly Developer[], nextId: () => number): Project[] {
  const first = newProject(random, random.pick(developers), CITY_WEIGHTS.pick(random), nextId());
  const family = [first];
  if (kind === 'phases') {
    first.name = { ...first.name, number: 1, numbered: 'phase' };
    for (let phase = 2, last = random.int(2, 4); phase <= last; phase++)
      family.push({
        ...beside(random, first, random.between(100, 900), nextId()),
        name: { ...first.name, number: phase },
        year: first.year + random.int(0, 1),
      });
  } else if (kind === 'numbered sisters') {
    // Either counted from one, or as a developer counts all that it builds.
    const start = random.chance(0.6) ? 1 : random.int(7, 90);
    first.name = { ...first.name, after: null, number: start, numbered: 'name' };
    for (let more = random.int(1, 2), number = start; more > 0; more--) {
      number += start === 1 ? 1 : random.int(1, 5);
      family.push({ ...beside(random, first, random.between(150, 1_800), nextId()), name: { ...first.name, number } });
    }
  } else if (kind === 'sisters of other words') {
    const afters = AFTER.map((after) => ({ after, at: random.next() })).sort((a, b) => a.at - b.at);
    const [one, ...others] = afters.slice(0, random.int(2, 3)).map(({ after }) => after);
    const plain = { ...first.name, before: null, generic: null };
    first.name = { ...plain, after: one ?? null };
    for (const after of others)
      family.push({ ...beside(random, first, random.between(150, 1_800), nextId()), name: { ...plain, after } });
  } else if (kind === 'two cities') {
    const same = random.chance(0.7) ? first.developer : random.pick(developers);
    let city = first.city;
    while (city === first.city) city = CITY_WEIGHTS.pick(random);
    family.push({ ...newProject(random, same, city, nextId()), name: first.name });
  } else if (kind === 'two developers') {
    let other = first.developer;
    while (other.id === first.developer.id) other = random.pick(developers);
    const near = random.chance(0.3);
    const second = near
      ? beside(random, first, random.between(400, 2_500), nextId())
      : newProject(random, other, first.city, nextId());
    family.push({ ...second, developer: other, name: first.name });
  } else if (kind === 'project and tower') {
    first.name = { ...first.name, before: null, after: null, generic: null };
    family.push({
      ...beside(random, first, random.between(50, 400), nextId()),
      name: { ...first.name, before: TOWER },
      units: unitsOf(random, ['apartment']),
    });
    first.units = unitsOf(random, ['villa', 'townhouse']);
  }
  return family;
}

function newProject(random: Random, developer: Developer, city: string, id: number): Project {
  const neighborhood = random.pick(neighborhoodsOf(city).filter(({ center }) => center !== null));
  return {
    id,
    name: {
      before: random.chance(0.35) ? random.pick(BEFORE) : null,
      proper: random.pick(PROPER_WORDS),
      after: random.chance(0.2) ? random.pick(AFTER) : null,
      generic: random.chance(0.3) ? random.pick(GENERIC) : null,
      number: null,
      numbered: 'name',
    },
    developer,
    city,
    neighborhood,
    point: off(random, neighborhood.center as LatLng, random.between(0, 700)),
    units: unitsOf(random, random.pick([['apartment'], ['villa'], ['apartment', 'villa'], ['villa', 'townhouse']])),
    quarter: random.int(1, 4),
    year: random.int(2026, 2029),
    status: random.pick(['planned', 'off plan', 'off plan', 'ready']),
  };
}

/** Another project of the same developer, so many meters away. */
function beside(random: Random, first: Project, meters: number, id: number): Project {
  const fresh = newProject(random, first.developer, first.city, id);
  const point = off(random, first.point, meters);
  return { ...fresh, point, neighborhood: first.neighborhood };
}

const BASE_PRICES: Readonly<Record<string, number>> = {
  apartment: 5_600,
  villa: 6_400,
  townhouse: 5_900,
  duplex: 6_000,
};

function unitsOf(random: Random, types: readonly string[]): RawUnitType[] {
  return types.flatMap((property_type) => {
    const least = property_type === 'apartment' ? random.int(1, 2) : random.int(3, 4);
    const meter = (BASE_PRICES[property_type] ?? 6_000) * random.spread(0.25);
    return Array.from({ length: random.int(1, 3) }, (_, at): RawUnitType => {
      const bedrooms = least + at;
      const area = Math.round((property_type === 'apartment' ? 38 : 60) * (bedrooms + random.between(0.4, 1.2)));
      const upper = Math.round(area * random.between(1.05, 1.3));
      return {
        property_type,
        bedrooms,
        area_min: area,
        area_max: upper,
        price_min: Math.round((area * meter) / 1_000) * 1_000,
        price_max: Math.round((upper * meter) / 1_000) * 1_000,
      };
    });
  });
}

const METERS_A_DEGREE = 111_195;

function off(random: Random, { lat, lng }: LatLng, meters: number): LatLng {
  const way = random.between(0, 2 * Math.PI);
  const north = (meters * Math.cos(way)) / METERS_A_DEGREE;
  const east = (meters * Math.sin(way)) / (METERS_A_DEGREE * Math.cos((lat * Math.PI) / 180));
  return { lat: Number((lat + north).toFixed(6)), lng: Number((lng + east).toFixed(6)) };
}

/** The noise that a copy may have; what tells a project from its sisters is not put into another's name. */
const COMMON: readonly (readonly [ProjectNoise, number])[] = [
  ['translated', 8],
  ['generic_word', 14],
  ['typo', 7],
  ['city_in_name', 6],
  ['developer_in_name', 6],
  ['developer_abbreviated', 4],
  ['marketer', 8],
  ['no_developer', 5],
  ['no_city', 5],
  ['no_neighborhood', 8],
  ['next_neighborhood', 8],
  ['no_point', 8],
  ['point_off', 14],
  ['rounded_price', 10],
  ['other_delivery', 8],
  ['coarse_units', 6],
];
const KINDS = new Weighted(COMMON);
/** How often a copy of a first phase, announced before there was a second, does not say that it is one. */
const FIRST_PHASE_UNSTATED = 0.12;

function copyOf(random: Random, project: Project, layout: Layout, family: number, familyKind: FamilyKind): ProjectCopy {
  const noise = new Set<ProjectNoise>();
  for (let count = AT_ONCE.pick(random); count > 0; count--) noise.add(KINDS.pick(random));
  if (random.chance(0.65)) noise.add('respelled');
  if (random.chance(0.6)) noise.add('legal_form');
  if (familyKind === 'phases' && project.name.number === 1 && random.chance(FIRST_PHASE_UNSTATED))
    noise.add('phase_unstated');
  // A tower of a project is told from it by that word.
  if (familyKind === 'project and tower') for (const kind of ['generic_word', 'no_city'] as const) noise.delete(kind);
  if (familyKind === 'two cities') noise.delete('no_city');
  const languages = layout.languages(random);
  const place = placeOf(random, project, layout, noise);
  const units = unitsSeen(random, project.units, noise);
  const names = namesOf(random, project, languages, noise);
  const { company, ...developers } = developersSeen(random, project, languages, noise);
  const prices = priceRange(random, project.units, noise);
  const id = `${layout.name.slice(0, 2)}-${random.int(100_000, 999_999)}-${project.id}`;
  const raw: RawProject = {
    source_project_id: id,
    ...names,
    ...developers,
    ...place,
    ...prices,
    status: project.status,
    unit_types: units,
    delivery: deliveryOf(random, project, noise),
    photos: [`https://photos.invalid/${layout.name}/${id}.jpg`],
  };
  return { source: layout.name, raw, project: project.id, family, familyKind, languages, noise: [...noise], company };
}

function namesOf(
  random: Random,
  project: Project,
  languages: readonly ('en' | 'ar')[],
  noise: ReadonlySet<ProjectNoise>,
): Partial<RawProject> {
  const city = CITIES.find(({ slug }) => slug === project.city);
  const { name } = project;
  const generic = noise.has('generic_word') ? (name.generic ? null : random.pick(GENERIC)) : name.generic;
  const how = {
    respelled: noise.has('respelled'),
    translated: noise.has('translated') || (name.before === TOWER && random.chance(0.6)),
    typo: noise.has('typo'),
    phaseUnstated: noise.has('phase_unstated'),
    city: noise.has('city_in_name') && city ? { ar: city.name_ar, en: city.name_en } : null,
    developer: noise.has('developer_in_name') ? project.developer : null,
  };
  const written = { ...name, generic };
  if (languages.length > 1)
    return { name_en: nameInEnglish(random, written, how), name_ar: nameInArabic(random, written, how) };
  return { name: languages[0] === 'en' ? nameInEnglish(random, written, how) : nameInArabic(random, written, how) };
}

function developersSeen(
  random: Random,
  project: Project,
  languages: readonly ('en' | 'ar')[],
  noise: ReadonlySet<ProjectNoise>,
): Partial<RawProject> & Pick<ProjectCopy, 'company'> {
  if (noise.has('no_developer')) return { company: null };
  const developer = noise.has('marketer') ? random.pick(MARKETED) : project.developer;
  if (noise.has('developer_abbreviated')) return { developer: abbreviated(developer), company: null };
  const how = { respelled: noise.has('respelled'), legal: noise.has('legal_form') };
  if (languages.length > 1)
    return {
      company: developer.id,
      developer_en: developerName(random, developer, 'en', how),
      developer_ar: developerName(random, developer, 'ar', how),
    };
  return { company: developer.id, developer: developerName(random, developer, languages[0] as 'en' | 'ar', how) };
}

function placeOf(random: Random, project: Project, layout: Layout, noise: Set<ProjectNoise>): Partial<RawProject> {
  const { point, city } = project;
  const arabic = layout.name !== 'english_portal';
  const given = random.chance(layout.points) || noise.has('point_off') || noise.has('no_city');
  if (!given) noise.add('no_point');
  if (noise.has('no_city')) noise.delete('no_point');
  const shown = noise.has('no_point')
    ? null
    : off(random, point, noise.has('point_off') ? random.between(50, 900) : random.between(0, 40));
  if (shown === null) noise.delete('point_off');
  if (!random.chance(layout.neighborhoods)) noise.add('no_neighborhood');
  if (noise.has('no_neighborhood')) noise.delete('next_neighborhood');
  const neighborhood = noise.has('no_neighborhood')
    ? null
    : noise.has('next_neighborhood')
      ? nextTo(random, project.neighborhood)
      : project.neighborhood;
  const known = CITIES.find(({ slug }) => slug === city);
  return {
    city: noise.has('no_city') ? null : arabic ? known?.name_ar : known?.name_en,
    neighborhood: neighborhood === null ? null : arabic ? neighborhood.name_ar : neighborhood.name_en,
    ...(shown ?? {}),
  };
}

/** One of the three nearest neighborhoods. */
function nextTo(random: Random, { id, city, center }: Neighborhood): Neighborhood {
  const from = center as LatLng;
  const near = neighborhoodsOf(city)
    .filter((each) => each.id !== id && each.center !== null)
    .map((each) => ({ each, far: Math.hypot(...between(each.center as LatLng, from)) }))
    .sort((a, b) => a.far - b.far);
  return (random.pick(near.slice(0, 3)) as { each: Neighborhood }).each;
}

const between = (a: LatLng, b: LatLng): [number, number] => [
  a.lat - b.lat,
  (a.lng - b.lng) * Math.cos((a.lat * Math.PI) / 180),
];

function priceRange(
  random: Random,
  units: readonly RawUnitType[],
  noise: ReadonlySet<ProjectNoise>,
): Partial<RawProject> {
  const least = Math.min(...units.map(({ price_min }) => Number(price_min)));
  const most = Math.max(...units.map(({ price_max }) => Number(price_max)));
  if (!noise.has('rounded_price')) return { price_min: least, price_max: most };
  const step = random.pick([50_000, 100_000]);
  const from = Math.max(step, Math.floor(least / step) * step);
  return random.chance(0.4) ? { price_min: from } : { price_min: from, price_max: Math.ceil(most / step) * step };
}

function deliveryOf(random: Random, { quarter, year }: Project, noise: ReadonlySet<ProjectNoise>): string | null {
  if (!noise.has('other_delivery')) return `Q${quarter} ${year}`;
  if (random.chance(0.4)) return null;
  const moved = quarter + random.pick([-1, 1, 2]);
  const [shownQuarter, shownYear] = moved < 1 ? [4, year - 1] : moved > 4 ? [moved - 4, year + 1] : [moved, year];
  return random.chance(0.5)
    ? `Q${shownQuarter} ${shownYear}`
    : `${shownYear}-${String(shownQuarter * 3).padStart(2, '0')}-28`;
}

function unitsSeen(random: Random, units: readonly RawUnitType[], noise: ReadonlySet<ProjectNoise>): RawUnitType[] {
  if (!noise.has('coarse_units')) return [...units];
  if (random.chance(0.3)) return [];
  return units.slice(0, Math.max(1, units.length - 1)).map(({ property_type, bedrooms, area_min, price_min }) => ({
    property_type: property_type ?? null,
    ...(random.chance(0.7) ? { bedrooms: bedrooms ?? null } : {}),
    area: Math.round(Number(area_min) / 10) * 10,
    price: Math.round(Number(price_min) / 50_000) * 50_000,
  }));
}
