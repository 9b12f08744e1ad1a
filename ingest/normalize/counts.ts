import { foldText } from '#domain/text/fold.ts';
import { memoize } from './memoize.ts';
import { readNumber, type Scalar } from './numbers.ts';

/** Counts as words: the numbers, and the forms in which advertisers count rooms. */
const COUNT_WORDS: ReadonlyMap<string, number> = new Map(
  (
    [
      [0, 'studio', 'ستوديو', 'استوديو', 'zero', 'بدون'],
      [1, 'one', 'واحد', 'واحدة', 'غرفة', 'غرفة واحدة', 'غرفة نوم', 'حمام', 'صالة', 'دورة مياه'],
      [2, 'two', 'اثنان', 'اثنين', 'غرفتين', 'غرفتان', 'حمامين', 'صالتين', 'دورتين', 'دورتين مياه'],
      [3, 'three', 'ثلاث', 'ثلاثة', 'ثلاث غرف'],
      [4, 'four', 'أربع', 'أربعة', 'أربع غرف'],
      [5, 'five', 'خمس', 'خمسة', 'خمس غرف'],
      [6, 'six', 'ست', 'ستة', 'ست غرف'],
      [7, 'seven', 'سبع', 'سبعة', 'سبع غرف'],
      [8, 'eight', 'ثمان', 'ثمانية', 'ثمان غرف'],
      [9, 'nine', 'تسع', 'تسعة', 'تسع غرف'],
      [10, 'ten', 'عشر', 'عشرة', 'عشر غرف'],
    ] as [number, ...string[]][]
  ).flatMap(([count, ...words]) => words.map((word) => [foldText(word), count] as const)),
);

const countOfText = memoize((text) => readNumber(text) ?? COUNT_WORDS.get(foldText(text)) ?? null);

/** A whole number from 0 to 99, in digits or words; null for anything else. */
export function readCount(value: Scalar): number | null {
  return whole(typeof value === 'string' ? countOfText(value) : readNumber(value), 99);
}

const NEW_WORDS: ReadonlySet<string> = new Set(
  [
    'new',
    'brand new',
    'جديد',
    'جديدة',
    'أقل من سنة',
    'اقل من عام',
    'less than a year',
    'تحت الإنشاء',
    'under construction',
  ].map(foldText),
);
const AGE_WORDS: ReadonlyMap<string, number> = new Map(
  [
    ['سنة', 1],
    ['سنتين', 2],
    ['سنتان', 2],
    ['عام', 1],
    ['عامين', 2],
  ].map(([word, years]) => [foldText(word as string), years as number]),
);

const ageOfText = memoize((text) => {
  const folded = foldText(text);
  if (NEW_WORDS.has(folded)) return 0;
  return readNumber(text) ?? AGE_WORDS.get(folded) ?? null;
});

/** Age of a building in whole years, 0 to 200; `new` is 0. Null for anything else, a year of construction included. */
export function readAge(value: Scalar): number | null {
  return whole(typeof value === 'string' ? ageOfText(value) : readNumber(value), 200);
}

function whole(number: number | null, max: number): number | null {
  return number !== null && Number.isInteger(number) && number >= 0 && number <= max ? number : null;
}
