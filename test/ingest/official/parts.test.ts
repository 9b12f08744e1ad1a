import fc from 'fast-check';
import { readNumber } from '#ingest/official/cell-types.ts';
import { hijriText, readDay } from '#ingest/official/dates.ts';
import { cityInName } from '#ingest/official/files.ts';
import { placeOf, withoutNumbers, withoutPlans } from '#ingest/official/places.ts';
import { arabicDigits } from '#sample/words.ts';
import { test } from '#test/test.ts';

const DAY = 86_400_000;
const iso = (time: number): string => new Date(time).toISOString().slice(0, 10);
const days = fc
  .integer({ min: Date.UTC(1990, 0, 1) / DAY, max: Date.UTC(2060, 0, 1) / DAY })
  .map((day) => iso(day * DAY));

test('Umm al-Qura dates are converted in either script and order', (t) => {
  fc.assert(
    fc.property(days, (day) => {
      const hijri = hijriText(day);
      t.is(readDay(hijri), day);
      t.is(readDay(arabicDigits(hijri)), day);
      t.is(readDay(hijri.split('/').reverse().join('-')), day);
      t.is(readDay(day.replaceAll('-', '/')), day);
      t.is(readDay((Date.parse(day) - Date.UTC(1899, 11, 30)) / DAY), day);
    }),
    { numRuns: 300 },
  );
  t.is(readDay('Thursday, 13 January 2022 '), '2022-01-13');
  t.is(readDay('1447/07/12'), '2026-01-01');
  for (const none of ['', '2026/02/30', '1447/13/01', '1446/12/31', 'قطعة 176', '12', '1750-01-01'])
    t.is(readDay(none), null, none);
});

test('a cell of an official file is a number only if it has no other characters', (t) => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e10, noNaN: true }), (value) => {
      const rounded = Math.round(value * 100) / 100;
      const text = rounded.toLocaleString('en-US', { maximumFractionDigits: 2 });
      t.is(readNumber(text), rounded);
      t.is(readNumber(arabicDigits(text).replaceAll(',', '٬').replace('.', '٫')), rounded);
    }),
  );
  for (const none of ['', '12 كم', '1,23', '12..5', 'NULL', '5-6']) t.is(readNumber(none), null, none);
});

test('districts are matched to neighborhoods regardless of spelling variants, and placeholders are not matched', (t) => {
  const id = (name: string) => placeOf('riyadh', name).neighborhood?.id ?? null;
  for (const name of ['الملقا', 'حي الملقا', 'حى  الملقا', 'المـلقا']) t.is(id(name), 1001, name);
  t.is(id('العريجاء الغربي'), id('العريجاء الغربية'));
  t.is(id('اشبيليا'), id('إشبيلية'));
  for (const none of ['أخرى', 'اخرى', 'بدون']) t.is(placeOf('riyadh', none).district, null);
  t.is(withoutPlans('10186 فى/ 28/ 7/ 142…'), null);
  t.is(withoutPlans('ق/ ك/ 1013'), null);
  t.is(withoutPlans('النور مخطط رقم 351 / 2'), 'النور');
  t.is(withoutPlans('طريق الخرج'), 'طريق الخرج');
});

test('stored place names contain no plan, parcel or deed numbers', (t) => {
  const place = (name: string, city = 'riyadh') => {
    const { neighborhood, district } = placeOf(city, name);
    return [neighborhood?.id ?? null, district];
  };
  t.deepEqual(place('الملقا (مخطط 3738 قطعة 176)'), [1001, 'الملقا']);
  t.deepEqual(place('الملقا مخطط 3738'), [1001, 'الملقا']);
  t.deepEqual(place('الملقا(صك ٣٧٣٨)'), [1001, 'الملقا']);
  t.deepEqual(place('(3738) الملقا'), [1001, 'الملقا']);
  t.deepEqual(place('مخطط 3738 الملقا'), [null, null]);
  t.is(place('المصيف في محافظة القطيف صك 12345', 'qatif')[1], 'المصيف في محافظة القطيف');
  t.is(withoutNumbers('الجموم - بحرة'), 'الجموم - بحرة');
  t.is(withoutNumbers('منطقة الرياض، صك رقم ١٢٣'), 'منطقة الرياض');
  t.is(withoutNumbers('12345'), null);
  // These town names contain the same words and numbers as plan and deed references.
  for (const town of ['مخطط القاع', 'الفويلق 2']) t.is(withoutNumbers(town), town);
  t.is(withoutNumbers('مخطط النقيع الزراعي رقم (3)'), 'مخطط النقيع الزراعي');
  t.is(withoutNumbers('غريب مخطط 22 الزراعي'), 'غريب');
  const numbers = fc.integer({ min: 1_000, max: 99_999 }).map(String);
  const texts = fc.array(fc.constantFrom('الملقا', 'حي', '(', ')', 'مخطط', 'بالمخطط', '/', '-', 'غير معروف', 'قطعة'));
  fc.assert(
    fc.property(texts, numbers, texts, (before, number, after) => {
      const text = [...before, number, ...after].join(' ');
      t.false((placeOf('riyadh', text).district ?? '').includes(number));
      t.false((withoutNumbers(text) ?? '').includes(number));
    }),
  );
});

test('the city of an official file is read from its file name', (t) => {
  t.is(cityInName('deals_riyadh.csv'), 'riyadh');
  t.is(cityInName('2022/khamis_mushait-2022.csv'), 'khamis_mushait');
  t.is(cityInName('Khamis Mushait.xlsx'), 'khamis_mushait');
  t.is(cityInName('riyadhian.csv'), null);
});
