import fc from 'fast-check';
import {
  AMENITIES,
  type ListingType,
  PROPERTY_TYPE_TABLE,
  PROPERTY_TYPES,
  RENT_FREQUENCIES,
} from '#domain/listing-vocabulary.ts';
import { ADVERTISER_WORDS, PERIOD_WORDS, PURPOSE_WORDS, STATE_WORDS, TYPE_WORDS } from '#domain/text/word-lists.ts';
import { contradictsOrder, otherOrder, readDate, readDay } from '#ingest/normalize/ad-dates.ts';
import {
  readAdvertiserType,
  readAmenities,
  readPeriod,
  readPropertyType,
  readPurpose,
  readState,
} from '#ingest/normalize/ad-words.ts';
import { readArea, readWidth, UNITS, unitSize } from '#ingest/normalize/area.ts';
import { unitNumberIn } from '#ingest/normalize/features.ts';
import { readFlag } from '#ingest/normalize/flags.ts';
import { readFloor } from '#ingest/normalize/floor.ts';
import { readPoint } from '#ingest/normalize/place.ts';
import { readPrice } from '#ingest/normalize/price.ts';
import { readAge, readCount } from '#ingest/normalize/room-counts.ts';
import { isWanted } from '#ingest/normalize/wanted-ads.ts';
import { readDelivery } from '#ingest/off-plan/normalize-project.ts';
import { test } from '#test/test.ts';
import { arabicDigits, cases } from './spellings.ts';

cases('rent and sale are read', readPurpose, [
  ['rent', 'rent|For Rent|للإيجار|للايجار|تأجير|Lease|شقة للإيجار في الرياض|للإيجار وليس للبيع|not for sale, for rent'],
  ['sale', 'SALE|للبيع|بيــع'],
  [null, 'swap|for sale or rent|للبيع أو الإيجار|إيجار منتهي بالتمليك|rent to own'],
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
  ['villa', 'فلة|فلل|بيت شعبي|للبيع: فيلا، درج صالة'],
  ['floor', 'دور أرضي|دور في عمارة'],
  ['duplex', 'فيلا دوبلكس'],
  ['land', 'Residential Land|ارض سكنيه|أرض لبناء فيلا'],
  ['farm', 'أرض زراعية'],
  ['commercial_building', 'عماره تجاريه'],
  ['shop', 'محل في برج سكني|shop near a mall'],
  ['office', 'مكتب داخل مركز تجاري'],
  [null, 'وحدة في برج|not a villa|spaceship'],
]);

cases('the state of an ad is read in both languages, and an unknown word is none', readState, [
  ['offered', 'Active|live|Available|متاح|نشط|true|1|yes|For Sale|publish'],
  ['reserved', 'ActiveUnderContract|Reserved|محجوزة|Under Offer|تم الحجز'],
  [
    'not_offered',
    'Sold|SOLD OUT|Rented|archived|Hidden|inactive|Not available|مباع|تم البيع|مؤجر|غير متاح|مخفي|مؤرشف|0|false|no',
  ],
  [null, 'pending|not sold|ready|off plan|قيد المراجعة|sold or reserved'],
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
  t.deepEqual(readAmenities([...AMENITIES].reverse()), [...AMENITIES]);
  t.deepEqual(readAmenities(null), []);
});

