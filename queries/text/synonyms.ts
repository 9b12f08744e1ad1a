import { hash } from 'node:crypto';
import { addTo } from '#domain/multimap.ts';
import { STOP_WORDS } from '#domain/text/stop-words.ts';
import { readWordList } from './word-lists.ts';
import { compileWords } from './word-rules.ts';

/** Synonyms by the number of query words that they replace. */
export type Synonyms = ReadonlyMap<number, readonly string[]>;

/** The terms of a line of `index-templates/synonyms.txt`, that are found for `length` words. */
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
  /** The words of all terms, and of `words.txt`. */
  words: ReadonlySet<string>;
  version: string;
}

let listed: SynonymTable | undefined;

function build(lines: readonly string[], words = readWordList('words.txt')): SynonymTable {
  const table = buildSynonyms(lines, compileWords(words).stemOf);
  return { ...table, words: new Set([...table.words, ...words.flatMap((line) => line.split(/[\s,]+/))]) };
}

/** Built on first use, because this takes 85 ms and many processes never search. */
function table(): SynonymTable {
  listed ??= build(readWordList('synonyms.txt'));
  return listed;
}

/**
 * Replaces the list in use.
 * @param lines folded
 * @throws Error for an invalid line; the list in use remains
 */
export function loadSynonyms(lines: readonly string[]): void {
  listed = build(lines);
}

/** Returns the first 12 hexadecimal digits of the SHA-256 of the list in use. */
export const synonymsVersion = (): string => table().version;

/** Returns whether a folded word is in `words.txt`, or part of a term of the list in use. */
export const isListedWord = (word: string): boolean => table().words.has(word);

export const stemOf = (word: string): string => table().stemOf(word);

export function synonymsAt(words: readonly string[], at: number): Synonyms {
  const byLength = Map.groupBy(synonymLinesAt(words, at), ({ length }) => length);
  return new Map([...byLength].map(([length, lines]) => [length, [...new Set(lines.flatMap(({ terms }) => terms))]]));
}

/** Runs `work`, which is synchronous, with an edited list, and other words. */
export function withSynonyms<Result>(lines: readonly string[], work: () => Result, words?: readonly string[]): Result {
  const before = listed;
  listed = build(lines, words && [...words]);
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

/** Of a line: all terms find each other, or those before `=>` find those after it. */
function directionsOf(text: string): { from: string[]; to: string[] } {
  const [from = [], to = from, ...rest] = text
    .split('=>')
    .map((side) => side.split(',').map((term) => term.trim().replace(/\s+/g, ' ')));
  if (rest.length > 0 || [...from, ...to].includes(''))
    throw new Error(`index-templates/synonyms.txt: "${text}" is neither \`term, term\` nor \`term => term\`.`);
  return { from, to };
}

/** @throws Error if a line is malformed, or a term contains a stop word, which searches ignore */
function buildSynonyms(lines: readonly string[], stemOf: SynonymTable['stemOf']): SynonymTable {
  const stopWords = new Set(STOP_WORDS);
  const table = new Map<string, SynonymLine[]>();
  const words = new Set<string>();
  let longest = 0;
  for (const [line, text] of lines.entries()) {
    const { from, to } = directionsOf(text);
    for (const term of new Set([...from, ...to])) {
      for (const word of term.split(' ')) {
        if (stopWords.has(word))
          throw new Error(`index-templates/synonyms.txt: "${term}" contains the stop word "${word}". Remove the word.`);
        words.add(word);
      }
    }
    for (const term of from) {
      const { length } = term.split(' ');
      longest = Math.max(longest, length);
      const key = keyOf(term, stemOf);
      addTo(table, key, { line, length, terms: to.filter((other) => keyOf(other, stemOf) !== key) });
    }
  }
  const version = hash('sha256', lines.join('\n')).slice(0, 12);
  return { stemOf, lines: table, longest, words, version };
}

const keyOf = (term: string, stemOf: SynonymTable['stemOf']): string => term.split(' ').map(stemOf).join(' ');
