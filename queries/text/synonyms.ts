import { STOP_WORDS } from '#domain/text/stop-words.ts';
import { readWordList } from './word-lists.ts';
import { compileWords } from './word-rules.ts';

/** Synonyms by the number of query words that they replace. */
export type Synonyms = ReadonlyMap<number, readonly string[]>;

interface SynonymTable {
  /** Returns the stem of a folded word. Differs from the index for unlisted English words: see `WordRules`. */
  stemOf(word: string): string;
  /** The terms on all lines that contain a term, by the stems of that term. */
  terms: ReadonlyMap<string, ReadonlySet<string>>;
  longest: number;
}

let listed: SynonymTable | undefined;

export function synonymsAt(words: readonly string[], at: number): Synonyms {
  // The table is built on first use, because this takes 85 ms and many processes never search.
  listed ??= buildSynonyms(readWordList('synonyms.txt'), compileWords(readWordList('words.txt')).stemOf);
  return findSynonyms(listed, words, at);
}

/** Runs `work`, which is synchronous, with an edited list. */
export function withSynonyms<Result>(lines: readonly string[], work: () => Result): Result {
  const before = listed;
  listed = buildSynonyms(lines, compileWords(readWordList('words.txt')).stemOf);
  try {
    return work();
  } finally {
    listed = before;
  }
}

/** Returns each line with synonyms at a position separately, which is slower than `synonymsAt`. */
export function synonymLinesAt(
  lines: readonly string[],
  words: readonly string[],
  at: number,
): { line: number; length: number; terms: readonly string[] }[] {
  const { stemOf } = compileWords(readWordList('words.txt'));
  return lines.flatMap((line, index) =>
    [...findSynonyms(buildSynonyms([line], stemOf), words, at)].map(([length, terms]) => ({
      line: index,
      length,
      terms,
    })),
  );
}

/** Finds synonyms by stems, so that every inflection of a listed term has its synonyms. */
function findSynonyms({ stemOf, terms, longest }: SynonymTable, words: readonly string[], at: number): Synonyms {
  const found = new Map<number, readonly string[]>();
  let key = '';
  for (let length = 1; length <= longest && at + length <= words.length; length += 1) {
    key += `${length > 1 ? ' ' : ''}${stemOf(words[at + length - 1] as string)}`;
    const others = terms.get(key);
    if (others !== undefined)
      found.set(
        length,
        [...others].filter((term) => keyOf(term, stemOf) !== key),
      );
  }
  return found;
}

/** @throws Error if a term contains a stop word, which searches ignore */
function buildSynonyms(lines: readonly string[], stemOf: SynonymTable['stemOf']): SynonymTable {
  const stopWords = new Set(STOP_WORDS);
  const terms = new Map<string, Set<string>>();
  let longest = 0;
  for (const line of lines) {
    const group = line.split(',').map((term) => term.trim());
    for (const term of group) {
      const words = term.split(' ');
      const stopWord = words.find((word) => stopWords.has(word));
      if (stopWord !== undefined)
        throw new Error(
          `index-templates/synonyms.txt: "${term}" contains the stop word "${stopWord}". Remove the word.`,
        );
      longest = Math.max(longest, words.length);
      const key = keyOf(term, stemOf);
      const known = terms.get(key) ?? new Set();
      for (const other of group) known.add(other);
      terms.set(key, known);
    }
  }
  return { stemOf, terms, longest };
}

const keyOf = (term: string, stemOf: SynonymTable['stemOf']): string => term.split(' ').map(stemOf).join(' ');
