import test from 'ava';
import { floorClasses } from '#domain/listings/document.ts';
import { AMENITIES, PROPERTY_TYPE_TABLE, PROPERTY_TYPES, RENT_FREQUENCIES } from '#domain/listings/vocabulary.ts';
import { readFlag } from '#ingest/normalize/flags.ts';
import { readFloor } from '#ingest/normalize/floor.ts';
import { isWanted } from '#ingest/normalize/wanted.ts';
import {
  readAdvertiserType,
  readAmenities,
  readPeriod,
  readPropertyType,
  readPurpose,
} from '#ingest/normalize/words.ts';

const cases = <Value>(title: string, read: (text: string) => Value, pairs: [string, Value][]) =>
  test(title, (t) => {
    for (const [text, expected] of pairs) t.deepEqual(read(text), expected, text);
  });

cases('rent and sale are read', readPurpose, [
  ['rent', 'rent'],
  ['For Rent', 'rent'],
  ['للإيجار', 'rent'],
  ['للايجار', 'rent'],
  ['تأجير', 'rent'],
  ['Lease', 'rent'],
  ['SALE', 'sale'],
  ['للبيع', 'sale'],
  ['بيــع', 'sale'],
  ['Sell', 'sale'],
  ['شقة للإيجار في الرياض', 'rent'],
  ['للإيجار وليس للبيع', 'rent'],
  ['not for sale, for rent', 'rent'],
  ['قريب من الحرم للإيجار', 'rent'],
  ['swap', null],
]);

test('each property type is read by its names and its identifier', (t) => {
  for (const type of PROPERTY_TYPES) {
    const { name_ar, name_en } = PROPERTY_TYPE_TABLE[type];
    for (const word of [type, name_ar, name_en, name_en.toUpperCase(), type.replaceAll('_', '-')]) {
      t.is(readPropertyType(word), type, word);
    }
  }
});

cases('property types are read in the words of portals and advertisers', readPropertyType, [
  ['شقه', 'apartment'],
  ['شقق', 'apartment'],
  ['Flat', 'apartment'],
  ['فلة', 'villa'],
  ['فلل', 'villa'],
  ['بيت شعبي', 'villa'],
  ['دور أرضي', 'floor'],
  ['فيلا دوبلكس', 'duplex'],
  ['Residential Land', 'land'],
  ['ارض سكنيه', 'land'],
  ['اراضي تجارية', 'commercial_land'],
  ['أرض زراعية', 'farm'],
  ['Building', 'residential_building'],
  ['عماره تجاريه', 'commercial_building'],
  ['صالة عرض', 'showroom'],
  ['istiraha', 'rest_house'],
  ['شقة في حي الياسمين', 'apartment'],
  ['شقة في فيلا', 'apartment'],
  ['دور في عمارة', 'floor'],
  ['محل في برج سكني', 'shop'],
  ['مكتب داخل مركز تجاري', 'office'],
  ['apartment in a villa', 'apartment'],
  ['office in commercial building', 'office'],
  ['shop near a mall', 'shop'],
  ['near the metro apartment', 'apartment'],
  ['أرض لبناء فيلا', 'land'],
  ['للبيع: فيلا، درج صالة', 'villa'],
  ['villa apartment', 'apartment'],
  ['وحدة في برج', null],
  ['not a villa', null],
  ['spaceship', null],
]);

cases('rent periods are read', readPeriod, [
  ...RENT_FREQUENCIES.map((frequency) => [frequency, frequency] as [string, typeof frequency]),
  ['شهري', 'monthly'],
  ['per month', 'monthly'],
  ['نصف سنوي', 'semiannually'],
  ['ربع سنوي', 'quarterly'],
  ['سنوي', 'yearly'],
  ['يوميا', 'daily'],
  ['باليوم', 'daily'],
  ['أسبوعي', 'weekly'],
  ['fortnight', null],
]);

cases('advertisers are read as a company or an individual', readAdvertiserType, [
  ['agency', 'company'],
  ['developer', 'company'],
  ['exclusive_marketer', 'company'],
  ['مكتب عقاري', 'company'],
  ['منشأة', 'company'],
  ['individual_owner', 'individual'],
  ['owner', 'individual'],
  ['مالك', 'individual'],
  ['فرد', 'individual'],
  ['robot', null],
]);

test('amenities in both languages are read once each, in the order of the vocabulary', (t) => {
  t.deepEqual(readAmenities(['مسبح', 'Swimming pool', 'AC', 'مكيفات', 'has_parking', 'غرفة خادمة', 'sea view']), [
    'ac',
    'parking',
    'pool',
    'maid_room',
  ]);
  t.deepEqual(readAmenities(['no parking', 'بدون مصعد', 'لا يوجد مسبح']), []);
  t.deepEqual(readAmenities([...AMENITIES].reverse()), [...AMENITIES]);
  t.deepEqual(readAmenities(null), []);
});

