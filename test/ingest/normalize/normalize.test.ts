import { readBoundaries } from '#domain/geography/boundaries.ts';
import { findCity, findNeighborhood } from '#domain/geography/locate.ts';
import type { LatLng } from '#domain/geography/places.ts';
import type { NormalizedListing, RawListing } from '#ingest/normalize/listing.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { normalizeProject } from '#ingest/off-plan/normalize.ts';
import type { RawProject } from '#ingest/off-plan/sources/raw.ts';
import { featureOf, fileOf, square } from '#test/boundaries.ts';
import { test } from '#test/test.ts';

const AT = new Date('2026-03-10T05:00:00Z');
const RAW: RawListing = {
  source_listing_id: 'a-1',
  purpose: 'للإيجار',
  property_type: 'شقة',
  price: '٨٥٬٠٠٠',
  price_period: 'سنوي',
  area: '١٤٠ م²',
  city: 'الرياض',
  neighborhood: 'حي الياسمين',
};

function listingOf(raw: Partial<RawListing>): NormalizedListing {
  const result = normalize({ name: 'house' }, { ...RAW, ...raw }, AT);
  if (!result.ok) throw new Error(`${result.reason}: ${result.detail}`);
  return result.listing;
}

function reasonOf(raw: Partial<RawListing>): string {
  const result = normalize({ name: 'house' }, { ...RAW, ...raw }, AT);
  return result.ok ? 'taken' : result.reason;
}

function centerOf(city: string, neighborhood: string): LatLng {
  const center = findNeighborhood(city, neighborhood)?.center;
  if (!center) throw new Error(`${neighborhood} has no center`);
  return center;
}

test('a row is converted to the vocabulary, units and locations of the service', (t) => {
  const listing = listingOf({
    url: 'https://house.invalid/شقق-للبيع/a-1',
    title: ' شقة للإيجار ',
    description: 'نظيفة',
    bedrooms: '٣',
    bathrooms: 2,
    floor: 'الأول',
    furnished: 'مفروشة',
    amenities: ['مكيف', 'مصعد'],
    street_width: '15 م',
    photos: ['https://house.invalid/1.jpg', 'ftp://no', 'https://house.invalid/1.jpg'],
    advertiser_type: 'مكتب عقاري',
    advertiser_key: 'k7',
    verified: 'نعم',
    updated_at: '2026-03-09T08:00:00+03:00',
  });
  t.like(listing, {
    source: 'house',
    source_listing_id: 'a-1',
    url: 'https://house.invalid/شقق-للبيع/a-1',
    title: 'شقة للإيجار',
    description: 'نظيفة',
    description_en: null,
    listing_type: 'rent',
    listing_category: 'residential',
    property_type: 'apartment',
    price_yearly_sar: 85_000,
    price_as_posted: { amount: 85_000, frequency: 'yearly' },
    bedrooms: 3,
    bathrooms: 2,
    livings: null,
    area_sqm: 140,
    floor: '1',
    furnished: true,
    amenities: ['ac', 'lift'],
    city: 'riyadh',
    neighborhood_id: findNeighborhood('riyadh', 'الياسمين')?.id,
    lat: null,
    street_width_m: 15,
    photos: ['https://house.invalid/1.jpg'],
    advertiser_wording: 'مكتب عقاري',
    advertiser_type: 'company',
    advertiser_key: 'k7',
    verified_by_source: true,
    source_updated_at: '2026-03-09T05:00:00Z',
  });
});

test('a row without required values is rejected with the reason', (t) => {
  t.is(reasonOf({}), 'taken');
  for (const id of ['', '  ', null as unknown as string]) t.is(reasonOf({ source_listing_id: id }), 'missing_id');
  t.is(reasonOf({ source_listing_id: 'x'.repeat(500) }), 'malformed_row');
  t.is(reasonOf({ purpose: 'swap' }), 'unknown_purpose');
  t.is(reasonOf({ purpose: 'مطلوب للايجار' }), 'wanted');
  t.is(reasonOf({ property_type: 'مطلوب شقة للايجار' }), 'wanted');
  t.is(reasonOf({ title: 'مطلوب شقة للايجار' }), 'wanted');
  t.is(reasonOf({ title: 'شقة للبيع', description: 'مطلوب شقة من المالك مباشرة حي الريان' }), 'wanted');
  t.is(reasonOf({ title: 'شقة للبيع', description: 'شقة نظيفة\nالمطلوب 900 ألف' }), 'taken');
  t.is(reasonOf({ purpose: undefined as unknown as string }), 'unknown_purpose');
  t.is(reasonOf({ property_type: 'spaceship' }), 'unknown_property_type');
  t.is(reasonOf({ city: 'Atlantis' }), 'unknown_city');
  t.is(reasonOf({ city: null }), 'unknown_city');
  t.is(reasonOf({ city: null, lat: 51.5, lng: -0.1 }), 'unknown_city');
});

