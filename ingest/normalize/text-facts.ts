import { AMENITIES, type Amenity, PROPERTY_TYPE_TABLE, type PropertyType } from '#domain/listings/vocabulary.ts';
import { foldText } from '#domain/text/fold.ts';
import { NOT_AMENITIES_OF_TEXT, TEXT_AMENITY_WORDS } from './amenity-phrases.ts';
import { readAge } from './counts.ts';
import { readFloor } from './floor.ts';
import {
  clausesOfFolded,
  isNearby,
  isNegated,
  isOptional,
  Lexicon,
  type Mention,
  phraseAt,
  phraseList,
} from './phrases.ts';
import { NOT_AMENITIES } from './word-lists.ts';

/** What an advertiser's text says of the property. A fact that is not said, or said in two ways, is left out. */
export interface TextFacts {
  amenities: Amenity[];
  furnished: boolean | null;
  street_width_m: number | null;
  age_years: number | null;
  floor: string | null;
  livings: number | null;
}

/** A text longer than this is read so far. */
const MAX_CHARACTERS = 5_000;

/** Reads the facts that sources often have no field for out of title and description. */
export function readTextFacts(text: string, type: PropertyType): TextFacts {
  const start = text.slice(0, MAX_CHARACTERS);
  const lines = start
    .split(LIST_MARK)
    .map((line) => foldText(line).replace(JOINED_DIGITS, ' '))
    .filter(Boolean);
  const folded = lines.join('\n');
  const isHome = PROPERTY_TYPE_TABLE[type].category === 'residential' && type !== 'land';
  return {
    amenities: type === 'land' || type === 'commercial_land' ? [] : amenitiesIn(lines),
    furnished: isHome ? furnishedIn(folded) : null,
    street_width_m: streetWidthIn(folded),
    age_years: type === 'land' || type === 'commercial_land' ? null : ageIn(folded),
    floor: ON_A_FLOOR.has(type) ? floorIn(folded) : null,
    livings: isHome ? livingsIn(folded) : null,
  };
}

/** Types of which one lies on one floor of a building. */
const ON_A_FLOOR: ReadonlySet<PropertyType> = new Set<PropertyType>(['apartment', 'studio', 'room', 'floor', 'office']);

