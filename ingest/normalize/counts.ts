import { foldText } from '#domain/fold.ts';
import { memoize } from '#domain/memoize.ts';
import { wordsOf, wordTable } from '#domain/text/phrases.ts';
import { readNumber, type Scalar, SMALL, withDigits } from './numbers.ts';

const COUNT_WORDS = wordTable<number>([
  [0, 'studio, ستوديو, استوديو, zero, بدون'],
  [1, 'غرفة, غرفة نوم, حمام, صالة, دورة مياه'],
  [2, 'غرفتين, غرفتان, حمامين, صالتين, دورتين, دورتين مياه'],
]);

const countOfText = memoize((text) => {
  const folded = foldText(text);
  return readNumber(text, SMALL) ?? COUNT_WORDS.get(folded) ?? readNumber(withDigits(folded), SMALL);
});

/** Reads an integer from 0 to 99, in digits or words; null for anything else. */
export function readCount(value: Scalar): number | null {
  return whole(typeof value === 'string' ? countOfText(value) : readNumber(value), 99);
}

const NEW_WORDS: ReadonlySet<string> = new Set(
  wordsOf('new, brand new, جديد, جديدة, أقل من سنة, اقل من عام, less than a year, تحت الإنشاء, under construction'),
);
const AGE_WORDS = wordTable<number>([
  [1, 'سنة, عام'],
  [2, 'سنتين, سنتان, عامين'],
]);

const ageOfText = memoize((text) => {
  const folded = foldText(text);
  if (NEW_WORDS.has(folded)) return 0;
  return readNumber(text, SMALL) ?? AGE_WORDS.get(folded) ?? null;
});

/** Reads a building's age in whole years, 0 to 200; `new` is 0. Null for anything else, such as a year of building. */
export function readAge(value: Scalar): number | null {
  return whole(typeof value === 'string' ? ageOfText(value) : readNumber(value), 200);
}

function whole(number: number | null, max: number): number | null {
  return number !== null && Number.isInteger(number) && number >= 0 && number <= max ? number : null;
}
