import { headerName } from '#domain/file-text.ts';
import { foldLines, foldText } from '#domain/fold.ts';
import { nameKeys } from '#domain/geography/name-keys.ts';
import { tokensOf } from '#domain/sentence/tokens.ts';
import { PlaceIndex } from '#domain/suggestions/place-index.ts';
import { indexText } from '#domain/text/index-text.ts';
import { clausesOf } from '#domain/text/phrases.ts';
import { searchedText } from '#domain/text/searched-text.ts';
import { wordsIn } from '#domain/text/stop-words.ts';
import { cleanTitle, foldValue } from '#ingest/normalize/text.ts';
import { parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { allCodePoints } from '#test/code-points.ts';
import { test } from '#test/test.ts';

const ALL = allCodePoints();
const IGNORABLE = ALL.match(/\p{Default_Ignorable_Code_Point}/gu) ?? [];
/** Latin letters that stand for others, except capitals: ligatures, full-width, superscript and Roman forms. */
const LIGATURES = (ALL.match(/[\p{Script=Latin}--\p{ASCII}]/gv) ?? []).filter(
  (char) => char.normalize('NFKC') !== char.normalize('NFC'),
);
/** Joiners, and what selects or tags an emoji: served texts keep them. */
const KEPT_IN_TEXTS = /\u200c|\u200d|\ufe0e|\ufe0f|[\u{e0020}-\u{e007f}]/u;

const places = new PlaceIndex([
  { kind: 'neighborhood', cities: ['riyadh'], names: ['حي الملقا', 'Al Malqa'], listing_count: 1 },
]);

/** What reads words of users and of feeds. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  names: foldText,
  lines: foldLines,
  index: indexText,
  texts: (text) => searchedText([text]),
  queries: (text) => searchTextClause(parseSearchText(text)),
  phrases: (text) => searchTextClause(parseSearchText(`"${text}"`)),
  'numbers of words': (text) => wordsIn(text, true),
  sentences: (text) => tokensOf(text).map(({ text: word, kind }) => [word, kind]),
  places: nameKeys,
  suggestions: (text) => places.suggest({ q: text, limit: 5 }),
  'values of feeds': foldValue,
  'clauses of feeds': clausesOf,
  'columns of feeds': headerName,
};

test('a character that Unicode marks as ignorable changes no reading of a text, wherever it stands', (t) => {
  t.true(IGNORABLE.length > 4_000, `${IGNORABLE.length}`);
  const text = 'الملقا 1500 malqa';
  for (const [name, read] of Object.entries(READERS)) {
    const expected = read(text);
    for (const [at, char] of IGNORABLE.entries()) {
      const position = at % (text.length + 1);
      const given = `${text.slice(0, position)}${char}${text.slice(position)}`;
      t.deepEqual(read(given), expected, `${name} ${char.codePointAt(0)?.toString(16)}`);
    }
    const everywhere = [...text].map((letter, at) => letter + IGNORABLE[at]).join('');
    t.deepEqual(read(everywhere), expected, name);
  }
  for (const char of IGNORABLE)
    t.is(cleanTitle(`فيلا${char} فاخرة`), `فيلا${KEPT_IN_TEXTS.test(char) ? char : ''} فاخرة`);
});

test('the words of a sentence keep their positions among ignorable characters and emojis', (t) => {
  const sentence = '\u200f🏠 شق\u00adة \u{e0041}3\u2060 غرف\ufe0f';
  const words = tokensOf(sentence).map(({ start, end }) => sentence.slice(start, end));
  t.deepEqual(words, ['🏠', 'شق\u00adة', '3', 'غرف']);
});

test('Latin letters in other forms are folded alike in names, texts and queries', (t) => {
  t.true(LIGATURES.length > 150, `${LIGATURES.length}`);
  for (const char of LIGATURES) {
    t.is(indexText(`a${char}b`), foldText(`a${char}b`), char);
    t.deepEqual(
      searchTextClause(parseSearchText(`a${char}b`)),
      searchTextClause(parseSearchText(foldText(`a${char}b`))),
    );
  }
  t.is(indexText('ﬁtted oﬃce ﬂat'), 'fitted office flat');
});

test('folding any character twice gives the same result as folding it once', (t) => {
  for (const char of ALL) {
    const once = foldText(`a${char}b`);
    if (foldText(once) !== once) t.fail(char.codePointAt(0)?.toString(16));
  }
  t.pass();
});
