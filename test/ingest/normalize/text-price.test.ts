import fc from 'fast-check';
import type { RentFrequency } from '#domain/listings/vocabulary.ts';
import { foldedLines, statedAmounts } from '#ingest/normalize/stated-amounts.ts';
import { judgeArea } from '#ingest/normalize/text-area.ts';
import { judgePrice } from '#ingest/normalize/text-price.ts';
import { codePoint } from '#test/code-points.ts';
import { test } from '#test/test.ts';

const SALE = { listingType: 'sale', isLand: false, area: 150, areaInText: null } as const;
const RENT = { ...SALE, listingType: 'rent' } as const;

const amounts = (text: string) =>
  statedAmounts(foldedLines(text))
    .map(({ role, amount }) => `${role} ${amount}`)
    .join(', ');
const judged = (
  price: number,
  text: string,
  context: typeof SALE | typeof RENT = SALE,
  period: RentFrequency | null = null,
) => {
  const posted = { amount: price, yearly: price, period };
  const { frequency, implausible, readings } = judgePrice(posted, text, context);
  const flags = readings.map(({ flag }) => flag).join(',');
  if (implausible !== null) return `${flags}: hidden`;
  return `${flags || 'none'}: ${frequency ?? 'as posted'}`;
};

/** Tests how prices of sales are read with their texts. */
const prices = (title: string, cases: [price: number, text: string, expected: string][]) =>
  test(title, (t) => {
    for (const [price, text, expected] of cases) t.is(judged(price, text), expected, text);
  });

test('amounts are extracted in both languages and scripts, with several roles in one text', (t) => {
  for (const [texts, expected] of [
    ['المطلوب مليون و ٢٠٠|السعر مليون وميتين الف', 'total 1200000'],
    ['الحد مليون ونصف', 'total 1500000'],
    ['البيع مليونين و 50 الف ريال', 'total 2050000'],
    ['السعر 1.25 مليون', 'total 1250000'],
    ['السعر :\n 853,415', 'total 853415'],
    ['Price: SAR 1.2M', 'total 1200000'],
    ['The price is 3 and a half million', 'total 3500000'],
    ['السوم وصل 820 الف والحد 850 الف', 'other 820000, total 850000'],
    ['Prices from 590 to 720k', 'start 590000, start 720000'],
    ['المساحات تبدأ من 135 والأسعار تبدأ من 780 الف', 'start 780000'],
    ['3 and a half million riyals, price|شقه ٢/٤ المساحه ١٩٤ متر|للتواصل 0501234567', ''],
  ] as const)
    for (const text of texts.split('|')) t.is(amounts(text), expected, text);
});

prices('a posted price that differs from the text by more than 7.5% is flagged, and hidden below 2/3 or above 3/2', [
  [600_000, 'السعر 850 ألف', 'text_price_differs: as posted'],
  [810_000, 'شقة للبيع السعر 891,000 ريال موقع ممتاز', 'text_price_differs: as posted'],
  [600_000, 'السعر 900 ألف', 'text_price_differs: as posted'],
  [600_000, 'السعر 901 ألف', 'text_price_differs: hidden'],
  [900_000, 'السعر 600 ألف', 'text_price_differs: as posted'],
  [900_000, 'السعر 599 ألف', 'text_price_differs: hidden'],
  [1_000_000, 'السعر 1,075,000', 'none: as posted'],
  [1_000_000, 'السعر 1,076,000', 'text_price_differs: as posted'],
  [1_000_000, 'السعر 925,000', 'none: as posted'],
  [1_000_000, 'السعر 924,000', 'text_price_differs: as posted'],
  [90_000, 'البيع 900 الف كاش', 'text_price_differs: hidden'],
  [9_000_000, 'السعر 900', 'text_price_differs: hidden'],
  [1.85, 'Asking 1.85 million', 'text_price_differs: hidden'],
  [227_000, 'السعر 227,000 دولار', 'text_price_differs: hidden'],
  [1_450_000, 'حد البيع 700 الف', 'text_price_differs: hidden'],
  [940_000, 'السعر 850,000', 'text_price_differs: as posted'],
  [600_000, 'السعر المذكور غير حقيقي والسعر 620,000', 'text_price_differs: hidden'],
  [48_000, 'الإيجار السنوي 48000', 'text_price_differs: hidden'],
]);

