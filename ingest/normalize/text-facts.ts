import { foldLines } from '#domain/fold.ts';
import { AMENITIES, type Amenity, PROPERTY_TYPE_TABLE, type PropertyType } from '#domain/listing-vocabulary.ts';
import { clausesOfFolded, type Mention, phraseAt, phraseList } from '#domain/text/phrases.ts';
import { statedAmenities, withoutAbsent } from './ad-words.ts';
import { AMENITIES_OF_TEXTS } from './amenity-phrases.ts';
import { MAX_WIDTH } from './area.ts';
import { markedFloors } from './floor.ts';
import { withDigits } from './numbers.ts';
import { END, MAX_TEXT, matchesOf, onlyOf, START } from './patterns.ts';
import { readAge } from './room-counts.ts';

/** Facts in an advertiser's text. Contradictory statements are omitted. */
export interface TextFacts {
  amenities: Amenity[];
  furnished: boolean | null;
  street_width_m: number | null;
  age_years: number | null;
  floor: string | null;
  livings: number | null;
}

export function readTextFacts(text: string, type: PropertyType): TextFacts {
  const entries = foldLines(text.slice(0, MAX_TEXT).replace(LIST_MARK, '\n')).replace(JOINED_DIGITS, ' ');
  const plain = entries.replace(/\n{2,}/g, '\n').replace(BRACKETED, '$1 ');
  const folded = withDigits(plain);
  const isHome = PROPERTY_TYPE_TABLE[type].category === 'residential' && type !== 'land';
  return {
    amenities: type === 'land' || type === 'commercial_land' ? [] : amenitiesIn(entries.split('\n').map(withoutAbsent)),
    furnished: isHome ? furnishedIn(folded) : null,
    street_width_m: streetWidthIn(folded),
    age_years: type === 'land' || type === 'commercial_land' ? null : ageIn(folded),
    floor: ON_A_FLOOR.has(type) ? floorIn(plain) : null,
    livings: isHome ? livingsIn(folded) : null,
  };
}

const ON_A_FLOOR: ReadonlySet<PropertyType> = new Set<PropertyType>(['apartment', 'studio', 'room', 'floor', 'office']);

