import { countTiles } from '#domain/geography/tiles.ts';
import { MAX_ELEMENTS } from '#queries/market/map.ts';
import { Random } from '#sample/random.ts';
import { type ApiProcess, startApi } from '../api-process.ts';
import { type Bench, type Figure, figure, type PartResult, type Row, resultOf } from '../bench.ts';
import { compare } from '../load/compare.ts';
import { type Cohort, readCohorts } from '../requests/cohorts.ts';
import { fetchData } from '../requests/responses.ts';
import { apiSide, clearRequestCache } from '../requests/sides.ts';

const SLICE = 16;
const SEED = 53;
/** Number of cells of a screen, by which the zoom of a box is chosen. */
const TILES = 24;
const MAX_TRIES = 40;

/** Boxes by their number of listings, and the target for the p50 at one connection, in milliseconds. */
const FAMILIES = [
  { title: 'pins', from: 1, to: MAX_ELEMENTS, target: 10 },
  { title: 'up to 20,000 listings', from: MAX_ELEMENTS + 1, to: 20_000, target: 10 },
  { title: 'more than 20,000 listings', from: 20_001, to: Number.POSITIVE_INFINITY, target: 40 },
] as const;

/** Measures uncached map requests by the number of listings in the box. */
export async function map(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const cohorts = await readCohorts(corpus);
  await using api = await startApi(corpus, { profileDir: bench.options.profileDir });
  const rows: Row[] = [];
  const figures: Figure[] = [];
  const notes = [
    `One connection, ${bench.rounds} slices of ${SLICE} different boxes around the cities; the request cache of OpenSearch is cleared before every slice. The zoom is the highest at which ${TILES} tiles cover the box.`,
  ];
  const random = new Random(SEED, 0);
  for (const family of FAMILIES) {
    const length = SLICE * (bench.rounds + 1);
    const { paths, listings } = await drawBoxes(api, cohorts, random, family, length);
    if (paths.length < length) {
      notes.push(`${family.title}: skipped, only ${paths.length} of ${length} boxes were found.`);
      continue;
    }
    await bench.load.setSides({ map: apiSide(api, paths) });
    const { map } = (
      await compare(bench, ['map'], {
        connections: 1,
        count: SLICE,
        from: SLICE,
        before: () => clearRequestCache(corpus),
      })
    ).sides;
    rows.push([family.title, Math.round(listings / length), map.p50, map.p95, map.p99]);
    figures.push(figure(`map, ${family.title}: p50`, map.p50, 'ms', { atMost: family.target }));
  }
  return resultOf('Map data, milliseconds', ['Box', 'Listings, mean', 'p50', 'p95', 'p99'], rows, figures, notes);
}

/** Draws boxes until enough have a number of listings in the range. Returns fewer if there are too few. */
async function drawBoxes(
  api: ApiProcess,
  cohorts: readonly Cohort[],
  random: Random,
  { from, to }: { from: number; to: number },
  length: number,
): Promise<{ paths: string[]; listings: number }> {
  const paths: string[] = [];
  let listings = 0;
  for (let tries = 0; tries < length * MAX_TRIES && paths.length < length; tries++) {
    const { listing_type, lat, lng } = cohorts[Math.floor(random.between(0, Math.min(6, cohorts.length)))] as Cohort;
    const half = 10 ** random.between(-2.5, 0.5);
    const [y, x] = [random.between(lat.low, lat.high), random.between(lng.low, lng.high)];
    const box = [x - half, y - half, x + half, y + half].map((each) => Math.round(each * 1e6) / 1e6);
    const bbox = box as [number, number, number, number];
    let zoom = 20;
    while (countTiles(bbox, zoom) > TILES) zoom--;
    const path = `/v1/listings/map?listing_type=${listing_type}&bbox=${bbox.join(',')}&zoom=${zoom}`;
    const { total } = await fetchData<{ total: number }>(api, path);
    if (total < from || total > to) continue;
    paths.push(path);
    listings += total;
  }
  return { paths, listings };
}
