import fc from 'fast-check';
import { PAYMENTS_PER_YEAR, type RentFrequency } from '#domain/listing-vocabulary.ts';
import { foldedLines, statedAmounts } from '#ingest/normalize/stated-amounts.ts';
import { judgeArea } from '#ingest/normalize/text-area.ts';
import { judgePrice } from '#ingest/normalize/text-price.ts';
import { test } from '#test/test.ts';
import { cases } from './spellings.ts';

const SALE = { listingType: 'sale', isLand: false, area: 150, areaInText: null } as const;
const RENT = { ...SALE, listingType: 'rent' } as const;

const amounts = (text: string) =>
  statedAmounts(foldedLines(text))
    .map(({ role, amount }) => `${role} ${amount}`)
    .join(', ');
const judged = (
  amount: number,
  text: string,
  context: Parameters<typeof judgePrice>[2] = SALE,
  period: RentFrequency | null = null,
) => {
  const posted = { amount, yearly: amount * (period === null ? 1 : PAYMENTS_PER_YEAR[period]), period };
  const { frequency, implausible, readings } = judgePrice(posted, foldedLines(text), context);
  const flags = readings.map(({ flag }) => flag).join(',');
  if (implausible !== null) return `${flags}: hidden`;
  return `${flags || 'none'}: ${frequency ?? 'as posted'}`;
};

cases('amounts are extracted in both languages and scripts, with several roles in one text', amounts, [
  ['total 1200000', 'المطلوب مليون و ٢٠٠|السعر مليون وميتين الف|Price: SAR 1.2M'],
  ['total 2050000', 'البيع مليونين و 50 الف ريال'],
  ['total 1250000', 'السعر 1.250 مليون|السعر 1.250.000'],
  ['total 850000', 'السعر 850.000,00 ريال|السعر ٨٥٠٬٠٠٠ ر.س|السعر 850.000 الف'],
  ['total 3500000', 'The price is 3 and a half million'],
  ['other 820000, total 850000', 'السوم وصل 820 الف والحد 850 الف'],
  ['start 590000, start 720000', 'Prices from 590 to 720k'],
  ['start 780000', 'المساحات تبدأ من 135 والأسعار تبدأ من 780 الف'],
  ['', '€850,000 price|السعر 4.500 الف|رخصة 7200145|شقه ٢/٤ المساحه ١٩٤ متر|للتواصل 0501234567'],
]);

/** Sale prices with the texts of their ads. */
const SALES: [price: number, text: string, expected: string][] = [
  // A difference above 7.5% is flagged, and the price hidden below 2/3 or above 3/2 of the one in the text.
  [810_000, 'شقة للبيع السعر 891,000 ريال موقع ممتاز', 'text_price_differs: as posted'],
  [600_000, 'السعر 900 ألف', 'text_price_differs: as posted'],
  [600_000, 'السعر 901 ألف', 'text_price_differs: hidden'],
  [900_000, 'السعر 600 ألف', 'text_price_differs: as posted'],
  [900_000, 'السعر 599 ألف', 'text_price_differs: hidden'],
  [1_000_000, 'السعر 1,075,000', 'none: as posted'],
  [1_000_000, 'السعر 1,076,000', 'text_price_differs: as posted'],
  [1_000_000, 'السعر 925,000', 'none: as posted'],
  [1_000_000, 'السعر 924,000', 'text_price_differs: as posted'],
  [1.85, 'Asking 1.85 million', 'text_price_differs: hidden'],
  [227_000, 'السعر 227,000 دولار', 'text_price_differs: hidden'],
  [600_000, 'السعر المذكور غير حقيقي والسعر 620,000', 'text_price_differs: hidden'],
  [48_000, 'الإيجار السنوي 48000', 'text_price_differs: hidden'],
  // A part of the price.
  [377_700, 'دفعة أولى 30٪ 377,700', 'partial_price: hidden'],
  [275_000, 'شقة للتنازل من المالك عليها بنك بمبلغ 275000', 'partial_price: hidden'],
  [400_000, 'تنازل عن شقة والمطلوب 400 الف والباقي على البنك', 'partial_price: hidden'],
  [3_500, 'Monthly instalment 3,500 SAR', 'partial_price: hidden'],
  // Prices of several units, or a starting price.
  [780_000, 'الأسعار تبدأ من 780 الف', 'starting_price: as posted'],
  [780_000, 'Prices start from 780,000 SAR', 'starting_price: as posted'],
  [600_000, 'السعر 670الف\nالسعر 650الف\nالسعر 600الف', 'starting_price: as posted'],
  [1_060_000, '4 bedrooms - SAR 1,060,000, instalments available', 'none: as posted'],
  [650_000, 'السعر 670الف\nالسعر 650الف\nالسعر 600الف', 'none: as posted'],
  [500_000, 'السعر 670الف\nالسعر 600الف', 'text_price_differs: as posted'],
];

test('a posted price that differs from the text, or that the text calls a part or a start, is flagged or hidden', (t) => {
  for (const [price, text, expected] of SALES) t.is(judged(price, text), expected, text);
  const ofAnother = judged(600_000, 'السعر 1,400,000', { ...SALE, areaInText: 320 });
  t.is(ofAnother, 'text_price_differs: as posted', 'a home with another area');
});