cases('amenities are read by their context', (text) => readAmenities([text]), [
  [
    [],
    'pets not allowed|Pets: No|مصعد غير متوفر|مصعد: لا يوجد|ما فيه مصعد|بدون مصعد ولا مسبح|security deposit|near gym',
  ],
  [
    [],
    '5 minutes from a swimming pool|نادي قريب|مطل على حديقة|pool table|lift (out of order)|optional lift|lift planned',
  ],
  [
    [],
    'مطبخ غير راكب|تأسيس مسبح|✖ مسبح|مسبح تحت الصيانة|kitchen not equipped|المكيفات على المستأجر|درج خارجي|ينقصها مصعد|بغير مصعد|gym 5 min away|kitchen: not fitted|يحتاج مصعد|لم يركب المصعد|ما فيها مصعد|خالية من المطبخ|عدد المصاعد: 0|عدد المصاعد صفر|المصعد: لا|مصعد ❌|lift=0|elevator (0)|0 lifts|elevator?|lift [0]|تأسيس مصعد|!lift',
  ],
  [['lift'], 'عدد المصاعد: 2|مصعد: نعم|مصعد ✅|lift=1|elevator (2)|2 elevators|lift 10|lift: yes pool: no'],
  [['ac', 'parking', 'pool'], 'Central A/C، قراج، حمام سباحة'],
  [['parking', 'pool'], 'lift: 0, parking: 1, pool: 1|lift: 0 parking: 1 pool: 1'],
  [[], 'مصعد معطل|مصعد (تحت التركيب)|مصعد اختياري|مكان للمصعد|مسبح قيد الإنشاء|مسبح بالقرب|space for pool'],
  [['ac'], 'AC: split'],
  [['lift'], 'hasLift=1|المطبخ غير راكب ومصعد|مصعدين|يوجد مصعد|مصعد متوفر|لا يوجد مسبح ويوجد مصعد'],
  [['parking'], 'refundable security deposit, parking|without lift. Parking available'],
  [['security'], '24/7 security'],
  [['pool', 'garden'], 'مسبح وحديقة|المسبح والحديقة|شقة بالمسبح وبحديقة'],
  [['garden'], 'no pool, but a garden'],
]);

cases('a wanted ad is distinguished from an offer that states the wanted price', isWanted, [
  [true, 'مطلوب شقة للايجار|مطلوب شقة من المالك مباشرة حي الريان|مطلوب للشراء فيلا بالملقا'],
  [true, 'السلام عليكم، مطلوب أرض سكنية|عاجل مطلوب دور للإيجار|نبحث عن شقق وفلل لعملائنا|ابغى شقة عزاب'],
  [true, 'Wanted: flat in Al Malqa|Looking for an apartment to rent|We need a villa to buy|أرغب بشراء شقة كاش'],
  [true, 'مشتري جاد يبحث عن دور|لدينا عميل يرغب في شراء فيلا|Our client is looking to rent a villa'],
  [false, 'مطلوب 1350000 ريال|مطلوب: للبيع (1150,000) مليون ومئة|المطلوب مليون و250 ألف'],
  [false, 'شقة للبيع، السعر المطلوب 900 ألف|جميع الشهادات المطلوبة|مطلوب مستأجر لشقة|مطلوب حارس عمارة'],
  [false, 'هل تبحث عن شقة؟ هذه فرصتك|Looking for a villa? Look no further|The most wanted villa in town'],
  [false, 'Needs no furniture|عميل اشترى شقة بجوارها|لمن يبحث عن شقة هادئة|If you want to buy a villa, call us|'],
]);

test('flags are read from words for yes and no in both languages', (t) => {
  for (const yes of [true, 1, '1', 'yes', 'نعم', 'مفروشة', 'Furnished: Yes', 'شقة مفروشة بالكامل', 'مرخص'])
    t.true(readFlag(yes));
  for (const no of [
    false,
    0,
    '0',
    'No',
    'لا',
    'ليست مفروشة',
    'لا، غير مفروشة (فارغة)',
    'Un-furnished',
    'مفروش: لا',
    'بدون أثاث',
    'غير مرخص',
  ])
    t.false(readFlag(no));
  for (const neither of [null, undefined, '', '-1', 'partly', 'مفروش جزئيا', 7]) t.is(readFlag(neither), null);
});

const LATEST = Date.UTC(2026, 10, 24);
const date = (text: string) => readDate(text, LATEST);

cases('a date without a time is the start of the day in Riyadh', date, [
  [
    '2026-11-19T21:00:00Z',
    '2026-11-20|2026/11/20|2026.11.20|20/11/2026|20-11-2026|20.11.2026|20261120|20 / 11 / 2026| 2026-11-20 |\u200f20/11/2026|20\u200f/11\u200f/2026|٢٠/١١/٢٠٢٦|۲۰/۱۱/۲۰۲۶|٢٠٢٦-١١-٢٠|20/11/2026م|20/11/2026 م',
  ],
  [
    '2026-11-19T21:00:00Z',
    '20 Nov 2026|November 20, 2026|Nov 20th, 2026|20-NOV-26|20th of November, 2026|Fri, 20 Nov 2026|Fri Nov 20 2026|٢٠ نوفمبر ٢٠٢٦|الجمعة، 20 نوفمبر 2026|20 تشرين الثاني 2026|20/Nov/2026|46346',
  ],
  ['2026-04-06T21:00:00Z', '7 أبريل 2026|7 ابريل 2026|7 إبريل 2026|7 نيسان 2026|7 Apr 2026|7/4/2026'],
]);

