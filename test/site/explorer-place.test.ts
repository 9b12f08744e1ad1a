import fc from 'fast-check';
import { metersBetween } from '#domain/geography/distance.ts';
import {
  boxAround,
  boxAt,
  boxOfMost,
  readBox,
  readDrawn,
  readMapPosition,
  readPoint,
  readPosition,
  ringsOf,
  searchedPart,
  writeMapPosition,
} from '#site/server/explorer-place.ts';
import { test } from '#test/test.ts';

test('an area is parsed from four ordered numbers, and any other text is rejected', (t) => {
  t.deepEqual(readBox('46.5,24.5,46.9,24.9'), [46.5, 24.5, 46.9, 24.9]);
  for (const text of [null, '', '46.5,24.5,46.9', '46.9,24.5,46.5,24.9', '46.5,24.5,46.9,95', '1,2,3,4,5', 'a,b,c,d'])
    t.is(readBox(text), null, String(text));
});

test('a point is parsed from latitude and longitude, and any other text is rejected', (t) => {
  t.deepEqual(readPoint('24.7,46.7'), { lat: 24.7, lng: 46.7 });
  for (const text of [null, '', '24.7', '95,46.7', '24.7,46.7,1', 'a,b']) t.is(readPoint(text), null, String(text));
});

test('an invalid scroll position in a history entry is read as the top of the first page', (t) => {
  t.deepEqual(readPosition({ pages: 3, y: 120.5 }), { pages: 3, y: 120.5 });
  for (const state of [null, undefined, 5, {}, { pages: 0, y: -1 }, { pages: 'x', y: 'y' }])
    t.deepEqual(readPosition(state), { pages: 1, y: 0 });
  t.is(readPosition({ pages: 1_000 }).pages, 10);
});

test('the bounding box of a map follows from center, zoom and pixel size in the Mercator projection', (t) => {
  const [west, south, east, north] = boxAt({ lat: 0, lng: 10, zoom: 0 }, [512, 512]);
  t.deepEqual([west, east], [-170, 190]);
  // The edge of the world in this projection.
  t.true(Math.abs(north - 85.0511) < 1e-4 && Math.abs(south + north) < 1e-9);
  const box = boxAt({ lat: 24.7, lng: 46.7, zoom: 12 }, [600, 700]);
  const pixels = (from: number, to: number): number => ((to - from) / 360) * 512 * 2 ** 12;
  t.true(Math.abs(pixels(box[0], box[2]) - 600) < 1e-6);
  t.true(Math.abs(pixels(box[1], box[3]) / Math.cos((24.7 * Math.PI) / 180) - 700) < 1);
});

test('a map position round-trips through the URL, and any other text is rejected', (t) => {
  fc.assert(
    fc.property(
      fc.double({ min: 16, max: 33, noNaN: true }),
      fc.double({ min: 34, max: 56, noNaN: true }),
      fc.double({ min: 0, max: 22, noNaN: true }),
      (lat, lng, zoom) => {
        const text = writeMapPosition({ lat, lng, zoom });
        const read = readMapPosition(text);
        t.not(read, null, text);
        t.is(read && writeMapPosition(read), text);
      },
    ),
  );
  for (const text of ['', '24.7,46.7', '95,46,5', '24,46,30', '24,46,5,1', 'a,b,c'])
    t.is(readMapPosition(text), null, text);
});

test('outlines of polygon, bbox and near filters match the filters, and invalid filters have no outline', (t) => {
  const rings = (query: string) => ringsOf(new URLSearchParams(query));
  t.deepEqual(rings('polygon=24.7,46.6;24.7,46.7;24.8,46.7'), [
    [
      [46.6, 24.7],
      [46.7, 24.7],
      [46.7, 24.8],
      [46.6, 24.7],
    ],
  ]);
  t.deepEqual(boxAround(rings('bbox=46.5,24.5,46.9,24.9')), [46.5, 24.5, 46.9, 24.9]);
  const center = { lat: 24.7742, lng: 46.6385 };
  for (const [query, radius] of [
    ['', 2_000],
    ['&radius_m=500', 500],
  ] as const) {
    const [circle = []] = rings(`near=24.7742,46.6385${query}`);
    t.deepEqual(
      circle[0]?.map((each) => each.toFixed(9)),
      circle.at(-1)?.map((each) => each.toFixed(9)),
    );
    for (const [lng, lat] of circle) t.true(Math.abs(metersBetween(center, { lat, lng }) / radius - 1) < 0.005);
  }
  for (const query of ['', 'polygon=24,46;24,47', 'near=24', 'near=a,b', 'near=24,46&radius_m=-1', 'bbox=1,2,3'])
    t.deepEqual(rings(query), [], query);
  t.is(boxAround([]), null);
});

test('the searched map area is limited to the country and to the bounding box of the search', (t) => {
  t.deepEqual(searchedPart([46, 24, 47, 25], null), [46, 24, 47, 25]);
  t.deepEqual(searchedPart([46, 24, 47, 25], [46.5, 24.5, 49, 24.8]), [46.5, 24.5, 47, 24.8]);
  // Listings on an edge of the search are within it. The visible part is widened.
  const edges = [46.586499, 24.788267, 46.612398, 24.81179] as const;
  t.deepEqual(searchedPart([46, 24, 47, 25], [...edges]), [...edges]);
  t.deepEqual(searchedPart([...edges], null), [46.5864, 24.7882, 46.6124, 24.8118]);
  t.deepEqual(searchedPart([-180, -85, 180, 85], null), [34.4, 16, 56, 32.5]);
  t.is(searchedPart([46, 24, 47, 25], [48, 24, 49, 25]), null);
  t.is(searchedPart([0, 40, 10, 50], null), null);
});

test('a drawn polygon is formatted for the API, unless it has too few corners or its sides cross', (t) => {
  const corner = (lat: number, lng: number) => ({ lat, lng });
  const [a, b, c, d] = [corner(24.7, 46.6), corner(24.7, 46.7), corner(24.8, 46.7), corner(24.812345678, 46.6)];
  t.deepEqual(readDrawn([a, b, c, d]), { polygon: '24.7,46.6;24.7,46.7;24.8,46.7;24.81235,46.6' });
  t.deepEqual(readDrawn([a, b]), { fault: 'few' });
  t.deepEqual(readDrawn([a, c, b, d]), { fault: 'crossing' });
  t.deepEqual(readDrawn([a, b, a]), { fault: 'crossing' });
});

test('the initial map of a city covers the places with most listings, or every place if there are no listings', (t) => {
  const far = { lat: 20, lng: 50, count: 1 };
  const near = [
    { lat: 24, lng: 46, count: 30 },
    { lat: 25, lng: 47, count: 40 },
  ];
  t.deepEqual(boxOfMost([...near, far]), [46, 24, 47, 25]);
  t.deepEqual(boxOfMost([...near, far].map((place) => ({ ...place, count: 0 }))), [46, 20, 50, 25]);
  t.is(boxOfMost([]), null);
});