test('a price in the text of a home with another area is flagged, not hidden', (t) => {
  const other = { ...SALE, areaInText: 320 } as const;
  const { implausible, readings } = judgePrice(
    { amount: 600_000, yearly: 600_000, period: null },
    'السعر 1,400,000',
    other,
  );
  t.deepEqual([implausible, readings.map(({ flag }) => flag)], [null, ['text_price_differs']]);
});

prices('a posted amount that the text calls a part of the price is flagged and hidden', [
  [377_700, 'دفعة أولى 30٪ 377,700', 'partial_price: hidden'],
  [300_000, 'Down payment SAR 300,000, price 1,000,000', 'partial_price: hidden'],
  [275_000, 'شقة للتنازل من المالك عليها بنك بمبلغ 275000', 'partial_price: hidden'],
  [400_000, 'تنازل عن شقة والمطلوب 400 الف والباقي على البنك', 'partial_price: hidden'],
  [400_000, 'Equity SAR 400,000, buyer takes over the loan of 500,000', 'partial_price: hidden'],
  [3_500, 'Monthly instalment 3,500 SAR', 'partial_price: hidden'],
]);

prices('ads with prices for several units or a starting price are flagged and keep their price', [
  [780_000, 'الأسعار تبدأ من 780 الف', 'starting_price: as posted'],
  [900_000, 'الاسعار من 850 الف الى مليون', 'starting_price: as posted'],
  [780_000, 'Prices start from 780,000 SAR', 'starting_price: as posted'],
  [600_000, 'السعر 670الف\nالسعر 650الف\nالسعر 600الف', 'starting_price: as posted'],
  [1_060_000, '4 bedrooms - SAR 1,060,000, instalments available', 'none: as posted'],
  [650_000, 'السعر 670الف\nالسعر 650الف\nالسعر 600الف', 'none: as posted'],
  [500_000, 'السعر 670الف\nالسعر 600الف', 'text_price_differs: as posted'],
]);

test('one sold unit among several, and words for sales of others, do not hide an ad', (t) => {
  for (const text of [
    'تم بيع جميع الشقق متوفر واحده فقط|السعي على المشتري في حال تم البيع',
    '1 - ( الادوار الارضيه ) ( تم البيع ) ولله الحمد|شقة رقم 10 / 142 م / 950,000 *مباعة*',
    'الدور الأرضي مباع والدور الأول متاح|All other units are sold, this is the last one|الشقة مؤجرة',
  ].flatMap((texts) => texts.split('|')))
    t.false(judged(850_000, text).startsWith('sold'), text);
  t.is(judgePrice(null, 'تم البيع', SALE).readings[0]?.flag, 'sold', 'also without a price');
});

test('a rent without a stated period has the period of its text; a stated period is kept', (t) => {
  const cases: [amount: number, text: string, unstated: string, yearly: string][] = [
    [4_500, 'الإيجار الشهري 4500', 'none: monthly', 'text_price_differs: hidden'],
    [30_000, 'الإيجار 30000 كل ستة أشهر', 'none: semiannually', 'text_price_differs: hidden'],
    [60_000, 'السنوي 60000 أو 5000 شهري', 'none: as posted', 'none: as posted'],
    [60_000, 'الإيجار 60 الف على دفعتين كل دفعة 30 الف', 'none: as posted', 'none: as posted'],
  ];
  for (const [amount, text, unstated, yearly] of cases) {
    t.is(judged(amount, text, RENT), unstated, text);
    t.is(judged(amount, text, RENT, 'yearly'), yearly, text);
  }
});

test('a rent is compared only with amounts for the same period', (t) => {
  const monthly = (text: string) => {
    const { implausible, readings } = judgePrice({ amount: 5_000, yearly: 60_000, period: 'monthly' }, text, RENT);
    return [implausible, ...readings.map(({ amount }) => amount)];
  };
  t.deepEqual(monthly('الإيجار الشهري 5000'), [null]);
  t.deepEqual(monthly('السعر 5000'), [null]);
  t.deepEqual(monthly('السنوي 54000'), [null]);
  t.deepEqual(monthly('الإيجار الشهري 6000'), [null, 72_000]);
  t.deepEqual(monthly('الإيجار الشهري 9000'), ['text_price_differs', 108_000]);
  t.is(judged(60_000, 'الإيجار الشهري 5500', RENT, 'yearly'), 'none: as posted');
  t.is(judged(140_000, 'السعر 100 ألف', RENT, 'yearly'), 'text_price_differs: as posted');
});

