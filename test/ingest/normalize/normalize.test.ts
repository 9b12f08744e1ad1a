import { findCity, findNeighborhood } from '#domain/geography/locate.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { wordsOf } from '#domain/text/phrases.ts';
import { STATE_WORDS } from '#domain/text/word-lists.ts';
import { otherOrder } from '#ingest/normalize/ad-dates.ts';
import type { NormalizedListing, RawListing, RejectReason } from '#ingest/normalize/listing.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { feedId } from '#ingest/normalize/plain-values.ts';
import { test } from '#test/test.ts';

const HIJRI_REMEDY = 'Hijri dates are not read: state the Gregorian one, such as 2026-11-20';
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

function centerOf(city: string, neighborhood: string): LatLng {
  const center = findNeighborhood(city, neighborhood)?.center;
  if (!center) throw new Error(`${neighborhood} has no center`);
  return center;
}

test('a row is converted to the vocabulary, units and locations of the service', (t) => {
  const listing = listingOf({
    url: 'https://house.invalid/شقق-للبيع/a-1',
    title: ' شقة للإيجار ',
    bedrooms: '٣',
    floor: 'الأول',
    furnished: 'مفروشة',
    amenities: ['مكيف', 'مصعد'],
    street_width: '15 م',
    photos: ['https://house.invalid/1.jpg', 'ftp://no', 'https://house.invalid/1.jpg'],
    advertiser_type: 'مكتب عقاري',
    verified: 'نعم',
    updated_at: '2026-03-09T08:00:00+03:00',
  });
  t.like(listing, {
    source: 'house',
    url: 'https://house.invalid/شقق-للبيع/a-1',
    title: 'شقة للإيجار',
    listing_category: 'residential',
    price_yearly_sar: 85_000,
    price_as_posted: { amount: 85_000, frequency: 'yearly' },
    bedrooms: 3,
    area_sqm: 140,
    floor: '1',
    furnished: true,
    amenities: ['ac', 'lift'],
    neighborhood_id: findNeighborhood('riyadh', 'الياسمين')?.id,
    street_width_m: 15,
    advertiser_wording: 'مكتب عقاري',
    advertiser_type: 'company',
    verified_by_source: true,
    source_updated_at: '2026-03-09T05:00:00Z',
  });
  t.deepEqual(listing.photos, ['https://house.invalid/1.jpg']);
});

test('a row without required values is rejected with the reason', (t) => {
  const rejected: [reason: RejectReason | undefined, raw: Partial<RawListing>][] = [
    [undefined, {}],
    ['missing_id', { source_listing_id: '  ' }],
    ['malformed_row', { source_listing_id: 'x'.repeat(500) }],
    ['unknown_purpose', { purpose: 'swap' }],
    ['wanted', { purpose: 'مطلوب للايجار' }],
    ['not_offered', { status: 'Sold' }],
    ['not_offered', { status: 'مؤجرة' }],
    ['not_offered', { status: false }],
    [undefined, { status: 'Reserved' }],
    [undefined, { status: 'pending' }],
    ['source_listing_id_unreadable', { source_listing_id: '1.23457E+11' }],
    ['source_listing_id_unreadable', { source_listing_id: '1.23456789012346E+15' }],
    [undefined, { source_listing_id: '3.1864062629335534e+62' }],
    ['source_listing_id_unreadable', { source_listing_id: '#N/A' }],
    ['source_listing_id_unreadable', { source_listing_id: '########' }],
    ['wanted', { title: 'شقة للبيع', description: 'مطلوب شقة من المالك مباشرة حي الريان' }],
    [undefined, { title: 'شقة للبيع', description: 'شقة نظيفة\nالمطلوب 900 ألف' }],
    ['unknown_property_type', { property_type: 'spaceship' }],
    ['unknown_city', { city: 'Atlantis' }],
    ['unknown_city', { city: 'ظهران الجنوب' }],
    ['unknown_city', { city: 'Jeddah, Riyadh' }],
    ['unknown_city', { city: null, lat: 51.5, lng: -0.1 }],
  ];
  for (const [reason, raw] of rejected) {
    const result = normalize({ name: 'house' }, { ...RAW, ...raw }, AT);
    t.is(result.ok ? undefined : result.reason, reason, JSON.stringify(raw));
  }
});

