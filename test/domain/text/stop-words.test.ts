import { foldText } from '#domain/fold.ts';
import { hasToken, isSearchable, STOP_WORDS } from '#domain/text/stop-words.ts';
import { test } from '#test/test.ts';

test('stop words are unique and folded as in the index', (t) => {
  t.deepEqual(STOP_WORDS, STOP_WORDS.map(foldText));
  t.is(new Set(STOP_WORDS).size, STOP_WORDS.length);
});

test('a word is searchable if analysis produces a token', (t) => {
  for (const word of ['b', 'ب', '3', '٣', '3-bedroom', '-pool', 'شقة', 'no', 'x²', '1.5'])
    t.true(isSearchable(word), word);
  for (const word of [
    '',
    '*',
    '-',
    'a',
    'THE',
    'في',
    'فِي',
    'إلى',
    'أو',
    "it's",
    'it’s',
    'ـ',
    '½',
    '🏊',
    'the-a',
    'من_في',
  ])
    t.false(isSearchable(word), word);
});

test('stop words count as tokens of a phrase', (t) => {
  for (const phrase of ['the', 'في', 'a b']) t.true(hasToken(phrase), phrase);
  for (const phrase of ['', '*', 'ـ', '½']) t.false(hasToken(phrase), phrase);
});