/** What parts the entries of a list, as advertisers write it: line breaks, dashes, stars, signs and emojis. */
const LIST_MARK =
  /[\n+•▪◾◼●√✅✓☑|_~=«»#\u{1f300}-\u{1faff}\u2600-\u27bf]+|\ufe0f|(?<!\d)\*|\*(?!\d)|[-–—](?![a-z\d])|(?<![a-z\d])[-–—]/iu;
/** Digits that stand against a word, as in `3غرف`. */
const JOINED_DIGITS = /(?<=\d)(?=[\u0621-\u064a])|(?<=[\u0621-\u064a])(?=\d)/g;

const amenities = new Lexicon(TEXT_AMENITY_WORDS, `${NOT_AMENITIES}, ${NOT_AMENITIES_OF_TEXT}`);

function amenitiesIn(lines: readonly string[]): Amenity[] {
  const found = new Set<Amenity>();
  const clauses = lines.flatMap(clausesOfFolded);
  for (const mention of amenities.mentions(clauses)) {
    const words = clauses[mention.clause] as string[];
    const { from, to } = mention;
    if (found.has(mention.value) || isElsewhere(words, mention)) continue;
    if (isNegated(words, from, to) || isNearby(words, from, to) || isOptional(words, from)) continue;
    found.add(mention.value);
  }
  return AMENITIES.filter((amenity) => found.has(amenity));
}

const FLOORS = phraseList('دور, الدور, طابق, الطابق, دور ال, عوازل, عزل');
const IN_BASEMENT = phraseList('في, موقف, مواقف, موقفين, ماستر, خاص, سياره');

/** Whether the word is that of a place: a parking space in the basement, the floor below the roof. */
function isElsewhere(words: readonly string[], { value, from, to }: Mention<Amenity>): boolean {
  const word = words[from] as string;
  if (value === 'roof' || value === 'basement') {
    if (/^(?:و?بال|و?ب|لل)/.test(word) && !/^ب(?:دروم|يسمنت)/.test(word)) return true;
    if (from > 0 && phraseAt(words, from - 1, value === 'roof' ? FLOORS : IN_BASEMENT) > 0) return true;
    return value === 'roof' && /^و?السطح$/.test(word) && words[to] !== 'الخاص';
  }
  return value === 'annex' && /^(?:ب|بال\p{L}+)$/u.test(words[to] ?? '');
}

const NOT_LETTER = '(?![\\p{L}\\p{N}])';
const NOT_BEHIND_LETTER = '(?<![\\p{L}\\p{N}])';
const pattern = (source: string): RegExp => new RegExp(source, 'gu');

const UNFURNISHED = pattern(
  `${NOT_BEHIND_LETTER}(?:(?:غير|بدون) (?:مفروش|موثث)ه?|بدون (?:اثاث|فرش)|unfurnished|not furnished)${NOT_LETTER}`,
);
const FURNISHED = pattern(
  `${NOT_BEHIND_LETTER}(?<!(?:مطبخ|المطبخ|شبه|نصف|semi|غير|بدون|not|partly)[ -])(?<!un-|non-|semi-)(?:و?(?:مفروش|موثث)ه?|بكامل اثاثها|fully furnished|furnished)${NOT_LETTER}`,
);

function furnishedIn(text: string): boolean | null {
  if (!/فروش|موثث|اثاث|furnish/.test(text)) return null;
  const no = text.search(UNFURNISHED) >= 0;
  const yes = text.search(FURNISHED) >= 0;
  if (yes) return no ? null : true;
  // Without and with, at two prices.
  return no && !text.includes('بالاثاث') ? false : null;
}

const STREET = pattern(
  `${NOT_BEHIND_LETTER}(?:و?(?:ب|عل[يى] |ال)*شارع|street(?: width)?)(?: عرض| بعرض| ال)?[ :]*\\n?[ :]*(\\d{1,3})(?![\\d.,])([^\\n]{0,14})`,
);
/** Behind a width: another one, of a second street. */
const SECOND_STREET = /^\s*(?:م|متر|ش|ج|غ|m)?\s*(?:\p{L}+\s*)?(?:[*×x&/،-]|و)\s*(?:\p{L}+\s*)?\d|^\s*[شجغ]\s*\d/u;
const WIDTHS = [4, 120] as const;

/** The width of the one street that the text states a width of. */
function streetWidthIn(text: string): number | null {
  if (!/شارع|street/.test(text)) return null;
  const widths = new Set<number>();
  for (const [, digits, behind = ''] of text.matchAll(STREET)) {
    if (SECOND_STREET.test(behind)) return null;
    const width = Number(digits);
    if (width >= WIDTHS[0] && width <= WIDTHS[1]) widths.add(width);
  }
  const [only] = widths;
  return widths.size === 1 ? (only as number) : null;
}

const YEARS = '(?:سنه|سنوات|سنين|اعوام|عام|years?|س)';
const COUNT = '(\\d{1,2}|سنتين|سنتان|سنه|عامين|سنة|(?:ثلاث|اربع|خمس|ست|سبع|ثمان|تسع|عشر)(?: سنوات| سنين)|جديده?)';
const STATED_AGE = pattern(
  `${NOT_BEHIND_LETTER}(?:(?:ال|لل|و)?عمر(?:ها|ه|هم)?|مستخدمه?|مستعمله?|age|جديده?[ \\n]لها)(?: ?(?:العقار|الشقه|العماره|المبني|البناء|البنايه|الفيلا))?[ :/\\n]*(?:تقريبا |حوالي )?${COUNT}(?: ?${YEARS})?${NOT_LETTER}`,
);
const BUILDING =
  '(?:شقه|شقق|شقتين|فيلا|فله|فلل|دور|ادوار|دوبلكس|دبلكس|عماره|عمائر|مبني|تاون هاوس|الشقه|العماره|الفيلا)';
const NEW = pattern(`${NOT_BEHIND_LETTER}[بو]?${BUILDING}(?: [\\p{L}]+){0,2}[ \\n](?<!شبه )جديده?${NOT_LETTER}`);

/** The age that the text states, or 0 where it calls the building new. */
function ageIn(text: string): number | null {
  if (!/عمر|مستخدم|مستعمل|جديد|age/.test(text)) return null;
  const ages = new Set<number>();
  for (const [, count = ''] of text.matchAll(STATED_AGE)) {
    const age = NUMBER_WORDS.get(count.split(' ')[0] as string) ?? readAge(count);
    if (age !== null && age <= 60) ages.add(age);
  }
  const [only] = ages;
  if (ages.size > 0) return ages.size === 1 ? (only as number) : null;
  return text.search(NEW) >= 0 ? 0 : null;
}

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  ['ثلاث', 'اربع', 'خمس', 'ست', 'سبع', 'ثمان', 'تسع', 'عشر'].map((word, index) => [word, index + 3]),
);