test('an ad with an unreadable value is stored without it, and the value is reported', (t) => {
  const unread = (raw: Partial<RawListing>) => {
    const result = normalize({ name: 'house' }, { ...RAW, ...raw }, AT);
    return result.ok ? result.unread : result;
  };
  t.deepEqual(unread({}), []);
  t.deepEqual(unread({ price: 'two camels' }), [{ field: 'price', value: 'two camels' }]);
  t.deepEqual(unread({ area: 'roomy', floor: 'high' }), [
    { field: 'area', value: 'roomy' },
    { field: 'floor', value: 'high' },
  ]);
  t.deepEqual(unread({ updated_at: '2026-02-30' }), [{ field: 'date', value: '2026-02-30' }]);
  const unclear = { bedrooms: '3 شقق', bathrooms: '2.5', livings: 'many', age_years: '2015', furnished: 'partly' };
  t.deepEqual(unread({ ...unclear, street_width: '15-20', lat: '30.04', lng: '31.24' }), [
    { field: 'bedrooms', value: '3 شقق' },
    { field: 'bathrooms', value: '2.5' },
    { field: 'livings', value: 'many' },
    { field: 'age', value: '2015' },
    { field: 'furnished', value: 'partly' },
    { field: 'street_width', value: '15-20' },
    { field: 'point', value: '30.04' },
  ]);
  t.deepEqual(unread({ price: 'على السوم', area: '-', floor: '', updated_at: 'N/A' }), []);
  t.deepEqual(unread({ lat: 0, lng: '0.0', street_width: '0', bedrooms: '-' }), []);
});

test('normalization keeps a readable but implausible value for a later stage to check', (t) => {
  t.is(listingOf({ url: 'javascript:alert(1)' }).url, null);
  t.like(listingOf({ price: 5, area: 99_999, bedrooms: 40 }), { price_yearly_sar: 5, area_sqm: 99_999, bedrooms: 40 });
});

test('a location is found by name in either language, otherwise by its point', (t) => {
  const yasmin = findNeighborhood('riyadh', 'الياسمين');
  const center = centerOf('riyadh', 'الياسمين');
  for (const place of [
    { city: 'Riyadh', neighborhood: 'Al-Yasmin' },
    { city: 'الرياض', neighborhood: 'الياسمين' },
    { city: 'riyadh', neighborhood: 'حي الياسمين' },
    { city: null, neighborhood: null, ...center },
    { city: 'Riyadh', neighborhood: null, ...center },
    { city: 'Riyadh', neighborhood: 'somewhere nice', ...center },
    { city: 'Nowhere', neighborhood: null, ...center },
  ]) {
    const listing = listingOf(place);
    t.is(listing.city, 'riyadh');
    t.is(listing.neighborhood_id, yasmin?.id ?? -1, JSON.stringify(place));
  }
});

test('a point is in the neighborhood whose boundary contains it, unless the row names another', (t) => {
  const center = centerOf('riyadh', 'الملقا');
  const yasmin = findNeighborhood('riyadh', 'الياسمين')?.id;
  const boundaries = readBoundaries(fileOf(featureOf({ neighborhood_id: yasmin }, square(center.lat, center.lng))));
  const placed = (raw: object) => {
    const result = normalize({ name: 'house' }, { ...RAW, ...center, ...raw }, AT, boundaries);
    return result.ok && [result.listing.city, result.listing.neighborhood_id];
  };
  t.deepEqual(placed({ city: 'Riyadh', neighborhood: null }), ['riyadh', yasmin]);
  t.deepEqual(placed({ city: null, neighborhood: null }), ['riyadh', yasmin]);
  t.deepEqual(placed({ city: 'Riyadh', neighborhood: 'الملقا' }), ['riyadh', findNeighborhood('riyadh', 'الملقا')?.id]);
});

test('a point far from the named city is dropped, and swapped coordinates are corrected', (t) => {
  const jeddah = findCity('jeddah')?.center as LatLng;
  t.like(listingOf({ neighborhood: null, ...jeddah }), { city: 'riyadh', lat: null, lng: null, neighborhood_id: null });
  const { lat, lng } = centerOf('riyadh', 'الملقا');
  t.like(listingOf({ lat: lng, lng: lat }), { lat, lng });
  for (const point of [
    { lat: 0, lng: 0 },
    { lat: 'x', lng: 46 },
    { lat: 24.7, lng: null },
  ]) {
    t.like(listingOf(point), { lat: null, lng: null });
  }
});

test('financing is copied from the source, or null if the source does not state it', (t) => {
  const plans = { monthly: null, quarterly: null, semiannually: null };
  t.deepEqual(listingOf({}).financing, {
    rent_now_pay_later_monthly_sar: null,
    accepts_bank_financing: null,
    landlord_payment_plans: plans,
  });
  const financing = {
    rent_now_pay_later_monthly_sar: 7_500,
    accepts_bank_financing: false,
    landlord_payment_plans: { ...plans, monthly: true, semiannually: false },
  };
  t.deepEqual(listingOf({ financing }).financing, financing);
});

test('a value of another type than its field is absent, and the other fields are read', (t) => {
  const read = (changes: Readonly<Record<string, unknown>>) =>
    normalize({ name: 's' }, { ...RAW, amenities: ['pool'], ...changes } as unknown as RawListing, AT);
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
    t.is(listing.price_yearly_sar, 'price' in changes ? null : 85_000, JSON.stringify(changes));
    t.is(listing.area_sqm, 'area' in changes ? null : 140);
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
