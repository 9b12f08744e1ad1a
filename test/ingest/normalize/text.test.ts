import fc from 'fast-check';
import { cleanDescription, cleanEnglish, cleanTitle, withoutContacts } from '#ingest/normalize/text.ts';
import { codePoint } from '#test/code-points.ts';
import { test } from '#test/test.ts';
import { arabicDigits, cases } from './spellings.ts';

cases('contacts are removed in all common formats', (contact) => cleanDescription(`شقة جميلة ${contact} للتواصل`), [
  [
    'شقة جميلة للتواصل',
    '٠٥٥١٢٣٤٥٦٧|055-123-4567|05 5123 4567|055.123.4567|050،1234567|050,1234567|050*123*4567|05O 123 4567|O5O1234567|0550\n123456|+966 5٠*123*4567|０５０１２３４５６７|0️⃣5️⃣5️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣',
  ],
  [
    'شقة جميلة للتواصل',
    '966551234567|551234567|011 456 7890|+966 11 456 7890|920012345|9200 12345|800 123 4567|+971 50 123 4567|wa.me/966551234567|https://wa.me/966551234567?text=hi|https://api.whatsapp.com/send?phone=966551234567|tel:+966551234567|sales@example.com',
  ],
]);

test('prices, areas, dates and license numbers are kept', (t) => {
  for (const words of [
    'السعر 1200000 ريال|السعر ١٬٢٠٠٬٠٠٠|550000000 ريال|550000000|السعر 551234567|السعر 55,000,000\n3 غرف',
    'من الدور 0 الى 5\n12 شقة|من 1000000 الى 1200000|المساحة 500 م والسعر 1.200.000|رقم الإعلان 7200123456',
    'ترخيص 1291181|3 غرف 2 حمام 1 صالة 120 متر 2022 بناء|تاريخ 2022-05-14 10:00|دخول @ مستقل',
  ].flatMap((texts) => texts.split('|')))
    t.is(cleanDescription(words), words);
});

test('Saudi mobile numbers are removed in every script, prefix and separator', (t) => {
  const number = fc.record({
    prefix: fc.constantFrom('0', '+966', '966', '00966', '+966 ', '+966-'),
    digits: fc.stringMatching(/^\d{8}$/),
    separator: fc.constantFrom('', ' ', '-', '.'),
    at: fc.integer({ min: 1, max: 7 }),
    arabic: fc.boolean(),
  });
  fc.assert(
    fc.property(number, ({ prefix, digits, separator, at, arabic }) => {
      const written = `${prefix}5${digits.slice(0, at)}${separator}${digits.slice(at)}`;
      const left = withoutContacts(`اتصل ${arabic ? arabicDigits(written) : written} الآن`);
      t.notRegex(left, /[\d٠-٩]/, written);
    }),
    { numRuns: 500 },
  );
});

test('a text is cleaned of markup, decorations and repeated letters, at most to a given length', (t) => {
  for (const [text, cleaned] of [
    ['<p>شقة <b>مشرقة</b></p><p>قريبة</p>', 'شقة مشرقة\nقريبة'],
    ['<![CDATA[شقة]]><!-- no --><script>no()</script><style>p{}</style>', 'شقة'],
    ['Pool &amp; gym&nbsp;for 2<br/>Near the park', 'Pool & gym for 2\nNear the park'],
    ['&#1588;&#x642;&#1577; 120 m&sup2;', 'شقة 120 m²'],
    ['Area < 200 & > 100, A&B; &unknown;', 'Area < 200 & > 100, A&B; &unknown;'],
    ['Call &#48;&#53;&#48;1234567 now', 'Call now'],
    ['😍😍😍😍😍😍 شقة ******** للبيــــــع', '😍😍😍 شقة *** للبيـع'],
    ['a\u0000b\u200fc\r\nd\t\te \n\n\n\n f', 'abc\nd e\n\nf'],
    [null, ''],
  ] as const)
    t.is(cleanDescription(text), cleaned);
  t.is(cleanDescription('ب '.repeat(20_000)).length <= 10_000, true);
  t.is(cleanTitle('  Villa &amp;\npool  '), 'Villa & pool');
  t.is(cleanTitle('x'.repeat(299) + '🏠'.repeat(5)), 'x'.repeat(299), 'not cut within a character');
  for (const empty of ['  ', '\u200f', '0551234567']) t.is(cleanTitle(empty), null);
  t.is(cleanEnglish('A villa in حي الياسمين'), 'A villa in حي الياسمين');
  for (const none of ['', 'فيلا للبيع في حي الياسمين']) t.is(cleanEnglish(none), null);
});

test('cleaning a text twice gives the same result as cleaning it once', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 200 }), (text) => {
      const once = cleanDescription(text);
      t.is(cleanDescription(once), once);
      t.true(once.isWellFormed());
    }),
  );
});