test('an ad with an unreadable value is stored without it, and the value is reported', (t) => {
  const unread = (raw: Partial<RawListing>) => {
    const result = normalize({ name: 'house' }, { ...RAW, ...raw }, AT);
    return result.ok ? result.unread : result;
  };
  const unclear = { bedrooms: '3 شقق', bathrooms: '2.5', livings: 'many', age_years: '20155', furnished: 'partly' };
  const others = { price: 'two camels', area: 'roomy', floor: 'high', street_width: '15-20', updated_at: '2026-02-30' };
  t.deepEqual(unread({ ...unclear, ...others, lat: '30.04', lng: '31.24' }), [
    { field: 'price', value: 'two camels' },
    { field: 'area', value: 'roomy' },
    { field: 'bedrooms', value: '3 شقق' },
    { field: 'bathrooms', value: '2.5' },
    { field: 'livings', value: 'many' },
    { field: 'floor', value: 'high' },
    { field: 'age', value: '20155' },
    { field: 'furnished', value: 'partly' },
    { field: 'street_width', value: '15-20' },
    { field: 'point', value: '30.04' },
    { field: 'date', value: '2026-02-30' },
  ]);
  t.is(listingOf({ updated_at: '2026-03-11T05:00:00Z' }).source_updated_at, null, 'after the run');
  t.deepEqual(unread({ price: 'على السوم', area: '-', floor: '', updated_at: 'N/A' }), []);
  t.like(unread({ updated_at: '11/20/2025' }), [
    { field: 'date', value: '11/20/2025', remedy: otherOrder('day_first') },
  ]);
  for (const hijri of ['10/06/1448هـ', '١٠ جمادى الآخرة ١٤٤٨هـ', '1448-06-10'])
    t.like(unread({ updated_at: hijri }), [{ field: 'date', value: hijri, remedy: HIJRI_REMEDY }]);
  t.deepEqual(unread({ updated_at: '01/11/2025 إلى 15/11/2025' }), [
    { field: 'date', value: '01/11/2025 إلى 15/11/2025' },
  ]);
  t.like(unread({ price_period: 'PPPW' }), [{ field: 'price_period', value: 'PPPW' }]);
  t.like(unread({ price_period: 'bi-annual' }), [{ field: 'price_period', value: 'bi-annual' }]);
  t.deepEqual(unread({ lat: 0, lng: '0.0', street_width: '0', bedrooms: '-' }), []);
  t.deepEqual(unread({ updated_at: 'NaT', area: '<NA>', amenities: ['nan'], photos: ['[]'] }), []);
});

test('values are read as programs write them', (t) => {
  const { lat, lng } = centerOf('riyadh', 'الياسمين');
  const point = [{ $numberDouble: String(lng) }, lat, 600] as unknown as string;
  const written = {
    price: '\u0000 90000',
    amenities: ["['pool', \"maid's room\"]"],
    compound_name: { '@type': 'string', '@i:nil': 'true' } as unknown as string,
  };
  t.like(listingOf({ ...written, lat: point, lng: point }), { lat, lng, compound_name: null });
  t.like(listingOf(written).price_as_posted, { amount: 90_000 });
  t.deepEqual([...listingOf(written).amenities].sort(), ['maid_room', 'pool']);
});

test('a location is found by name in either language, otherwise by its point', (t) => {
  const yasmin = findNeighborhood('riyadh', 'الياسمين');
  const center = centerOf('riyadh', 'الياسمين');
  for (const place of [
    { city: 'Riyadh', neighborhood: 'Al-Yasmin' },
    { city: 'North Riyadh, Saudi Arabia', neighborhood: 'حي الياسمين بالرياض' },
    { city: 'مدينة الرياض', neighborhood: '(Al Yasmin), North Riyadh, Riyadh, KSA' },
    { city: null, neighborhood: null, ...center },
    { city: 'Riyadh', neighborhood: 'somewhere nice', ...center },
    { city: 'Nowhere', neighborhood: null, ...center },
  ]) {
    const listing = listingOf(place);
    t.is(listing.city, 'riyadh');
    t.is(listing.neighborhood_id, yasmin?.id ?? -1, JSON.stringify(place));
  }
});

