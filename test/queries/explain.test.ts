import { explainQuery } from '#queries/text/explain.ts';
import { parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { readListedLines } from '#queries/text/word-lists.ts';
import { test } from '#test/test.ts';

const QUERIES = [
  'villas near Al Yasmeen',
  'شقق مفروشة عشرين',
  'townhouse livingroom kitchn',
  '"swimming pool" lift',
  'ac',
];

test('every term of an explanation is in the clause of the query and on the line that explains the clause', (t) => {
  const lines = new Map(readListedLines('synonyms.txt').map(({ number, text }) => [number, text]));
  let terms = 0;
  for (const q of QUERIES) {
    const clause = JSON.stringify(searchTextClause(parseSearchText(q)));
    for (const { expansions } of explainQuery(q))
      for (const expansion of expansions)
        for (const term of expansion.terms) {
          terms++;
          t.true(clause.includes(JSON.stringify(term)), `${q}: ${term}`);
          if (expansion.line !== null)
            t.true(lines.get(expansion.line)?.includes(term), `line ${expansion.line}: ${term}`);
        }
  }
  t.true(terms > 20, `${terms}`);
});

test('an explanation names negated words, misspellable words and other spellings, and leaves quoted words out', (t) => {
  const [villa, without, pool] = explainQuery('villa without pool "big garden"');
  t.is(explainQuery('"big garden"').length, 0);
  t.deepEqual([villa?.negated, without?.negated, pool?.negated], [false, true, true]);
  t.true(explainQuery('kitchn')[0]?.oneEdit);
  t.false(explainQuery('kitchen')[0]?.oneEdit);
  t.deepEqual(explainQuery('عشرين')[0]?.expansions[0], { words: 'عشرين', terms: ['20'], line: null });
});
