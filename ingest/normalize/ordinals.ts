import { memoize } from '#domain/memoize.ts';

/** Ordinals from 1 to 99 in folded text, with both genders in Arabic: `الثاني عشر`, `twenty-first`. */

const UNITS = 'ثاني?ه? ثالثه? رابعه? خامسه? سادسه? سابعه? ثامنه? تاسعه?'.split(' ');
/** "First" has other words before a ten. */
const FIRST = 'حادي(?:ه)?|واحد(?:ه)?';
const TENS = 'عشر ثلاث اربع خمس ست سبع ثمان تسع'.split(' ').map((stem) => `${stem}[يو]ن`);
const LATIN_UNITS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const LATIN_TEENS = 'eleven twelf thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const LATIN_TENS = 'twent thirt fort fift sixt sevent eight ninet'.split(' ');
/** Words by their number, minus one. */
const UNIT_WORDS = [FIRST, ...UNITS].map((word, at) => `${word}|${at === 0 ? 'اولي?|' : ''}${LATIN_UNITS[at]}`);
UNIT_WORDS.push('عاشره?|tenth');
const TEN_WORDS = TENS.map((word, at) => `${word}|${LATIN_TENS[at]}`);

const AL = '(?:ال)?';
const oneOf = (group: string, words: readonly string[]): string => `(?<${group}>${words.join('|')})`;
const SOURCE = [
  `${AL}${oneOf('unit', [FIRST, ...UNITS])}(?: ?و ?${AL}${oneOf('ten', TENS)}|(?<teen> ?عشره?))`,
  `${AL}${oneOf('ten', TENS)}`,
  `${AL}${oneOf('unit', ['اولي?', ...UNITS, 'عاشره?'])}`,
  `${oneOf('ten', LATIN_TENS)}(?:y[ -]?${oneOf('unit', LATIN_UNITS.slice(0, 9))}|ieth)`,
  `${oneOf('above', LATIN_TEENS)}th`,
  oneOf('unit', LATIN_UNITS),
].join('|');
const WHOLE = new RegExp(`^(?:${SOURCE})$`, 'u');
export const ORDINAL_PATTERN = `(?:${SOURCE.replaceAll(/\(\?<\w+>/g, '(?:')})`;

const numberOf = (words: readonly string[], word?: string): number =>
  word === undefined ? 0 : words.findIndex((source) => new RegExp(`^(?:${source})$`, 'u').test(word)) + 1;

export const readOrdinal = memoize((text) => {
  const { unit, ten, teen, above } = WHOLE.exec(text)?.groups ?? {};
  const ofTeens = numberOf(LATIN_TEENS, above);
  const ofTens = numberOf(TEN_WORDS, ten);
  const value =
    numberOf(UNIT_WORDS, unit) +
    (teen === undefined ? 0 : 10) +
    (ofTeens && 10 + ofTeens) +
    (ofTens && 10 + 10 * ofTens);
  return value === 0 ? null : value;
});
