import { randomInt } from 'node:crypto';
import type { Listing } from '#domain/listings/listing.ts';
import type { ProjectDisplay } from '#domain/off-plan/project.ts';
import {
  PROJECT_BANK_NAMES,
  PROJECT_BANKS,
  PROJECT_FEATURE_NAMES,
  PROJECT_FEATURES,
  PROJECT_STATUS_NAMES,
  PROJECT_STATUSES,
} from '#domain/off-plan/project-vocabulary.ts';
import { PROJECT_FILTERS, UNIT_FILTERS, UNITS_OF_PROJECT_FILTERS } from '#queries/off-plan/filters.ts';
import { PROJECT_SORT_NAMES } from '#queries/off-plan/search.ts';
import { errorPct, quantile } from '#test/market.ts';
import { allRows } from '#test/pages.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { type OffPlanGround, offPlanGround, project, testProjects } from '../../../ingest/off-plan/ground.ts';
import { ad, testSource } from '../../../ingest/run/pipeline.ts';
import { MEANING, type OracleListing } from '../../../queries/filters/oracle.ts';

/**
 * Compares every filter of the lists of projects and units, alone and in pairs, with a reference implementation over the
 * served data. Set ORACLE_SEED to repeat a failure.
 */
const SEED = Number(process.env.ORACLE_SEED ?? randomInt(2 ** 31));
const PROJECTS = 60;
const UNITS = 360;

type Query = Readonly<Record<string, string>>;
interface Unit {
  listing: Listing;
  project: ProjectDisplay;
  typed: boolean;
  pooled: boolean;
}

const random = seeded(SEED);
const whole = (below: number): number => Math.floor(random() * below);
const pick = <T>(items: readonly T[]): T => items[whole(items.length)] as T;
const some = <T>(items: readonly T[], share: number): T[] => items.filter(() => random() < share);

const CITIES = { riyadh: ['Al Malqa', 'Al Yasmin', 'Al Narjis'], jeddah: ['Al Rawdah', 'Al Safa'] } as const;
const CENTERS = { riyadh: { lat: 24.75, lng: 46.65 }, jeddah: { lat: 21.55, lng: 39.17 } } as const;
const TYPES = ['apartment', 'villa', 'office'] as const;
const letters = (number: number): string => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');

let ground: OffPlanGround;
/** Returns every row of a list, from all pages. */
const all = (path: string, query: Query, limit = 100): Promise<{ id: number }[]> =>
  allRows(ground.app, `/v1${path}?${new URLSearchParams({ ...query, limit: String(limit) })}`, ground.key);

