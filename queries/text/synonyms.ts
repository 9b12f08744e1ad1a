import { addTo } from '#domain/multimap.ts';
import { STOP_WORDS } from '#domain/text/stop-words.ts';
import { readWordList } from './word-lists.ts';
import { compileWords } from './word-rules.ts';

/** Synonyms by the number of query words that they replace. */
export type Synonyms = ReadonlyMap<number, readonly string[]>;

/** The terms of a line of `index-templates/synonyms.txt`, that replace `length` words. */
interface SynonymLine {
  line: number;
  length: number;
  terms: readonly string[];
}

interface SynonymTable {
  /** Returns the stem of a folded word. Differs from the index for unlisted English words: see `WordRules`. */
  stemOf(word: string): string;
  /** The lines that contain a term, by the stems of that term. */
  lines: ReadonlyMap<string, readonly SynonymLine[]>;
  longest: number;
}

let listed: SynonymTable | undefined;

/** Built on first use, because this takes 85 ms and many processes never search. */
function table(): SynonymTable {
  listed ??= buildSynonyms(readWordList('synonyms.txt'), compileWords(readWordList('words.txt')).stemOf);
  return listed;
}

export const stemOf = (word: string): string => table().stemOf(word);

export function synonymsAt(words: readonly string[], at: number): Synonyms {
  const byLength = Map.groupBy(synonymLinesAt(words, at), ({ length }) => length);
  return new Map([...byLength].map(([length, lines]) => [length, [...new Set(lines.flatMap(({ terms }) => terms))]]));
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

/** Finds synonyms by stems, so that every inflection of a listed term has its synonyms. */
export function synonymLinesAt(words: readonly string[], at: number): SynonymLine[] {
  const { lines, longest } = table();
  const found: SynonymLine[] = [];
  let key = '';
  for (let length = 1; length <= longest && at + length <= words.length; length += 1) {
    key += `${length > 1 ? ' ' : ''}${stemOf(words[at + length - 1] as string)}`;
    found.push(...(lines.get(key) ?? []));
  }
  return found;
}

/** @throws Error if a term contains a stop word, which searches ignore */
function buildSynonyms(lines: readonly string[], stemOf: SynonymTable['stemOf']): SynonymTable {
  const stopWords = new Set(STOP_WORDS);
  const table = new Map<string, SynonymLine[]>();
  let longest = 0;
  for (const [line, text] of lines.entries()) {
    const group = text.split(',').map((term) => term.trim());
    for (const term of group) {
      const words = term.split(' ');
      const stopWord = words.find((word) => stopWords.has(word));
      if (stopWord !== undefined)
        throw new Error(
          `index-templates/synonyms.txt: "${term}" contains the stop word "${stopWord}". Remove the word.`,
        );
      longest = Math.max(longest, words.length);
      const key = keyOf(term, stemOf);
      const others = group.filter((other) => keyOf(other, stemOf) !== key);
      addTo(table, key, { line, length: words.length, terms: others });
    }
  }
  return { stemOf, lines: table, longest };
}

const keyOf = (term: string, stemOf: SynonymTable['stemOf']): string => term.split(' ').map(stemOf).join(' ');