cases('a time may follow its date in another form', date, [
  ['2026-11-20T07:30:00Z', '2026-11-20T10:30|20261120T103000|2026-11-20-10:30:00|20 Nov 2026 at 10:30 am'],
]);

test('a source states the order of day and month, and a date that contradicts it is unread', (t) => {
  const orders = [
    ['day_first', '2026-03-09T21:00:00Z', '20/11/2026', '11/20/2026'],
    ['month_first', '2026-10-02T21:00:00Z', '11/20/2026', '20/11/2026'],
  ] as const;
  for (const [order, either, own, other] of orders) {
    t.is(readDate('10/03/2026', LATEST, undefined, order), either);
    t.is(readDate(own, LATEST, undefined, order), '2026-11-19T21:00:00Z');
    t.is(readDate(other, LATEST, undefined, order), null);
    t.true(contradictsOrder(other, order));
    for (const fitting of [own, '10/03/2026', '2026-11-20', '31/31/2026', 'soon'])
      t.false(contradictsOrder(fitting, order));
    t.true(otherOrder(order).includes(`dateOrder: '${order === 'day_first' ? 'month_first' : 'day_first'}'`));
  }
});

cases('a time without an offset is of Riyadh, and an offset is applied', date, [
  [
    '2026-11-20T20:30:00Z',
    '2026-11-20 23:30:00|2026-11-20T23:30|2026-11-20T23:30:00.0000000|20/11/2026 23:30|20.11.2026 23:30|20/11/2026 - 23:30|20/11/2026 11:30 PM|20/11/2026 11:30:00 pm|20/11/2026 11:30 م|٢٠/١١/٢٠٢٦، ١١:٣٠ م|20/11/2026 11:30 مساءً|Nov 20, 2026, 11:30 PM|20 نوفمبر 2026، 11:30 م',
  ],
  [
    '2026-11-20T20:30:00Z',
    '2026-11-20T20:30:00Z|2026-11-20T23:30:00+03:00|2026-11-20 23:30:00 +0300|2026-11-20T23:30+03|2026-11-21T00:30:00+04:00|2026-11-20 20:30:00 UTC|Fri, 20 Nov 2026 20:30:00 GMT|Fri Nov 20 2026 23:30:00 GMT+0300 (Arabian Standard Time)|1795206600|1795206600000|/Date(1795206600000)/',
  ],
  ['2026-11-19T21:00:00Z', '20/11/2026 12:00 AM|20/11/2026 12:00 ص|2026-11-20T00:00'],
]);

cases('a day or time that does not exist, or is unclear, is no date', date, [
  [
    null,
    '2026-02-30|2026-02-31T08:00:00Z|2025-02-29T00:00:00Z|30/02/2026|31 Nov 2026|30 فبراير 2026|2026-11-20T25:00:00|2026-11-20T23:30:00+25:00',
  ],
  [
    null,
    '2026-11-20-11|1448/06/10|10/6/1448هـ|10 جمادى الآخرة 1448|20/11/26|2026|11/2026|نوفمبر 2026|Q4 2026|yesterday|0|12:30|2030-01-01',
  ],
]);

test('the time zone of a source applies to its times, also near a change of the clock', (t) => {
  t.is(readDate('2026-11-20 23:30', LATEST, 'Asia/Dubai'), '2026-11-20T19:30:00Z');
  t.is(readDate('2026-03-29 00:30', LATEST, 'Europe/London'), '2026-03-29T00:30:00Z');
  t.is(readDate('2026-03-29 02:30', LATEST, 'Europe/London'), '2026-03-29T01:30:00Z');
  t.is(readDate('2026-11-20T20:30:00Z', LATEST, 'Asia/Dubai'), '2026-11-20T20:30:00Z');
});

