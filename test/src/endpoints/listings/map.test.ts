import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import type { StoredListing } from '#domain/listings/listing.ts';
import { CITY_ZOOM, MAX_ELEMENTS } from '#queries/market/map.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { errorPct, quantile } from '#test/market.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

/** Set ORACLE_SEED to the seed of a failure to repeat it. */
const SEED = Number(process.env.ORACLE_SEED ?? randomInt(2 ** 31));
const LISTINGS = 2_000;
/** A center in the desert. Requests without a city also find listings of other tests, none of which are there. */
const CENTER = { lat: 19.5, lng: 52 };
/** Degrees by which a cell may differ from its box, whose coordinates are rounded to six digits. */
const EDGE = 1e-6;

let app: TestApp;
let key: string;
let cities: string[];
const random = seeded(SEED);
const around = (center: number): number => center + (random() + random() + random() - 1.5) * 0.2;
let listings: StoredListing[];
test.before(async () => {
  app = await sharedApp();
  key = (await createOrganization(app.services, { columns: { units_per_minute: 1e6, units_per_month: 1e6 } })).key;
  cities = [(await app.addCity()).slug, (await app.addCity()).slug];
  listings = Array.from({ length: LISTINGS }, (_, at) => {
    const isLocated = random() < 0.9;
    const price = 10_000 + Math.floor(random() * 900) * 100;
    return makeListing({
      price: { yearly_sar: price, as_posted: { amount: price, frequency: 'yearly' } },
      bedrooms: Math.floor(random() * 5),
      location: {
        city: cities[at % 4 === 0 ? 1 : 0],
        lat: isLocated ? around(CENTER.lat) : null,
        lng: isLocated ? around(CENTER.lng) : null,
      },
    });
  });
  await indexListings(app.services, listings);
});

type Box = [west: number, south: number, east: number, north: number];
interface MapData {
  total: number;
  clusters: { bbox: Box; lat: number; lng: number; count: number; cities: string[]; median_price_sar: number }[];
  pins: { id: number; lat: number; lng: number; price_sar: number }[];
}
interface MapQuery {
  bbox: Box;
  zoom: number;
  city?: string;
  beds?: number;
}

const requestMap = (query: object) =>
  app.request(`/v1/listings/map?${new URLSearchParams({ listing_type: 'rent', ...query })}`, { key });

const isIn = ([west, south, east, north]: Box, lat: number | null, lng: number | null, by = 0): boolean =>
  lat !== null && lng !== null && lng >= west - by && lng <= east + by && lat >= south - by && lat <= north + by;

