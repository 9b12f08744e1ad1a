import fc from 'fast-check';
import { readArea, readWidth } from '#ingest/normalize/area.ts';
import { readPoint } from '#ingest/normalize/coordinates.ts';
import { readAge, readCount } from '#ingest/normalize/counts.ts';
import { isBlank, LARGE, plausible, readQuantity } from '#ingest/normalize/numbers.ts';
import { codePoint } from '#test/code-points.ts';
import { arabicDigits, thousands } from '#test/spellings.ts';
import { test } from '#test/test.ts';

const cases = <Value>(title: string, read: (text: string) => Value, pairs: [string, Value][]) =>
  test(title, (t) => {
    for (const [text, expected] of pairs) t.deepEqual(read(text), expected, text);
  });

const readNumber = (text: string): number | null => plausible(readQuantity(text)?.values ?? [], LARGE);

cases('a number is read in either script, with thousands marks and multipliers', readNumber, [
  ['85000', 85_000],
  ['1,200,000', 1_200_000],
  ['١٬٢٠٠٬٠٠٠', 1_200_000],
  ['۱۲۳', 123],
  ['1 200 000', 1_200_000],
  ['1.200.000,50', 1_200_000.5],
  ['5,5', 5.5],
  ['1.2 مليون', 1_200_000],
  ['١٫٢ مليون', 1_200_000],
  ['850 ألف', 850_000],
  ['٨٥٠ الف ريال', 850_000],
  ['مليون', 1_000_000],
  ['مليونين', 2_000_000],
  ['مليون ونصف', 1_500_000],
  ['نصف مليون', 500_000],
  ['مليون و200 ألف', 1_200_000],
  ['مليون و200', 1_200_000],
  ['1.2M', 1_200_000],
  ['1.2 M', 1_200_000],
  ['4,500 SAR p/m', 4_500],
  ['4500/m', 4_500],
  ['4500 /M', 4_500],
  ['3200 SAR/m2', 3_200],
  ['3200/m²', 3_200],
  ['120m2', 120],
  ['120 m²', 120],
  ['120 م2', 120],
  ['450k', 450_000],
  ['SAR 85,000', 85_000],
  ['-5', -5],
  ['مليونين وربع', 2_250_000],
  ['مليونين و300 ألف', 2_300_000],
  ['2 ونص مليون', 2_500_000],
  ['2 مليون ونص', 2_500_000],
  ['one and a half million', 1_500_000],
  ['half a million', 500_000],
  ['مائتي ألف', 200_000],
  ['مليون ومئتي ألف', 1_200_000],
]);

cases('a text without a number, or with two, gives null', readNumber, [
  ['', null],
  ['على السوم', null],
  ['85000-90000', null],
  ['85 الف الى 90 الف', null],
  ['20 ألف كل 4 شهور', null],
  ['850000 (ثمانمائة وخمسون ألف)', null],
  ['مليون واحد', null],
  ['م', null],
]);

test('integers are read in both scripts, with and without thousands marks', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), (number) => {
      t.is(readNumber(String(number)), number);
      t.is(readNumber(arabicDigits(String(number))), number);
      t.is(readNumber(thousands(number, ',')), number);
      t.is(readNumber(arabicDigits(thousands(number, '٬'))), number);
      t.is(readNumber(`${thousands(number, ',')} ريال`), number);
    }),
    { numRuns: 300 },
  );
});

test('parsers accept any text and return a number or null', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 60 }), (text) => {
      const quantity = readQuantity(text);
      t.true(quantity === null || quantity.values.every((value) => value === null || Number.isFinite(value)), text);
      const area = readArea(text);
      t.true(area === null || area === undefined || area > 0, text);
      const count = readCount(text, 'bedrooms');
      t.true(count === null || (Number.isInteger(count) && count >= 0 && count <= 99), text);
    }),
  );
});

test('words that mean "unknown" count as a missing value', (t) => {
  for (const text of [null, undefined, '', ' ', 'N/A', '-', 'null', 'غير محدد', Number.NaN]) t.true(isBlank(text));
  for (const text of ['0', 0, 'لا', 'x']) t.false(isBlank(text));
});

cases('an area is read with its unit', readArea, [
  ['230 Sq. M.', 230],
  ['1,195 Sq. M.', 1195],
  ['140 م2', 140],
  ['١٤٠ م²', 140],
  ['٢٣٠م', 230],
  ['140 متر مربع', 140],
  ['300m', 300],
  ['300 m²', 300],
  ['2,476 sqft', 230],
  ['1500 قدم مربع', 139.4],
  ['2 دونم', 2000],
  ['20 × 30', 600],
  ['20*30م', 600],
  ['٢٠ في ٣٠', 600],
  ['140', 140],
]);

