import { isLatin } from '../fold.ts';
import { compoundKeysNear, isCompound, isMarker } from './compounds.ts';
import { indexText } from './index-text.ts';
import { arabicNameOf, latinNameAt } from './latin-names.ts';
import { mayNegate, negationsIn } from './negation.ts';
import { dualOf, readNumber } from './numerals.ts';

const WORD = /[0-9a-z\u00c0-\u024f\u0621-\u064a]+(?:['’][a-z]+)?/g;
/** A colon does not end a clause: `مصعد: لا يوجد`. */
const CLAUSE_END = /[.,،؛;!?؟\n\r|•●✅✔❌*+)\]]+|\s[-–—]+\s/u;

const wordsOf = (folded: string): string[] => folded.toLowerCase().match(WORD) ?? [];

/** Returns folded words, followed by names and numbers in the spelling that searches use, and words stated as absent. */
export function searchedText(values: readonly string[]): { body: string[]; absent: string[] } {
  const folded = values.map(indexText);
  const added = new Set<string>();
  for (const value of folded) addSpellings(wordsOf(value), added);
  return { body: [...folded, ...added], absent: folded.some(mayNegate) ? absentWords(values) : [] };
}

function addSpellings(words: readonly string[], added: Set<string>): void {
  for (let at = 0; at < words.length; ) {
    if (isMarker(words[at] as string)) for (const key of compoundKeysNear(words, at)) added.add(key);
    const other = spellingAt(words, at);
    for (const spelling of other?.spellings ?? []) added.add(spelling);
    at += other !== null && /^\d/.test(other.spellings[0] as string) ? other.length : 1;
  }
}

/** Another spelling, and the number of words that it replaces. */
export interface Alternative {
  spellings: readonly string[];
  length: number;
  /** Whether the words may be another name that is in no list. */
  isGuess?: boolean;
}

/**
 * Returns the usual spelling of a number in words or of a name; null if there is none.
 * @param mayBeEnglish see `latinNameAt`
 */
export function spellingAt(words: readonly string[], at: number, mayBeEnglish = true): Alternative | null {
  const word = words[at] as string;
  const number = readNumber(words, at);
  if (number !== null) return { spellings: [String(number.value)], length: number.length };
  if (isLatin(word)) {
    const found = latinNameAt(words, at, mayBeEnglish);
    return found && { spellings: found.names, length: found.length, isGuess: found.isGuess };
  }
  const dual = dualOf(word);
  if (dual !== null) return { spellings: [`2 ${dual}`], length: 1 };
  if (word.endsWith('مجمع') && isCompound(words, at)) return { spellings: ['كمباوند'], length: 1 };
  const name = arabicNameOf(word);
  return name === undefined ? null : { spellings: [name], length: 1 };
}

function absentWords(values: readonly string[]): string[] {
  const absent = new Set<string>();
  const present = new Set<string>();
  for (const value of values) {
    for (const text of value.split(CLAUSE_END)) {
      const clause = wordsOf(indexText(text));
      let from = 0;
      for (const negation of negationsIn(clause)) {
        for (const word of clause.slice(from, negation.start)) present.add(bareWord(word));
        for (const word of negation.absent) absent.add(word);
        from = negation.end;
      }
      for (const word of clause.slice(from)) present.add(bareWord(word));
    }
  }
  return [...absent].filter((word) => !present.has(bareWord(word)));
}

const bareWord = (word: string): string =>
  word.replace(/^و?(?:بال|ال|لل|[بل])(?=[\u0621-\u064a]{3})/, '').replace(/(?<=..)(?:ات|ين|ها|ه|'s|s)$/, '');