const portal = testSource('portal');
const feed = testProjects('portal');
const cities = Array.from({ length: PROJECTS }, () => (random() < 0.7 ? 'riyadh' : 'jeddah'));
feed.feed = cities.map((city, at) => {
  const { lat, lng } = CENTERS[city];
  const low = 300_000 + whole(8) * 200_000;
  return project(`p${at}`, {
    name_en: `Diyar ${letters(at)}${letters(at * 7)}${letters(at + 11)}`,
    developer_en: at % 9 === 0 ? null : `Builder ${letters(at % 6)}${letters(at % 6)} Co`,
    developer_ar: null,
    status: PROJECT_STATUS_NAMES[pick(PROJECT_STATUSES)].name_en,
    city,
    neighborhood: random() < 0.85 ? pick(CITIES[city]) : null,
    // In a grid, farther apart than the maximum distance of matching projects.
    lat: lat + ((at % 8) - 4) * 0.03,
    lng: lng + (Math.floor(at / 8) - 4) * 0.03,
    price_min: random() < 0.1 ? null : low,
    price_max: random() < 0.1 ? null : low + whole(5) * 250_000,
    unit_types: [],
    delivery: random() < 0.15 ? null : `Q${1 + whole(4)} ${2026 + whole(4)}`,
    features: some(PROJECT_FEATURES, 0.5).map((each) => PROJECT_FEATURE_NAMES[each].name_en),
    banks: some(PROJECT_BANKS, 0.5).map((each) => PROJECT_BANK_NAMES[each].name_ar),
  });
});
portal.feed = Array.from({ length: UNITS }, (_, at) => {
  const home = whole(PROJECTS + 6);
  const city = cities[home] ?? 'riyadh';
  const { lat, lng } = CENTERS[city];
  const type = pick(TYPES);
  const rent = random() < 0.2;
  return ad(`u${at}`, {
    purpose: rent ? 'rent' : 'sale',
    property_type: type,
    // Every sixth price is implausible.
    price: (rent ? 30_000 + whole(40) * 1_000 : 300_000 + whole(12) * 100_000) / (at % 6 === 0 ? 1_000 : 1),
    price_period: rent ? 'yearly' : null,
    area: random() < 0.1 ? null : 80 + whole(15) * 20,
    bedrooms: type === 'office' ? null : 1 + whole(5),
    bathrooms: random() < 0.15 ? null : 1 + whole(4),
    city,
    neighborhood: random() < 0.85 ? pick(CITIES[city]) : null,
    lat: lat + (whole(200) - 100) / 500,
    lng: lng + (whole(200) - 100) / 500,
    // The last few ids are not ids of projects.
    project: { id: `p${home}` },
  });
});
let projects: ProjectDisplay[];
const units: Unit[] = [];
test.before(async () => {
  ground = await offPlanGround('offplan_oracle', Object.keys(CITIES));
  await ground.pipeline.run([portal], '2026-05-02T06:00:00Z', { projectSources: [feed] });
  await ground.app.services.sourceClock.refresh();
  projects = (await all('/projects', {})) as unknown as ProjectDisplay[];
  const { rows } = await ground.pipeline.pool.query<{ id: number; typed: boolean; pooled: boolean }>(
    `select id, plausible_typed as typed, plausible_pooled as pooled from listings
    where served and project_id is not null and price is not null order by id`,
  );
  for (const { id, typed, pooled } of rows) {
    const listing = (await ground.app.request(`/v1/listings/${id}`, { key: ground.key })).body.data as Listing;
    const own = projects.find((each) => each.id === listing.project_id);
    if (own === undefined) throw new Error(`listing ${id} is of project ${listing.project_id}`);
    units.push({ listing, project: own, typed, pooled });
  }
});
test.after(() => ground.close());

const split = (text: string): string[] => text.split(',');
const numbers = (text: string): number[] => split(text).map(Number);
const isOneOf = (value: string | number | null | undefined, text: string): boolean =>
  value !== null && value !== undefined && split(text).includes(String(value));
const hasAll = (values: readonly string[], text: string): boolean => split(text).every((each) => values.includes(each));
const notBelow = (value: number | null, text: string): boolean => value !== null && value >= Number(text);
const notAbove = (value: number | null, text: string): boolean => value !== null && value <= Number(text);
const inBox = ({ lat, lng }: { lat: number | null; lng: number | null }, text: string): boolean => {
  const [west, south, east, north] = numbers(text) as [number, number, number, number];
  return lat !== null && lng !== null && lng >= west && lng <= east && lat >= south && lat <= north;
};

/** The filters that projects and their units have. */
const BOTH: Readonly<Record<string, (project: ProjectDisplay, text: string) => boolean>> = {
  status: ({ status }, text) => isOneOf(status, text),
  developer_id: ({ developer }, text) => isOneOf(developer?.id, text),
  features: ({ features }, text) => hasAll(features, text),
  banks: ({ banks }, text) => hasAll(banks, text),
};

const PROJECT_MEANING: typeof BOTH = {
  ...BOTH,
  city: ({ location }, text) => location.city === text,
  neighborhood_id: ({ location }, text) => isOneOf(location.neighborhood_id, text),
  price_min: ({ price }, text) => notBelow(price.max_sar, text),
  price_max: ({ price }, text) => notAbove(price.min_sar, text),
  delivery_from: ({ delivery_date: day }, text) => day !== null && day.slice(0, 7) >= text,
  delivery_to: ({ delivery_date: day }, text) => day !== null && day.slice(0, 7) <= text,
  bbox: ({ location }, text) => inBox(location, text),
};

/** The filters of units that listings do not have. */
const UNIT_MEANING: typeof PROJECT_MEANING = { ...BOTH, project_id: ({ id }, text) => isOneOf(id, text) };

const few = <T>(items: readonly T[]): string => [...new Set([pick(items), pick(items)])].join(',');