/** Separators of list entries: line breaks, dashes (but not in `الدور -1`), stars, symbols and emojis. */
const LIST_MARK =
  /[\n+•▪◾◼●√✅✓☑|_~=«»#\u{1f300}-\u{1faff}\u2600-\u27bf]+|\ufe0f|(?<!\d)\*|\*(?!\d)|[-–—](?![a-z\d])|(?<![a-z\d])(?<!(?:دور|طابق|floor|level):? (?=-[\d٠-٩]))[-–—]/giu;
/** A number in parentheses after a word: `شارع (20) م`. At the start of a line, it is a list number. */
const BRACKETED = /(?<=[\p{L}:] ?)\( ?(\d{1,4}) ?\)/gu;
/** Boundary between a number and an adjacent word, as in `3غرف`. */
const JOINED_DIGITS = /(?<=\d)(?=[\u0621-\u064a])|(?<=[\u0621-\u064a])(?=\d)/g;

function amenitiesIn(lines: readonly string[]): Amenity[] {
  const clauses = lines.flatMap(clausesOfFolded);
  const mentions = statedAmenities(AMENITIES_OF_TEXTS, clauses);
  const own = mentions.filter((mention) => !isElsewhere(clauses[mention.clause] as string[], mention));
  const found = new Set(own.map(({ value }) => value));
  return AMENITIES.filter((amenity) => found.has(amenity));
}

const FLOORS = phraseList('دور, الدور, طابق, الطابق, دور ال, عوازل, عزل');
const IN_BASEMENT = phraseList('في, موقف, مواقف, موقفين, ماستر, خاص, سياره');

/** Returns whether a mention names a place rather than an amenity, such as the floor below the roof. */
function isElsewhere(words: readonly string[], { value, from, to }: Mention<Amenity>): boolean {
  const word = words[from] as string;
  if (value === 'roof' || value === 'basement') {
    if (/^(?:و?بال|و?ب|لل)/.test(word) && !/^ب(?:دروم|يسمنت)/.test(word)) return true;
    if (from > 0 && phraseAt(words, from - 1, value === 'roof' ? FLOORS : IN_BASEMENT) > 0) return true;
    return value === 'roof' && /^و?السطح$/.test(word) && words[to] !== 'الخاص';
  }
  return value === 'annex' && /^(?:ب|بال\p{L}+)$/u.test(words[to] ?? '');
}

const pattern = (source: string): RegExp => new RegExp(source, 'gu');

const UNFURNISHED = pattern(
  `${START}(?:(?:غير|بدون) (?:مفروش|موثث)ه?|بدون (?:اثاث|فرش)|unfurnished|not furnished)${END}`,
);
const FURNISHED = pattern(
  `${START}(?<!(?:مطبخ|المطبخ|شبه|نصف|semi|غير|بدون|not|partly)[ -])(?<!un-|non-|semi-)(?:و?(?:مفروش|موثث)ه?|بكامل اثاثها|fully furnished|furnished)${END}(?! (?:جزيي|partly|partially))`,
);

function furnishedIn(text: string): boolean | null {
  if (!/فروش|موثث|اثاث|furnish/.test(text)) return null;
  const no = text.search(UNFURNISHED) >= 0;
  const yes = text.search(FURNISHED) >= 0;
  if (yes) return no ? null : true;
  // A text with both words may offer the home furnished and unfurnished at different prices.
  return no && !text.includes('بالاثاث') ? false : null;
}

/** Not streets that are only near. */
const STREET = pattern(
  `${START}(?<!(?:قريبه? من|بالقرب من|قرب|بجوار|خلف|near|close to|behind|off) )(?:و?(?:ب|عل[يى] |ال)*شارع|street(?: width)?)(?: عرض| بعرض| ال)?[ :]*\\n?[ :]*(\\d{1,3})(?![\\d.,])([^\\n]{0,14})`,
);
const SECOND_STREET = /^\s*(?:م|متر|ش|ج|غ|m)?\s*(?:\p{L}+\s*)?(?:[*×x&/،-]|و)\s*(?:\p{L}+\s*)?\d|^\s*[شجغ]\s*\d/u;
const MIN_WIDTH = 4;

function streetWidthIn(text: string): number | null {
  if (!/شارع|street/.test(text)) return null;
  const widths = new Set<number>();
  for (const [, digits, behind = ''] of matchesOf(text, STREET)) {
    if (SECOND_STREET.test(behind)) return null;
    const width = Number(digits);
    if (width >= MIN_WIDTH && width <= MAX_WIDTH) widths.add(width);
  }
  return onlyOf(widths);
}

const AGE_UNIT = '(سنه|سنوات|سنين|اعوام|عام|years?|س|شهر|اشهر|شهور|months?|يوم|ايام|days?|weeks?)';
const COUNT = '(\\d{1,2}|سنتين|سنتان|سنه|عامين|سنة|جديده?)';
const AGE_LABEL = pattern(
  `${START}(?:(?:ال|لل|و)?عمر(?:ها|ه|هم)?|مستخدمه?|مستعمله?|age|جديده?[ \\n]لها)(?: ?(?:العقار|الشقه|العماره|المبني|البناء|البنايه|الفيلا))?[ :/\\n]*`,
);
/** Directly after its label. */
const STATED_AGE = new RegExp(`(?:تقريبا |حوالي )?${COUNT}(?: ?${AGE_UNIT})?${END}`, 'uy');
const BUILDING =
  '(?:شقه|شقق|شقتين|فيلا|فله|فلل|دور|ادوار|دوبلكس|دبلكس|عماره|عمائر|مبني|تاون هاوس|الشقه|العماره|الفيلا)';
const NEW = pattern(`${START}[بو]?${BUILDING}(?: [\\p{L}]+){0,2}[ \\n](?<!شبه )جديده?${END}`);

/** 0 if the text describes the building as new. */
function ageIn(text: string): number | null {
  if (!/عمر|مستخدم|مستعمل|جديد|age/.test(text)) return null;
  const ages = new Set<number>();
  let read = 0;
  for (const { index, 0: label } of matchesOf(text, AGE_LABEL)) {
    if (index < read) continue;
    STATED_AGE.lastIndex = index + label.length;
    const [stated = '', count = '', unit = ''] = STATED_AGE.exec(text) ?? [];
    read = index + label.length + stated.length;
    const age = readAge(`${count} ${unit}`);
    if (age !== null && age <= 60) ages.add(age);
  }
  if (ages.size > 0) return onlyOf(ages);
  return text.search(NEW) >= 0 ? 0 : null;
}

const FLOOR_OF_FLAT = pattern(`${START}(?:شقه|شقق|شقتين) (?:ارضي|(?:[\\p{L}]+ ){0,2}?(ارضيه|ارضيات|علويه))${END}`);
/** Floors of one unit, or several units. */
const TWO_FLOORS = pattern(`${START}(?:دورين|دوبلكس|دبلكس|ادوار|طابقين|duplex|(?:two|both|2) floors)${END}`);

/** `دور اول وثاني`. */
const MORE_FLOORS = pattern(
  `${START}(?:ال)?(?:دور|طابق) (?:ال)?(?:ارضي|اول|ثاني|ثالث) و ?(?:ال)?(?:اول|ثاني|ثالث|رابع|علوي)${END}`,
);

function floorIn(text: string): string | null {
  if (!/دور|طابق|ارضي|علوي|floor/.test(text) || text.search(TWO_FLOORS) >= 0) return null;
  // A roof or a basement in a text is usually a part of the building.
  const floors = markedFloors(text).filter((floor) => floor !== 'roof' && floor !== 'basement');
  if (floors.length > 1 || text.search(MORE_FLOORS) >= 0) return null;
  const flats = new Set(matchesOf(text, FLOOR_OF_FLAT).map(([, name]) => (name === 'علويه' ? 'upper' : 'ground')));
  const [named] = floors;
  // Flats on several floors are different units.
  if (named !== undefined) return flats.has('ground') && named !== 'ground' ? null : named;
  return onlyOf(flats);
}

const OTHER_HALLS = '(?:طعام|الطعام|رياضيه|عامه|عرض|سينما|العاب|استقبال|مناسبات|افراح)';
const HALL = `(?! ${OTHER_HALLS})${END}`;
const FLOOR_LABEL = `[وبف]?(?:ال)?(?:دور|طابق) ?(?:ال)?(?:ارضي|اول|ثاني|ثالث|رابع|علوي|سفلي|اخير|[1-4])|و?الملحق|ملحق(?= ?:)`;
const UNIT_LABEL = '(?:ال)?(?:شقه|نموذج|وحده|فيلا) (?:رقم )?(?:ال)?(?:\\d+|اول|اولي|ثاني|ثانيه|ثالث|ثالثه|رابع|رابعه)';
/** Other nouns that the number may count. */
const OF_HALLS = `(?! ?[.*×x]| *(?:غ|حما?م|دور|مجلس|مجالس|مطبخ|مطابخ|مكيف|بلكون|نوم|موقف|مواقف|شق|سطح|م(?:تر)?${END}))${END}`;
const LIVINGS = pattern(
  [
    `${START}(?:(?<label>${FLOOR_LABEL}|${UNIT_LABEL})${END}`,
    `(?<dual>و?(?:صالتين|صالتان)${HALL})`,
    `(?<before>\\d{1,2}) (?:صاله|صالات)${HALL}`,
    `(?:(?:ال)?صالات ?[:/]? ?(?<behind>[1-6])|(?:ال)?صاله ?[:/]? ?(?<only>[12]))${OF_HALLS}`,
    `(?<!(?:درج|الدرج|بدون|ولا|مجلس مع|مدخل) )(?<one>و?صاله)${HALL}`,
    `(?<known>(?:و?ال|[بل]ل?|بال|ع)صاله)${HALL})`,
  ].join('|'),
);
/** Each with its own halls. */
const SEVERAL_UNITS = pattern(`${START}(?:و?ال)?(?:شقق|شقتين|ادوار|وحدات|نماذج|نموذج|فلل)|لكل شقه|${UNIT_LABEL}${END}`);
const ON_EACH_FLOOR = pattern(`${START}صاله? (?:في |ب)كل (?:دور|طابق)`);

interface LivingRooms {
  /** Stated totals. A total includes halls that are also listed individually. */
  stated: Set<number>;
  named: number;
}

/** Reads the number of living rooms, over all floors or of one of several equal units; null without a clear total. */
function livingsIn(text: string): number | null {
  if (!text.includes('صال') || text.search(ON_EACH_FLOOR) >= 0) return null;
  const sections = new Map<string, LivingRooms>();
  let label = '';
  let known = false;
  for (const { groups = {} } of matchesOf(text, LIVINGS)) {
    if (groups.label !== undefined) {
      label = groups.label.replace(/^[وبف]/, '').replaceAll(/(?<![a-z\u0621-\u064a])ال/gu, '');
      continue;
    }
    if (groups.known !== undefined) {
      known = true;
      continue;
    }
    const halls = sections.get(label) ?? { stated: new Set(), named: 0 };
    sections.set(label, halls);
    const count = groups.before ?? groups.behind ?? groups.only;
    if (groups.one !== undefined) halls.named++;
    else halls.stated.add(groups.dual === undefined ? Number(count) : 2);
  }
  if (sections.size === 0) return known ? 1 : null;
  const general = sections.get('');
  sections.delete('');
  const unlabelled = general === undefined ? null : countOf(general);
  if (sections.size === 0) return unlabelled;
  const counts = [...sections.values()].map(countOf);
  if (counts.includes(null) || (general !== undefined && unlabelled === null)) return null;
  const stated = counts as number[];
  const isOfMany = text.search(SEVERAL_UNITS) >= 0;
  const all = isOfMany ? stated : [stated.reduce((sum, count) => sum + count, 0)];
  if (unlabelled !== null) all.push(unlabelled);
  const only = onlyOf(all);
  return only !== null && only <= 6 ? only : null;
}

function countOf({ stated, named }: LivingRooms): number | null {
  if (stated.size === 0) return named === 1 ? 1 : null;
  const only = onlyOf(stated);
  return only !== null && only >= 1 && only <= 6 ? only : null;
}