/** Compares a response with the listings. Returns the response. */
async function compare(asked: MapQuery): Promise<MapData> {
  const { status, text, body } = await requestMap(asked);
  if (status !== 200) throw new Error(text);
  const { total, clusters, pins } = body.data as MapData;
  const expected = listings
    .filter(({ display: { location, bedrooms } }) => {
      const isWanted = asked.city === undefined || asked.city === location.city;
      return isWanted && (asked.beds ?? bedrooms) === bedrooms && isIn(asked.bbox, location.lat, location.lng);
    })
    .map(({ display }) => display);
  const fail = (what: string): never => {
    throw new Error(`${what}: ${JSON.stringify(asked)}`);
  };
  if (total !== expected.length) fail(`${total} listings, expected ${expected.length}`);
  if (clusters.length + pins.length > MAX_ELEMENTS) fail('too many elements');
  if (total <= MAX_ELEMENTS) {
    const rows = expected.map(({ id, location: { lat, lng }, price: { yearly_sar } }) => ({
      id,
      lat,
      lng,
      price_sar: yearly_sar,
    }));
    const sorted = rows.sort((a, b) => b.id - a.id);
    if (clusters.length > 0 || JSON.stringify(pins) !== JSON.stringify(sorted)) fail('the pins differ');
    return body.data;
  }
  if (pins.length > 0 || clusters.reduce((sum, each) => sum + each.count, 0) !== total) fail('the counts differ');
  for (const { bbox, lat, lng, count: size, cities: named, median_price_sar } of clusters) {
    if (asked.zoom <= CITY_ZOOM) {
      const own = expected.filter(({ location }) => named.length === 1 && location.city === named[0]);
      if (size !== own.length) fail(`${own.length} listings in ${named}, not ${size}`);
      const [lats, lngs] = [own.map(({ location }) => location.lat ?? 0), own.map(({ location }) => location.lng ?? 0)];
      const bounds = [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
      const center = [lats.reduce((a, b) => a + b) / size, lngs.reduce((a, b) => a + b) / size];
      const isNear = (found: readonly number[], wanted: readonly number[]) =>
        found.every((each, at) => Math.abs(each - (wanted[at] ?? 0)) < 10 * EDGE);
      if (!isNear(bbox, bounds) || !isNear([lat, lng], center)) fail(`bounds or centroid of ${named}`);
      continue;
    }
    const inside = expected.filter(({ location }) => isIn(bbox, location.lat, location.lng, -EDGE));
    const most = expected.filter(({ location }) => isIn(bbox, location.lat, location.lng, EDGE)).length;
    if (size < inside.length || size > most) fail(`${inside.length} listings in the cell ${bbox}, not ${size}`);
    if (!isIn(bbox, lat, lng, EDGE)) fail('the centroid is outside of the cell');
    const level = Math.log2(360 / (bbox[2] - bbox[0]));
    if (level < asked.zoom - 0.01 || level > asked.zoom + 2.01) fail(`cells of zoom level ${level}`);
    if (inside.length < most) continue;
    const mean = (of: 'lat' | 'lng') => inside.reduce((sum, { location }) => sum + (location[of] ?? 0), 0) / size;
    if (Math.abs(lat - mean('lat')) > EDGE || Math.abs(lng - mean('lng')) > EDGE) fail('not the centroid');
    const counts = Map.groupBy(inside, ({ location }) => location.city);
    if ([...counts.keys()].sort().join() !== named.toSorted().join()) fail(`cities ${named}`);
    const median = quantile(
      inside.map(({ price }) => price.yearly_sar ?? 0),
      0.5,
    );
    if (errorPct(median_price_sar, median) > 1e-9) fail(`median ${median_price_sar}, not ${median}`);
  }
  return body.data;
}

test('map clusters and pins in random boxes match the listings', async (t) => {
  const found = { clusters: 0, pins: 0, empty: 0 };
  const side = fc.integer({ min: 10, max: 700 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -300, max: 0 }),
      fc.integer({ min: -300, max: 0 }),
      side,
      side,
      fc.integer({ min: 0, max: 12 }),
      fc.constantFrom({}, {}, {}, { city: 0 }, { city: 0 }, { city: 1 }, { beds: 2 }),
      async (west, south, width, height, zoom, filters) => {
        // Coordinates that no listing has, so that no listing is on a border.
        const [from, at] = [CENTER.lng + west / 1_000 + 1e-9, CENTER.lat + south / 1_000 + 1e-9];
        const bbox: Box = [from, at, from + width / 1_000, at + height / 1_000];
        const { city, beds } = filters as { city?: 0 | 1; beds?: number };
        const slug = city === undefined ? {} : { city: cities[city] };
        const { clusters, pins } = await compare({ bbox, zoom, ...slug, ...(beds === undefined ? {} : { beds }) });
        found[clusters.length > 0 ? 'clusters' : pins.length > 0 ? 'pins' : 'empty']++;
      },
    ),
    { numRuns: 120, seed: SEED, endOnFailure: false },
  );
  t.log(`ORACLE_SEED=${SEED}: ${JSON.stringify(found)}`);
  t.true(found.clusters > 10 && found.pins > 10, JSON.stringify(found));
});

test('a map request with an invalid box or zoom is refused', async (t) => {
  for (const [bbox, zoom, param, message] of [
    ['34,16,56,32.5', '12', 'bbox', /map tiles at `zoom` 12, more than 400\..*`zoom` 8 or less/],
    ['46.6,24.6,46.6,24.9', '12', 'bbox', /has no area/],
    ['46.6,24.6,46.8,24.9', '23', 'zoom', /an integer from 0 to 22/],
  ] as const) {
    const { body } = await requestMap({ bbox, zoom });
    t.like(body.error, { code: 'invalid_value', param }, bbox);
    t.regex(body.error.message, message);
  }
});
