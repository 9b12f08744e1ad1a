import { parseSentence } from '#domain/sentence/parse.ts';
import { test } from '#test/test.ts';

const parse = (sentence: string) => parseSentence(sentence, { listingsOf: () => 1 });

test('years, dates and phone numbers set no price', (t) => {
  for (const sentence of [
    'apartment built after 2020',
    'apartment built in 2000',
    'apartment not older than 2017',
    'apartment available from March 2027',
    'apartment from 1/3/2027',
    'شقة بناء سنة 1442',
    'شقة سنة البناء 2015 وما فوق',
    'apartment call 0551234567',
    'شقة للتواصل ٠٥٥١٢٣٤٥٦٧',
    'apartment +966 55 123 4567',
    'apartment 053 444 5566',
    'apartment 920012345',
  ])
    t.deepEqual(parse(sentence).filters, { property_type: 'apartment' }, sentence);
});

test('numbers of licenses, plans, plots and units set no filter', (t) => {
  for (const sentence of ['land license 7200345', 'أرض مخطط رقم 3020', 'أرض قطعة 5123', 'land plan 4410'])
    t.deepEqual(parse(sentence).filters, { property_type: 'land' }, sentence);
  t.deepEqual(parse('land, plot 600 sqm').filters, { property_type: 'land', area_min: '540', area_max: '660' });
});

test('a year with a currency, a period or a word for price is a price', (t) => {
  for (const [sentence, price_max] of [
    ['apartment 2020 SAR', '2020'],
    ['apartment price 2024', '2024'],
    ['apartment 2010 monthly', '24120'],
    ['apartment 2000', '2000'],
  ] as const)
    t.is(parse(sentence).filters.price_max, price_max, sentence);
});

test('a comparison between two numbers belongs to the one that it precedes, unless it can only follow a number', (t) => {
  for (const [sentence, filters] of [
    ['2 bedrooms at least 100 m2', { beds: '2', area_min: '100' }],
    ['4 bedrooms max 2 million', { beds: '4', price_max: '2000000' }],
    ['٥ غرف اكثر من ٣٠٠ متر', { beds: '5', area_min: '300' }],
    ['غرفتين على الاقل ١٠٠ متر', { beds: '2', area_min: '100' }],
    ['120 sqm at least 3 bedrooms', { area_min: '108', area_max: '132', beds_min: '3' }],
    ['3 bedrooms at least, 100 m2', { beds_min: '3', area_min: '90', area_max: '110' }],
    ['500 sqm or more under 2.2 million', { area_min: '500', price_max: '2200000' }],
    ['500 sqm or more under 200 thousand', { area_min: '500', price_max: '200000' }],
    ['٣ غرف فأكثر ١٢٠ متر', { beds_min: '3', area_min: '108', area_max: '132' }],
  ] as const)
    t.deepEqual(parse(sentence).filters, filters, sentence);
});

test('a negated comparison is the opposite one', (t) => {
  t.is(parse('apartment nothing above 70k').filters.price_max, '70000');
  t.is(parse('شقة ما تطلع اغلى من 60 الف').filters.price_max, '60000');
});

test('a unit belongs to a number that can count it', (t) => {
  t.deepEqual(parse('السعر لا يتجاوز ٤٠ ألف والغرف لا تقل عن ٣').filters, { price_max: '40000', beds_min: '3' });
  t.deepEqual(parse('under 60k, 3 bedrooms').filters, { price_max: '60000', beds: '3' });
  t.deepEqual(parse('warehouse height 8 m area 1200 m').filters, {
    property_type: 'warehouse',
    area_min: '1080',
    area_max: '1320',
  });
});

test('a unit of time after an amount is its period', (t) => {
  for (const [sentence, price_max] of [
    ['apartment 1500 month', '18000'],
    ['apartment 150 night', '54750'],
    ['شقة 1500 شهر', '18000'],
    ['شقة ٩٠٠ اليوم', '328500'],
    ['apartment 45000 year', '45000'],
  ] as const)
    t.deepEqual(parse(sentence).filters, { property_type: 'apartment', listing_type: 'rent', price_max }, sentence);
});

test('the letter m after a number means meters, millions if attached to a small one, and months after a slash', (t) => {
  t.deepEqual(parse('land 900m').filters, { property_type: 'land', area_min: '810', area_max: '990' });
  t.is(parse('villa 3m').filters.price_max, '3000000');
  t.is(parse('villa 15m street').filters.price_max, undefined);
  t.is(parse('studio 2000/m').filters.price_max, '24000');
});

test('types of the contents of a property are not searched', (t) => {
  for (const [sentence, property_type] of [
    ['farm with a house', 'farm'],
    ['مزرعة فيها بيت ومسبح', 'farm'],
    ['residential building 12 apartments', 'residential_building'],
    ['room in a shared apartment', 'room'],
    ['لا ابغى شقة ابغى دور', 'floor'],
    ['no basement villa', 'villa'],
    ['بيت دور واحد', 'villa'],
  ] as const)
    t.is(parse(sentence).filters.property_type, property_type, sentence);
});

test('a name behind a word for a building or a street is not a place, the city behind it is', (t) => {
  t.deepEqual(parse('شقة قريبة من مستشفى بجدة').filters, { property_type: 'apartment', city: 'jeddah' });
  t.deepEqual(parse('apartment near King Fahd hospital').filters, { property_type: 'apartment' });
  t.is(parse('شقق كل الأحياء بالرياض').filters.city, 'riyadh');
  t.is(parse('شقق بالمدينة').filters.city, 'madinah');
});

test('a name of a district within the name of another place is not understood', (t) => {
  for (const [sentence, words] of [
    ['villa in King Abdullah Financial District', 'in King Abdullah Financial District'],
    ['villa for rent King Salman Park', 'King Salman Park'],
    ['villa near Diriyah Gate', 'near Diriyah Gate'],
    ['فيلا في مركز الملك عبدالله المالي', 'في مركز الملك عبدالله المالي'],
    ['فيلا قرب حديقة الملك سلمان', 'قرب حديقة الملك سلمان'],
  ] as const) {
    const { filters, not_understood } = parse(sentence);
    t.false('neighborhood_id' in filters || 'near' in filters, sentence);
    t.deepEqual(
      not_understood.map((each) => each.words),
      [words],
    );
  }
  t.is(parse('villa in Riyadh, Al Malqa district').filters.neighborhood_id, '1001');
  t.is(parse('office in King Abdullah Financial District Riyadh').filters.city, 'riyadh');
});

test('a sentence that accepts both values of a filter does not set it', (t) => {
  for (const sentence of ['apartment furnished or unfurnished', 'شقة مفروشة او غير مفروشة'])
    t.deepEqual(parse(sentence).filters, { property_type: 'apartment' }, sentence);
});

test('the duration of a contract is not the period of the price', (t) => {
  t.is(parse('apartment 6 months contract 40k').filters.price_max, '40000');
});
