import { negationsIn } from '#domain/text/negation.ts';
import { mayBeMisspelled, otherSpelling, parseSearchText, queryWords } from './search-text.ts';
import { synonymLinesAt } from './synonyms.ts';
import { type ListedLine, readListedLines } from './word-lists.ts';

/** @param lines those of the synonyms in use */
export function explainQuery(q: string, lines: readonly ListedLine[] = readListedLines('synonyms.txt')) {
  const words = queryWords(
    parseSearchText(q)
      .flatMap((group) => group.filter(({ phrase }) => !phrase))
      .map(({ text }) => text),
  );
  const negated = new Set(negationsIn(words).flatMap(({ start, end }) => range(start, end)));
  return words.map((word, at) => {
    const spelling = otherSpelling(words, at);
    const spelled = spelling && { words: shown(words, at, spelling.length), terms: spelling.spellings, line: null };
    return {
      word,
      negated: negated.has(at),
      // Whether words within one edit match, if the index lacks the word.
      oneEdit: spelling === null && mayBeMisspelled(word),
      expansions: [
        ...(spelled ? [spelled] : []),
        ...synonymLinesAt(words, at).map(({ line, length, terms }) => ({
          words: shown(words, at, length),
          terms,
          line: lines[line]?.number ?? null,
        })),
      ],
    };
  });
}

const shown = (words: readonly string[], at: number, length: number): string => words.slice(at, at + length).join(' ');
const range = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, index) => start + index);