test('one sold unit among several, and words for sales of others, do not hide an ad', (t) => {
  for (const text of [
    'تم بيع جميع الشقق متوفر واحده فقط|السعي على المشتري في حال تم البيع',
    '1 - ( الادوار الارضيه ) ( تم البيع ) ولله الحمد|شقة رقم 10 / 142 م / 950,000 *مباعة*',
    'الدور الأرضي مباع والدور الأول متاح|All other units are sold, this is the last one|الشقة مؤجرة',
  ].flatMap((texts) => texts.split('|')))
    t.false(judged(850_000, text).startsWith('sold'), text);
  t.is(judgePrice(null, ['تم البيع'], SALE).readings[0]?.flag, 'sold', 'also without a price');
});

/** Rents with their period, and the texts of their ads. */
const RENTS: [rent: number, period: RentFrequency | null, text: string, expected: string][] = [
  [4_500, null, 'الإيجار الشهري 4500', 'none: monthly'],
  [4_500, 'yearly', 'الإيجار الشهري 4500', 'text_price_differs: hidden'],
  [30_000, null, 'الإيجار 30000 كل ستة أشهر', 'none: semiannually'],
  [30_000, 'yearly', 'الإيجار 30000 كل ستة أشهر', 'text_price_differs: hidden'],
  [60_000, null, 'السنوي 60000 أو 5000 شهري', 'none: as posted'],
  [5_000, 'monthly', 'السنوي 54000', 'none: as posted'],
  [5_000, 'monthly', 'الإيجار الشهري 6000', 'text_price_differs: as posted'],
  [5_000, 'monthly', 'الإيجار الشهري 9000', 'text_price_differs: hidden'],
  [60_000, 'yearly', 'الإيجار الشهري 5500', 'none: as posted'],
];

test('a rent has its stated period or that of its text, and is compared only with amounts for the same one', (t) => {
  for (const [rent, period, text, expected] of RENTS) t.is(judged(rent, text, RENT, period), expected, text);
});

test('a text without a second price leaves the posted price unchanged', (t) => {
  for (const text of [
    'دورين ونصف وهذا مايميزها عن باقي الشقق|نوفر لكم الدفعة الأولى بدون فوائد ونتعامل مع جميع البنوك',
    'تقبل البنك بدون دفعة اولى|خدمات مقدمة من المطور لأول سنة|السعر 850 ألف ويقبل البنك بدفعة أولى 10%',
    'لا تقبل السومه الا بعربون بقيمه 2.5%|شقة في شارع محمد المقدمي|مشاع الأرض بمساحة 93.41 م2',
    'شركة خبراء المسكن\nحصه/ 0500000000|لا تنازل عن الجودة|للتنازل في مكتب المطور إلى صدور الصك والسعر 850 ألف',
    'الشقة مؤجرة باقي في العقد 4 شهور ب 40 الف|Half bath for guests, 2.5 bathrooms',
    'No down payment, financing available|موقف مشترك وحصة في الحديقة|السوم 820 الف',
    'السعر قبل 950 الف والآن 850 الف|Reduced from SAR 950,000 to 850,000|سعر المتر 5,667 والإجمالي 850,000',
    'رسوم الصيانة 6000 في السنة|عليها 850 الف|عليها 100 الف بنك والمالك يبغى 750 الف صافي',
  ].flatMap((line) => line.split('|')))
    t.is(judged(850_000, text), 'none: as posted', text);
  const thousands = fc.integer({ min: 60, max: 9_000 });
  fc.assert(
    fc.property(thousands, fc.constantFrom('السعر', 'المطلوب', 'الحد', 'Price', 'Asking price'), (amount, word) => {
      for (const written of [`${amount * 1_000}`, `${amount} الف`, `${amount}k SAR`])
        t.is(judged(amount * 1_000, `${word} ${written}`), 'none: as posted', written);
    }),
  );
});

/** Stated areas with the texts of their ads, and the areas that replace them. */
const AREAS: [stated: number, text: string, corrected: number | null, type?: 'villa'][] = [
  [32, 'المساحة 320 م', 320],
  [3_444, 'المساحة 3444 قدم مربع', 320],
  [3_444, 'مساحتها 320 متر', 320, 'villa'],
  [750, 'مساحة الأرض 750 ومساحة الشقة 150 متر', 150],
  [320, 'المساحة 320 م', null],
  [650, 'المساحة 80 م', null],
  [150, 'مساحة الأرض 750 م', null],
  [150, 'المساحات تبدأ من 110 م', null],
  [160, 'يتكون المشروع من 33 وحده سكنية على مساحة 2400 متر مربع', null],
  [293, 'المساحه 143م\nمساحه الحوش 150م', null],
  [750, 'المساحة 375 م', null, 'villa'],
  [150, 'غرفة 4*5 م2', null],
];

test('an area with a wrong digit, in square feet or of the plot is corrected, but not by another area', (t) => {
  for (const [stated, text, expected, type = 'apartment'] of AREAS)
    t.is(judgeArea(stated, foldedLines(text), type).corrected, expected, text);
  const ofVilla = judgeArea(450, foldedLines('فيلا مساحة الأرض 450 م والمساحة 300 م'), 'villa');
  t.like(ofVilla, { corrected: null, plotInText: 450, inText: 300 });
});