test('a text without a second price leaves the posted price unchanged', (t) => {
  const texts = [
    'دورين ونصف وهذا مايميزها عن باقي الشقق|نوفر لكم الدفعة الأولى بدون فوائد ونتعامل مع جميع البنوك',
    'تقبل البنك بدون دفعة اولى|خدمات مقدمة من المطور لأول سنة|السعر 850 ألف ويقبل البنك بدفعة أولى 10%',
    'لا تقبل السومه الا بعربون بقيمه 2.5%|شقة في شارع محمد المقدمي|مشاع الأرض بمساحة 93.41 م2',
    'شركة خبراء المسكن\nحصه/ 0500000000|لا تنازل عن الجودة|للتنازل في مكتب المطور إلى صدور الصك والسعر 850 ألف',
    'الشقة مؤجرة باقي في العقد 4 شهور ب 40 الف|Half bath for guests, 2.5 bathrooms',
    'No down payment, financing available|موقف مشترك وحصة في الحديقة|السوم 820 الف',
    'السعر قبل 950 الف والآن 850 الف|Reduced from SAR 950,000 to 850,000|سعر المتر 5,667 والإجمالي 850,000',
    'رسوم الصيانة 6000 في السنة|عليها 850 الف|السعر يشمل المطبخ، تكلفة المطبخ ٥٥ الف',
    'البيع بدون الاثاث 850 الف ريال|عليها 100 الف بنك والمالك يبغى 750 الف صافي',
    'المساحات تبدأ من 150 الى 245 متر',
  ].flatMap((line) => line.split('|'));
  for (const text of texts) t.is(judged(850_000, text), 'none: as posted', text);
});

test('an area with a wrong digit, in square feet or of the plot is corrected from the text', (t) => {
  const area = (stated: number, text: string, type: 'apartment' | 'villa' = 'apartment') =>
    judgeArea(stated, text, type).corrected;
  t.like(judgeArea(450, 'فيلا مساحة الأرض 450 م والمساحة 300 م', 'villa'), {
    corrected: null,
    plotInText: 450,
    inText: 300,
  });
  t.is(area(32, 'المساحة 320 م'), 320);
  t.is(area(3_444, 'Area: 3444 sqft'), 320);
  t.is(area(3_444, 'المساحة 3444 قدم مربع'), 320);
  t.is(area(3_444, 'مساحتها 320 متر', 'villa'), 320);
  t.is(area(750, 'مساحة الأرض 750 ومساحة الشقة 150 متر'), 150);
  t.is(area(300, 'المساحة ١٥٠ متر'), 150);
});

test('the area of something else or of several units does not change the stated area', (t) => {
  const same = (stated: number, text: string, type: 'apartment' | 'villa' = 'apartment') =>
    t.is(judgeArea(stated, text, type).corrected, null, text);
  same(320, 'المساحة 320 م');
  same(150, 'مساحة الأرض 750 م');
  same(150, 'المساحات تبدأ من 110 م');
  same(100, 'يوجد سطح خاص للشقه بمساحه 35م');
  same(160, 'يتكون المشروع من 33 وحده سكنية على مساحة 2400 متر مربع');
  same(293, 'المساحه 143م\nمساحه الحوش 150م');
  same(750, 'المساحة 375 م', 'villa');
  same(150, '3,000 per sqm');
  same(150, 'غرفة 4*5 م2');
});

test('quoted words have a maximum length, and any text is parsed without an error', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), fc.integer({ min: 1, max: 1e9 }), (noise, price) => {
      const text = `${noise} السعر ${noise.slice(0, 3)} 850 الف ${noise} 320 sqm`;
      const { readings } = judgePrice({ amount: price, yearly: price, period: null }, text, SALE);
      for (const { words } of [...readings, ...judgeArea(32, text, 'apartment').readings]) t.true(words.length <= 80);
    }),
  );
});

test('a text that states only the posted price does not change it', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 60, max: 9_000 }),
      fc.constantFrom('السعر', 'المطلوب', 'الحد', 'Price', 'Asking price'),
      (thousands, word) => {
        for (const amount of [`${thousands * 1_000}`, `${thousands} الف`, `${thousands}k SAR`])
          t.is(judged(thousands * 1_000, `${word} ${amount}`), 'none: as posted', amount);
      },
    ),
  );
});