cases('a day is read as written, regardless of its offset', readDelivery, [
  ['2027-06-30', '2027-06-30|2027-06-30T00:00:00+03:00|2027-06-30T23:00:00-11:00|30/06/2027|30 يونيو 2027'],
  [null, '2027-06-31|31/06/2027'],
]);

test('exactly the days that exist are read, in every order and script', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 2001, max: 2026 }), fc.nat(13), fc.nat(32), (year, month, day) => {
      const time = Date.UTC(year, month - 1, day);
      const exists = month >= 1 && month <= 12 && day >= 1 && new Date(time).getUTCDate() === day;
      const expected = exists && time <= LATEST ? new Date(time).toISOString().slice(0, 10) : null;
      const [mm, dd] = [month, day].map((part) => String(part).padStart(2, '0'));
      for (const text of [`${year}-${mm}-${dd}`, `${year}/${month}/${day}`]) {
        t.is(readDay(text, LATEST), expected, text);
        t.is(readDay(arabicDigits(text), LATEST), expected, text);
      }
    }),
  );
});

cases('a floor is the stated one, in ordinals of both languages and genders', readFloor, [
  ['1', 'الأول|الدور الأول|الطبقة الأولى|first floor|1st|1|1.0|الدور ١|أول علوي|الدور الأول العلوي|Floor 1|الدور: 1'],
  [
    '3',
    '3 of 12|third-floor|3/12|3 من 12|الدور 3 من أصل 12|3rd floor of a 12 storey building|L3|الدور (3)|دور (ثالث)|Tower 2, 3rd floor|Building 7 floor 3 flat 14|3-rd|ثالث دور|الثالث مع مصعد|3/F',
  ],
  ['2', 'الدور الثاني من عمارة 5 أدوار|الدور 2 في عمارة من 4 أدوار|الطابق 2 شقة 14|شقة 14 الدور 2|Floor 2, Apt 201'],
  ['12', 'الدور الثاني عشر|الثانية عشرة|twelfth floor|12th|الدور رقم 12|الدور ال12'],
  ['21', 'twenty-first floor|twenty first|الحادي والعشرون|الدور الواحد والعشرين'],
  ['99', 'التاسع والتسعون|الدور التاسع و التسعين|ninety-ninth floor'],
  [
    'ground',
    'شقة أرضية|أرضي + حوش|الأرضي.|Ground (G+4)|الدور الأرضي|أرضى|GF|G/F|ground-floor|ground of 4|الأرضي من 4|0|٠',
  ],
  ['basement', 'B1|-1|−1|lower ground|تحت الأرض|قبو|Basement 1'],
  ['roof', 'penthouse of 12 floors|السطح|ملحق|الروف'],
  ['upper', 'الدور الأخير|آخر دور|top floor|علوي'],
  ['ground,upper', 'أرضي وعلوي|upper, ground'],
  ['1,2', '1 & 2|1, 2|first and second'],
]);

cases('a number of floors, flats, rooms or years is no floor, nor is a denied one', readFloor, [
  [null, 'ليست بالدور الأرضي|مو في الدور الأول|not on the ground floor|ليس أرضي'],
  ['1', 'الدور الأول غير مفروش|1st floor not furnished|الدور الأول وليس الدور الأرضي'],
  [
    null,
    'G+2|3 أدوار|دورين وملحق|12 storeys|عدد الأدوار: 5|Total floors: 4|two floors|عمارة 4 أدوار|in a 5 floor building',
  ],
  [null, 'شقة 14|Apt 14|unit 201|101|1500|120 m2|15 years|دور كامل|دور واحد|دور 3 غرف|5 of 3|12/3|mezzanine|M'],
  [null, '1-3|الدور -1|الدور الأول أو الثاني|من الدور الأول إلى الثالث|2 or 3|من 1 إلى 3|2/3/4|3+1|12.5|high|متعدد'],
]);

const sale = (price: string, more: { type?: ListingType; period?: string; currency?: string } = {}) => {
  const read = readPrice(price, more.period ?? null, more.type ?? 'sale', { currency: more.currency, area: 120 });
  return 'unreadable' in read ? 'unreadable' : (read.price?.yearly ?? null);
};

