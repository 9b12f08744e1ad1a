import { CITIES, NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import { latinNameAt } from '#domain/text/latin-names.ts';
import { parseSearchText, presentWords, queryWords, searchTextClause } from '#queries/text/search-text.ts';
import { synonymsAt, withSynonyms } from '#queries/text/synonyms.ts';
import { test } from '#test/test.ts';

const found = (lines: readonly string[], words: string): string[] =>
  withSynonyms(lines, () => [...synonymsAt(words.split(' '), 0).values()].flat());

test('a synonym of one direction is found for the terms before the arrow only', (t) => {
  const lines = ['house, cottage => فيلا, villa', 'فيلا, villa'];
  t.deepEqual(found(lines, 'houses'), ['فيلا', 'villa']);
  t.deepEqual(found(lines, 'cottage'), ['فيلا', 'villa']);
  t.deepEqual(found(lines, 'villa'), ['فيلا']);
  for (const line of ['house =>', '=> villa', 'a1 => b1 => c1', 'house, , villa'])
    t.throws(() => found([line], 'house'), { message: /neither `term, term` nor `term => term`/ }, line);
  t.throws(() => found(['house => the villa'], 'house'), { message: /stop word "the"/ });
});

test('the word for a district is optional beside every name of the gazetteer', (t) => {
  const clause = (q: string) => searchTextClause(parseSearchText(q));
  for (const { name_ar: name } of [...CITIES, ...NEIGHBORHOODS]) {
    t.deepEqual(queryWords([`حي ${name}`]), queryWords([name]), name);
    t.deepEqual(clause(`شقة بحي ${name}`), clause(`شقة ${name}`), name);
  }
  // A few names are too short, or not names to a search of Latin letters.
  const recognized = NEIGHBORHOODS.filter(({ name_en: name }) => {
    const words = queryWords([name]);
    return latinNameAt(words, 0)?.length === words.length;
  });
  t.true(recognized.length > 0.9 * NEIGHBORHOODS.length, `${recognized.length} of ${NEIGHBORHOODS.length}`);
  for (const { name_en: name } of recognized) {
    t.deepEqual(queryWords([`hay ${name}`]), queryWords([name]), name);
    t.deepEqual(queryWords([`${name} district`]), queryWords([name]), name);
  }
  for (const text of ['حي هادئ', 'quiet district', 'حي سكني راقي', 'commercial district'])
    t.is(queryWords([text]).length, text.split(' ').length, text);
});

test('words that must occur are those that are neither negated nor in a phrase', (t) => {
  t.deepEqual(presentWords(parseSearchText('villa without pool "big garden" عمولة')), ['villa', 'عموله']);
});
