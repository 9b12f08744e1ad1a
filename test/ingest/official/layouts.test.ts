import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import { quarterLabel } from '#domain/official/quarters.ts';
import { hijriText, readDay } from '#ingest/official/official-dates.ts';
import type { OfficialKind } from '#ingest/official/official-file.ts';
import { placeOf, withoutNumbers } from '#ingest/official/places.ts';
import { openOfficialFile } from '#ingest/official/read.ts';
import { arabicDigits } from '#sample/words.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const signal = new AbortController().signal;

/** Joins lines as the publishers do: with a byte-order mark and CRLF. */
const published = (...lines: readonly string[]): string => `\ufeff${lines.join('\r\n')}\r\n`;

/** Reads a file. @returns its layout, and its rows: accepted ones as `quarter` and named columns, others as a reason */
async function read(t: ExecutionContext, content: string) {
  const path = join(await temporaryFolder(t), 'file.csv');
  await writeFile(path, content);
  const file = await openOfficialFile(path, signal);
  const { format, layout } = file;
  const columns = Object.keys(format.columns);
  const rows: (Record<string, unknown> | string)[] = [];
  for await (const row of file.rows({ city: 'riyadh', idKey: 'test' })) {
    if (!('taken' in row)) rows.push(row.reason);
    else
      rows.push({
        ...Object.fromEntries(columns.map((name, at) => [name, row.taken.values[at]])),
        quarter: quarterLabel(row.taken.quarter),
      });
  }
  return { kind: format.kind, layout, rows };
}

