import { randomInt } from 'node:crypto';
import { toDocument } from '#domain/listings/document.ts';
import { compileFilters } from '#queries/filters/compile.ts';
import type { FilterValues } from '#queries/filters/table.ts';
import { percolate, type Subscription, syncSubscriptions } from '#search/derived-index/percolator.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { removeIndexes } from '#test/engines.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { pull } from '#test/market.ts';
import { metersApart } from '#test/oracle.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

/** Set ORACLE_SEED to the seed of a failure to repeat it. */
const SEED = Number(process.env.ORACLE_SEED ?? randomInt(2 ** 31));
const SHAPES = 10_000;
/** Number of shapes that are webhook filters too, and of those that are searched through the API. */
const SUBSCRIBED = 1_000;
const REQUESTED = 40;
/** Number of searches of one request to the engine. */
const BATCH = 500;
const LISTINGS = 120;

const prefix = `${process.env.INDEX_PREFIX ?? ''}shapes_`;
let app: TestApp;
let key: string;
test.before(async () => {
  app = await startTestApp({ env: { INDEX_PREFIX: prefix } });
  key = (await createOrganization(app.services)).key;
});
test.after(async () => {
  await app.close();
  await removeIndexes(prefix);
});

type Point = readonly [lat: number, lng: number];
type Shape = { near: Point; radius_m: number } | { polygon: readonly Point[] };

test('searches and webhook filters with random circles and polygons match the listings inside the shapes', async (t) => {
  const random = seeded(SEED);
  const between = (low: number, high: number): number => low + random() * (high - low);
  const point = (): Point => [between(24.4, 25), between(46.4, 47)];
  const { slug: city } = await app.addCity();
  const stored = Array.from({ length: LISTINGS }, (_, index) => {
    const [lat, lng] = index % 20 === 0 ? [null, null] : point();
    return makeListing({ id: index + 1, listing_type: 'rent', location: { city, lat, lng } });
  });
  await indexListings(app.services, stored);
  const shapes = Array.from({ length: SHAPES }, (_, index): Shape => {
    const near = point();
    if (index % 2 === 0) return { near, radius_m: Math.round(10 ** between(1, 4.65)) };
    const count = 3 + Math.floor(random() ** 3 * 97);
    const corners = Array.from({ length: count }, (_, at): Point => {
      const angle = (2 * Math.PI * (at + between(0.1, 0.9))) / count;
      const radius = between(0.02, 0.3);
      return [near[0] + radius * Math.sin(angle), near[1] + radius * Math.cos(angle)];
    });
    return { polygon: random() < 0.5 ? corners : corners.toReversed() };
  });
  const found = await searchAll(shapes, city);
  const subscriptions = shapes.slice(0, SUBSCRIBED).map((shape, index): Subscription => {
    if ('near' in shape) return { number: index + 1, filters: { city: [city], ...shape } };
    const ring = [...shape.polygon, shape.polygon[0] as Point].map(([lat, lng]) => [lng, lat]);
    return { number: index + 1, filters: { city: [city], polygon: { type: 'Polygon', coordinates: [ring] } } };
  });
  await syncSubscriptions(app.services.opensearch, {
    filled: null,
    recordIntent: async () => {},
    async *read() {
      yield subscriptions;
    },
    numbers: async () => subscriptions.map(({ number }) => number),
  });
  const matches = await percolate(app.services.opensearch, stored.map(toDocument), null, SUBSCRIBED);
  const matched = matches.map((numbers) => new Set(numbers));
  const ids = new Map<number, number[]>();
  let total = 0;
  for (const [index, shape] of shapes.entries()) {
    const expected: number[] = [];
    for (const [at, { display }] of stored.entries()) {
      const verdict = contains(shape, display.location);
      const isMatched = found[index]?.has(display.id) ?? false;
      if (index < SUBSCRIBED && matched[at]?.has(index + 1) !== isMatched)
        return t.fail(`ORACLE_SEED=${SEED}: a webhook and a search differ for ${JSON.stringify(shape)}`);
      if (verdict === 'on the border') {
        if (isMatched) expected.push(display.id);
        continue;
      }
      if (isMatched !== verdict)
        return t.fail(`ORACLE_SEED=${SEED} ${JSON.stringify(shape)} ${JSON.stringify(display.location)}: ${isMatched}`);
      if (verdict) expected.push(display.id);
    }
    ids.set(index, expected);
    total += expected.length;
  }
  t.true(total > SHAPES);
  for (const [index, shape] of shapes.slice(0, REQUESTED).entries()) {
    const text =
      'near' in shape ? { near: shape.near.join(), radius_m: String(shape.radius_m) } : textOf(shape.polygon);
    const query = { city, listing_type: 'rent', ...text };
    const pulled = (await pull(app, key, query)).map(({ id }) => id).sort((a, b) => a - b);
    t.deepEqual(pulled, ids.get(index), `ORACLE_SEED=${SEED} ${JSON.stringify(query)}`);
  }
  t.log(`ORACLE_SEED=${SEED}: ${total} matches`);
});

/** Returns the ids of the listings that a search finds in each shape. */
async function searchAll(shapes: readonly Shape[], city: string): Promise<ReadonlySet<number>[]> {
  const index = `${prefix}listings`;
  const found: ReadonlySet<number>[] = [];
  for (let at = 0; at < shapes.length; at += BATCH) {
    const body = shapes.slice(at, at + BATCH).flatMap((shape) => {
      const values = { city, ...('near' in shape ? shape : textOf(shape.polygon)) } as FilterValues;
      const filter = compileFilters(values, { now: Date.now() });
      return [{ index }, { size: LISTINGS, _source: false, query: { bool: { filter } } }];
    });
    const answer = await app.services.opensearch.msearch({ body } as never);
    const { responses } = answer.body as unknown as { responses: { hits: { hits: { _id: string }[] } }[] };
    for (const { hits } of responses) found.push(new Set(hits.hits.map(({ _id }) => Number(_id))));
  }
  return found;
}

const textOf = (polygon: readonly Point[]) => ({ polygon: polygon.map((point) => point.join()).join(';') });

/** Indexed coordinates are rounded by less than this number of degrees. */
const ROUNDING = 1e-7;

/** Returns whether plain code finds the place in the shape, for the place and for places within the rounding. */
function contains(shape: Shape, { lat, lng }: { lat: number | null; lng: number | null }): boolean | 'on the border' {
  if (lat === null || lng === null) return false;
  const verdicts = [
    [0, 0],
    [ROUNDING, ROUNDING],
    [ROUNDING, -ROUNDING],
    [-ROUNDING, ROUNDING],
    [-ROUNDING, -ROUNDING],
  ].map(([north = 0, east = 0]) => {
    const place = { lat: lat + north, lng: lng + east };
    if ('polygon' in shape) return isInside(place, shape.polygon);
    const [centerLat, centerLng] = shape.near;
    return (metersApart(place, { lat: centerLat, lng: centerLng }) ?? Number.NaN) <= shape.radius_m;
  });
  return verdicts.every((each) => each === verdicts[0]) ? (verdicts[0] as boolean) : 'on the border';
}

/** Returns whether a ray from the place to the east crosses the outline an odd number of times. */
function isInside({ lat, lng }: { lat: number; lng: number }, polygon: readonly Point[]): boolean {
  const crossings = polygon.filter(([toLat, toLng], index) => {
    const [fromLat, fromLng] = polygon.at(index - 1) as Point;
    return fromLat > lat !== toLat > lat && lng < fromLng + ((lat - fromLat) / (toLat - fromLat)) * (toLng - fromLng);
  });
  return crossings.length % 2 === 1;
}
