import { unitNumberIn } from '#ingest/normalize/unit-number.ts';
import { test } from '#test/test.ts';

test('unit numbers are parsed in the formats that advertisers use', (t) => {
  for (const [text, unit] of [
    ['شقة رقم 12 في الدور الثالث', '12'],
    ['رقم الوحدة: A-12', 'a12'],
    ['الوحدة رقم (٣٠٤) برج النخيل', '304'],
    ['وحدة ٣٠٤ - تشطيب فاخر', '304'],
    ['رقم الشقة 07.', '7'],
    ['فيلا رقم 3، مدخلين', '3'],
    ['Apartment no. 5B, sea view', '5b'],
    ['Unit 1204 for rent', '1204'],
    ['شقة رقم 5. قريبة من شقة رقم ٥', '5'],
  ] as const)
    t.is(unitNumberIn(text), unit, text);
});

test('numbers that count or measure something are not unit numbers', (t) => {
  for (const text of [
    'شقة 4 غرف وصالة',
    'وحدة 120 متر',
    'عدد الشقق 12',
    'العمارة 12 شقة',
    'شقة رقم 3 وشقة رقم 4',
    'رقم الإعلان 12345',
    'السعر للوحدة 450 الف',
    'unit 120 sqm',
    'وحدة 3 غرف',
    'شقة بدون رقم',
    'شارع رقم 12',
  ])
    t.is(unitNumberIn(text), null, text);
});
