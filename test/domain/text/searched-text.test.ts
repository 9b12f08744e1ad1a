import { nameKeys } from '#domain/geography/name-keys.ts';
import { indexText } from '#domain/text/index-text.ts';
import { searchedText } from '#domain/text/searched-text.ts';
import { projectNameKey } from '#ingest/off-plan/names.ts';
import { parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { test } from '#test/test.ts';

test('names of JavaScript object properties are ordinary words in texts, queries and place names', (t) => {
  for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']) {
    const text = `${word} near ${word} Malqa ${word}`;
    t.is(searchedText([text]).body[0], indexText(text));
    t.notThrows(() => searchTextClause(parseSearchText(text)), word);
    t.true(nameKeys(word).exact.length < 30, nameKeys(word).exact);
    t.is(projectNameKey(word).numbers, '');
  }
});