test('an ad without point and neighborhood is located by its text within its city', (t) => {
  const placed = (more: Partial<RawListing>): [number | null, boolean, boolean] => {
    const listing = listingOf({ neighborhood: null, title: 'شقة للبيع بحي الياسمين', ...more });
    return [listing.neighborhood_id, listing.neighborhood_stated, listing.from_text.includes('neighborhood_id')];
  };
  const id = (name: string): number | null => findNeighborhood('riyadh', name)?.id ?? null;
  t.deepEqual(placed({}), [id('الياسمين'), false, true]);
  t.deepEqual(placed({ neighborhood: 'الملقا' }), [id('الملقا'), true, false]);
  t.deepEqual(placed({ lat: 24.8, lng: 46.6 }), [id('الملقا'), false, false]);
  t.deepEqual(placed({ city: 'جدة', title: 'شقة في حي الملقا' }), [null, false, false]);
});

test('the text fills missing fields of the source and overrides none', (t) => {
  const description = 'شقة مفروشة الدور الثاني عمرها 5 سنوات شارع 30م فيها مصعد ومسبح وصالة';
  t.like(listingOf({ description }), {
    floor: '2',
    age_years: 5,
    furnished: true,
    livings: 1,
    street_width_m: 30,
    amenities: ['lift', 'pool'],
    from_text: ['livings', 'floor', 'age_years', 'furnished', 'street_width_m', 'lift', 'pool'],
  });
  const stated = { floor: '4', age_years: 9, furnished: false, livings: 0 };
  t.like(listingOf({ description, ...stated, street_width: 15, amenities: ['lift', 'ac'] }), {
    ...stated,
    street_width_m: 15,
    amenities: ['ac', 'lift', 'pool'],
    from_text: ['pool'],
  });
});

test('a point far from the named city is dropped, and swapped coordinates are corrected', (t) => {
  const jeddah = findCity('jeddah')?.center as LatLng;
  t.like(listingOf({ neighborhood: null, ...jeddah }), { city: 'riyadh', lat: null, lng: null, neighborhood_id: null });
  const { lat, lng } = centerOf('riyadh', 'الملقا');
  t.like(listingOf({ lat: lng, lng: lat }), { lat, lng });
  for (const point of [
    { lat: 0, lng: 0 },
    { lat: 24.7, lng: null },
  ])
    t.like(listingOf(point), { lat: null, lng: null });
});

test('financing is copied from the source, or null if the source does not state it', (t) => {
  const plans = { monthly: null, quarterly: null, semiannually: null };
  const stated = {
    rent_now_pay_later_monthly_sar: 7_500,
    accepts_bank_financing: false,
    landlord_payment_plans: { ...plans, monthly: true, semiannually: false },
  };
  t.deepEqual(listingOf({ financing: stated }).financing, stated);
  const unstated = { rent_now_pay_later_monthly_sar: null, accepts_bank_financing: null };
  t.deepEqual(listingOf({}).financing, { ...unstated, landlord_payment_plans: plans });
});

test('a value in a list or an object is read if it is the only one, and otherwise reported', (t) => {
  const read = (changes: Readonly<Record<string, unknown>>) =>
    normalize({ name: 's' }, { ...RAW, ...changes } as unknown as RawListing, AT);
  const lists = { amenities: ['pool', null, 7, {}], photos: [7, 'https://a.example/1.jpg', null] };
  t.like(read({ ...lists, price: [850_000, 852_000], title: ['a'], project: 'p' }), {
    listing: { amenities: ['pool'], photos: ['https://a.example/1.jpg'], price_yearly_sar: null, title: 'a' },
    unread: [
      { field: 'price', value: '[850000,852000]' },
      { field: 'project', value: 'p' },
      { field: 'photos', value: '["7","https://a.example/1.jpg"]' },
    ],
  });
  const photos = '["https://a.example/1.jpg", "https://a.example/2.jpg"] ';
  t.like(read({ amenities: { pool: true }, photos, area: {}, updated_at: [{ $date: '2026-03-01' }] }), {
    listing: {
      amenities: [],
      photos: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
      price_yearly_sar: 85_000,
      area_sqm: null,
      source_updated_at: '2026-02-28T21:00:00Z',
    },
    unread: [{ field: 'amenities', value: '{"pool":true}' }],
  });
  const units = { price: { '@currency': 'USD', '#text': '8000' }, area: { value: 1_200, unit: 'sqft' } };
  t.like(read(units), { listing: { price_as_posted: { amount: 8_000, currency: 'USD' }, area_sqm: 111.5 } });
  t.like(read({ purpose: {} }), { ok: false, reason: 'unknown_purpose' });
  const nested = { price: { amount: 8_000, currency: { code: 'USD' } }, area: { value: 1_200, unitCode: 'FTK' } };
  t.like(read(nested), { listing: { price_as_posted: { amount: 8_000, currency: 'USD' }, area_sqm: 111.5 } });
  const beside = {
    price: { '#text': '8000', note: 'from' },
    title: { '@lang': 'en' },
    photos: { 0: photos, 2: photos },
  };
  const missing = { price: { amount: null, currency: 'SAR' }, area: { value: '', unit: 'sqm' } };
  t.like(read(missing), { listing: { price_as_posted: null, area_sqm: null }, unread: [] });
  t.like(read(beside), { listing: { title: null, price_as_posted: null }, unread: [{ field: 'price' }] });
});