/** Random values of the filters. The others are one or two numbers from 1 to 4. */
const VALUES: Readonly<Record<string, (query: Query) => string>> = {
  city: () => pick(Object.keys(CITIES)),
  listing_type: () => pick(['sale', 'sale', 'rent']),
  neighborhood_id: ({ city }) =>
    few(
      projects.flatMap(({ location }) =>
        city === undefined || location.city === city ? (location.neighborhood_id ?? []) : [],
      ),
    ),
  status: () => few(PROJECT_STATUSES),
  developer_id: () => few([1, 2, 3, 4, 5, 6]),
  project_id: () => few(ids(projects)),
  features: () => few(PROJECT_FEATURES),
  banks: () => few(PROJECT_BANKS),
  delivery_from: () => pick(['2026-06', '2027-01', '2027-12']),
  delivery_to: () => pick(['2027-12', '2028-06', '2029-12']),
  property_type: () => few(TYPES),
  price_min: () => pick(['40000', '300000', '500000', '700000']),
  price_max: () => pick(['700000', '900000', '1100000']),
  area_min: () => pick(['80', '100', '160']),
  area_max: () => pick(['200', '260', '340']),
  bbox: () => pick(['46.5,24.6,46.7,24.8', '46.6,24.7,46.8,24.95', '39.0,21.4,39.3,21.7']),
  beds_min: () => pick(['1', '2', '3']),
  bathrooms_min: () => pick(['1', '2', '3']),
  beds_max: () => pick(['3', '4', '5']),
  bathrooms_max: () => pick(['3', '4', '5']),
};
const textFor = (name: string, query: Query): string => VALUES[name]?.(query) ?? few([1, 2, 3, 4]);

/** Yields queries with every filter alone and every pair of filters, in addition to fixed parameters. */
function* queries(names: readonly string[], always: () => Query): Generator<Query> {
  for (const [index, name] of names.entries()) {
    const alone = (): Query => {
      const query = always();
      return { ...query, [name]: textFor(name, query) };
    };
    yield alone();
    for (const other of names.slice(index + 1)) {
      const query = alone();
      yield { ...query, [other]: textFor(other, query) };
    }
  }
}

const ids = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);
const newestFirst = <T extends { id: number; first_seen_at: string }>(a: T, b: T): number =>
  b.first_seen_at.localeCompare(a.first_seen_at) || b.id - a.id;

test('the reference implementation covers every filter, and the generated data has enough projects and units', (t) => {
  t.deepEqual(PROJECT_FILTERS.map(({ name }) => name).sort(), Object.keys(PROJECT_MEANING).sort());
  for (const { name } of UNIT_FILTERS) t.true(name in UNIT_MEANING || name in MEANING, name);
  t.is(projects.length, PROJECTS, `ORACLE_SEED=${SEED}`);
  t.true(units.length > UNITS * 0.8, `${units.length} units, ORACLE_SEED=${SEED}`);
  t.true(units.some(({ typed, pooled }) => typed && pooled) && units.some(({ pooled }) => !pooled));
});

test('each project filter, and each pair of project filters, returns the expected projects', async (t) => {
  let found = 0;
  const names = PROJECT_FILTERS.map(({ name }) => name);
  for (const query of queries(names, () => ({}))) {
    const expected = projects.filter((each) =>
      Object.entries(query).every(([name, text]) => PROJECT_MEANING[name]?.(each, text)),
    );
    const rows = await all('/projects', query, 25);
    t.deepEqual(ids(rows), ids(expected.sort(newestFirst)), `ORACLE_SEED=${SEED} ${JSON.stringify(query)}`);
    found += rows.length;
  }
  t.true(found > 100);
});

test('projects are returned in the requested order, for every sort order', async (t) => {
  const order: Readonly<Record<string, (each: ProjectDisplay) => number | null>> = {
    delivery: ({ delivery_date: day }) => (day === null ? null : Date.parse(day)),
    price_asc: ({ price }) => price.min_sar,
    price_desc: ({ price }) => (price.max_sar === null ? null : -price.max_sar),
  };
  for (const sort of PROJECT_SORT_NAMES) {
    const key = order[sort];
    const sign = sort === 'price_desc' ? -1 : 1;
    const expected = key
      ? projects
          .filter((each) => key(each) !== null)
          .sort((a, b) => (key(a) as number) - (key(b) as number) || sign * (a.id - b.id))
      : [...projects].sort(newestFirst);
    t.deepEqual(ids(await all('/projects', { sort }, 7)), ids(expected), sort);
  }
});

