import { neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { PROJECT_BANK_NAMES, PROJECT_FEATURE_NAMES } from '#domain/off-plan/vocabulary.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import type { ProjectSource } from '#ingest/off-plan/sources/index.ts';
import type { RawProject } from '#ingest/off-plan/sources/raw.ts';
import { runIngest } from '#ingest/run-ingest.ts';
import { hashText, Random } from '#ingest/sample/random.ts';
import type { Source } from '#ingest/sources/source.ts';
import { createS3 } from '#s3/client.ts';
import { openListingIndex } from '#search/listing-index/index.ts';
import { startApi } from '../api-process.ts';
import { type Bench, type Figure, figure, type PartResult, type Row, resultOf } from '../bench.ts';
import { closeStores, openStores, type Stores } from '../corpus/corpus.ts';
import { compare, warmUp } from '../load/compare.ts';
import { timeHeads, timesOf } from '../load/statistics.ts';
import { apiSide } from '../requests/sides.ts';

const FULL = { projects: 20_000, units: 500_000, large: 5_000 };
const QUICK = { projects: 1_000, units: 12_000, large: 500 };
const SEED = 17;
const CITIES = ['riyadh', 'jeddah', 'dammam', 'makkah', 'khobar', 'madinah'] as const;
const LIMITS = [25, 100] as const;
const MAX_P50 = 1.3;
const MIN_THROUGHPUT = 0.9;
const FIRST_RUN = '2026-05-01T06:00:00Z';
const SECOND_RUN = '2026-05-01T18:00:00Z';

type Size = typeof FULL;

/** Measurement of the run in which the largest project's status changed. */
interface StatusChange {
  seconds: number;
  /** Seconds that the projects stage took. */
  stage: number;
  /** Number of updated units. */
  units: number;
}

/** Compares searches for off-plan units with searches for as many other listings. */
export async function projects(bench: Bench): Promise<PartResult> {
  const { context, options } = bench;
  const size = options.quick ? QUICK : FULL;
  const stores = await openStores(context, `bench_projects_${size.units}`, options.reload, (empty) =>
    ingestAll(bench, empty, size),
  );
  try {
    await using api = await startApi(stores, { profileDir: options.profileDir });
    const rows: Row[] = [];
    const { seconds, stage, units } = stores.manifest;
    const figures: Figure[] = [
      figure('run in which the status of the largest project changed', seconds, 's'),
      figure('projects stage of that run', stage, 's'),
      figure('updated units of that run', units, '', { atLeast: size.large }),
    ];
    for (const limit of LIMITS) {
      const { units, listings } = pathsOf(limit);
      await bench.load.setSides({ units: apiSide(api, units), listings: apiSide(api, listings) });
      if (limit === LIMITS[0]) await warmUp(bench, ['units', 'listings']);
      for (const connections of [1, 8]) {
        const { sides, ratio } = await compare(bench, ['units', 'listings'], {
          connections,
          sliceMs: bench.sliceMs,
          count: units.length,
        });
        const [p50, rate] = [sides.units.p50 / sides.listings.p50, ratio('units', 'listings')];
        rows.push([`page of ${limit}`, connections, ...timesOf(sides.units, sides.listings), p50, rate]);
        const name = `page of ${limit} units`;
        figures.push(
          connections === 1
            ? figure(`${name}: p50 over that of listings at 1 connection`, p50, 'x', { atMost: MAX_P50 })
            : figure(`${name}: throughput over that of listings at 8`, rate, 'x', { atLeast: MIN_THROUGHPUT }),
        );
      }
    }
    return resultOf(
      'Units by filters of unit and project, and listings by equivalent filters',
      ['Request', 'Conn.', ...timeHeads('units', 'listings'), 'p50 x', 'throughput x'],
      rows,
      figures,
      [
        `${size.projects.toLocaleString('en')} projects with ${size.units.toLocaleString('en')} units, and as many other listings, in six cities; the largest project has ${size.large.toLocaleString('en')} units. Both sides are the API, including key check and charge.`,
      ],
    );
  } finally {
    await closeStores(stores);
  }
}

/** Ingests projects and listings, then changes the largest project's status. */
async function ingestAll({ screen, signal }: Bench, stores: Stores, size: Size): Promise<StatusChange> {
  const { pool, client, config } = stores;
  const s3 = createS3(config.s3);
  const ingest = (what: string, at: string, changed: boolean) =>
    screen.step(what, async () =>
      runIngest({
        pool,
        s3,
        listingIndex: await openListingIndex(client),
        sources: [listings(size)],
        projectSources: [projectFeed(size, changed)],
        at: new Date(at),
        trigger: 'bench',
        photos: { mode: 'assume', bucket: config.s3.cdnBucket },
        signal,
      }),
    );
  const total = (size.units * 2).toLocaleString('en');
  await ingest(`Ingesting ${size.projects.toLocaleString('en')} projects and ${total} ads`, FIRST_RUN, false);
  const report = await ingest('Changing the status of one project', SECOND_RUN, true);
  s3.destroy();
  const stage = report.stages.find((each) => each.stage === 'projects');
  return { seconds: report.seconds, stage: stage?.seconds ?? 0, units: Number(stage?.details.units_changed ?? 0) };
}

const NAME = 'bench_portal';
const cityOf = (number: number): (typeof CITIES)[number] => CITIES[number % CITIES.length] as (typeof CITIES)[number];

function pointNear(random: Random, city: string): LatLng {
  const centers = neighborhoodsOf(city).flatMap(({ center }) => center ?? []);
  const { lat, lng } = random.pick(centers);
  return { lat: lat + random.between(-0.008, 0.008), lng: lng + random.between(-0.008, 0.008) };
}

/** Creates projects with unique names. The first one has the most units, and a different status if `changed` is set. */
function projectFeed({ projects: count }: Size, changed: boolean): ProjectSource {
  return {
    name: NAME,
    async *rows() {
      for (let number = 0; number < count; number++) {
        const random = new Random(SEED, number);
        const city = cityOf(number);
        const raw: RawProject = {
          source_project_id: `p${number}`,
          name_en: nameOf(number),
          developer_en: `Builder ${nameOf(number % 700)}`,
          status: number === 0 ? (changed ? 'completed' : 'planned') : random.pick(['planned', 'off plan', 'ready']),
          city,
          ...pointNear(random, city),
          price_min: 400_000,
          price_max: 1_500_000,
          delivery: `Q${random.int(1, 4)} ${random.int(2026, 2030)}`,
          features: Object.values(PROJECT_FEATURE_NAMES).flatMap(({ name_en }) => (random.chance(0.4) ? name_en : [])),
          banks: Object.values(PROJECT_BANK_NAMES).flatMap(({ name_en }) => (random.chance(0.4) ? name_en : [])),
          photos: [`https://photos.invalid/p${number}.jpg`],
        };
        yield { ok: true, raw, row: raw };
      }
    },
  };
}

/** Letters only, because numbers in names distinguish phases. */
const nameOf = (number: number): string =>
  [3, 7, 11]
    .map((factor) =>
      (hashText(`${number} ${factor}`) % 456_976)
        .toString(26)
        .replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? 'q'),
    )
    .join(' ');

