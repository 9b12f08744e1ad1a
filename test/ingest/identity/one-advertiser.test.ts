import { matchOffline } from '#bench/dedupe/offline.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { test } from '#test/test.ts';

const TEXT =
  'للبيع شقة في مشروع نرفانا تشطيب فاخر وواجهة جنوبية وثلاث غرف نوم وصالة ومطبخ راكب ومستودع وضمانات على السباكة والكهرباء وقريبة من المدارس';
const OTHER_TEXT =
  'A new apartment by the developer, with a fitted kitchen, a storage room and a lift. Guarantees included.';

/** Returns whether two live ads of one advertiser on one source are one home. */
function isOne(first: Partial<RawListing>, second: Partial<RawListing>): boolean {
  const ad = (id: string, own: Partial<RawListing>) => ({
    source: 'souq',
    raw: {
      source_listing_id: id,
      title: null,
      description: TEXT,
      purpose: 'sale',
      property_type: 'apartment',
      price: 919_000,
      area: 144,
      bedrooms: 3,
      city: 'Riyadh',
      neighborhood: 'Al Narjis',
      lat: 24.85,
      lng: 46.65,
      advertiser_key: 'developer',
      photos: ['https://photos.invalid/1.jpg', 'https://photos.invalid/2.jpg'],
      ...own,
    },
  });
  const [a, b] = matchOffline([ad('1', first), ad('2', second)]);
  return a !== null && a === b;
}

test('two live ads of one advertiser on one source that differ in area, floor or unit are two homes', (t) => {
  t.true(isOne({}, {}));
  t.false(isOne({}, { area: 143 }));
  t.false(isOne({ floor: '2' }, { floor: '3' }));
  t.false(isOne({ description: `${TEXT} شقة رقم 10` }, { description: `${TEXT} شقة رقم 11` }));
  t.false(
    isOne({ description: `${TEXT} المساحة 143 م` }, { description: `${TEXT} المساحة 141 م` }),
    'another area in the text',
  );
});

test('two live ads of one advertiser that differ in price alone are one home only if text and photos repeat', (t) => {
  t.true(isOne({}, { price: 899_000 }));
  t.false(isOne({}, { price: 899_000, description: OTHER_TEXT, photos: ['https://photos.invalid/3.jpg'] }));
  t.false(isOne({}, { price: 899_000, description: OTHER_TEXT }), 'the photos of a project');
  t.false(
    isOne(
      { description: `${TEXT} شقة رقم 10` },
      { price: 899_000, description: `${OTHER_TEXT} Apartment no 10`, photos: ['https://photos.invalid/3.jpg'] },
    ),
    'unit 10 of another building',
  );
});
