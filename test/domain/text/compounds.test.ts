import { foldText } from '#domain/fold.ts';
import { compoundKeys } from '#domain/text/compounds.ts';
import { indexText } from '#domain/text/index-text.ts';
import { dualOf } from '#domain/text/numerals.ts';
import { searchedText } from '#domain/text/searched-text.ts';
import { parseSearchText } from '#queries/text/search-text.ts';
import { test } from '#test/test.ts';

test('names of compounds in both scripts have a key in common', (t) => {
  for (const [latin, arabic] of [
    ['arizona', 'اريزونا'],
    ['gardenia', 'قاردينيا'],
    ['palmas', 'بالماس'],
    ['orchid', 'اوركيد'],
    ['venicia', 'فينيسيا'],
    ['durrat', 'دره'],
    ['sherwood', 'شيروود'],
  ] as const)
    t.true(
      compoundKeys(latin).some((key) => compoundKeys(arabic).includes(key)),
      latin,
    );
  t.false(compoundKeys('arizona').some((key) => compoundKeys('ماربيلا').includes(key)));
});

test('only words next to a word for a compound or project have keys in the searched text', (t) => {
  const added = (text: string) => searchedText([text]).body.slice(1);
  t.true(added('Villa in Arizona Compound').includes('0rdn0'));
  t.true(added('فيلا في كمباوند أريزونا').includes('0rdn0'));
  t.deepEqual(added('فيلا في أريزونا'), []);
});

test('a complex is a compound unless it is commercial or the like', (t) => {
  const isCompound = (text: string) => searchedText([text]).body.includes('كمباوند');
  t.true(isCompound('فيلا في مجمع النخلة السكني'));
  t.false(isCompound('قريب من مجمع تجاري'));
  t.false(isCompound('قريب من مجمع الراشد التجاري'));
});

test('duals add their number to the searched text', (t) => {
  t.is(dualOf('وغرفتين'), 'غرفه');
  t.is(dualOf('دوران'), null);
  t.true(searchedText(['شقة غرفتين نوم']).body.includes('2 غرفه'));
});

test('letters of Persian and Urdu keyboards are folded to those of Arabic', (t) => {
  t.is(foldText('شقۃ مفروشہ'), foldText('شقة مفروشة'));
  t.is(indexText('ڤيلا ھادئہ'), indexText('فيلا هادئة'));
});

test('negators that are written together with the next word are separated', (t) => {
  t.is(indexText('غيرمؤثثة'), indexText('غير مؤثثة'));
  t.is(indexText('وبدونمصعد'), 'وبدون مصعد');
  t.is(indexText('غيرها'), 'غيرها');
  t.deepEqual(searchedText(['عمارة بدونمصعد']).absent, ['مصعد']);
  t.deepEqual(searchedText(['Un-furnished apartment']).absent, ['furnished']);
});

test('quotation marks of all usual kinds begin a phrase', (t) => {
  for (const q of ['"مسبح خاص"', '«مسبح خاص»', '“مسبح خاص”', '„مسبح خاص“', '‹مسبح خاص›'])
    t.deepEqual(parseSearchText(q), [[{ text: 'مسبح خاص', phrase: true }]], q);
});