function listings({ projects: count, units, large }: Size): Source {
  return {
    name: NAME,
    async *rows() {
      for (let number = 0; number < units * 2; number++) {
        const random = new Random(SEED + 1, number);
        const unit = number % 2 === 0;
        const project = number / 2 < large ? 0 : random.int(1, count - 1);
        const city = unit ? cityOf(project) : random.pick(CITIES);
        const sale = unit ? random.chance(0.9) : random.chance(0.5);
        const type = random.pick(['apartment', 'apartment', 'villa', 'townhouse']);
        const bedrooms = random.int(1, 5);
        const area = random.int(60, 400);
        const price = area * random.int(3_500, 6_500);
        const raw: RawListing = {
          source_listing_id: String(number),
          title: `${type} ${number}`,
          description: `A ${type} of ${area} square meters with ${bedrooms} bedrooms, number ${number}, in a quiet street.`,
          purpose: sale ? 'sale' : 'rent',
          property_type: type,
          price: sale ? price : Math.round(price * 0.06),
          price_period: 'yearly',
          area,
          bedrooms,
          bathrooms: random.int(1, 4),
          floor: random.int(0, 30),
          city,
          ...pointNear(random, city),
          photos: [`https://photos.invalid/${number}.jpg`],
          updated_at: '2026-04-30T08:00:00Z',
          ...(unit ? { project: { id: `p${project}` } } : {}),
        };
        yield { ok: true, raw, row: raw };
      }
    },
  };
}

/** Returns the same searches for both: units with project filters, and other listings. */
function pathsOf(limit: number): { units: string[]; listings: string[] } {
  const features = Object.keys(PROJECT_FEATURE_NAMES);
  const banks = Object.keys(PROJECT_BANK_NAMES);
  const paths = { units: [] as string[], listings: [] as string[] };
  for (let at = 0; at < 48; at++) {
    const both = `city=${cityOf(at)}&listing_type=sale&limit=${limit}&beds=${1 + (at % 5)}${at % 2 === 0 ? '&property_type=apartment' : ''}${at % 3 === 0 ? '&price_max=1500000' : ''}`;
    const [feature, another] = [features[at % features.length], features[(at * 5 + 1) % features.length]];
    const bank = banks[at % banks.length];
    const own = [
      `&status=under_construction`,
      `&features=${feature}`,
      `&features=${feature},${another}&banks=${bank}`,
      `&status=planned,completed&banks=${bank}`,
    ];
    paths.units.push(`/v1/project-units?${both}${own[at % own.length]}`);
    paths.listings.push(`/v1/listings?${both}`);
  }
  return paths;
}