cases<number | string | null>('a sale price is read with its separators, multipliers and words', (text) => sale(text), [
  [
    850_000,
    "850000|850,000|850 000|850\u00a0000|850'000|850’000|850.000|850.000,00|850,000.00|850 000,00|850000,00|850000.000|850,000.000|850&nbsp;000|<b>850,000</b>|8.5E+05|8.5e5|٨٥٠٬٠٠٠|٨٥٠،٠٠٠|٨٥٠٬٠٠٠٫٠٠|۸۵۰٬۰۰۰|\u202b850,000\u202c",
  ],
  [
    850_000,
    '850K|850 ألف|850ألف|850 ألفاً|850.000 ألف|850 thousand|0.85 million|.85 million|0.85M|٠٫٨٥ مليون|850 Thousand SAR|850 k SAR|eight hundred fifty thousand|ثمانمائة وخمسون ألف',
  ],
  [
    850_000,
    'الحد 850 ألف|آخر سعر 850,000|كاش: 850 ألف|850 ألف كاش أو بنك|850,000 + تأمين 2000|S.A.R 850,000|850,000 SAR|SAR850,000|850000SR|S.R. 850,000|850,000 ر.س.|850000 رس|﷼850,000|\u20c1 850,000|850,000 ريال سعودي|850,000 ريال فقط|850,000 Saudi Riyals|850,000/-|850,000.-',
  ],
  [
    850_000,
    '850,000 + 5% ضريبة|850,000 + 15% VAT|hotel apartment 850,000|850,000 + RETT|850,000 ريال + السعي 2.5%|850,000 plus 2.5% commission|850,000 قابل للتفاوض|850,000 SAR all inclusive|850,000 ono|850 ألف 🔥|حوالي 850,000|850,000 شامل السعي والضريبة|850 ألف صافي للمالك|850,000 دفعة واحدة|850,000 على 4 دفعات|المطلوب 850,000|Price: SAR 850,000|850,000 صافي',
  ],
  [
    1_250_000,
    '1.250 مليون|1,25 مليون|مليون و 250 ألف|1 million 250 thousand|1.250.000|1 250 000|1250K|١٫٢٥ مليون|1.25E6',
  ],
  [500_000, 'half a million|نصف مليون|خمسمية ألف'],
  [1_200_000, 'مليون و200'],
  [1_500_000, 'مليون ونصف|one and a half million'],
  [2_500_000, '2 ونص مليون|2 مليون ونص'],
  [
    810_000,
    '$216,000|216000 USD|216K USD|216 ألف دولار أمريكي|810,000 SAR ($216,000)|810,000 SAR / 216,000 USD|Sar.810,000|810,000 (6,230/m2)',
  ],
  ['unreadable', '€ 850.000,00|70000 KWD|70000 دينار|850,000 درهم|₺850,000|A$216,000|850,000 ريال يمني|Rs. 850,000'],
  [
    'unreadable',
    '850,000 - 950,000|850,000 / 900,000|0501234567|966501234567|501234567|1,250K|850,000,00|85O,000|1.2.3|0.850,000|850,000 - 5%|قيمة الإيجار 60000|810,0000|.810000|810000 ألف|1e400|4,500 SAR per month|الدفعة الأولى 85,000|حصة 50% 425,000|قسط شهري 4,500|رخصة 7200145|1.25 mil|مليون واحد|85 الف الى 90 الف',
  ],
  [
    'unreadable',
    '850,000 L.L.|850000 XYZ|850000 ج.م|850000 ريال فرنسي|850000 متر|850000 نقطة|رقم العقار 850000|ref 850123|ID: 850123|up to 900,000|حتى 900 ألف|أقل من 900,000|قيمة الدفعة 50000|85 دفعة|<850,000|±850,000|850,000 SAR 900',
  ],
  [null, 'على السوم|السوم وصل 850|Call for price|السعر عند التواصل|قابل للتفاوض|N/A|0|-850000'],
]);

