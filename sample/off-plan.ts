import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { METERS_PER_DEGREE, metersPerDegreeEast } from '#domain/geography/distance.ts';
import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { City, LatLng, Neighborhood } from '#domain/geography/places.ts';
import { PROPERTY_TYPE_TABLE, type PropertyType } from '#domain/listing-vocabulary.ts';
import * as v from '#domain/off-plan/project-vocabulary.ts';
import { feedOf } from './feeds.ts';
import { type FileFormat, TextFiles, writeLine } from './files.ts';
import { plainAd, type SampleOptions } from './generate.ts';
import { APARTMENT, moved, type Property, posted, pricePerSqm } from './homes.ts';
import tables from './off-plan.json' with { type: 'json' };
import phrases from './phrases.json' with { type: 'json' };
import { projectPicture, streetPicture } from './pictures.ts';
import { Random, weighted } from './random.ts';
import { looseSpelling, TYPES_AR } from './words.ts';

export const OFF_PLAN_MANIFEST = 'off-plan.json';

const PLACES = 12;
const CITY_SLUGS = weighted(tables.cities);
/** The usual area, and the price per square meter relative to that of the city. */
type UnitKind = readonly [type: PropertyType, bedrooms: number | null, area: number, perSqm: number];
/** Kinds of units that projects have together; the last are commercial. */
const KINDS = tables.kinds as unknown as readonly (readonly UnitKind[])[];

/** Shared by the phases of a project. */
interface Site {
  name: string[];
  phase: number;
  developer: string[];
  city: City;
  place: Neighborhood;
  point: LatLng;
  perSqm: number;
}
type Project = ReturnType<typeof makeProject>;

/** The manifest is written last. */
export function generateOffPlanSample(
  { dir, seed, hostUrl, days }: Pick<SampleOptions, 'dir' | 'seed' | 'hostUrl'> & { days: readonly string[] },
  { projects: count = 70, units = 1_800 } = {},
): void {
  const random = new Random(seed, 0x0ff0_91a4);
  const files = new TextFiles();
  /** Writes a row to the feeds of the days on which the project is listed. */
  const write = (folder: string, from: number, format: FileFormat, row: Record<string, unknown>) => {
    for (const day of days.slice(from)) writeLine(files, join(dir, folder), format, day, row);
  };
  for (const folder of ['project-feeds', 'feeds/masar_projects', 'feeds/bayt_jadid'])
    rmSync(join(dir, folder), { recursive: true, force: true });
  const taken = new Set<string>();
  let before: Site | undefined;
  for (let number = 1; number <= count; number++) {
    const project = makeProject(random, number, count, days.length, taken, before);
    before = project;
    const { masar, dalil, from, name, place } = project;
    const pictures = (copy: number) => [projectPicture(hostUrl, number, copy), streetPicture(hostUrl, number)];
    if (masar !== null) {
      const row = { ...masarRow(random, project), gallery: pictures(0), modified: `${days[from]}T06:00:00Z` };
      write('project-feeds/masar_projects', from, { kind: 'ndjson' }, row);
    }
    if (dalil !== null) {
      const row = { ...dalilRow(random, project), الصور: pictures(1).join(' ') };
      write('project-feeds/dalil_mashari', from, { kind: 'csv', delimiter: ';' }, row);
    }
    const own = Math.max(6, Math.round((units / count) * (number === 1 ? 1.5 : random.between(0.8, 1.2))));
    for (const [at, property] of unitsOf(random, project, own).entries()) {
      const byId = property.project?.id !== undefined;
      const layout = feedOf(byId ? 'masar_projects' : 'bayt_jadid');
      const id = `${byId ? 'U' : ''}${property.id}`;
      const type = TYPES_AR[property.property_type];
      const title = `${type} ${property.listing_type === 'rent' ? 'للإيجار' : 'للبيع'} وحدة رقم ${at + 1} في ${name[1]}`;
      const description = `${type} رقم ${at + 1} بمساحة ${property.area} م²، ضمن مشروع ${name[1]} في حي ${place.name_ar}`;
      const photos = [projectPicture(hostUrl, number, 0), streetPicture(hostUrl, number * 7 + at)];
      const ad = { ...plainAd(layout, property, { title, description, description_en: null }, id), photos };
      write(`feeds/${layout.source}`, from, layout, layout.row(ad));
    }
  }
  files.close();
  writeFileSync(join(dir, OFF_PLAN_MANIFEST), `${JSON.stringify({ seed, projects: count, units })}\n`);
}

