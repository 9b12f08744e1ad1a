import { buildSynonyms, findSynonyms } from '#queries/text/synonyms.ts';
import { test } from '#test/test.ts';

const withoutPlural = (word: string): string => word.replace(/s$/, '');

test('the synonyms of a term are the other terms on all its lines, even if those are not synonyms of each other', (t) => {
  const table = buildSynonyms(['land, plot', 'plot, parcel, piece'], withoutPlural);
  const synonyms = (text: string) => [...(findSynonyms(table, text.split(' '), 0).get(text.split(' ').length) ?? [])];
  t.deepEqual(synonyms('plots'), ['land', 'parcel', 'piece']);
  t.deepEqual(synonyms('land'), ['plot']);
  t.deepEqual(synonyms('parcels'), ['plot', 'piece']);
  t.deepEqual(synonyms('garden'), []);
});

test('terms of several words are found at their position, with the number of words that they replace', (t) => {
  const table = buildSynonyms(['swimming pool, pool', 'living room, lounge'], withoutPlural);
  const words = 'big swimming pools'.split(' ');
  t.deepEqual([...findSynonyms(table, words, 0)], []);
  t.deepEqual([...findSynonyms(table, words, 1)], [[2, ['pool']]]);
  t.deepEqual([...findSynonyms(table, words, 2)], [[1, ['swimming pool']]]);
});

test('a synonym that contains a stop word is rejected with an error that names both', (t) => {
  t.throws(() => buildSynonyms(['house for rent, rental'], withoutPlural), { message: /"house for rent".*"for"/ });
});
