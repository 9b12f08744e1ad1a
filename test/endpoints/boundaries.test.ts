import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import type { Outline } from '#domain/geography/outlines.ts';
import { Places } from '#domain/geography/reference.ts';
import { startTestApp } from '#test/app.ts';
import { featureOf, fileOf, square } from '#test/boundaries.ts';
import { createOrganization } from '#test/factories.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const MALQA = 1001;

test('boundaries come from the configured file, otherwise they are approximate, and they cost no units', async (t) => {
  const file = join(await temporaryFolder(t), 'boundaries.geojson');
  await writeFile(file, fileOf(featureOf({ neighborhood_id: MALQA }, square(24.8, 46.6))));
  const app = await startTestApp({ env: { BOUNDARIES_FILE: file }, overrides: { places: new Places() } });
  t.teardown(() => app.close());
  const { key } = await createOrganization(app.services, { plan: 'free' });
  const { status, body, headers } = await app.request('/v1/cities/riyadh/boundaries', { key });
  t.is(status, 200);
  t.is(headers.get('x-request-units'), '0');
  const features = body.data.features as Outline[];
  t.deepEqual(
    features.map(({ id }) => id).sort((a, b) => a - b),
    NEIGHBORHOODS.flatMap(({ id, city }) => (city === 'riyadh' ? [id] : [])).sort((a, b) => a - b),
  );
  for (const { id, properties } of features) t.is(properties.approximate, id !== MALQA);
  t.deepEqual(features.find(({ id }) => id === MALQA)?.geometry?.coordinates, [square(24.8, 46.6).coordinates]);
});