test('a rent with an ambiguous separator is the plausible amount of its period', (t) => {
  const rent = (price: string, period: string) => sale(price, { type: 'rent', period });
  t.is(rent('4.500', 'monthly'), 54_000);
  t.is(rent('5234.55', 'monthly'), 62_814.6);
  t.is(rent('60,000 (2 payments)', 'yearly'), 60_000);
  t.is(rent('60.000 SAR p.a.', ''), 60_000);
  t.is(rent('30 ألف كل 6 شهور', ''), 60_000);
  t.is(rent('5000 شهريا (60000 سنويا)', ''), 60_000);
  t.is(rent('60000', 'لكل سنة'), 60_000);
  // 350 a month and 350,000 a month are both plausible.
  t.is(rent('350.000', 'monthly'), 'unreadable');
});

test('a column for the currency applies to amounts without one, and must not contradict the price', (t) => {
  for (const [price, currency, expected] of [
    ['810000', 'ريال سعودي', 810_000],
    ['810000', 'USD', 3_037_500],
    ['810000', 'KWD', 'unreadable'],
    ['810000', 'XYZ', 'unreadable'],
    ['$810,000', 'SAR', 'unreadable'],
  ] as const)
    t.is(sale(price, { currency }), expected, currency);
});

cases('a period is read as a whole phrase', readPeriod, [
  ...RENT_FREQUENCIES.map((frequency) => [frequency, frequency] as const),
  ['daily', 'يوميا|باليوم'],
  ['weekly', 'أسبوعي|كل أسبوع'],
  ['monthly', 'monthly|Per Month|/month|/mo|p.m.|pcm|شهرياً|بالشهر|كل شهر|إيجار شهري|per calendar month|دفعات شهرية'],
  ['yearly', 'yearly|p.a.|/yr|per annum|سنوي|بالسنة|12 months|سنوي دفعة واحدة|yearly, 2 payments|سنوي على 4 دفعات'],
  ['semiannually', 'semi-annual|half-yearly|كل 6 أشهر|نصف سنوي'],
  ['quarterly', 'quarterly|ربع سنوي|every 3 months'],
  [
    null,
    'bi-weekly|biweekly|bi-monthly|fortnightly|every 2 months|every two years|every other month|كل سنتين|twice a year',
  ],
  [null, 'monthly (paid yearly)|شهري (يدفع سنويا)|yearly/monthly|شهري أو سنوي|monthly, 2 payments|per m2|hourly|موسمي'],
]);

cases('an area is read with its unit and separators', (text) => readArea(text, 'apartment'), [
  [145, '145|145,00|145m²|145 ㎡|145 m^2|145 sq. m.|145 square metres|145 م٢|145 m&sup2;|145 متر مربع|١٤٥ م²'],
  [145, '145 م.م|مساحة الشقة 145 م|M2: 145|~145|145 تقريباً|145 (sqm)|م² 145|1561 sqft (145 m2)'],
  [145.5, '145.5|145,5 m2|145,50 م²|١٤٥٫٥|145.500|145,500'],
  [1_200, '1.200|1,200|1 200'],
  [175, 'مائة و خمسة وسبعون متر'],
  [
    140,
    '20 م عرض × 7 م طول|الأبعاد 20×7|20×7 م2|140/م2|مساحة الأرض: 140|شقة 140 م|Area (sqm): 140|140 م² - 20×7|20 x 7 meters|140 مترمربع على شارعين|20m x 7m|20×7|20 م × 7 م|٢٠×٧|20 في 7',
  ],
  [140, '140 m2 (20x7)|20×7 = 140'],
  [120, '120 m2 (1291 sqft)'],
  [144.9, '1,560 SF'],
  [
    undefined,
    '120-150|120 to 150|من 120 إلى 150|120/150|120 m2 + 30 m2|from 120|up to 150|120 m2 (1500 sqft)|#145|0555555555|145 rooms|145 ريال|145%|145 m3|145 cm|145 متر طولي|عرض 10|130 شقة|7200123456|5 marla|رخصة 7200145|قطعة 145|145.5.5|large',
  ],
  [null, '|-|N/A|0|-145'],
]);

