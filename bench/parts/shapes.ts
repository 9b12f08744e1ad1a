import { METERS_PER_DEGREE } from '#domain/geography/distance.ts';
import { roundDegrees } from '#domain/geography/tiles.ts';
import { Random } from '#sample/random.ts';
import { startApi } from '../api-process.ts';
import { type Bench, type Figure, figure, type PartResult, type Row, resultOf } from '../bench.ts';
import { compare } from '../load/compare.ts';
import { readCohorts } from '../requests/cohorts.ts';
import { apiSide, clearRequestCache } from '../requests/sides.ts';

const SLICE = 48;
const SEED = 59;
/** Numbers of corners: a hexagon, and the most that a polygon may have. */
const CORNERS = [6, 100] as const;
const MAX_TIMES = 3;
const NAMES = ['bbox', 'near', 'hexagon', 'polygon'] as const;

/** Compares searches by circle and polygon with searches by a box of the same center and area. */
export async function shapes(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const cohorts = await readCohorts(corpus);
  await using api = await startApi(corpus, { profileDir: bench.options.profileDir });
  const random = new Random(SEED, 0);
  const length = SLICE * (bench.rounds + 1);
  const paths: Record<(typeof NAMES)[number], string[]> = { bbox: [], near: [], hexagon: [], polygon: [] };
  for (let at = 0; at < length; at++) {
    const { city, listing_type, lat, lng } = random.pick(cohorts.slice(0, 6));
    const size = random.between(0.02, 0.25);
    const [y, x] = [random.between(lat.low, lat.high), random.between(lng.low, lng.high)];
    // The box is square in meters, so that all shapes cover the same place.
    const wide = Math.cos((y * Math.PI) / 180);
    const half = size / 2;
    const search = `/v1/listings?city=${city}&listing_type=${listing_type}&limit=25`;
    paths.bbox.push(`${search}&bbox=${[x - half / wide, y - half, x + half / wide, y + half].map(roundDegrees)}`);
    const radius = Math.round((size / Math.sqrt(Math.PI)) * METERS_PER_DEGREE);
    paths.near.push(`${search}&near=${roundDegrees(y)},${roundDegrees(x)}&radius_m=${radius}`);
    const [hexagon, polygon] = CORNERS.map((corners) => {
      const reach = size / Math.sqrt((corners / 2) * Math.sin((2 * Math.PI) / corners));
      const points = Array.from({ length: corners }, (_, corner) => {
        const angle = (2 * Math.PI * corner) / corners;
        return `${roundDegrees(y + reach * Math.sin(angle))},${roundDegrees(x + (reach * Math.cos(angle)) / wide)}`;
      });
      return `${search}&polygon=${points.join(';')}`;
    });
    paths.hexagon.push(hexagon as string);
    paths.polygon.push(polygon as string);
  }
  await bench.load.setSides(Object.fromEntries(NAMES.map((name) => [name, apiSide(api, paths[name])])));
  const before = () => clearRequestCache(corpus);
  const { sides } = await compare(bench, NAMES, { connections: 1, count: SLICE, from: SLICE, before });
  const rows: Row[] = [];
  const figures: Figure[] = [];
  const titles = { bbox: 'box', near: 'circle', hexagon: `${CORNERS[0]} corners`, polygon: `${CORNERS[1]} corners` };
  for (const name of NAMES) {
    const { p50, p95, p99 } = sides[name];
    const times = p50 / sides.bbox.p50;
    rows.push([titles[name], p50, p95, p99, times]);
    if (name !== 'bbox') figures.push(figure(`${titles[name]}: p50 over the box's`, times, 'x', { atMost: MAX_TIMES }));
  }
  return resultOf('Searches by shape, milliseconds', ['Shape', 'p50', 'p95', 'p99', 'p50 x'], rows, figures, [
    `Alternately, one connection, ${bench.rounds} slices of ${SLICE} searches of 25 rows in the six largest cohorts; all shapes of a search have the same center and area. The request cache of OpenSearch is cleared before every slice.`,
  ]);
}
