import fc from 'fast-check';
import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import { nameKeys } from '#domain/geography/names.ts';
import { indexText } from '#domain/text/index-text.ts';
import { latinNameAt } from '#domain/text/names.ts';
import { negationsIn } from '#domain/text/negation.ts';
import { readNumber } from '#domain/text/numerals.ts';
import { searchedText, wordsOf } from '#domain/text/searched-text.ts';
import { projectNameKey } from '#ingest/off-plan/names.ts';
import { parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { test } from '#test/test.ts';

const numberIn = (text: string): number | undefined => readNumber(wordsOf(indexText(text)), 0)?.value;

test('numbers written as words are recognized in Arabic and English', (t) => {
  for (const [text, value] of [
    ['عشرين', 20],
    ['خمسة وعشرين', 25],
    ['خمسة عشر', 15],
    ['اثنا عشر', 12],
    ['مئة وخمسة وعشرين', 125],
    ['ثلاثمئة وخمسين متر', 350],
    ['وبثلاث غرف', 3],
    ['twenty-five', 25],
    ['two hundred and fifty', 250],
    ['three bedrooms', 3],
    ['one of many', undefined],
    ['متر عشرين', undefined],
    ['والشارع', undefined],
  ] as const)
    t.is(numberIn(text), value, text);
});

const ARABIC_UNITS = ['', 'واحد', 'اثنين', 'ثلاثة', 'أربعة', 'خمسة', 'ستة', 'سبعة', 'ثمانية', 'تسعة'];
const ARABIC_TENS = ['', '', 'عشرين', 'ثلاثين', 'أربعين', 'خمسين', 'ستين', 'سبعين', 'ثمانين', 'تسعين'];

test('Arabic numbers with units before tens are added up', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1, max: 9 }), (tens, units) => {
      t.is(numberIn(`${ARABIC_UNITS[units]} و${ARABIC_TENS[tens]}`), tens * 10 + units);
    }),
  );
});

test('at least 95% of the neighborhoods are recognized by their English names', (t) => {
  const missed = NEIGHBORHOODS.filter(({ name_en, name_ar }) => {
    const found = latinNameAt(wordsOf(indexText(name_en)), 0);
    return !found?.names.map(withoutArticle).includes(withoutArticle(indexText(name_ar)));
  });
  t.log(`${NEIGHBORHOODS.length - missed.length} of ${NEIGHBORHOODS.length}`);
  t.true(missed.length <= NEIGHBORHOODS.length * 0.05);
});

const withoutArticle = (name: string): string => name.replace(/^ال/, '').replace(/ء$/, '');

test('a negation applies to the next feature and to features that follow with "or"', (t) => {
  for (const [text, absent] of [
    ['لا يوجد مصعد', ['مصعد']],
    ['بدون غرفة خادمة في الدور', ['خادمه']],
    ['شقة لا يوجد بها مصعد ولا موقف', ['مصعد', 'موقف']],
    ['no swimming pool or gym', ['swimming', 'pool', 'gym']],
    ['unfurnished flat', ['furnished']],
    ['المصعد غير متوفر', ['المصعد']],
    ['no pool but a garden', ['pool']],
    ['not far from the mall', []],
    ['not only a pool', []],
    ['يوجد مصعد', []],
    ['لا', []],
  ] as const)
    t.deepEqual(
      negationsIn(wordsOf(indexText(text))).flatMap((negation) => negation.absent),
      [...absent],
      text,
    );
});

test('a feature that is negated once and mentioned elsewhere does not count as absent', (t) => {
  t.deepEqual(searchedText(['No pool in the yard, shared pool on the roof']).absent, []);
  t.deepEqual(searchedText(['مصعد: لا يوجد', 'مسبح كبير']).absent, ['مصعد']);
  t.deepEqual(searchedText(['3 bedrooms, no maid room']).absent, ['maid']);
});

test('the indexed text begins with the written text, followed by other spellings of names and numbers', (t) => {
  t.deepEqual(searchedText(['Villa in Al Yasmeen', 'شارع عشرين']).body, [
    'Villa in Al Yasmeen',
    'شارع عشرين',
    'الياسمين',
    '20',
  ]);
  t.deepEqual(searchedText(['شقة 20 متر']).body, ['شقه 20 متر']);
});

test('any text is indexed as written, and negations are in order within their clause', (t) => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom('no', 'pool', 'or', 'لا', 'يوجد', 'مصعد', 'ولا', 'غير', 'متوفر', 'swimming', 'Al', 'Malqa'),
      ),
      (words) => {
        const text = words.join(' ');
        t.is(searchedText([text]).body[0], indexText(text));
        let from = 0;
        for (const { start, end, absent } of negationsIn(wordsOf(indexText(text)))) {
          t.true(start >= from && end > start && end <= words.length && absent.length > 0);
          from = end;
        }
      },
    ),
  );
});

test('names of JavaScript object properties are ordinary words in texts, queries and place names', (t) => {
  for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']) {
    const text = `${word} near ${word} Malqa ${word}`;
    t.is(searchedText([text]).body[0], indexText(text));
    t.notThrows(() => searchTextClause(parseSearchText(text)), word);
    t.true(nameKeys(word).exact.length < 30, nameKeys(word).exact);
    t.is(projectNameKey(word).numbers, '');
  }
});
