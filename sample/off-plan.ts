import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { METERS_PER_DEGREE, metersPerDegreeEast } from '#domain/geography/distance.ts';
import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { City, LatLng, Neighborhood } from '#domain/geography/places.ts';
import { PROPERTY_TYPE_TABLE, type PropertyType } from '#domain/listings/vocabulary.ts';
import {
  PROJECT_BANK_NAMES,
  PROJECT_BANKS,
  PROJECT_FEATURE_NAMES,
  PROJECT_FEATURES,
  PROJECT_STATUSES,
  type ProjectBank,
  type ProjectFeature,
  type ProjectStatus,
} from '#domain/off-plan/vocabulary.ts';
import { FeedFiles, type FileFormat } from './feed-files.ts';
import { looseSpelling } from './formats.ts';
import { moved, pricePerSqm, roundPrice } from './market.ts';
import phrases from './phrases.json' with { type: 'json' };
import { projectPicture, streetPicture } from './pictures.ts';
import { Random } from './random.ts';

/** Options of the off-plan sample: projects of invented developers on two sources, with units in two feeds. */
export interface OffPlanSampleOptions {
  /** The folder of the sample. */
  dir: string;
  seed: number;
  /** The days of the sample's feeds, `YYYY-MM-DD`. */
  days: readonly string[];
  /** Public URL of the photos, without a trailing slash. */
  hostUrl: string;
  projects?: number;
  /** Approximate number of units. */
  units?: number;
}

/** The true project of a copy or a unit. */
export interface OffPlanTruth {
  kind: 'project' | 'unit';
  source: string;
  id: string;
  /** Equal for the copies and the units of one project. */
  project: number;
}

export const OFF_PLAN_TRUTH = 'off-plan-truth.ndjson';
export const OFF_PLAN_MANIFEST = 'off-plan.json';

const { projects: names } = phrases;

const PROJECTS = 70;
const UNITS = 1_800;

/** Relative number of projects by city. */
const CITY_WEIGHTS = { riyadh: 22, jeddah: 14, khobar: 8, dammam: 8, makkah: 7, madinah: 7 };
const SLOTS = Object.entries(CITY_WEIGHTS).flatMap(([slug, weight]) => Array.from({ length: weight }, () => slug));
/** Minimum number of neighborhoods per city among which projects are distributed. */
const PLACES = 12;

interface Name {
  en: string;
  ar: string;
}

interface UnitKind {
  type: PropertyType;
  bedrooms: number | null;
  /** Square meters. */
  area: number;
  /** Price level relative to an apartment. */
  perSqm: number;
}

const flat = (bedrooms: number): UnitKind => ({ type: 'apartment', bedrooms, area: 45 + bedrooms * 30, perSqm: 1 });
const house = (type: PropertyType, bedrooms: number, area: number): UnitKind => {
  return { type, bedrooms, area, perSqm: 1.08 };
};
const KINDS: readonly (readonly UnitKind[])[] = [
  [flat(1), flat(2), flat(3), flat(4)],
  [flat(2), flat(3), flat(4)],
  [house('villa', 4, 280), house('villa', 5, 330), house('townhouse', 3, 210), house('townhouse', 4, 240)],
  [house('villa', 5, 320), house('villa', 6, 380), house('duplex', 4, 250), house('duplex', 5, 280)],
  [
    { type: 'office', bedrooms: null, area: 110, perSqm: 1.2 },
    { type: 'shop', bedrooms: null, area: 65, perSqm: 1.7 },
  ],
];
const COMMERCIAL = KINDS.length - 1;

interface SampleProject {
  number: number;
  name: Name;
  phase: number | null;
  developer: Name;
  city: City;
  place: Neighborhood;
  point: LatLng;
  perSqm: number;
  status: ProjectStatus;
  delivery: { year: number; quarter: number };
  kinds: readonly UnitKind[];
  features: readonly ProjectFeature[];
  banks: readonly ProjectBank[];
  plan: readonly [number, number, number];
  license: string;
  rents: boolean;
  /** Ids of the project in the two feeds of projects; null in a feed that does not list it. */
  masar: string | null;
  dalil: string | null;
  /** Index of the first day whose feeds list the project, and indexes of later days whose feeds omit it. */
  from: number;
  missing: ReadonlySet<number>;
}