test('each word for the state of an ad decides whether it is offered, also if it is blank in other fields', (t) => {
  for (const [state, words] of Object.entries(STATE_WORDS))
    for (const status of wordsOf(words)) {
      const result = normalize({ name: 'house' }, { ...RAW, status }, AT);
      t.is(result.ok ? undefined : result.reason, state === 'not_offered' ? state : undefined, status);
    }
});

test('an id is stored without the invisible marks beside it, as it is looked up', (t) => {
  for (const id of ['A-17', '\u200fA-17\u200e', ' A-17\ufeff', '\u2067A-17\u2069 ', { '#text': 'A-17\u200c' }]) {
    t.is(feedId(id), 'A-17');
    t.is(listingOf({ source_listing_id: id as string }).source_listing_id, 'A-17');
  }
});

test('the negative price of a spreadsheet is unread, and words of programs for a missing value state nothing', (t) => {
  t.like(normalize({ name: 'house' }, { ...RAW, price: '(2,850,000)' }, AT), { unread: [{ field: 'price' }] });
  for (const area of ['NaT', '<NA>', 'nan'])
    t.like(normalize({ name: 'house' }, { ...RAW, area }, AT), { unread: [], listing: { area_sqm: null } });
});

test('photos may be a list, or addresses in one cell', (t) => {
  const photos = [
    'https://a.example/1.jpg?w=1,2;3',
    'https://a.example/via?to=https://b.example/2.jpg',
    'http://c.example/3',
  ];
  const read = (stated: unknown) => listingOf({ photos: stated as string[] }).photos;
  for (const separator of [' ', ',', ', ', '|', ' | ', ';', '\n', ' ,; ', '،', '؛ '])
    t.deepEqual(read(photos.join(separator)), photos, JSON.stringify(separator));
  t.deepEqual(
    [read(photos), read([photos.join('|')]), read(photos[0]), read('none')],
    [photos, photos, [photos[0]], []],
  );
  const [first, second] = ['https://a.example/1.jpg', 'https://a.example/2.jpg'];
  for (const written of [
    `{${first},${second}}`,
    `a:2:{i:0;s:23:"${first}";i:1;s:23:"${second}";}`,
    `<img src="${first}"><img src='${second}'>`,
    `<img src='${first}'/><img src='${second}'/>`,
    `${first}${second}`,
    `${first}|Kitchen, ${second}|Hall`,
    `IMG 1.jpg (${first}),b.jpg (${second})`,
    `![a](${first})\n![b](${second})`,
    `\u200b${first}\u200e, \u200f${second}`,
    ...['::', '#', '^', '~~', ' / '].map((separator) => first + separator + second),
  ])
    t.deepEqual(read(written), [first, second], written);
  const labelled = 'https://a.example/map?pins=1|2';
  t.deepEqual(read([`${first}|Kitchen`, labelled]), [first, labelled]);
  t.deepEqual(read(['https://a.example/1.jpg">', 'https://a.example/{size}.jpg']), [
    first,
    'https://a.example/{size}.jpg',
  ]);
});

test('an ad keeps its URL only if visitors can follow it to a public host', (t) => {
  for (const url of [
    'http://127.0.0.1/a',
    'http://localhost/a',
    'https://user:pw@house.invalid/a',
    'http://10.1.2.3/a',
  ])
    t.is(listingOf({ url }).url, null, url);
});
