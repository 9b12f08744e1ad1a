import type { PropertyType } from '#domain/listings/vocabulary.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { cleanDescription } from '#ingest/normalize/text.ts';
import { readTextFacts, type TextFacts } from '#ingest/normalize/text-facts.ts';
import { test } from '#test/test.ts';

const NOTHING: TextFacts = {
  amenities: [],
  furnished: null,
  street_width_m: null,
  age_years: null,
  floor: null,
  livings: null,
};

/** Returns the facts extracted from a text, without nulls. */
function said(text: string, type: PropertyType = 'apartment'): Partial<TextFacts> {
  const facts = readTextFacts(text, type);
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  );
}

test('facts are read from lists and sentences in both languages', (t) => {
  t.deepEqual(
    said('شقة دور ثاني، عمرها ٥ سنوات، شارع ٣٠م\n- مجلس\n- صالتين\n- غرفة خادمة وغرفة سائق\n🔹مصعد 🔹موقف خاص'),
    {
      amenities: ['parking', 'lift', 'maid_room', 'driver_room', 'majlis'],
      street_width_m: 30,
      age_years: 5,
      floor: '2',
      livings: 2,
    },
  );
  t.deepEqual(said("Fully furnished flat with a swimming pool, elevator and maid's room"), {
    amenities: ['lift', 'pool', 'maid_room'],
    furnished: true,
  });
  t.deepEqual(said('مكونة من 3غرف وصاله+بلكونه+سطح خاص'), { amenities: ['balcony', 'roof'], livings: 1 });
  t.deepEqual(readTextFacts('', 'villa'), NOTHING);
});

test('living rooms are counted over all floors of a home, and once for equal units', (t) => {
  const livings = (text: string, type: PropertyType = 'villa'): number | null => readTextFacts(text, type).livings;
  t.is(livings('الدور الأول صالة ومجلس وغرفتين، الدور الثاني صالة وأربع غرف نوم'), 2);
  t.is(livings('الدور الأرضي: مجلس ومقلط وصالة كبيرة\nالدور العلوي: صالتين و٤ غرف\nالملحق: غرفة وصالة'), 4);
  t.is(livings('فيه صالتين\nالدور الأرضي: صالة\nالدور الثاني: صالة'), 2);
  t.is(livings('ثلاث صالات ومجلسين'), 3);
  t.is(livings('عدد الصالات (2)'), 2);
  t.is(livings('صالة واحدة ومطبخ'), 1);
  t.is(livings('مجلس مفتوح على الصالة', 'apartment'), 1);
  t.is(livings('فيلا درج صالة، مجلس، وصالة'), 1);
  t.is(livings('صالة في كل دور'), null);
  t.is(livings('صالة كبيرة ومطبخ\nصالة'), null, 'two halls or one named twice');
  t.is(livings('شقق للبيع\nشقة رقم 1: ثلاث غرف وصالة\nشقة رقم 2: غرفتين وصالة', 'apartment'), 1);
  t.is(livings('شقق للبيع\nشقة رقم 1: صالتين\nشقة رقم 2: غرفتين وصالة', 'apartment'), null);
});

test('facts with numbers in words or in parentheses are read', (t) => {
  for (const [text, width] of [
    ['على شارع عشرين', 20],
    ['شارع بعرض خمسة وعشرين متر', 25],
    ['شارع عرض (20) م', 20],
    ['شارع ( ١٥ ) شرقي', 15],
    ['شارع خمسة عشر', 15],
    ['شارع مئة', 100],
    ['شارع ثلاثين وشارع عشرين', null],
    ['شارع العشرين', null],
  ] as const)
    t.is(readTextFacts(text, 'apartment').street_width_m, width, text);
  t.is(readTextFacts('عمر العقار ( 7 ) سنوات', 'apartment').age_years, 7);
  t.is(readTextFacts('عمرها خمسة عشر سنة', 'apartment').age_years, 15);
  t.is(readTextFacts('عمر الشقة ثلاث سنوات', 'apartment').age_years, 3);
  t.is(readTextFacts('شارع (20) م', 'land').street_width_m, 20);
  t.is(readTextFacts('عمر البناء 6 أشهر', 'apartment').age_years, 0);
  t.is(readTextFacts('Building age: 18 months', 'apartment').age_years, 1);
});

test('a clothes storage room is parsed as a wardrobe, not as a storage room', (t) => {
  for (const text of ['مخزن ملابس', 'غرفة ماستر مع مخزن للملابس', 'خزانة ملابس', 'clothes storage'])
    t.deepEqual(readTextFacts(text, 'apartment').amenities, [], text);
  t.deepEqual(readTextFacts('مخزن ملابس\nمخزن', 'apartment').amenities, ['storage']);
});

