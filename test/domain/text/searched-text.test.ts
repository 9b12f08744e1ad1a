import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import { nameKeys } from '#domain/geography/names.ts';
import { indexText } from '#domain/text/index-text.ts';
import { latinNameAt } from '#domain/text/names.ts';
import { searchedText, wordsOf } from '#domain/text/searched-text.ts';
import { projectNameKey } from '#ingest/off-plan/names.ts';
import { parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { test } from '#test/test.ts';

test('at least 95% of the neighborhoods are recognized by their English names', (t) => {
  const missed = NEIGHBORHOODS.filter(({ name_en, name_ar }) => {
    const found = latinNameAt(wordsOf(indexText(name_en)), 0);
    return !found?.names.map(withoutArticle).includes(withoutArticle(indexText(name_ar)));
  });
  t.log(`${NEIGHBORHOODS.length - missed.length} of ${NEIGHBORHOODS.length}`);
  t.true(missed.length <= NEIGHBORHOODS.length * 0.05);
});

const withoutArticle = (name: string): string => name.replace(/^ال/, '').replace(/ء$/, '');

test('names of JavaScript object properties are ordinary words in texts, queries and place names', (t) => {
  for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']) {
    const text = `${word} near ${word} Malqa ${word}`;
    t.is(searchedText([text]).body[0], indexText(text));
    t.notThrows(() => searchTextClause(parseSearchText(text)), word);
    t.true(nameKeys(word).exact.length < 30, nameKeys(word).exact);
    t.is(projectNameKey(word).numbers, '');
  }
});
