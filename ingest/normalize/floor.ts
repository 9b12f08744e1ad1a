import { memoize } from '#domain/memoize.ts';
import { wordsOf } from '#domain/text/phrases.ts';
import { isBlank, type Scalar } from './numbers.ts';
import { matchesOf } from './patterns.ts';
import { foldValue } from './text.ts';

// Ordinals from 1 to 99 in folded text, with both genders in Arabic: `الثاني عشر`, `twenty-first`.
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
const ORDINAL = new RegExp(`^(?:${SOURCE})$`, 'u');
const ORDINAL_PATTERN = `(?:${SOURCE.replaceAll(/\(\?<\w+>/g, '(?:')})`;

const numberOf = (words: readonly string[], word?: string): number =>
  word === undefined ? 0 : words.findIndex((source) => new RegExp(`^(?:${source})$`, 'u').test(word)) + 1;

const readOrdinal = memoize((text) => {
  const { unit, ten, teen, above } = ORDINAL.exec(text)?.groups ?? {};
  const ofTeens = numberOf(LATIN_TEENS, above);
  const ofTens = numberOf(TEN_WORDS, ten);
  const value =
    numberOf(UNIT_WORDS, unit) +
    (teen === undefined ? 0 : 10) +
    (ofTeens && 10 + ofTeens) +
    (ofTens && 10 + 10 * ofTens);
  return value === 0 ? null : value;
});

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
const escapeRegExp = (text: string): string => text.replace(/[./]/g, '\\$&');
const CLASSES = CLASS_WORDS.flatMap(([floor, words]) =>
  wordsOf(words).map((word): [string, string] => [word, floor]),
).sort(([a], [b]) => b.length - a.length);
const CLASS_OF: ReadonlyMap<string, string> = new Map(CLASSES);
const CLASS = CLASSES.map(([word]) => escapeRegExp(word)).join('|');

/** Higher floors are numbers of flats. */
const MAX_FLOOR = 99;
const ORDER = ['basement', 'ground', 'upper', 'roof'];

const START = '(?<![\\p{L}\\p{N}]|\\d[.,])';
const END = '(?![\\p{L}\\p{N}]|[.,]\\d)';
/** A number that does not count rooms, flats, meters or years. */
const NUMBER =
  '\\d{1,3}(?:\\.0+)?(?! ?(?:غرف|شق|صال|حمام|وحد|متر|م(?![\\p{L}])|سن[هو]|bed|bath|room|flat|apartment|unit|sqm|m2|m(?![\\p{L}])|year))';
/** A floor: an ordinal, which may be followed by "upper", a class, or a number. */
const FLOOR = `(?:${ORDINAL_PATTERN}(?: (?:ال)?علويه?)?|\\d{1,2}[ -]?(?:st|nd|rd|th)|(?:b|basement|(?:ال)?بدروم|(?:ال)?قبو) ?\\d|${CLASS}|-?${NUMBER})${END}`;
const JOIN = ' ?(?:[,،&]|\\+(?! ?\\d)| و(?= )|و| and ) ?';
const FLOORS = `${FLOOR}(?:${JOIN}${FLOOR})*`;
const AR_WORD = '(?:و|ف|ب|في )?(?:ال)?(?:دور|طابق|طبقه)';
const EN_WORD = '(?:floor|flr|fl|level|lvl|story|storey)';
/** One of several floors, which states none. */
const EITHER = ' (?:او|or|الي|to) ';
const ALTERNATIVES = `${FLOOR}(?:(?:${JOIN}|(?: ${EN_WORD})?${EITHER}(?:${AR_WORD} |${EN_WORD} )?)${FLOOR})*`;
const IS_EITHER = new RegExp(EITHER);

