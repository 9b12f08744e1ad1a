import test from 'ava';
import { readBoundaries } from '#domain/geography/boundaries.ts';
import { ad, type Pipeline, startPipeline, testSource } from './pipeline.ts';

const MALQA = 1001;
const YASMIN = 1002;

let pipeline: Pipeline;
test.before(async () => {
  pipeline = await startPipeline('boundaries');
});
test.after.always(() => pipeline?.close());

const square = (west: number, south: number, east: number, north: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});
const boundaries = readBoundaries(
  JSON.stringify({
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: { neighborhood_id: MALQA }, geometry: square(46.638, 24.823, 46.642, 24.827) },
    ],
  }),
);

test('a new file of boundaries moves ads that state no neighborhood, and removing it moves them back', async (t) => {
  const source = testSource('bounded');
  const inside = { lat: 24.825, lng: 46.64 };
  source.feed = [
    ...Array.from({ length: 5 }, (_, at) =>
      ad(`stated${at}`, { lat: 24.825 + (at + 1) / 1e5, lng: 46.64, neighborhood: 'الياسمين' }),
    ),
    ad('inside', { ...inside, neighborhood: null }),
    ad('outside', { lat: 24.828, lng: 46.64, neighborhood: null }),
  ];
  const neighborhoods = async (): Promise<unknown[]> => {
    const rows = await Promise.all(['inside', 'outside', 'stated0'].map((id) => pipeline.listing('bounded', id)));
    return rows.map(({ neighborhood_id: id }) => id);
  };
  await pipeline.run([source], '2026-05-02T03:00:00Z');
  t.deepEqual(await neighborhoods(), [YASMIN, YASMIN, YASMIN]);
  await pipeline.run([source], '2026-05-03T03:00:00Z', { boundaries });
  t.deepEqual(await neighborhoods(), [MALQA, YASMIN, YASMIN]);
  await pipeline.run([source], '2026-05-04T03:00:00Z');
  t.deepEqual(await neighborhoods(), [YASMIN, YASMIN, YASMIN]);
});