const FLOOR_NAME = '(ارضيه?|اول|اولي|ثاني|ثانيه|ثالث|رابع|خامس|سادس|سابع|ثامن|تاسع|عاشر|علويه?|اخير|\\d{1,2})';
const FLOOR = pattern(
  `${NOT_BEHIND_LETTER}(?:و|ف|ب|في ?)*(?:ال)?(?:دور|طابق)[ :/\\n]*(?:ال)?${FLOOR_NAME}${NOT_LETTER}`,
);
const FLOOR_OF_FLAT = pattern(
  `${NOT_BEHIND_LETTER}(?:شقه|شقق|شقتين) (?:ارضي|(?:[\\p{L}]+ ){0,2}?(ارضيه|ارضيات|علويه))${NOT_LETTER}`,
);
/** A unit over two floors, or many units. */
const TWO_FLOORS = pattern(`${NOT_BEHIND_LETTER}(?:دورين|دوبلكس|دبلكس|ادوار|طابقين)${NOT_LETTER}`);

/** `دور اول وثاني`. */
const MORE_FLOORS = pattern(
  `${NOT_BEHIND_LETTER}(?:ال)?(?:دور|طابق) (?:ال)?(?:ارضي|اول|ثاني|ثالث) و ?(?:ال)?(?:اول|ثاني|ثالث|رابع|علوي)${NOT_LETTER}`,
);

/** The floor that the unit lies on, where the text names one alone. */
function floorIn(text: string): string | null {
  if (!/دور|طابق|ارضي|علوي/.test(text) || text.search(TWO_FLOORS) >= 0) return null;
  const floors = new Set<string>();
  for (const [, name = ''] of text.matchAll(FLOOR)) {
    const floor = readFloor(name === 'اولي' ? 'اول' : name === 'ارضيه' ? 'ارضي' : name);
    if (floor !== null) floors.add(floor);
  }
  if (floors.size > 1 || text.search(MORE_FLOORS) >= 0) return null;
  const [named] = floors;
  if (named !== undefined) return named;
  const flats = new Set([...text.matchAll(FLOOR_OF_FLAT)].map(([, name]) => (name === 'علويه' ? 'upper' : 'ground')));
  const [only] = flats;
  return flats.size === 1 ? (only as string) : null;
}

/** Halls that nobody lives in. */
const OTHER_HALLS = '(?:طعام|الطعام|رياضيه|عامه|عرض|سينما|العاب|استقبال|مناسبات|افراح)';
const LIVINGS: readonly [RegExp, (match: RegExpMatchArray) => number][] = [
  [pattern(`${NOT_BEHIND_LETTER}و?(?:صالتين|صالتان)${NOT_LETTER}`), () => 2],
  [pattern(`${NOT_BEHIND_LETTER}([1-6]) (?:صاله|صالات)(?! ${OTHER_HALLS})${NOT_LETTER}`), ([, count]) => Number(count)],
  [pattern(`${NOT_BEHIND_LETTER}(?:ال)?صالات?ه? ?[:/] ?([1-6])${NOT_LETTER}`), ([, count]) => Number(count)],
  [pattern(`${NOT_BEHIND_LETTER}(?:و|ال|وال)?صاله(?! ${OTHER_HALLS})${NOT_LETTER}`), () => 1],
];

/** The living rooms; one where a hall is named without a number. */
function livingsIn(text: string): number | null {
  if (!text.includes('صال')) return null;
  for (const [found, count] of LIVINGS) {
    const counts = new Set([...text.matchAll(found)].map(count));
    const [only] = counts;
    if (counts.size > 0) return counts.size === 1 ? (only as number) : null;
  }
  return null;
}
