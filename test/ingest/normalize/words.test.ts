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
import { test } from '#test/test.ts';

/** Tests that texts, separated by `|`, are read as the value before them. */
const cases = <Value>(title: string, read: (text: string) => Value, rows: [Value, string][]) =>
  test(title, (t) => {
    for (const [expected, texts] of rows) for (const text of texts.split('|')) t.deepEqual(read(text), expected, text);
  });

cases('rent and sale are read', readPurpose, [
  ['rent', 'rent|For Rent|للإيجار|للايجار|تأجير|Lease|شقة للإيجار في الرياض|للإيجار وليس للبيع|not for sale, for rent'],
  ['rent', 'قريب من الحرم للإيجار'],
  ['sale', 'SALE|للبيع|بيــع|Sell'],
  [null, 'swap|for sale or rent|للبيع أو الإيجار|إيجار منتهي بالتمليك'],
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
  ['apartment', 'شقه|شقق|Flat|شقة في حي الياسمين|شقة في فيلا|apartment in a villa|near the metro apartment'],
  ['apartment', 'villa apartment'],
  ['villa', 'فلة|فلل|بيت شعبي|للبيع: فيلا، درج صالة'],
  ['floor', 'دور أرضي|دور في عمارة'],
  ['duplex', 'فيلا دوبلكس'],
  ['land', 'Residential Land|ارض سكنيه|أرض لبناء فيلا'],
  ['commercial_land', 'اراضي تجارية'],
  ['farm', 'أرض زراعية'],
  ['residential_building', 'Building'],
  ['commercial_building', 'عماره تجاريه'],
  ['showroom', 'صالة عرض'],
  ['rest_house', 'istiraha'],
  ['shop', 'محل في برج سكني|shop near a mall'],
  ['office', 'مكتب داخل مركز تجاري|office in commercial building'],
  [null, 'وحدة في برج|not a villa|spaceship'],
]);

cases('rent periods are read', readPeriod, [
  ...RENT_FREQUENCIES.map((frequency) => [frequency, frequency] as [string, typeof frequency]),
  ['monthly', 'شهري|per month'],
  ['semiannually', 'نصف سنوي'],
  ['quarterly', 'ربع سنوي'],
  ['yearly', 'سنوي'],
  ['daily', 'يوميا|باليوم'],
  ['weekly', 'أسبوعي'],
  [null, 'fortnight'],
]);

cases('advertisers are read as a company or an individual', readAdvertiserType, [
  ['company', 'agency|developer|exclusive_marketer|مكتب عقاري|منشأة'],
  ['individual', 'individual_owner|owner|مالك|فرد'],
  [null, 'robot|مكتب عقاري أو المالك'],
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
  [[], 'pets not allowed|Pets: No|no pets allowed|مصعد غير متوفر|مصعد: لا يوجد|لا يوجد مصعد|ما فيه مصعد'],
  [[], 'بدون مصعد ولا مسبح|security deposit|near gym|close to the gym and pool|gym nearby'],
  [[], '5 minutes from a swimming pool|نادي قريب|قريب من حديقة|بجوار نادي رياضي|مطل على حديقة|pool table|kindergarten'],
  [[], 'lift (out of order)|lift not working|optional lift|lift planned|lift to be installed|Lift: none|elevators=00'],
  [
    [],
    'مصعد معطل|مصعد لا يعمل|مصعد (تحت التركيب)|مصعد اختياري|مصعد قريبا|مكان للمصعد|جاهز لتركيب مصعد|مسبح قيد الإنشاء',
  ],
  [[], 'space for pool|pool: absent|مسبح بالقرب|مسبح غير جاهز'],
  [['pets_allowed'], 'pets allowed'],
  [['lift'], 'يوجد مصعد|مصعد متوفر|لا يوجد مسبح ويوجد مصعد'],
  [['parking'], 'refundable security deposit, parking|without lift. Parking available'],
  [['security'], '24/7 security'],
  [['gym'], 'gym|private gym'],
  [['pool', 'garden'], 'مسبح وحديقة|المسبح والحديقة|شقة بالمسبح وبحديقة'],
  [['pool'], 'بمسبح خاص'],
  [['garden'], 'no pool, but a garden'],
  [['parking', 'lift'], 'lift and covered parking'],
]);

cases('a wanted ad is distinguished from an offer that states the wanted price', isWanted, [
  [true, 'مطلوب شقة للايجار|مطلوب شقة من المالك مباشرة حي الريان|مطلوب للشراء فيلا بالملقا'],
  [true, 'السلام عليكم، مطلوب أرض سكنية|عاجل مطلوب دور للإيجار|نبحث عن شقق وفلل لعملائنا|ابغى شقة عزاب'],
  [true, 'Wanted: flat in Al Malqa|Looking for an apartment to rent|We need a villa to buy|أرغب بشراء شقة كاش'],
  [true, 'مشتري جاد يبحث عن دور|لدينا عميل يرغب في شراء فيلا|I want to buy an apartment in Al Narjis'],
  [true, 'Our client is looking to rent a villa'],
  [false, 'مطلوب 1350000 ريال|مطلوب: للبيع (1150,000) مليون ومئة|المطلوب مليون و250 ألف'],
  [false, 'شقة للبيع، السعر المطلوب 900 ألف|جميع الشهادات المطلوبة|مطلوب مستأجر لشقة|مطلوب حارس عمارة'],
  [false, 'هل تبحث عن شقة؟ هذه فرصتك|Looking for a villa? Look no further|The most wanted villa in town'],
  [false, 'Needs no furniture|عميل اشترى شقة بجوارها|لمن يبحث عن شقة هادئة|If you want to buy a villa, call us|'],
]);

cases('floors are read into one spelling', readFloor, [
  ['ground', 'الدور الأرضي|Ground floor|0'],
  ['upper', 'علوي'],
  ['ground,upper', 'أرضي وعلوي|upper, ground'],
  ['2', 'الدور الثاني'],
  ['3', '3rd floor'],
  ['9', 'الدور ٩'],
  ['12', '12'],
  ['basement', '-1|قبو'],
  ['roof', 'ملحق|الروف'],
  [null, 'دور كامل|'],
]);

test('the floor filter accepts every floor that is stored', (t) => {
  for (const text of ['أرضي', 'علوي', 'قبو', 'ملحق', 'أرضي وعلوي', '7', '-2', 'Ground floor and basement']) {
    t.not(floorClasses(readFloor(text)).length, 0, text);
  }
});

test('flags are read from words for yes and no in both languages', (t) => {
  for (const yes of [true, 1, '1', 'yes', 'نعم', 'مفروشة', 'Furnished', 'مرخص']) t.true(readFlag(yes));
  for (const no of [false, 0, '0', 'No', 'لا', 'غير مفروشة', 'Un-furnished', 'non furnished', 'بدون أثاث', 'غير مرخص'])
    t.false(readFlag(no));
  for (const neither of [null, undefined, '', 'partly', 'مفروش جزئيا', 7]) t.is(readFlag(neither), null);
});