cases('amenities are read by their context', (text) => readAmenities([text]), [
  ['pets not allowed', []],
  ['Pets: No', []],
  ['no pets allowed', []],
  ['pets allowed', ['pets_allowed']],
  ['مصعد غير متوفر', []],
  ['مصعد: لا يوجد', []],
  ['لا يوجد مصعد', []],
  ['ما فيه مصعد', []],
  ['بدون مصعد ولا مسبح', []],
  ['يوجد مصعد', ['lift']],
  ['مصعد متوفر', ['lift']],
  ['security deposit', []],
  ['refundable security deposit, parking', ['parking']],
  ['24/7 security', ['security']],
  ['near gym', []],
  ['close to the gym and pool', []],
  ['gym nearby', []],
  ['5 minutes from a swimming pool', []],
  ['نادي قريب', []],
  ['قريب من حديقة', []],
  ['بجوار نادي رياضي', []],
  ['مطل على حديقة', []],
  ['gym', ['gym']],
  ['private gym', ['gym']],
  ['pool table', []],
  ['kindergarten', []],
  ['مسبح وحديقة', ['pool', 'garden']],
  ['بمسبح خاص', ['pool']],
  ['المسبح والحديقة', ['pool', 'garden']],
  ['شقة بالمسبح وبحديقة', ['pool', 'garden']],
  ['no pool, but a garden', ['garden']],
  ['without lift. Parking available', ['parking']],
  ['lift and covered parking', ['parking', 'lift']],
  ['لا يوجد مسبح ويوجد مصعد', ['lift']],
]);

test('a wanted ad is distinguished from an offer that states the wanted price', (t) => {
  for (const text of [
    'مطلوب شقة للايجار',
    'مطلوب شقة من المالك مباشرة حي الريان',
    'مطلوب للشراء فيلا بالملقا',
    'السلام عليكم، مطلوب أرض سكنية',
    'عاجل مطلوب دور للإيجار',
    'نبحث عن شقق وفلل لعملائنا',
    'ابغى شقة عزاب',
    'Wanted: flat in Al Malqa',
    'Looking for an apartment to rent',
    'We need a villa to buy',
    'أرغب بشراء شقة كاش',
    'مشتري جاد يبحث عن دور',
    'لدينا عميل يرغب في شراء فيلا',
    'I want to buy an apartment in Al Narjis',
    'Our client is looking to rent a villa',
  ]) {
    t.true(isWanted(text), text);
  }
  for (const text of [
    'مطلوب 1350000 ريال',
    'مطلوب: للبيع (1150,000) مليون ومئة',
    'المطلوب مليون و250 ألف',
    'شقة للبيع، السعر المطلوب 900 ألف',
    'جميع الشهادات المطلوبة',
    'مطلوب مستأجر لشقة',
    'مطلوب حارس عمارة',
    'هل تبحث عن شقة؟ هذه فرصتك',
    'Looking for a villa? Look no further',
    'The most wanted villa in town',
    'Needs no furniture',
    'عميل اشترى شقة بجوارها',
    'لمن يبحث عن شقة هادئة',
    'If you want to buy a villa, call us',
    '',
  ]) {
    t.false(isWanted(text), text);
  }
});

cases('floors are read into one spelling', readFloor, [
  ['الدور الأرضي', 'ground'],
  ['Ground floor', 'ground'],
  ['0', 'ground'],
  ['علوي', 'upper'],
  ['أرضي وعلوي', 'ground,upper'],
  ['upper, ground', 'ground,upper'],
  ['الدور الثاني', '2'],
  ['3rd floor', '3'],
  ['الدور ٩', '9'],
  ['12', '12'],
  ['-1', 'basement'],
  ['قبو', 'basement'],
  ['ملحق', 'roof'],
  ['الروف', 'roof'],
  ['دور كامل', null],
  ['', null],
]);

test('the floor filter accepts every floor that is stored', (t) => {
  for (const text of ['أرضي', 'علوي', 'قبو', 'ملحق', 'أرضي وعلوي', '7', '-2', 'Ground floor and basement']) {
    t.not(floorClasses(readFloor(text)).length, 0, text);
  }
});

test('flags are read from words for yes and no in both languages', (t) => {
  for (const yes of [true, 1, '1', 'yes', 'نعم', 'مفروشة', 'Furnished', 'مرخص']) t.true(readFlag(yes));
  for (const no of [false, 0, '0', 'No', 'لا', 'غير مفروشة', 'Unfurnished', 'غير مرخص']) t.false(readFlag(no));
  for (const neither of [null, undefined, '', 'partly', 'مفروش جزئيا', 7]) t.is(readFlag(neither), null);
});
