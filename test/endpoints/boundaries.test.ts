import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import type { Outline } from '#domain/geography/outlines.ts';
import { Places } from '#domain/geography/reference.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { featureOf, fileOf, square } from '#test/boundaries.ts';
import { testConfig } from '#test/env.ts';
import { createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';

const MALQA = 1001;
let folder: string;
let file: string;
const places = new Places();
let app: TestApp;
let key: string;
test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundaries-'));
  file = join(folder, 'boundaries.geojson');
  await writeFile(file, fileOf(featureOf({ neighborhood_id: MALQA }, square(24.8, 46.6))));
  app = await startTestApp({ env: { BOUNDARIES_FILE: file }, overrides: { places } });
  key = (await createOrganization(app.services, { plan: 'free' })).key;
});
test.after(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const request = (city: string, query = '') => app.request(`/v1/cities/${city}/boundaries${query}`, { key });

test('boundaries come from the configured file, otherwise they are approximate, and they cost no units', async (t) => {
  const { status, body, headers } = await request('riyadh');
  t.is(status, 200);
  t.is(headers.get('x-request-units'), '0');
  t.is(body.data.type, 'FeatureCollection');
  const features = body.data.features as Outline[];
  t.deepEqual(
    features.map(({ id }) => id).sort((a, b) => a - b),
    NEIGHBORHOODS.flatMap(({ id, city }) => (city === 'riyadh' ? [id] : [])).sort((a, b) => a - b),
  );
  for (const { id, properties, geometry } of features) {
    t.is(properties.id, id);
    t.is(properties.approximate, id !== MALQA);
    for (const [ring = []] of geometry?.coordinates ?? []) t.deepEqual(ring[0], ring.at(-1));
  }
  t.deepEqual(features.find(({ id }) => id === MALQA)?.geometry?.coordinates, [square(24.8, 46.6).coordinates]);
  t.deepEqual((await request('riyadh', '?simplified=true')).body.data.features.length, features.length);
});

test('a configuration with an invalid boundary file is refused with the name of the file and every problem', async (t) => {
  const wrong = join(folder, 'wrong.geojson');
  await writeFile(
    wrong,
    fileOf(featureOf({ neighborhood_id: 1 }, square(24.8, 46.6)), featureOf({}, square(24.8, 46.6))),
  );
  const message = t.throws(() => testConfig({ BOUNDARIES_FILE: wrong }))?.message ?? '';
  t.deepEqual(
    message.split('\n').map((line) => line.slice(0, `BOUNDARIES_FILE ${wrong}: Feature 1`.length)),
    [1, 2].map((feature) => `BOUNDARIES_FILE ${wrong}: Feature ${feature}`),
  );
  t.regex(
    t.throws(() => testConfig({ BOUNDARIES_FILE: join(folder, 'none') }))?.message ?? '',
    /BOUNDARIES_FILE .*ENOENT/,
  );
});