/** Makes a project. One in eight has a second phase next to it, by the same developer. */
function makeProject(random: Random, number: number, count: number, steps: number, taken: Set<string>, before?: Site) {
  const example = number === 1;
  const second = before?.phase === 1 ? before : undefined;
  const slug = example ? 'riyadh' : CITY_SLUGS.pick(random);
  const city = second?.city ?? (CITIES.find((each) => each.slug === slug) as City);
  const places = neighborhoodsOf(slug)
    .filter(({ center }) => center !== null)
    .slice(0, Math.max(PLACES, Math.ceil(count / 20)));
  const place = second?.place ?? (example ? (places[1] as Neighborhood) : random.pick(places));
  const center = second?.point ?? (place.center as LatLng);
  const status = example
    ? 'under_construction'
    : (v.PROJECT_STATUSES[Math.floor(random.next() * 2.6)] as v.ProjectStatus);
  const year = status === 'completed' ? 2026 : status === 'planned' ? random.int(2028, 2030) : random.int(2027, 2028);
  const both = example || random.chance(0.42);
  const onMasar = both || random.chance(0.6);
  const { developers } = phrases.projects;
  return {
    number,
    name: second?.name ?? freeName(random, slug, taken),
    phase: second ? 2 : !example && random.chance(0.12) ? 1 : 0,
    developer: second?.developer ?? (developers[example ? 0 : number % developers.length] as string[]),
    city,
    place,
    point: moved(random, center, second ? random.between(350, 800) : random.between(50, 700)),
    perSqm: second?.perSqm ?? pricePerSqm(slug) * random.spread(0.06),
    status,
    delivery: [random.int(1, 4), year] as const,
    kinds: KINDS[
      example ? 0 : random.chance(0.1) ? KINDS.length - 1 : random.int(0, KINDS.length - 2)
    ] as readonly UnitKind[],
    features: v.PROJECT_FEATURES.filter(
      (each) => (example && (each === 'mosque' || each === 'park')) || random.chance(0.35),
    ),
    banks: v.PROJECT_BANKS.filter((each) => (example && each === 'al_rajhi_bank') || random.chance(0.4)),
    plan: random.pick(tables.plans),
    license: `71${String(random.int(0, 99_999_999)).padStart(8, '0')}`,
    rents: !example && random.chance(0.15),
    // Ids in the two feeds; null in one that does not list the project.
    masar: onMasar ? `MP-${10_000 + number}` : null,
    dalil: both || !onMasar ? String(4_000 + number) : null,
    /** Index of the first day whose feeds list the project. */
    from: example ? 0 : Math.min(steps - 1, Math.floor(random.next() * steps * 0.7)),
  };
}

function freeName(random: Random, city: string, taken: Set<string>): string[] {
  for (let tries = 0; tries < 1_000; tries++) {
    const parts = [random.pick(phrases.projects.first), random.pick(phrases.projects.last)];
    const name = [0, 1].map((language) => parts.map((part) => part[language]).join(' '));
    if (taken.has(`${city} ${name[0]}`)) continue;
    taken.add(`${city} ${name[0]}`);
    return name;
  }
  throw new Error(`${city} has no more names for projects`);
}

