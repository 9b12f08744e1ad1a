import { wordsOf } from '#domain/text/phrases.ts';
import { type Token, tokensOf } from './floor-tokens.ts';

/** Words that are ordinals from 1 to 99, or parts of them, in both genders: `الثاني عشر`, `twenty-first`. */
export interface Ordinal {
  value: number;
  /** `unit` may precede a ten or a teen; `only` is no ordinal alone; `ten` may follow a unit, and `tens` precede one. */
  part: 'whole' | 'unit' | 'only' | 'ten' | 'tens';
}
const UNITS = 'ثان ثالث رابع خامس سادس سابع ثامن تاسع'.split(' ');
const TENS = 'عشر ثلاث اربع خمس ست سبع ثمان تسع'.split(' ');
const LATIN_UNITS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const LATIN_TEENS = 'eleven twelf thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const LATIN_TENS = 'twent thirt fort fift sixt sevent eight ninet'.split(' ');
export const TEEN = ['عشر', 'عشره'];

export const ORDINALS: ReadonlyMap<string, Ordinal> = new Map(
  [
    ...['حادي', 'حاديه', 'واحد', 'واحده'].map((word) => [word, 'only', 1] as const),
    ...UNITS.flatMap((stem, at) => [stem, `${stem}ه`].map((word) => [word, 'unit', at + 2] as const)),
    ...['ثاني', 'ثانيه'].map((word) => [word, 'unit', 2] as const),
    ...['اول', 'اولي'].map((word) => [word, 'whole', 1] as const),
    ...['عاشر', 'عاشره'].map((word) => [word, 'whole', 10] as const),
    ...TENS.flatMap((stem, at) => ['ين', 'ون'].map((end) => [stem + end, 'ten', 10 * (at + 2)] as const)),
  ]
    .flatMap(([word, part, value]) => [word, `ال${word}`].map((form): [string, Ordinal] => [form, { value, part }]))
    .concat(
      LATIN_UNITS.map((word, at) => [word, { value: at + 1, part: 'whole' }]),
      LATIN_TEENS.map((word, at) => [`${word}th`, { value: at + 11, part: 'whole' }]),
      LATIN_TENS.flatMap((stem, at): [string, Ordinal][] => [
        [`${stem}ieth`, { value: 10 * (at + 2), part: 'whole' }],
        [`${stem}y`, { value: 10 * (at + 2), part: 'tens' }],
        ...LATIN_UNITS.slice(0, 9).map((unit, one): [string, Ordinal] => [
          `${stem}y${unit}`,
          { value: 10 * (at + 2) + one + 1, part: 'whole' },
        ]),
      ]),
    ),
);

/** Words for classes of the `floor` filter, longest first within a class. */
const CLASS_WORDS: readonly (readonly [floor: string, words: string])[] = [
  [
    'basement',
    'lower ground, sub basement, basement, underground, lg, القبو, قبو, البدروم, بدروم, السرداب, سرداب, التسوية, تسوية, تحت الأرض',
  ],
  ['ground', 'ground, gf, g/f, g.f., g, أرضية, أرضيه, الأرضي, أرضي, الأرضية'],
  [
    'roof',
    'roof top, rooftop, roof, ملحق السطح, penthouse, annexe, annex, الملحق, ملحق, السطح, سطح, الروف, روف, البنتهاوس, بنتهاوس',
  ],
  ['upper', 'upper, top, last, العلوية, علوية, العلوي, علوي, الأخيرة, الأخير, أخيرة, أخير, آخر'],
];
/** By first token, longest first. Others have their gap. */
export const CLASSES: ReadonlyMap<string, readonly (readonly [floor: string, tokens: readonly Token[]])[]> =
  Map.groupBy(
    CLASS_WORDS.flatMap(([floor, words]) => wordsOf(words).map((word) => [floor, tokensOf(word)] as const)).sort(
      ([, a], [, b]) => b.length - a.length,
    ),
    ([, [first]]) => (first as Token).text,
  );

const ARABIC_MARKERS = ['دور', 'طابق', 'طبقه'];
export const ENGLISH_MARKERS = new Set(['floor', 'flr', 'fl', 'level', 'lvl', 'story', 'storey']);
export const MARKERS: ReadonlySet<string> = new Set([
  ...['', 'و', 'ف', 'ب'].flatMap((prefix) => ARABIC_MARKERS.flatMap((word) => [prefix + word, `${prefix}ال${word}`])),
  ...ENGLISH_MARKERS,
]);
export const MARKERS_BEHIND: ReadonlySet<string> = new Set([...ENGLISH_MARKERS].flatMap((word) => [word, `${word}s`]));

/** Beginnings of words that a number counts: rooms, flats, meters or years. */
export const COUNTED = 'غرف شق صال حمام وحد متر سنه سنو bed bath room flat apartment unit sqm year'.split(' ');
export const ORDINAL_ENDS = new Set(['st', 'nd', 'rd', 'th']);
export const UPPER = new Set(['علوي', 'علويه', 'العلوي', 'العلويه']);
export const BASEMENTS = new Set(['b', 'basement', 'بدروم', 'البدروم', 'قبو', 'القبو']);
export const EITHER = new Set(['او', 'or', 'الي', 'to']);