test('each word of a vocabulary is read in the spellings of programs, and with marks that nobody sees', (t) => {
  const vocabularies: readonly (readonly [read: (text: string) => unknown, words: readonly string[]])[] = [
    [readPurpose, Object.values(PURPOSE_WORDS)],
    [readState, Object.values(STATE_WORDS)],
    [readPeriod, Object.values(PERIOD_WORDS)],
    [readPropertyType, Object.values(TYPE_WORDS)],
    [readAdvertiserType, Object.values(ADVERTISER_WORDS)],
    [unitSize, UNITS.map(({ examples }) => examples.join(','))],
  ];
  const spellings: readonly ((word: string) => string)[] = [
    (word) => word.toUpperCase(),
    (word) => word.replaceAll(' ', '_'),
    (word) => word.replaceAll(' ', '_').toUpperCase(),
    (word) => word.replaceAll(' ', '\u00a0'),
    (word) => `\u200f${word}\u200e`,
    (word) => `\u2067${word}\u2069`,
    (word) => ` \ufeff${word.slice(0, 1)}\u00ad\u200b${word.slice(1)} `,
    (word) => `${word.slice(0, 1)}${/^[\u0621-\u064a]{2}/.test(word) ? '\u0640' : ''}${word.slice(1)}`,
  ];
  for (const [read, words] of vocabularies)
    for (const word of words.flatMap((list) => list.split(',')).map((each) => each.trim()))
      for (const spelling of spellings) t.is(read(spelling(word)), read(word), `${spelling(word)}, of ${word}`);
});

test('a point is read in the notations of maps, from one field or two', (t) => {
  const point = { lat: 24.805_2, lng: 46.611_3 };
  const near = (found: typeof point | null) =>
    found !== null && Math.abs(found.lat - point.lat) < 1e-5 && Math.abs(found.lng - point.lng) < 1e-5;
  const single = [
    '24.8052,46.6113',
    '24.8052, 46.6113',
    '24.8052 46.6113',
    '(24.8052, 46.6113)',
    'POINT(46.6113 24.8052)',
  ];
  for (const text of [...single, '٢٤٫٨٠٥٢، ٤٦٫٦١١٣'])
    for (const [lat, lng] of [
      [text, text],
      [text, null],
      ['', text],
    ])
      t.true(near(readPoint(lat, lng)), text);
  for (const [lat, lng] of [
    [`24°48'18.7"N`, `46°36'40.7"E`],
    ['24° 48′ 18.72″ N', 'E 46° 36′ 40.68″'],
    [`24°48.312'`, `46°36.678'`],
    [`46°36'40.7"E`, `24°48'18.7"N`],
  ])
    t.true(near(readPoint(lat, lng)), lat);
  for (const [lat, lng] of [
    ['24.8052,46.6113', '39.1'],
    ['24.8052,46.6113,612.0', null],
    ['24,8052', null],
    [`24°48'18.7"S`, `46°36'40.7"E`],
    [`24°78'18.7"N`, `46°36'40.7"E`],
    ['24.8052', null],
  ])
    t.is(readPoint(lat, lng), null, lat as string);
});

test('a single separator in an area is read by the type of the property', (t) => {
  for (const [type, text, expected] of [
    ['land', '12.000', 12_000],
    ['land', '50,000', 50_000],
    ['land', '600.000', undefined],
    ['villa', '1.200,5', 1_200.5],
    ['villa', '350,500', 350.5],
    ['land', '600 م² (20×30)', 600],
    ['apartment', '18,490', undefined],
  ] as const)
    t.is(readArea(text, type), expected, text);
});