/** Returns a ring around a point. Unless `sound`, a few cross themselves as a bow or overshoot at a corner. */
function ring(random: Random, { lat, lng }: LatLng, sound: boolean): [lng: number, lat: number][] {
  const fault = sound ? 1 : random.next();
  const points = Array.from({ length: 7 }, (_, turn): [number, number] => {
    const [angle, meters] = [((turn + 0.5) / 3.5) * Math.PI, random.between(120, 200)];
    return [
      lng + (Math.cos(angle) * meters) / metersPerDegreeEast(lat),
      lat + (Math.sin(angle) * meters) / METERS_PER_DEGREE,
    ];
  });
  const [x, y] = points[0] as [number, number];
  if (fault < 0.03) [points[2], points[4]] = [points[4] as [number, number], points[2] as [number, number]];
  else if (fault < 0.08) points.splice(1, 0, [x + 2e-5, y + 6e-5], [x - 3e-5, y + 3e-5], [x + 3e-5, y + 3e-5]);
  return [...points, [x, y]].map(([east = 0, north = 0]) => [Number(east.toFixed(6)), Number(north.toFixed(6))]);
}

function rangesOf([, , area, level]: UnitKind, { perSqm }: Project) {
  const [low, high] = [Math.round(area * 0.9), Math.round(area * 1.2)];
  return { low, high, from: posted(low * perSqm * level, null), to: posted(high * perSqm * level, null) };
}

const bathroomsOf = ([type, bedrooms]: UnitKind): number | null =>
  bedrooms === null ? (type === 'office' ? 1 : null) : Math.max(1, bedrooms - 1 + Number(bedrooms > 4));

function masarRow(random: Random, project: Project): Record<string, unknown> {
  const { name, phase, developer, city, place, point, delivery, plan, kinds } = project;
  const sound = project.number === 1;
  const ranges = kinds.map((kind) => rangesOf(kind, project));
  const ar = `${random.chance(0.3) ? 'مشروع ' : ''}${name[1]}${tables.phases[phase]}`;
  return {
    project_no: project.masar,
    name: { en: `${name[0]}${phase === 0 ? '' : ` Phase ${phase}`}`, ar: !sound && random.chance(0.1) ? null : ar },
    developer: {
      en: `${developer[0]}${random.pick(['', ' Development', ' Real Estate', ' Development Company'])}`,
      ar: `${random.pick(['', 'شركة '])}${developer[1]}${random.pick(['', ' للتطوير العقاري', ' العقارية'])}`,
    },
    stage: tables.stages[project.status][0],
    location: { city: city.name_en, district: place.name_en, ...point },
    boundary: { type: 'Polygon', coordinates: [ring(random, point, sound)] },
    price_range: { from: Math.min(...ranges.map(({ from }) => from)), to: Math.max(...ranges.map(({ to }) => to)) },
    units: kinds.map((kind, at) => ({
      kind: PROPERTY_TYPE_TABLE[kind[0]].name_en,
      bedrooms: kind[1],
      bathrooms: bathroomsOf(kind),
      area_from: ranges[at]?.low,
      area_to: ranges[at]?.high,
      price_from: ranges[at]?.from,
      price_to: ranges[at]?.to,
    })),
    handover: `Q${delivery[0]} ${delivery[1]}`,
    payment_plan: { down: plan[0], construction: plan[1], handover: plan[2] },
    facilities: project.features.map((feature) => v.PROJECT_FEATURE_NAMES[feature].name_en),
    unit_amenities: ['Air conditioning', 'Fitted kitchen', 'Parking'],
    financed_by: project.banks.map((bank) => v.PROJECT_BANK_NAMES[bank].name_en),
    license: random.chance(0.6) ? project.license : null,
    about: {
      en: `${name[0]} is a development by ${developer[0]} in ${place.name_en}, ${city.name_en}.`,
      ar: `مشروع ${name[1]} من ${developer[1]} في حي ${place.name_ar} بمدينة ${city.name_ar}.`,
    },
  };
}

