import { readFileSync } from 'node:fs';
import { foldText } from '#domain/text/fold.ts';
import { isPlaceWord } from '#domain/text/names.ts';

const FOLDER = new URL('../../index-templates/', import.meta.url);

/** The words of the lists that text analysis uses, folded. Read once: they are constants of a release. */
const listed = new Set(
  ['words.txt', 'synonyms.txt'].flatMap((file) => {
    const lines = readFileSync(new URL(file, FOLDER), 'utf8').replace(/#.*/g, '');
    return foldText(lines).split(/[\s,=>]+/);
  }),
);

/** Whether a folded word is listed, or part of a listed name: it is not the misspelling of another word. */
export const isKnownWord = (word: string): boolean =>
  listed.has(word) || listed.has(word.replace(/^(?:و?(?:ال|بال|لل)|[وبل])/, '')) || isPlaceWord(word);
