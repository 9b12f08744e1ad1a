import { foldText } from '#domain/fold.ts';
import { quarterLabel } from '#domain/official/quarters.ts';

/** A text of a file besides its rows. */
export interface Statement {
  /** For example `the file name`. */
  place: string;
  text: string;
}

const NUMBERS: Readonly<Record<string, number>> = {
  ...{ first: 1, second: 2, third: 3, fourth: 4 },
  ...{ الاول: 1, الثاني: 2, الثالث: 3, الرابع: 4 },
};
const QUARTER = '(?:q|qtr|quarter)';
const UP_TO_TWO_WORDS = '(?:\\p{L}+ ){0,2}';
/** Forms of quarters in words and numbers that are separated by single spaces. */
const FORMS = [
  `(?<year>20\\d\\d) ${QUARTER} (?<number>[1-4])`,
  `(?<year>20\\d\\d) (?<number>[1-4]) (?:st|nd|rd|th) ${QUARTER}`,
  `(?<number>[1-4]|first|second|third|fourth) (?:(?:st|nd|rd|th) )?${QUARTER} ${UP_TO_TWO_WORDS}(?<year>20\\d\\d)`,
  `${QUARTER} (?<number>[1-4]) ${UP_TO_TWO_WORDS}(?<year>20\\d\\d)`,
  `(?:ال|لل)?ربع (?<number>[1-4]|الاول|الثاني|الثالث|الرابع) ${UP_TO_TWO_WORDS}(?<year>20\\d\\d)`,
  `(?<year>20\\d\\d) ${UP_TO_TWO_WORDS}(?:ال|لل)?ربع (?<number>[1-4]|الاول|الثاني|الثالث|الرابع)`,
].map((form) => new RegExp(`(?<![\\p{L}\\p{N}])${form}(?![\\p{L}\\p{N}])`, 'gu'));

/** Returns the quarters that a text states with their year, such as `3rd-Q-2025`, `2025Q3` or `الربع الثالث 2025`. */
export function quartersIn(text: string): number[] {
  const words = foldText(text.slice(0, 1_000))
    .replace(/(st|nd|rd|th)(?=q)/g, '$1 ')
    .match(/\p{L}+|\p{N}+/gu);
  const line = (words ?? []).join(' ');
  const found = FORMS.flatMap((form) =>
    [...line.matchAll(form)].map(({ groups: { year, number = '' } = {} }) => {
      return Number(year) * 4 + (NUMBERS[number] ?? Number(number)) - 1;
    }),
  );
  return [...new Set(found)].sort((a, b) => a - b);
}

const span = (quarters: readonly number[]): string => {
  const [first, last] = [Math.min(...quarters), Math.max(...quarters)].map(quarterLabel);
  return first === last ? `${first}` : `${first} to ${last}`;
};

/** Returns how texts of a file contradict its rows, because none of the quarters that a text states has a row. */
export function contradictionsOf(statements: readonly Statement[], rows: readonly number[]): string[] {
  const places = new Map<string, string[]>();
  for (const { place, text } of statements) {
    const stated = quartersIn(text);
    if (rows.length === 0 || stated.length === 0 || stated.some((quarter) => rows.includes(quarter))) continue;
    places.set(span(stated), [...(places.get(span(stated)) ?? []), place]);
  }
  return Array.from(
    places,
    ([stated, named]) =>
      `${named.join(' and ')} ${named.length > 1 ? 'state' : 'states'} ${stated}, its rows are of ${span(rows)}`,
  );
}