test('a number beside an unknown word or sign is read as no value of any kind', (t) => {
  const at = Date.UTC(2026, 10, 24);
  const readers: Readonly<Record<string, readonly [read: (text: string) => unknown, text: string]>> = {
    'a price': [(text) => sale(text), '850000'],
    'an area': [(text) => readArea(text, 'apartment') ?? 'unreadable', '145'],
    'a number of bedrooms': [(text) => readCount(text, 'bedrooms'), '3'],
    'a number of bathrooms': [(text) => readCount(text, 'bathrooms'), '3'],
    'a number of living rooms': [(text) => readCount(text, 'livings'), '3'],
    'an age': [readAge, '3'],
    'a floor': [readFloor, '3'],
    'a street width': [readWidth, '15'],
    'a latitude': [(text) => readPoint(text, '46.6753')?.lat ?? null, '24.7136'],
    'a date': [(text) => readDate(text, at), '2026-10-20'],
  };
  for (const [kind, [read, text]] of Object.entries(readers)) {
    t.false([null, 'unreadable'].includes(read(text) as null), kind);
    for (const unknown of ['qwx', 'ضظغ', '%', '<', '>', '≥', '#'])
      for (const both of [`${text} ${unknown}`, `${unknown} ${text}`])
        t.true([null, 'unreadable'].includes(read(both) as null), `${kind}: ${both} is ${read(both)}`);
  }
});

const bedrooms = (text: string) => readCount(text, 'bedrooms');
cases('room counts are integers, in digits or words', bedrooms, [
  [3, '3|٣|3.0|3 غرف|3 غرف (١ ماستر)|3 ماستر|ثلاث غرف|3 or more|three bedrooms|3 BR + Maid|3 غرف + صالة + مطبخ|3 bdrm'],
  [7, '7+'],
  [2, 'غرفتين|غرفتين نوم وصالة'],
  [0, 'استوديو|Studio'],
  [null, '2.5|100|-1|N/A|3 حمامات|صالة|شقة 3|3 سنوات|less than 3|أكثر من 3 غرف|3%'],
]);

cases('an age is read in years, or from the year of completion', (text) => readAge(text, 2026), [
  [0, 'شقة جديدة|صفر|جديد|0|أقل من سنة|less than 1 year|6 أشهر|شهرين|جديد لم يسكن|brand-new'],
  [1, '18 months'],
  [2, 'سنتين|٢ سنة'],
  [5, '5 سنوات|Building age: 5|عمر البناء 5|5 years old|٥ أعوام|5 سنوات مجدد'],
  [11, '2015|2015م|built in 2015|سنة البناء: ٢٠١٥'],
  [7, '1440هـ|سنة البناء 1440 هـ'],
  [null, '2027|1440|less than 5 years|أكثر من 10 سنوات|15 يوم|5 floors|5%|جديد 100%'],
]);

cases('a count is of its own rooms', (text) => [readCount(text, 'bathrooms'), readCount(text, 'livings')], [
  [[3, null], '3 حمامات'],
  [[null, 2], 'صالتين'],
  [[null, null], '3 غرف'],
]);

cases('a width is read in meters, and never in millions', readWidth, [
  [15, '15m|15 م'],
  [15.5, '15,5'],
  [20, '20 M|20 متر شمال|20م شمالي|20 متراً شرقية|عرض الشارع 20|طريق 20'],
  [null, '20k|2 مليون|9999|20%|20+|1|شارع واحد|20 ft|15 و 20|واسع'],
]);

const latitude = (text: string): number | null => readPoint(text, '46.6753')?.lat ?? null;
cases('degrees are read with the letters of the northern hemisphere', latitude, [
  [24.7136, '24.7136|24,7136|24.7136° N|+24.7136|٢٤٫٧١٣٦|lat: 24.7136'],
  [null, '24.7136 S|24.7136%|24.7136 ريال|24.7136m|-24.7136'],
]);

cases('a unit number is read as advertisers write it, but no number that counts or measures something', unitNumberIn, [
  ['12', 'شقة رقم 12 في الدور الثالث'],
  ['a12', 'رقم الوحدة: A-12'],
  ['304', 'الوحدة رقم (٣٠٤) برج النخيل|وحدة ٣٠٤ - تشطيب فاخر'],
  ['7', 'رقم الشقة 07.'],
  ['5b', 'Apartment no. 5B, sea view'],
  ['5', 'شقة رقم 5. قريبة من شقة رقم ٥'],
  [null, 'شقة 4 غرف وصالة|وحدة 120 متر|عدد الشقق 12|العمارة 12 شقة|شقة رقم 3 وشقة رقم 4|رقم الإعلان 12345'],
  [null, 'السعر للوحدة 450 الف|unit 120 sqm|وحدة 3 غرف|شقة بدون رقم|شارع رقم 12'],
]);