/** Invented rows in the spellings of each format, and the values or the reason that must be read from them. */
const FILES: readonly {
  title: string;
  layout: string;
  kind: OfficialKind;
  content: string;
  rows: readonly (Readonly<Record<string, unknown>> | string)[];
}[] = [
  {
    title: 'quarterly deals without a byte-order mark, with quoted thousands and Hijri dates',
    layout: 'justice_quarterly',
    kind: 'transactions',
    content: [
      'المنطقة,المدينة,المدينة / الحي,الرقم المرجعي للصفقة,تاريخ الصفقة ميلادي,تاريخ الصفقة هجري,تصنيف العقار,عدد العقارات,السعر,المساحة',
      'منطقة الرياض,الرياض,الرياض/ الملقا ,71000001,2026/01/05,1447/07/16,سكني,1,"310,500",621.00',
      'منطقة مكة المكرمه,جدة,جدة/ الشاطى ,71000002,2026/02/09,1447/08/21,تجاري,2,"4,000,000","1,600.25"',
      'منطقة نجران,شرورة,شرورة/ أخرى ,71000003,2026/03/31,1447/10/12,زراعي,1,"90,000","12,345.60"',
      // Arabic digits and marks, a Hijri date only, tatweel and stray spaces.
      'منطقة الرياض,الريـاض,الرياض/ حى  الملقا ,١٠١,,١٤٤٧/٠٧/١٢,سكنى,١,"١٬٢٥٠٬٠٠٠",٣١٢٫٥',
      // The Gregorian and Hijri dates are swapped.
      'منطقة الرياض,الرياض,الرياض/الملقا,102,1447/07/12,2026/01/01,تجاري,1,"900,000",300',
      'منطقة الرياض,الرياض,الرياض/الملقا,103,2026/02/30,,سكني,1,1,1',
      'منطقة الرياض,الرياض,الرياض/الملقا,104,2026/01/01,1447/09/12,سكني,1,500000,300',
      'منطقة الرياض,الرياض,الرياض/الملقا,105,2026/01/01,,سكني,1,,300',
      'منطقة الرياض,الرياض,الرياض/الملقا,106,2026/01/01,,سكني,1,"1,23",300',
      '',
    ].join('\n'),
    rows: [
      { quarter: '2026-Q1', city: 'riyadh', neighborhood_id: 1001, price_sar: 310_500, area_sqm: 621 },
      { city: 'jeddah', land_use_class: 'commercial', price_sar: 4_000_000, area_sqm: 1_600.25, property_count: 2 },
      { city: null, neighborhood_id: null, land_use_class: 'agricultural', area_sqm: 12_345.6 },
      {
        day: '2026-01-01',
        neighborhood_id: 1001,
        land_use_class: 'residential',
        price_sar: 1_250_000,
        area_sqm: 312.5,
      },
      { day: '2026-01-01', land_use_class: 'commercial', price_sar: 900_000 },
      'bad_date',
      'dates_disagree',
      'no_price',
      'unreadable_price',
    ],
  },
  {
    title: 'deals of one city, with tatweel in column names, long dates, and no line break at the end',
    layout: 'justice_city',
    kind: 'transactions',
    content: published(
      'Neighbourhood,Plannedـtransactionـdetails,Detailsـtransaction,Date,transactionـnumber,Total_price,Area,Price_per_meter',
      '99001 فى/ 11/ 3/ 140…,مخطط/9001,قطعة 12,"Sunday, 16 January 2022 ",72000001,520000.00,400.00,1300.00',
      'الملقــا,مخطط/9002,قطعة 7,"Monday, 28 March 2022 ",72000002,1850000.50,500.25,3698.15',
      'شرق الرياض,مخطط/9003,قطعة 9,"Tuesday, 1 February 2022 ",72000003,700000.00,350.00,2000.00',
    ).slice(0, -2),
    rows: [
      { quarter: '2022-Q1', city: 'riyadh', neighborhood_id: null, price_sar: 520_000 },
      { neighborhood_id: 1001, price_sar: 1_850_000.5, area_sqm: 500.25, property_count: null },
      { neighborhood_id: null, ministry_district_ar: 'شرق الرياض' },
    ],
  },
  {
    title: 'sales indicators of 2024, with the quarter in three columns and the use in the type',
    layout: 'sales_indicators',
    kind: 'sales_indicators',
    content: published(
      'السنة,الربع,الربع ,رقم الربع ,المنطقة,المدينة,الحي,نوع العقار,عدد الصكوك ,مجموع سعر العقار,المساحة M2,متوسط سعر المتر,الحد الأعلى لسعر المتر,الحد الأدنى لسعر المتر ',
      '2024,2,الربع الثانى,20242,الرياض,الرياض,المـلـقا,شقة,41,29315855.74,7124.99,4390.078348,4670.95,4187.05',
      '2024,2,الربع الثانى,20242,الرياض,الرياض,الياسمين,قطعة أرض-سكنى,1,757000,187.41,NULL,NULL,NULL',
    ),
    rows: [
      { quarter: '2024-Q2', city: 'riyadh', neighborhood_id: 1001, property_type: 'apartment', deed_count: 41 },
      { neighborhood_id: 1002, property_type: 'land', land_use_class: 'residential', mean_price_per_sqm_sar: null },
    ],
  },
  {
    title: 'the price index of 2014, with an empty weight and changes in scientific notation',
    layout: 'price_index_2014',
    kind: 'price_index',
    content: published(
      'السنة,التاريخ,رمز المنطقة الإدارية,المنطقة الإدارية,رمز البند,البند,الرقم القياسي,الأهمية النسبية,نسبة التغير السنوي,نسبة التغير الربعي',
      '2024,2024 / Q2,6,عسير,021,قطعة أرض تجاري,88.5,,-0.020176406,0',
      '2024,2024 / Q2,1,الرياض,022,عمارة تجاري,102.25,0.2,4.886104895e-05,-4.886104895e-05',
    ),
    rows: [
      { quarter: '2024-Q2', index_value: 88.5, change_yoy: -0.020176406, change_qoq: 0 },
      { index_value: 102.25, change_yoy: 4.886104895e-5, change_qoq: -4.886104895e-5 },
    ],
  },
];

for (const { title, layout, kind, content, rows } of FILES)
  test(`the values of every row are read: ${title}`, async (t) => {
    const found = await read(t, content);
    t.like(found, { layout, kind });
    t.is(found.rows.length, rows.length);
    for (const [at, row] of rows.entries())
      if (typeof row === 'string') t.is(found.rows[at], row);
      else t.like(found.rows[at], row);
  });

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

test('stored place names contain no plan, parcel or deed numbers', (t) => {
  for (const name of ['الملقا (مخطط 3738 قطعة 176)', 'الملقا(صك ٣٧٣٨)', '(3738) الملقا'])
    t.like(placeOf('riyadh', name), { district: 'الملقا' }, name);
  for (const none of ['مخطط 3738 الملقا', '10186 فى/ 28/ 7/ 142…', 'ق/ ك/ 1013', 'أخرى', 'بدون'])
    t.is(placeOf('riyadh', none).district, null, none);
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

test('invisible marks around the names of columns do not change how a file of any layout is read', async (t) => {
  for (const { title, content } of FILES) {
    const marked = content.replace(/^[^\r\n]+/, (header) => header.replace(/(^|,)([^,]*)/g, '$1\u200f$2\u200e\ufeff'));
    t.deepEqual(await read(t, marked), await read(t, content), title);
  }
});