/** Returns true if search does not exclude a unit as implausible, which depends on the number of requested types. */
const isPlausible = ({ typed, pooled }: Unit, { property_type: types }: Query): boolean =>
  types !== undefined && new Set(split(types)).size === 1 ? typed : pooled;

const matching = (query: Query): Unit[] =>
  units.filter((unit) => {
    const means = (name: string, text: string) =>
      UNIT_MEANING[name]?.(unit.project, text) ??
      MEANING[name]?.({ served: unit.listing } as OracleListing, text, query);
    return isPlausible(unit, query) && Object.entries(query).every(([name, text]) => means(name, text));
  });

test('each unit filter, and each pair of unit filters, returns the expected units', async (t) => {
  const names = UNIT_FILTERS.map(({ name }) => name).filter((name) => name !== 'city');
  let found = 0;
  for (const query of queries(names, () => ({ city: textFor('city', {}) }))) {
    const expected = matching({ listing_type: 'sale', ...query }).map(({ listing }) => listing);
    const rows = await all('/project-units', query, 40);
    t.deepEqual(ids(rows), ids(expected.sort(newestFirst)), `ORACLE_SEED=${SEED} ${JSON.stringify(query)}`);
    found += rows.length;
  }
  t.true(found > 500);
});

test('filters on the units of a project return the expected units, and the summary covers all units', async (t) => {
  const names = UNITS_OF_PROJECT_FILTERS.map(({ name }) => name);
  const count = (id: number): number => units.filter(({ project: own }) => own.id === id).length;
  const busiest = projects.toSorted((a, b) => count(b.id) - count(a.id)).slice(0, 3);
  for (const { id } of busiest) {
    for (const query of [{}, ...names.map((name) => ({ [name]: textFor(name, {}) }))] as Query[]) {
      const expected = matching({ project_id: String(id), ...query }).map(({ listing }) => listing);
      t.deepEqual(
        ids(await all(`/projects/${id}/units`, query, 3)),
        ids(expected.sort(newestFirst)),
        JSON.stringify(query),
      );
    }
    const { body } = await ground.app.request(`/v1/projects/${id}`, { key: ground.key });
    const shown = matching({ project_id: String(id) }).map(({ listing }) => listing);
    t.is(
      body.data.unit_summary.reduce((sum: number, row: { sample_size: number }) => sum + row.sample_size, 0),
      shown.length,
    );
    for (const row of body.data.unit_summary) {
      const own = shown.filter(
        (each) => each.listing_type === row.listing_type && each.property_type === row.property_type,
      );
      t.is(row.sample_size, own.length);
      const prices = own.map(({ price }) => price.yearly_sar as number);
      const areas = own.flatMap(({ area_sqm }) => area_sqm ?? []);
      for (const [name, share] of Object.entries({ p25: 0.25, median: 0.5, p75: 0.75 })) {
        t.true(errorPct(row[`${name}_price_sar`], quantile(prices, share)) < 0.01, name);
        t.true(errorPct(row[`${name}_area_sqm`], quantile(areas, share)) < 0.01, name);
      }
    }
  }
});

test('developers are sorted by their number of projects, with counts by status and city', async (t) => {
  for (const query of [{}, { city: 'jeddah' }] as Query[]) {
    const rows = (await all('/developers', query, 2)) as unknown as {
      id: number;
      project_count: number;
      projects_by_status: Record<string, number>;
      cities: { city: string; project_count: number }[];
    }[];
    const known = [...new Set(projects.flatMap(({ developer }) => developer?.id ?? []))];
    const of = (id: number) => projects.filter(({ developer }) => developer?.id === id);
    const there = known.filter((id) => of(id).some(({ location }) => location.city === (query.city ?? location.city)));
    t.deepEqual(
      ids(rows),
      there.toSorted((a, b) => of(b).length - of(a).length || a - b),
    );
    for (const row of rows) {
      t.is(row.project_count, of(row.id).length);
      for (const status of PROJECT_STATUSES)
        t.is(row.projects_by_status[status], of(row.id).filter((each) => each.status === status).length);
      for (const { city, project_count } of row.cities)
        t.is(project_count, of(row.id).filter(({ location }) => location.city === city).length);
    }
  }
});
