import fc from 'fast-check';
import { decoded } from '#ingest/normalize/decode-html.ts';
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

const WINDOWS_1256 = new TextDecoder('windows-1256');
const BYTES_1256 = WINDOWS_1256.decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
const in1256 = (text: string): Uint8Array => Uint8Array.from(text, (each) => BYTES_1256.indexOf(each));
const as1252 = (bytes: Uint8Array): string => new TextDecoder('windows-1252').decode(bytes);
const utf8 = (text: string): Uint8Array => Buffer.from(text);

test('text in a wrong encoding is repaired, or unreadable', (t) => {
  for (const text of [
    'شقة للبيع في حي النرجس، مدخل خاص',
    'فيلا دوبلكس ٣٠٠ م² – تشطيب فاخر',
    'أرض على شارعين؛ الغطاط والظهران',
    'شقة 120 م Apartment "new"',
  ]) {
    t.is(decoded(as1252(utf8(text))), text, 'UTF-8 as Windows-1252');
    t.is(decoded(utf8(text).reduce((all, byte) => all + String.fromCharCode(byte), '')), text, 'UTF-8 as Latin-1');
    t.is(decoded(as1252(utf8(as1252(utf8(text))))), text, 'twice');
    t.is(decoded(WINDOWS_1256.decode(utf8(text))), text, 'UTF-8 as Windows-1256');
    t.is(decoded(text), text);
    t.is(decoded([...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')), text);
  }
  for (const text of ['شقة للبيع، في حي النرجس 120 م', 'أرض على شارعين Corner'])
    t.is(decoded(as1252(in1256(text))), text);
  for (const lost of ['???? ?????', 'ÙÙŠ Ø­ÙŠ', '\\u06', '\ufffd\ufffd']) t.is(decoded(lost), null, lost);
  for (const plain of [
    'Café «Villa» 12 m² déjà vu',
    'price??',
    'نقاط، خط، ١٢٠ م² – «فيلا»',
    'A&B',
    'u06 tower',
    'É™',
    'what???!',
  ])
    t.is(decoded(plain), plain);
  t.is(decoded('سطر أول\\nسطر ثان\\r\\nثالث'), 'سطر أول\nسطر ثان\nثالث');
  t.is(decoded('https:\\/\\/a.example\\/1.jpg?w=1&amp;s=2'), 'https://a.example/1.jpg?w=1&s=2');
  t.is(decoded('u0634u0642u0629 u0644u0644u0628u064au0639'), 'شقة للبيع');
  t.is(decoded('%D8%B4%d9%82%D8%A9%20%D8%A8'), 'شقة ب');
  t.is(decoded('=D8=B4=D9=82=D8=A9'), 'شقة');
  t.is(decoded('https://a.example/%D8%B4%D9%82.jpg'), 'https://a.example/%D8%B4%D9%82.jpg');
  t.is(decoded('a\\tb \\"c\\"'), 'a b "c"');
  t.is(decoded('Ha&#039;il&#146;s &eacute;&Eacute;&nbsp;&amp;hellip; &foo;'), "Ha'il’s éÉ\u0020… &foo;");
});