const UNIT_NUMBER =
  /(?<![\p{L}\p{N}])(?:(?:ال)?(?:شقه|وحده|مكتب|فيلا|غرفه)|apartment|apt|flat|unit|office|villa|room|tower|building|bldg|block|(?:ال)?(?:برج|عماره|مبني|بلوك))\.? ?(?:رقم|no\.?|number|#|:)? ?#?(?:[a-z]-?)?\d+[a-z]?(?![\p{L}\p{N}]| ?(?:floors|stor|ادوار|طوابق|شق))/gu;
/** The number of floors of the building, after the floor: `3 of 12`, `3/12`, `الثاني من 5`. */
const OF_BUILDING =
  /(?: ?\/ ?| \(?(?:out )?of (?:an? |the )?(?:building (?:of|with) )?| (?:في |ب)?(?:عماره |مبني |برج )?من (?:اصل )?)(\d{1,3})(?![\p{L}\p{N}])(?:[ -]?(?:storey|story|floors?|storeys|stories|ادوار|طوابق|دور|طابق)(?: (?:building|tower))?)?\)?/u;
/** A number of floors: `3 أدوار`, `12 storeys`, `عدد الأدوار 3`, `G+2`. */
const NUMBER_OF_FLOORS = new RegExp(
  `${START}(?:${[
    '(?:عدد (?:ال)?(?:ادوار|طوابق|دور)|(?:total|no\\.? of|number of) (?:floors|storeys|stories)|floors|storeys|stories)(?: in building)? ?[:=]? ?\\d{1,3}',
    '(?:\\d{1,3}|ثلاث(?:ه)?|اربع(?:ه)?|خمس(?:ه)?|ست(?:ه)?|two|three|four|five|six)[ -](?:floors|storeys|stories|storey|story|ادوار|طوابق)(?: (?:building|tower))?',
    '\\d{1,3}[ -]floor (?:building|tower|villa)',
    '(?:g|ground|(?:ال)?ارضي) ?\\+ ?\\d{1,2}',
    '(?:ال)?(?:ادوار|طوابق|دورين|طابقين|دوران)',
  ].join('|')})${END}`,
  'gu',
);
/** Another floor, which is not stated: `ليست بالدور الأرضي`, `not on the ground floor`. */
const DENIED = new RegExp(
  `${START}و?(?:ليس|ليست|مو|مهو|مب|غير|not|isn['’]?t) (?:(?:في|علي|on|in|at|the) )*(?:${AR_WORD} ${FLOOR}|${FLOOR}[ -]${EN_WORD})`,
  'gu',
);
const MAYBE_DENIED = /ليس|مو |مب |مهو|غير|not|isn/;
/** Floors after and before a word for floor, and the last floor. */
const MARKED = [
  `${START}(?:${AR_WORD}|${EN_WORD})(?:-|[ .:#/\\n]*(?:- )?)(?:(?:رقم|no\\.?|number|ال) ?:? ?)?(${ALTERNATIVES})`,
  `${START}(${ALTERNATIVES})[ -]?${EN_WORD}s?${END}`,
  `${START}(?:ال)?(اخر) ${AR_WORD}${END}`,
].map((source) => new RegExp(source, 'gu'));
/** Fast prechecks, in the same order. */
const MAYBE_MARKED = [/دور|طابق|طبقه|fl|l[ev]|stor/, /fl|l[ev]|stor/, /اخر/];
const MAYBE_COUNT = /عدد (?:ال)?(?:دور|طابق)|ادوار|طوابق|دور[يا]ن|طابقين|floor|stor|\+/;
const WHOLE = new RegExp(`^(?:شقه )?(?:(${FLOORS})(?: دور)?|[fl] ?(\\d{1,2})|(\\d{1,2}) ?\\/?f)$`, 'u');
const FURTHER = / ?\([^()]*\)| (?:(?:مع|بدون|with|without) |\+ ?حوش|بحوش|بمدخل).*$/gu;
const EACH = new RegExp(FLOOR, 'gu');

function floorOf(text: string): string | null {
  const ordinal = readOrdinal(text.replace(/ (?:ال)?علويه?$/, ''));
  if (ordinal !== null) return String(ordinal);
  if (/^(?:b|ا?ل?بدروم|ا?ل?قبو).* ?\d$/.test(text)) return 'basement';
  return CLASS_OF.get(text) ?? (/^-?\d/.test(text) ? numberedFloor(Number.parseFloat(text)) : null);
}

const floorsOf = (text: string): (string | null)[] => (text.match(EACH) ?? []).map(floorOf);

/** Returns the floors beside a word for floor, without denied ones, floor counts and numbers of flats. */
export function markedFloors(folded: string): string[] {
  const found = new Set<string>();
  const rest = withoutCounts(folded);
  for (const [at, pattern] of MARKED.entries()) {
    if (!MAYBE_MARKED[at]?.test(rest)) continue;
    // In `الدور -2`, the dash may be a minus or a separator.
    for (const [, list = ''] of matchesOf(rest, pattern))
      for (const floor of list === 'اخر'
        ? ['upper']
        : list.startsWith('-') || IS_EITHER.test(list)
          ? []
          : floorsOf(list))
        if (floor !== null) found.add(floor);
  }
  return [...found].sort((a, b) => rank(a) - rank(b));
}

function withoutCounts(folded: string): string {
  const named = folded.replace(UNIT_NUMBER, ' | ');
  const rest = MAYBE_DENIED.test(named) ? named.replace(DENIED, ' | ') : named;
  return MAYBE_COUNT.test(rest) ? rest.replace(NUMBER_OF_FLOORS, ' | ') : rest;
}

const floorOfText = memoize((text) => {
  const folded = foldValue(text)
    .replace(/(?<=\p{L})[-–](?=\p{L})/gu, ' ')
    .replace(/(?<=دور|طابق|floor) ?\(([^()]+)\)/, ' $1');
  const building = OF_BUILDING.exec(folded);
  const rest = (building === null ? folded : folded.replace(OF_BUILDING, '')).replace(UNIT_NUMBER, ' ').trim();
  const marked = markedFloors(rest);
  const plain = rest.replace(FURTHER, '').replace(/^[-|,،: ]+(?!\d)|[-|,،: ]+$|(?<=\d|\p{L}{2})\.$/gu, '');
  const whole = plain.search(NUMBER_OF_FLOORS) >= 0 ? null : WHOLE.exec(plain);
  const [, list, ...numbers] = whole ?? [];
  const number = numbers.find((one) => one !== undefined);
  const bare = number === undefined ? floorsOf(list ?? '') : [numberedFloor(Number(number))];
  const floors = marked.length > 0 ? marked : bare;
  if (floors.length === 0 || floors.includes(null)) return null;
  // A floor above the building's last one is no floor.
  if (building !== null && floors.some((floor) => Number(floor) > Number(building[1]))) return null;
  return [...new Set(floors as string[])].sort((a, b) => rank(a) - rank(b)).join(',');
});

function rank(floor: string): number {
  const floorNumber = Number(floor);
  if (Number.isInteger(floorNumber)) return floorNumber + 1;
  const place = ORDER.indexOf(floor);
  return place < 2 ? place : MAX_FLOOR + 1 + place;
}

function numberedFloor(number: number): string | null {
  if (!Number.isInteger(number) || number > MAX_FLOOR || number < -9) return null;
  if (number < 0) return 'basement';
  return number === 0 ? 'ground' : String(number);
}

/**
 * Normalizes a floor to `basement`, `ground`, `upper`, `roof`, a number, or a comma-separated list of these, lowest
 * first (`ground,upper`). Null if no floor is stated, or if the words also state something else.
 */
export function readFloor(value: Scalar): string | null {
  if (isBlank(value)) return null;
  return typeof value === 'string' ? floorOfText(value) : numberedFloor(value as number);
}