test('an empty area is null, and a text that is not an area is reported', (t) => {
  for (const value of [null, '', 'N/A', 0, '0', -20]) t.is(readArea(value), null);
  for (const value of ['كبيرة', 'abc', '100 - 200']) t.is(readArea(value), undefined);
  t.is(readWidth('15 م'), 15);
  t.is(readWidth('واسع'), null);
});

test('areas in square feet are converted to square meters', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 50, max: 100_000 }), (feet) => {
      t.true(Math.abs((readArea(`${thousands(feet, ',')} sq ft`) ?? 0) - feet * 0.092_903_04) <= 0.051);
    }),
    { numRuns: 100 },
  );
});

const bedrooms = (text: string): number | null => readCount(text, 'bedrooms');
cases('room counts are integers, in digits or words', bedrooms, [
  ['3', 3],
  ['٣', 3],
  ['3.0', 3],
  ['3 غرف', 3],
  ['7+', 7],
  ['3 or more', 3],
  ['غرفتين', 2],
  ['غرفتين نوم وصالة', 2],
  ['ثلاث غرف', 3],
  ['three bedrooms', 3],
  ['3 BR + Maid', 3],
  ['3 غرف + صالة + مطبخ', 3],
  ['3 bdrm', 3],
  ['استوديو', 0],
  ['Studio', 0],
  ['2.5', null],
  ['100', null],
  ['-1', null],
  ['N/A', null],
  ['3 حمامات', null],
  ['صالة', null],
  ['شقة 3', null],
  ['3 سنوات', null],
  ['less than 3', null],
  ['أكثر من 3 غرف', null],
  ['3%', null],
]);

test('a count is of its own rooms', (t) => {
  t.is(readCount('3 حمامات', 'bathrooms'), 3);
  t.is(readCount('دورتين مياه', 'bathrooms'), 2);
  t.is(readCount('3 غرف', 'bathrooms'), null);
  t.is(readCount('صالتين', 'livings'), 2);
  t.is(readCount('3 حمامات', 'livings'), null);
});

cases('an age is read in years', readAge, [
  ['جديد', 0],
  ['0', 0],
  ['٣ سنة', 3],
  ['سنتين', 2],
  ['5 سنوات', 5],
  ['عمر البناء 5', 5],
  ['10 years old', 10],
  ['أقل من سنة', 0],
  ['جديد لم يسكن', 0],
  ['brand-new', 0],
  ['less than 1 year', 0],
  ['6 أشهر', 0],
  ['18 months', 1],
  ['شهرين', 0],
  ['2015', null],
  ['1440هـ', null],
  ['less than 5 years', null],
  ['أكثر من 10 سنوات', null],
  ['15 يوم', null],
  ['5 floors', null],
  ['5%', null],
  ['جديد 100%', null],
]);

cases('a width is read in meters, and never in millions', readWidth, [
  ['15m', 15],
  ['20 M', 20],
  ['15,5', 15.5],
  ['عرض الشارع 30', 30],
  ['طريق 60', 60],
  ['20م شمالي', 20],
  ['20 متراً شرقية', 20],
  ['20k', null],
  ['2 مليون', null],
  ['9999', null],
  ['20%', null],
  ['20+', null],
  ['20 ft', null],
  ['15 و 20', null],
]);

const latitude = (text: string): number | null => readPoint(text, '46.6753')?.lat ?? null;
cases('degrees are read with the letters of the northern hemisphere', latitude, [
  ['24.7136', 24.7136],
  ['24,7136', 24.7136],
  ['24.7136° N', 24.7136],
  ['+24.7136', 24.7136],
  ['٢٤٫٧١٣٦', 24.7136],
  ['lat: 24.7136', 24.7136],
  ['24.7136 S', null],
  ['24.7136%', null],
  ['24.7136 ريال', null],
  ['24.7136m', null],
  ['-24.7136', null],
]);

test('numbers in Arabic words are read like their digits', (t) => {
  for (const [text, number] of [
    ['عشرين', 20],
    ['خمسة وعشرين', 25],
    ['مئة وعشرين', 120],
    ['مائة و خمسة وسبعون', 175],
    ['أحد عشر', 11],
    ['ثلاثمئة', 300],
    ['مئتين وثلاثة', 203],
    ['مليون وخمسين ألف', 1_050_000],
    ['خمسمية ألف', 500_000],
    ['غرف (3)', 3],
  ] as const)
    t.is(readNumber(text), number, text);
  for (const text of ['العشرين', 'دورة مية', 'الثالث', 'خمسة أو ستة']) t.is(readNumber(text), null, text);
});
