import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Places } from '#domain/geography/reference.ts';
import { readConfig } from '#src/config.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { featureOf, fileOf } from '#test/boundaries.ts';
import { sphericalMeters } from '#test/distance.ts';
import { createDatabase } from '#test/engines.ts';
import { testEnv } from '#test/env.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../../stores/opensearch/own-indexes.ts';

interface Point {
  lat: number;
  lng: number;
}

const STATIONS: readonly Point[] = [
  { lat: 24.7674, lng: 46.6431 },
  { lat: 24.7267, lng: 46.6668 },
  { lat: 24.6289, lng: 46.7162 },
];
const DISTRICT: Point = { lat: 24.7626, lng: 46.6405 };
const GATES: readonly Point[] = [
  { lat: 24.71, lng: 46.628 },
  { lat: 24.735, lng: 46.615 },
];
/** A grid of homes over all places, 0.4 km apart. */
const HOMES: readonly Point[] = Array.from({ length: 1_600 }, (_, at) => ({
  lat: 24.62 + (at % 40) * 0.004,
  lng: 46.6 + Math.floor(at / 40) * 0.004,
}));

const folder = folderOfFile();
const file = join(folder, 'places.geojson');
const own = ownIndexes();
const feature = (properties: object, { lat, lng }: Point): object =>
  featureOf(properties, { type: 'Point', coordinates: [lng, lat] });
let app: TestApp;
let key: string;
const homes = new Map<number, Point>();
test.before(async () => {
  await writeFile(
    file,
    fileOf(
      ...STATIONS.map((point, at) => feature({ kind: 'metro_station', name_en: `Line 1 Stop ${at}` }, point)),
      feature({ kind: 'other', name_en: 'KAFD', aliases: ['كافد'] }, DISTRICT),
      ...GATES.map((point) =>
        feature(
          { kind: 'university', name_en: 'King Saud University', name_ar: 'جامعة الملك سعود', radius_m: 1_500 },
          point,
        ),
      ),
    ),
  );
  app = await startTestApp({
    env: { INDEX_PREFIX: own.prefix, DATABASE_URL: await createDatabase('near_places'), PLACES_FILE: file },
    overrides: { places: new Places() },
    indexes: ['projects', 'developers'],
  });
  key = (await createOrganization(app.services, { plan: 'pro' })).key;
  const listings = HOMES.map(({ lat, lng }) =>
    makeListing({ location: { city: 'riyadh', neighborhood_id: 1001, lat, lng }, listing_type: 'rent' }),
  );
  for (const [at, { display }] of listings.entries()) homes.set(display.id, HOMES[at] as Point);
  await indexListings(app.services, listings);
});
test.after(async () => {
  await app.close();
  await own.remove();
});

const countWithin = (points: readonly Point[], radius: number): number =>
  [...homes.values()].filter((home) => points.some((point) => sphericalMeters(home, point) <= radius)).length;

test('the search of a sentence finds the homes within the stated distance of any point of the place', async (t) => {
  for (const [q, points, radius] of [
    ['apartment for rent near the metro in riyadh', STATIONS, 1_000],
    ['شقة للإيجار قريبة من المترو', STATIONS, 1_000],
    ['for rent 10 minutes walk from KAFD', [DISTRICT], 800],
    ['للإيجار على بعد ٢٠ دقيقة مشي من كافد', [DISTRICT], 1_600],
    ['for rent 5 minutes by car from KAFD', [DISTRICT], 2_500],
    ['for rent near King Saud University', GATES, 1_500],
    ['شقة للإيجار قريبة من جامعة الملك سعود', GATES, 1_500],
    ['for rent within 3 km of King Saud University', GATES, 3_000],
  ] as const) {
    const { body } = await app.request(`/v1/listings/parse?${new URLSearchParams({ q })}`, { key });
    const { filters, search_url, not_understood } = body.data;
    t.is(filters.radius_m, String(radius), q);
    t.deepEqual(not_understood, [], q);
    const { property_type: _, ...place } = filters;
    const expected = countWithin(points, radius);
    t.true(expected > 0 && expected < homes.size, q);
    const query = new URLSearchParams(place);
    t.is((await app.request(`/v1/listings/count?${query}`, { key })).body.data.total, expected, q);
    const url = new URL(search_url);
    const found = await app.request(`${url.pathname}?${query}&limit=100`, { key });
    for (const { id } of found.body.data)
      t.true(
        points.some((point) => sphericalMeters(homes.get(id) as Point, point) <= radius),
        q,
      );
  }
});

test('a place that is unknown, or that homes must not be near to, is not understood', async (t) => {
  for (const [q, words] of [
    ['apartment not near the metro', 'not near the metro'],
    ['apartment near Hogwarts', 'near Hogwarts'],
    ['شقة بعيدة عن المترو', 'بعيدة عن المترو'],
    ['apartment near a school', 'near a school'],
  ] as const) {
    const { data } = (await app.request(`/v1/listings/parse?${new URLSearchParams({ q })}`, { key })).body;
    t.deepEqual(
      [data.near_place, data.not_understood.map((each: { words: string }) => each.words)],
      [null, [words]],
      q,
    );
  }
});

test('a wrong file of places ends the start with its name, the feature and the remedy', async (t) => {
  const wrong = join(folder, 'wrong.geojson');
  await writeFile(wrong, fileOf(feature({ kind: 'bakery', name_en: 'Wadi' }, DISTRICT)));
  t.throws(() => readConfig({ ...testEnv(), PLACES_FILE: wrong }), {
    message: `PLACES_FILE ${wrong}: Feature 1 (Wadi) has an unknown kind. State \`kind\`: metro_station, school, university, mall, other.`,
  });
  await writeFile(wrong, ' '.repeat(2_000_001));
  t.throws(() => readConfig({ ...testEnv(), PLACES_FILE: wrong }), { message: /2000001 bytes, and at most 2000000/ });
});
