import test from 'ava';
import type { City, Neighborhood } from '#domain/geography/places.ts';
import { loadReference, writeReference } from '#search/reference-index/index.ts';
import { ownIndexes } from './own-indexes.ts';

const cities: City[] = ['beta', 'alpha'].map((slug) => ({
  slug,
  name_en: slug,
  name_ar: 'مدينة',
  center: { lat: 24, lng: 46 },
  aliases: ['المدينة'],
}));
const neighborhoods: Neighborhood[] = Array.from({ length: 12_000 }, (_, at) => ({
  id: 12_000 - at,
  city: 'beta',
  slug: `n-${at}`,
  name_en: `N ${at}`,
  name_ar: 'حيّ',
  direction_id: at % 2 === 0 ? null : 1,
  center: at % 3 === 0 ? null : { lat: 24.1, lng: 46.2 },
  aliases: [],
}));

test('places are returned in the order in which they were written, across several pages', async (t) => {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  t.deepEqual(await loadReference(own.client), { cities: [], neighborhoods: [] });
  t.true(await writeReference(own.client, { cities, neighborhoods }));
  t.deepEqual(await loadReference(own.client), { cities, neighborhoods });
  t.false(await writeReference(own.client, { cities, neighborhoods }), 'unchanged places are not written');
});

test('changed places replace previous ones, and removed places are deleted', async (t) => {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const first = { cities, neighborhoods: neighborhoods.slice(0, 3) };
  const second = { cities, neighborhoods: neighborhoods.slice(1, 3) };
  await Promise.all([writeReference(own.client, first), writeReference(own.client, first)]);
  t.true(await writeReference(own.client, second));
  t.deepEqual(await loadReference(own.client), second);
  const { body } = await own.client.cat.indices({ index: `${own.prefix}*`, format: 'json' });
  t.is((body as unknown[]).length, 2);
});