function dalilRow(random: Random, project: Project): Record<string, unknown> {
  const { name, phase, developer, city, place, delivery, plan, kinds } = project;
  const example = project.number === 1;
  const point = example || random.chance(0.92) ? moved(random, project.point, random.between(0, 200)) : null;
  const outline = point && (example || random.chance(0.7)) ? ring(random, point, example) : null;
  const ranges = kinds.map((kind) => rangesOf(kind, project));
  const spelled = random.chance(0.4) ? looseSpelling(name[1] as string).replaceAll('ى', 'ي') : name[1];
  const suffix = phase > 0 && random.chance(0.5) ? ` ${phase}` : tables.phases[phase];
  return {
    'رقم المشروع': project.dalil,
    'اسم المشروع': `${random.chance(0.4) ? 'مشروع ' : ''}${spelled}${suffix}`,
    المطور: `${random.pick(['', 'شركة ', 'مجموعة '])}${developer[1]}${random.pick(['', ' العقارية', ' للتطوير والاستثمار العقاري'])}`,
    الحالة: tables.stages[project.status][1],
    المدينة: city.name_ar,
    الحي: `حي ${place.name_ar}`,
    'خط العرض': point?.lat,
    'خط الطول': point?.lng,
    'حدود المشروع': outline && `POLYGON((${outline.map((corner) => corner.join(' ')).join(', ')}))`,
    'السعر من': Math.min(...ranges.map(({ from }) => from)),
    'السعر إلى': Math.max(...ranges.map(({ to }) => to)),
    'نماذج الوحدات': kinds
      .map((kind, at) => {
        const { low, high, from, to } = ranges[at] as ReturnType<typeof rangesOf>;
        return [TYPES_AR[kind[0]], kind[1] ?? '', bathroomsOf(kind) ?? '', `${low}-${high}`, `${from}-${to}`].join('،');
      })
      .join('|'),
    'موعد التسليم': `الربع ${tables.quarters[delivery[0]]} ${delivery[1]}`,
    'خطة الدفع': plan.map((share) => `${share}%`).join('/'),
    المزايا: project.features.map((feature) => v.PROJECT_FEATURE_NAMES[feature].name_ar).join('،'),
    'مرافق الوحدات': 'تكييف،مطبخ راكب،مصعد',
    'جهات التمويل': project.banks.map((bank) => v.PROJECT_BANK_NAMES[bank].name_ar).join('،'),
    'رقم الترخيص': random.chance(0.5) ? project.license : '',
    الوصف: `${name[1]} بحي ${place.name_ar}، وحدات بمساحات متنوعة وضمانات على الهيكل الإنشائي.`,
  };
}

/** Returns units that differ, because equal units would be one home offered twice. */
function unitsOf(random: Random, project: Project, count: number): Property[] {
  const { name, place, city, phase, developer, kinds, masar } = project;
  const alike = new Map<string, number>();
  return Array.from({ length: count }, (_, at): Property => {
    const kind = kinds[at % kinds.length] as UnitKind;
    const [property_type, bedrooms, usual, level] = kind;
    const rent = project.rents && random.chance(0.5);
    const floor =
      property_type === 'apartment' || property_type === 'office' ? 1 + (Math.floor(at / kinds.length) % 8) : null;
    const group = `${property_type} ${bedrooms} ${floor} ${rent}`;
    const before = alike.get(group) ?? 0;
    alike.set(group, before + 1);
    const area = Math.round(usual * 0.9 * 1.05 ** before + (floor ?? 0));
    const sale = area * project.perSqm * level * random.between(0.97, 1.03);
    const named = {
      name: `${at % 2 ? 'مشروع ' : ''}${name[1]}${tables.phases[phase]}`,
      developer: at % 3 === 2 ? '' : `شركة ${developer[1]}`,
    };
    return {
      ...APARTMENT,
      ...moved(random, project.point, random.between(0, 60)),
      id: project.number * 1_000 + at + 1,
      city,
      neighborhood: place,
      listing_type: rent ? 'rent' : 'sale',
      property_type,
      price: posted(rent ? sale * 0.06 : sale, null),
      area,
      bedrooms,
      bathrooms: bathroomsOf(kind),
      livings: bedrooms === null ? null : 1,
      floor,
      age: 0,
      project: masar !== null && random.chance(0.8) ? { id: masar } : named,
      advertiser: { key: developer[0] as string, kind: 'office' },
    };
  });
}
