import fc from 'fast-check';
import { readBoundaries } from '#domain/geography/boundaries.ts';
import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import type { Neighborhood } from '#domain/geography/places.ts';
import { featureOf, fileOf, square } from '#test/boundaries.ts';
import { test } from '#test/test.ts';

const MALQA = 1001;
const YASMIN = 1002;
const nameOf = (id: number): Neighborhood => NEIGHBORHOODS.find((each) => each.id === id) as Neighborhood;
const read = (...features: unknown[]) => readBoundaries(fileOf(...features));

test('an invalid boundary file is refused with the position, name and remedy of every invalid feature', (t) => {
  const malqa = { neighborhood_id: MALQA };
  for (const [text, message] of [
    ['no JSON', /It is not JSON/],
    [fileOf(), /No feature is a known neighborhood/],
    [fileOf(featureOf({ name: 'A' }, { type: 'Point', coordinates: [46, 24] })), /Feature 1 \(A\) is no Polygon/],
    [fileOf(featureOf({ neighborhood_id: 1 }, square(24.8, 46.6))), /unknown neighborhood_id, 1\. GET \/cities/],
    [fileOf(featureOf(malqa, square(21.5, 39.2))), /is \d+ km from neighborhood_id 1001, Al Malqa/],
    [fileOf(featureOf(malqa, square(46.6, 24.8))), /is outside Saudi Arabia at .*longitude, latitude/],
    [
      fileOf(...Array.from({ length: 30 }, () => featureOf({ neighborhood_id: 1 }, square(24.8, 46.6)))),
      /Feature 20 [\s\S]*10 more errors\.$/,
    ],
  ] as const)
    t.regex(t.throws(() => readBoundaries(text))?.message ?? '', message);
});

test('a boundary is assigned to the neighborhood with its id, or with its name in each form of public files', (t) => {
  const [malqa, yasmin] = [nameOf(MALQA), nameOf(YASMIN)];
  for (const name of [
    (place: Neighborhood) => ({ district_id: 10100003001, city_id: 3, name_ar: `حي ${place.name_ar}`, region_id: 1 }),
    (place: Neighborhood) => ({ district_id: 10100003001, name_en: `${place.name_en} Dist.`, name_ar: null }),
    (place: Neighborhood) => ({ name: place.name_en, name_ar: place.name_ar }),
    (place: Neighborhood) => ({ neighborhood_id: place.id }),
    (place: Neighborhood) => ({ name_ar: `حي ${place.name_ar}`, city: 'riyadh' }),
  ]) {
    const boundaries = read(
      featureOf(name(malqa), square(24.8, 46.6)),
      featureOf({ name_en: 'Nowhere Park' }, square(24.7, 46.7)),
      // Exports of maps have more digits than are retained.
      featureOf(name(yasmin), square(24.830000000000041, 46.640000000000043)),
    );
    t.is(boundaries.size, 2);
    t.deepEqual(boundaries.skipped, ['Nowhere Park']);
    t.is(boundaries.neighborhoodAt({ lat: 24.8, lng: 46.6 })?.id, MALQA);
    t.is(boundaries.neighborhoodAt({ lat: 24.83, lng: 46.64 })?.id, YASMIN);
  }
});

test('a point has the neighborhood whose boundary contains it, and none inside several boundaries or a hole', (t) => {
  const squares = fc.record({
    id: fc.constantFrom(MALQA, YASMIN, 1003, 1004),
    lat: fc.double({ min: 24.78, max: 24.82, noNaN: true }),
    lng: fc.double({ min: 46.58, max: 46.62, noNaN: true }),
    half: fc.double({ min: 0.002, max: 0.03, noNaN: true }),
    hasHole: fc.boolean(),
  });
  const points = fc.record({
    lat: fc.double({ min: 24.76, max: 24.84, noNaN: true }),
    lng: fc.double({ min: 46.56, max: 46.64, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.array(squares, { minLength: 1, maxLength: 8 }),
      fc.array(points, { maxLength: 20 }),
      (places, probes) => {
        const boundaries = read(
          ...places.map(({ id, lat, lng, half, hasHole }) => {
            const holes = hasHole ? square(lat, lng, half / 2).coordinates : [];
            const { type, coordinates } = square(lat, lng, half);
            return featureOf({ neighborhood_id: id }, { type, coordinates: [...coordinates, ...holes] });
          }),
        );
        for (const { lat, lng } of probes) {
          const away = (each: (typeof places)[number]) =>
            Math.max(Math.abs(lat - each.lat), Math.abs(lng - each.lng)) / each.half;
          // Coordinates of a file are rounded to 0.1 m.
          if (places.some((each) => Math.abs(away(each) - 1) < 0.01 || Math.abs(away(each) - 0.5) < 0.01)) continue;
          const inside = places.filter((each) => away(each) < 1 && (!each.hasHole || away(each) > 0.5));
          const ids = new Set(inside.map(({ id }) => id));
          t.is(boundaries.neighborhoodAt({ lat, lng })?.id, ids.size === 1 ? [...ids][0] : undefined);
        }
      },
    ),
  );
});
