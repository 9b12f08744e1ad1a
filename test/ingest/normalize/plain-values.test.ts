import type { RawListing } from '#ingest/normalize/listing.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { normalizeProject } from '#ingest/off-plan/normalize.ts';
import type { RawProject } from '#ingest/off-plan/sources/raw.ts';
import { test } from '#test/test.ts';

const AD: RawListing = {
  source_listing_id: '1',
  purpose: 'rent',
  property_type: 'apartment',
  price: 50_000,
  area: 100,
  city: 'Riyadh',
  amenities: ['pool'],
};

const read = (changes: Readonly<Record<string, unknown>>) =>
  normalize({ name: 's' }, { ...AD, ...changes } as unknown as RawListing);

test('a value of another type than its field is absent, and the other fields are read', (t) => {
  for (const changes of [
    { price: [850_000] },
    { price: true },
    { price: { amount: 850_000 } },
    { area: {} },
    { bedrooms: [3], floor: {}, lat: [], age_years: false },
    { title: ['a'], description: {}, neighborhood: [], compound_name: {}, advertiser_key: [] },
    { amenities: { pool: true }, photos: 'https://a.example/1.jpg', project: 'p', financing: [] },
    { price_period: ['monthly'], furnished: {}, verified: [], updated_at: ['2026-03-01'] },
  ]) {
    const result = read(changes);
    if (!result.ok) return t.fail(`${JSON.stringify(changes)}: ${result.reason}, ${result.detail}`);
    const { listing } = result;
    t.is(listing.price_yearly_sar, 'price' in changes ? null : 50_000, JSON.stringify(changes));
    t.is(listing.area_sqm, 'area' in changes ? null : 100);
    t.deepEqual(listing.amenities, 'amenities' in changes ? [] : ['pool']);
    t.deepEqual([listing.bedrooms, listing.floor, listing.title, listing.project], [null, null, null, null]);
  }
  const mixed = read({ amenities: ['pool', null, 7, {}], photos: [7, 'https://a.example/1.jpg', null] });
  t.like(mixed, { ok: true, listing: { amenities: ['pool'], photos: ['https://a.example/1.jpg'] } });
  t.like(read({ purpose: {} }), { ok: false, reason: 'unknown_purpose' });
});

test('values of other types leave out fields and unit types of a project, not the project', (t) => {
  const row = {
    source_project_id: 'p',
    name_en: 'Oasis',
    name_ar: {},
    status: 'ready',
    city: 'Riyadh',
    price_min: { from: 1 },
    unit_types: [null, 7, 'villa', { property_type: 'villa', area: {}, price: ['1'] }],
    license_number: {},
    features: 'mosque',
    payment_plan: 'monthly',
    description: 7,
  };
  const result = normalizeProject(row as unknown as RawProject, new Date('2026-03-01T00:00:00Z'));
  t.like(result, { ok: true, license: null, project: { name_en: 'Oasis', name_ar: null, price_min_sar: null } });
  if (result.ok)
    t.deepEqual(
      result.project.unit_types.map(({ property_type }) => property_type),
      ['villa'],
    );
});
