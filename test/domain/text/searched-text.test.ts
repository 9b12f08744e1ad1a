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

test('the searched text names absent features, unless they are mentioned elsewhere', (t) => {
  for (const [texts, absent] of [
    [['No pool in the yard, shared pool on the roof'], []],
    [['مصعد: لا يوجد', 'مسبح كبير'], ['مصعد']],
    [['3 bedrooms, no maid room'], ['maid']],
    [['عمارة بدونمصعد'], ['مصعد']],
    [['Un-furnished apartment'], ['furnished']],
  ] as const)
    t.deepEqual(searchedText(texts).absent, [...absent], texts.join());
});

test('the searched text begins with the text, followed by other spellings of names, numbers and compounds', (t) => {
  for (const [texts, ...added] of [
    [['Villa in Al Yasmeen', 'شارع عشرين'], 'الياسمين', '20'],
    [['شقة 20 متر']],
    [['شقة غرفتين نوم'], '2 غرفه'],
    [['فيلا في أريزونا']],
    [['قريب من مجمع الراشد التجاري']],
  ] as const)
    t.deepEqual(searchedText(texts).body, [...texts.map(indexText), ...added]);
  t.true(searchedText(['فيلا في مجمع النخلة السكني']).body.includes('كمباوند'));
  // One key for both scripts.
  for (const text of ['Villa in Arizona Compound', 'فيلا في كمباوند أريزونا'])
    t.true(searchedText([text]).body.includes('0rdn0'));
  // Letters of Persian and Urdu keyboards.
  t.is(indexText('ڤيلا ھادئہ'), indexText('فيلا هادئة'));
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