test('things that are absent, nearby, optional or of another property are not facts', (t) => {
  for (const text of [
    'لا يوجد مصعد',
    'بدون مسبح ولا حديقة',
    'مصعد غير متوفر',
    'قريبة من حديقة ونادي رياضي',
    'مطلة على الحديقة',
    'تأسيس مصعد',
    'تمديد مكيفات سبليت',
    'يمكن تحويلها لمستودع',
    'عوازل للسطح',
    'خزان أرضي وعلوي',
    'صالة طعام',
    'أرضيات رخام',
    'شبه جديدة',
    'السعر قابل للتفاوض',
    'security deposit, near gym',
    'بجوار شارع 60',
    'قريب من شارع ثلاثين',
    'شقة مفروشة جزئيا',
    'الدور الأول أو الثاني',
    'عمر العقار أقل من 5 سنوات',
    'عمر الإعلان 15 يوم',
  ])
    t.deepEqual(said(text), {}, text);
});

test('a fact that a text states in contradictory ways is dropped', (t) => {
  for (const text of [
    'عرض الشارع 30*15 م|على شارعين 30 و 15|الشارع 30 م والشارع الثاني: شارع 20 م|دور أول ودور ثاني',
    'دور اول وثاني وثالث|شقة دورين: الدور الارضي استقبال|بدون اثاث 750 ألف و780 بالاثاث',
  ].flatMap((texts) => texts.split('|')))
    t.deepEqual(said(text), {}, text);
});

test('facts depend on the type: land has no rooms, and a villa is on no floor', (t) => {
  t.deepEqual(said('أرض شارع 20م بها صالة ومسبح الدور الاول', 'land'), { street_width_m: 20 });
  t.deepEqual(said('فيلا الدور الأول غرف نوم ومسبح', 'villa'), { amenities: ['pool'] });
  t.deepEqual(said('مكتب الدور الثالث صالة', 'office'), { floor: '3' });
});

test('the text fills missing fields of the source and overrides none', (t) => {
  const raw: RawListing = {
    source_listing_id: '1',
    purpose: 'rent',
    property_type: 'apartment',
    city: 'riyadh',
    description: 'شقة مفروشة الدور الثاني عمرها 5 سنوات شارع 30م فيها مصعد ومسبح وصالة',
  };
  const listingOf = (changes: Partial<RawListing>) => {
    const result = normalize({ name: 'a' }, { ...raw, ...changes });
    return result.ok ? result.listing : t.fail('rejected');
  };
  t.like(listingOf({}), {
    floor: '2',
    age_years: 5,
    furnished: true,
    street_width_m: 30,
    livings: 1,
    amenities: ['lift', 'pool'],
    from_text: ['livings', 'floor', 'age_years', 'furnished', 'street_width_m', 'lift', 'pool'],
  });
  const stated = {
    floor: '4',
    age_years: 9,
    furnished: false,
    street_width: 15,
    livings: 0,
    amenities: ['lift', 'ac'],
  };
  t.like(listingOf(stated), {
    floor: '4',
    age_years: 9,
    furnished: false,
    street_width_m: 15,
    livings: 0,
    amenities: ['ac', 'lift', 'pool'],
    from_text: ['pool'],
  });
});

/** Invented ads in the form of portals: decorated lists, contact lines and the facts that they state. */
const ADS: readonly (readonly [text: string, facts: string])[] = [
  [
    'شقة للبيع في أفضل أحياء شمال الرياض \nمكونة من ٣ غرف وصالة ومطبخ و٣ دورات مياه \nمواصفات الشقة : \n- عمر العقار ١٦ سنة تقريباً\n- تقع الشقة في الدور الأول \n- يوجد مطبخ ومكيفات \n- لايوجد مصعد\n- السعر ٨٥٠ ألف شامل الضريبة \n\n[redacted]',
    'ac age_years=16 floor=1 kitchen livings=1',
  ],
  [
    '🔹شقة فاخرة🔹\n🔸الدور الثالث🔸\n✅ مجلس\n✅ صالتين\n✅ غرفة خادمة\n✅ مصعد\n✅ موقف خاص بالقبو\n✅ دخول ذكي\nشارع ٣٠ متر\nللتواصل واتس اب',
    'floor=3 livings=2 majlis maid_room lift parking keyless_entry street_width_m=30',
  ],
  [
    'شقة مفروشة بالكامل، عمرها سنتين، الدور الأرضي، حوش ومدخل خاص ومستودع',
    'furnished=true age_years=2 floor=ground garden private_entrance storage',
  ],
  ['للجادين فقط والسعر قابل للتفاوض، لايقبل البنك', ''],
];

test('the facts of whole ads are read completely, and no others', (t) => {
  for (const [text, expected] of ADS) {
    const { amenities, ...others } = readTextFacts(cleanDescription(text), 'apartment');
    const facts = [
      ...amenities,
      ...Object.entries(others).flatMap(([field, value]) => (value === null ? [] : [`${field}=${value}`])),
    ];
    t.deepEqual(facts.sort(), expected.split(' ').filter(Boolean).sort(), text);
  }
});