/** Writes the feeds of projects and of units, the truth file, and finally the manifest. Depends only on the options. */
export function generateOffPlanSample(options: OffPlanSampleOptions): void {
  const { dir, seed, days, hostUrl, projects: count = PROJECTS, units: unitCount = UNITS } = options;
  const random = new Random(seed, 0x0ff0_91a4);
  const projects = makeProjects(random, count, days.length);
  const photos = (project: number, copy = 0, street = project): string[] => [
    projectPicture(hostUrl, project, copy),
    streetPicture(hostUrl, street),
  ];
  const truth: OffPlanTruth[] = [];
  const files = new FeedFiles();
  const write = (folder: string, format: FileFormat, day: string, row: Record<string, unknown>): void =>
    files.write(join(dir, folder), format, day, row);
  for (const folder of ['project-feeds', 'feeds/masar_projects', 'feeds/bayt_jadid'])
    rmSync(join(dir, folder), { recursive: true, force: true });
  try {
    for (const project of projects) {
      const masar = project.masar === null ? null : masarRow(random, project, photos(project.number));
      const dalil = project.dalil === null ? null : dalilRow(random, project, photos(project.number, 1));
      for (const [step, day] of days.entries()) {
        if (step < project.from || project.missing.has(step)) continue;
        if (masar)
          write('project-feeds/masar_projects', NDJSON, day, { ...masar, modified: `${days[project.from]}T06:00:00Z` });
        if (dalil) write('project-feeds/dalil_mashari', SEMICOLONS, day, dalil);
      }
      const copies = { masar_projects: project.masar, dalil_mashari: project.dalil };
      for (const [source, id] of Object.entries(copies))
        if (id !== null) truth.push({ kind: 'project', source, id, project: project.number });
      const own = Math.max(
        6,
        Math.round((unitCount / count) * (project.number === 1 ? 1.5 : random.between(0.8, 1.2))),
      );
      for (const { source, format, id, row } of unitsOf(random, project, own, (unit) =>
        photos(project.number, 0, project.number * 7 + unit),
      )) {
        truth.push({ kind: 'unit', source, id, project: project.number });
        for (const day of days.slice(project.from)) write(`feeds/${source}`, format, day, row);
      }
    }
  } finally {
    files.close();
  }
  writeFileSync(join(dir, OFF_PLAN_TRUTH), `${truth.map((fact) => JSON.stringify(fact)).join('\n')}\n`);
  const manifest = { seed, projects: projects.length, units: truth.filter(({ kind }) => kind === 'unit').length };
  writeFileSync(join(dir, OFF_PLAN_MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

const NDJSON: FileFormat = { kind: 'ndjson' };
const COMMAS: FileFormat = { kind: 'csv', delimiter: ',' };
const SEMICOLONS: FileFormat = { kind: 'csv', delimiter: ';' };

function makeProjects(random: Random, count: number, steps: number): SampleProject[] {
  const projects: SampleProject[] = [];
  const taken = new Set<string>();
  for (let number = 1; number <= count; number++) {
    const slug = number === 1 ? 'riyadh' : (SLOTS[(number * 29) % SLOTS.length] as string);
    const city = CITIES.find((each) => each.slug === slug) as City;
    const places = neighborhoodsOf(slug)
      .filter(({ center }) => center !== null)
      .slice(0, Math.max(PLACES, Math.ceil(count / 20)));
    const before = projects.at(-1);
    // A second phase next to the first, by the same developer.
    const second = before !== undefined && before.phase === 1;
    const name = freeName(random, slug, taken);
    const example = number === 1;
    const place = example ? (places[1] as Neighborhood) : random.pick(places);
    const residential = random.int(0, COMMERCIAL - 1);
    const both = example || random.chance(0.42);
    const onMasar = both || random.chance(0.6);
    const from = example ? 0 : Math.min(steps - 1, Math.floor(random.next() * steps * 0.7));
    const status = example
      ? 'under_construction'
      : (PROJECT_STATUSES[Math.floor(random.next() * 2.6)] as ProjectStatus);
    const year = status === 'completed' ? 2026 : status === 'planned' ? random.int(2028, 2030) : random.int(2027, 2028);
    const phased = !second && !example && random.chance(0.12);
    projects.push({
      number,
      ...(second
        ? {
            name: before.name,
            city: before.city,
            place: before.place,
            point: moved(random, before.point, random.between(350, 800)),
            developer: before.developer,
            perSqm: before.perSqm,
          }
        : {
            name,
            city,
            place,
            point: moved(random, place.center as LatLng, random.between(50, 700)),
            developer: names.developers[example ? 0 : number % names.developers.length] as Name,
            perSqm: pricePerSqm(slug) * random.spread(0.06),
          }),
      phase: second ? 2 : phased ? 1 : null,
      status,
      delivery: { year, quarter: random.int(1, 4) },
      kinds: example ? (KINDS[0] as UnitKind[]) : (KINDS[random.chance(0.1) ? COMMERCIAL : residential] as UnitKind[]),
      features: PROJECT_FEATURES.filter((each) => (example && EXAMPLE_FEATURES.has(each)) || random.chance(0.35)),
      banks: PROJECT_BANKS.filter((each) => (example && each === 'al_rajhi_bank') || random.chance(0.4)),
      plan: random.pick([
        [10, 50, 40],
        [20, 60, 20],
        [5, 45, 50],
        [30, 40, 30],
      ] as const),
      license: `71${String(random.int(0, 99_999_999)).padStart(8, '0')}`,
      rents: !example && random.chance(0.15),
      masar: onMasar ? `MP-${10_000 + number}` : null,
      dalil: both || !onMasar ? String(4_000 + number) : null,
      from,
      missing: missingSteps(random, number, from, steps),
    });
  }
  return projects;
}

/** Returns an unused project name in the city. */
function freeName(random: Random, city: string, taken: Set<string>): Name {
  for (let tries = 0; tries < 1_000; tries++) {
    const [first, last] = [random.pick(names.first), random.pick(names.last)];
    const name = { en: `${first.en} ${last.en}`, ar: `${first.ar} ${last.ar}` };
    const key = `${city} ${name.en}`;
    if (taken.has(key)) continue;
    taken.add(key);
    return name;
  }
  throw new Error(`${city} has no more names for projects`);
}

const EXAMPLE_FEATURES: ReadonlySet<ProjectFeature> = new Set<ProjectFeature>(['mosque', 'park']);

/** Selects the days that omit a project: a few projects are withdrawn on the last day or missing for one day. */
function missingSteps(random: Random, number: number, from: number, steps: number): ReadonlySet<number> {
  const mark = random.next();
  if (number === 1 || steps < 3 || from >= steps - 2) return new Set();
  return new Set(mark < 0.04 ? [steps - 1] : mark < 0.08 ? [steps - 2] : []);
}

/** Returns an irregular ring around a point. Unless `sound`, some overshoot at a corner or cross themselves. */
function ring(random: Random, center: LatLng, sound: boolean): [lng: number, lat: number][] {
  const corners = random.int(5, 8);
  const at = (angle: number, meters: number): [number, number] => [
    Math.round((center.lng + (Math.cos(angle) * meters) / metersPerDegreeEast(center.lat)) * 1e6) / 1e6,
    Math.round((center.lat + (Math.sin(angle) * meters) / METERS_PER_DEGREE) * 1e6) / 1e6,
  ];
  const radius = random.between(90, 240);
  const points = Array.from({ length: corners }, (_, corner) =>
    at((corner / corners) * 2 * Math.PI, radius * random.between(0.85, 1.15)),
  );
  const mark = random.next();
  if (!sound && mark < 0.03)
    points.splice(0, corners, ...[1, 5, 3, 7].map((eighth) => at((eighth / 4) * Math.PI, radius)));
  else if (!sound && mark < 0.08) {
    const [lng, lat] = points[0] as [number, number];
    points.splice(1, 0, [lng + 2e-5, lat + 6e-5], [lng - 3e-5, lat + 3e-5], [lng + 3e-5, lat + 3e-5]);
  }
  points.push(points[0] as [number, number]);
  return points;
}

interface Range {
  low: number;
  high: number;
}

const areasOf = ({ area }: UnitKind): Range => ({ low: Math.round(area * 0.9), high: Math.round(area * 1.2) });
const pricesOf = (kind: UnitKind, { perSqm }: SampleProject): Range => {
  const { low, high } = areasOf(kind);
  return { low: roundPrice(low * perSqm * kind.perSqm, 'sale'), high: roundPrice(high * perSqm * kind.perSqm, 'sale') };
};

function masarRow(random: Random, project: SampleProject, gallery: string[]): Record<string, unknown> {
  const { name, phase, developer, point, delivery, plan } = project;
  const sound = project.number === 1;
  const prices = project.kinds.map((kind) => pricesOf(kind, project));
  const suffix = phase === null ? ['', ''] : [` Phase ${phase}`, ` ${PHASES_AR[phase]}`];
  return {
    project_no: project.masar,
    name: {
      en: `${name.en}${suffix[0]}`,
      ar: !sound && random.chance(0.1) ? null : `${random.chance(0.3) ? 'مشروع ' : ''}${name.ar}${suffix[1]}`,
    },
    developer: {
      en: `${developer.en}${random.pick(['', ' Development', ' Real Estate', ' Development Company'])}`,
      ar: `${random.pick(['', 'شركة '])}${developer.ar}${random.pick(['', ' للتطوير العقاري', ' العقارية'])}`,
    },
    stage: { planned: 'Coming soon', under_construction: 'Off plan', completed: 'Ready' }[project.status],
    location: { city: project.city.name_en, district: project.place.name_en, lat: point.lat, lng: point.lng },
    boundary: { type: 'Polygon', coordinates: [ring(random, point, sound)] },
    price_range: {
      from: Math.min(...prices.map(({ low }) => low)),
      to: Math.max(...prices.map(({ high }) => high)),
    },
    units: project.kinds.map((kind, at) => ({
      kind: PROPERTY_TYPE_TABLE[kind.type].name_en,
      bedrooms: kind.bedrooms,
      bathrooms: bathroomsOf(kind),
      area_from: areasOf(kind).low,
      area_to: areasOf(kind).high,
      price_from: prices[at]?.low,
      price_to: prices[at]?.high,
    })),
    handover: `Q${delivery.quarter} ${delivery.year}`,
    payment_plan: { down: plan[0], construction: plan[1], handover: plan[2] },
    facilities: project.features.map((feature) => PROJECT_FEATURE_NAMES[feature].name_en),
    unit_amenities: ['Air conditioning', 'Fitted kitchen', 'Parking'],
    financed_by: project.banks.map((bank) => PROJECT_BANK_NAMES[bank].name_en),
    license: random.chance(0.6) ? project.license : null,
    about: {
      en: `${name.en} is a development by ${developer.en} in ${project.place.name_en}, ${project.city.name_en}.`,
      ar: `مشروع ${name.ar} من ${developer.ar} في حي ${project.place.name_ar} بمدينة ${project.city.name_ar}.`,
    },
    gallery,
  };
}

const PHASES_AR: Readonly<Record<number, string>> = { 1: 'المرحلة الأولى', 2: 'المرحلة الثانية' };
const QUARTERS_AR = ['الأول', 'الثاني', 'الثالث', 'الرابع'];

function dalilRow(random: Random, project: SampleProject, photos: string[]): Record<string, unknown> {
  const { name, phase, developer, delivery, plan } = project;
  const example = project.number === 1;
  const point = moved(random, project.point, random.between(0, 200));
  const coordinates = ring(random, point, example);
  const withPoint = example || random.chance(0.92);
  const spelled = random.chance(0.4) ? casual(name.ar) : name.ar;
  const prices = project.kinds.map((kind) => pricesOf(kind, project));
  return {
    'رقم المشروع': project.dalil,
    'اسم المشروع': `${random.chance(0.4) ? 'مشروع ' : ''}${spelled}${phase === null ? '' : random.chance(0.5) ? ` ${phase}` : ` ${PHASES_AR[phase]}`}`,
    المطور: `${random.pick(['', 'شركة ', 'مجموعة '])}${developer.ar}${random.pick(['', ' العقارية', ' للتطوير والاستثمار العقاري'])}`,
    الحالة: { planned: 'قريباً', under_construction: 'على الخارطة', completed: 'جاهز' }[project.status],
    المدينة: project.city.name_ar,
    الحي: `حي ${project.place.name_ar}`,
    'خط العرض': withPoint ? point.lat : '',
    'خط الطول': withPoint ? point.lng : '',
    'حدود المشروع': withPoint && (example || random.chance(0.7)) ? wkt(coordinates) : '',
    'السعر من': Math.min(...prices.map(({ low }) => low)),
    'السعر إلى': Math.max(...prices.map(({ high }) => high)),
    'نماذج الوحدات': project.kinds
      .map((kind, at) =>
        [
          PROPERTY_TYPE_TABLE[kind.type].name_ar,
          kind.bedrooms ?? '',
          bathroomsOf(kind) ?? '',
          `${areasOf(kind).low}-${areasOf(kind).high}`,
          `${prices[at]?.low}-${prices[at]?.high}`,
        ].join('،'),
      )
      .join('|'),
    'موعد التسليم': `الربع ${QUARTERS_AR[delivery.quarter - 1]} ${delivery.year}`,
    'خطة الدفع': plan.map((share) => `${share}%`).join('/'),
    المزايا: project.features.map((feature) => PROJECT_FEATURE_NAMES[feature].name_ar).join('،'),
    'مرافق الوحدات': 'تكييف،مطبخ راكب،مصعد',
    'جهات التمويل': project.banks.map((bank) => PROJECT_BANK_NAMES[bank].name_ar).join('،'),
    'رقم الترخيص': random.chance(0.5) ? project.license : '',
    الوصف: `${name.ar} بحي ${project.place.name_ar}، وحدات بمساحات متنوعة وضمانات على الهيكل الإنشائي.`,
    الصور: photos.join(' '),
  };
}

const wkt = (coordinates: readonly (readonly [number, number])[]): string =>
  `POLYGON((${coordinates.map(([lng, lat]) => `${lng} ${lat}`).join(', ')}))`;

/** Converts text to informal spelling, with confused endings. */
const casual = (text: string): string => looseSpelling(text).replaceAll('ى', 'ي');

const bathroomsOf = ({ type, bedrooms }: UnitKind): number | null =>
  bedrooms === null
    ? type === 'office'
      ? 1
      : null
    : Math.max(1, bedrooms === 1 ? 1 : bedrooms - 1 + (bedrooms > 4 ? 1 : 0));

/** A unit in the feed that lists it: by the project's reference, or by its name. */
interface UnitRow {
  source: string;
  format: FileFormat;
  id: string;
  row: Record<string, unknown>;
}

/** Yields units that differ in floor, rooms or size: equal units would be one home offered twice. */
function* unitsOf(
  random: Random,
  project: SampleProject,
  count: number,
  photosOf: (unit: number) => string[],
): Generator<UnitRow> {
  const { name, place, city, phase, developer } = project;
  const alike = new Map<string, number>();
  for (let at = 0; at < count; at++) {
    const number = at + 1;
    const kind = project.kinds[at % project.kinds.length] as UnitKind;
    const { bedrooms } = kind;
    const type = PROPERTY_TYPE_TABLE[kind.type];
    const rent = project.rents && random.chance(0.5);
    const floor =
      kind.type === 'apartment' || kind.type === 'office' ? 1 + (Math.floor(at / project.kinds.length) % 8) : null;
    const group = `${kind.type} ${bedrooms} ${floor} ${rent}`;
    const before = alike.get(group) ?? 0;
    alike.set(group, before + 1);
    const area = Math.round(kind.area * 0.9 * 1.05 ** before + (floor ?? 0));
    const sale = area * project.perSqm * kind.perSqm * random.between(0.97, 1.03);
    const price = rent ? roundPrice(sale * 0.06, 'rent') : roundPrice(sale, 'sale');
    const byReference = project.masar !== null && random.chance(0.8);
    const { lat, lng } = moved(random, project.point, random.between(0, 60));
    const title = `${type.name_ar} ${rent ? 'للإيجار' : 'للبيع'} وحدة رقم ${number} في ${name.ar}`;
    const text = [
      `${type.name_ar} رقم ${number}${floor === null ? '' : ` الدور ${floor}`} بمساحة ${area} م²`,
      ...(bedrooms === null ? [] : [`${bedrooms} غرف نوم`]),
      `ضمن مشروع ${name.ar} في حي ${place.name_ar}`,
    ].join('، ');
    const photos = photosOf(at);
    const id = `${byReference ? 'U' : ''}${project.number * 1_000 + number}`;
    if (byReference) {
      const row = {
        unit_no: id,
        project_no: project.masar,
        title,
        description: text,
        offer: rent ? 'for rent' : 'for sale',
        kind: type.name_en,
        price,
        area,
        bedrooms,
        bathrooms: bathroomsOf(kind),
        living_rooms: bedrooms === null ? null : 1,
        floor,
        amenities: ['Air conditioning', 'Parking'],
        location: { city: city.name_en, district: place.name_en, lat, lng },
        photos,
      };
      yield { source: 'masar_projects', format: NDJSON, id, row };
    } else {
      const row = {
        id,
        title,
        text,
        offer: rent ? 'للإيجار' : 'للبيع',
        type: type.name_ar,
        price,
        area,
        rooms: bedrooms,
        baths: bathroomsOf(kind),
        floor,
        features: 'تكييف،موقف سيارات',
        city: city.name_ar,
        district: place.name_ar,
        lat,
        lng,
        project: `${number % 2 === 0 ? 'مشروع ' : ''}${name.ar}${phase === null ? '' : ` ${PHASES_AR[phase]}`}`,
        developer: number % 3 === 0 ? '' : `شركة ${developer.ar}`,
        images: photos.join('|'),
        advertiser: 'مكتب عقاري',
      };
      yield { source: 'bayt_jadid', format: COMMAS, id, row };
    }
  }
}
