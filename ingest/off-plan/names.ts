import { foldText } from '#domain/fold.ts';
import { nameKeys } from '#domain/geography/name-keys.ts';
import { soundLikeness, soundsOf, weightOf } from './phonetic-key.ts';

const PROJECT_NOISE = new Set('project the a of development مشروع'.split(' '));
const COMPANY_NOISE = new Set(
  `company co ltd llc corp corporation group holding real estate realestate properties property development developments
   developer developers for and of the investment investments شركه مجموعه القابضه العقاريه العقاري للتطوير التطوير
   والتطوير تطوير للاستثمار والاستثمار الاستثمار المحدوده عقاريه عقاري للعقارات المطور مطور cjsc jsc sjsc urban موسسه
   مساهمه مقفله العمراني للعمران العمرانيه`.split(/\s+/),
);
/** Numbers, which distinguish the phases of a development. */
const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '1': 'one first i الاول الاولي اولي واحد',
    '2': 'two second ii الثاني الثانيه ثانيه اثنان',
    '3': 'three third iii الثالث الثالثه ثالثه ثلاثه',
    '4': 'four fourth iv الرابع الرابعه رابعه اربعه',
    '5': 'five fifth v الخامس الخامسه خامسه خمسه',
    '6': 'six sixth vi السادس السادسه سادسه سته',
  }).flatMap(([digit, words]) => words.split(' ').map((word) => [word, digit] as const)),
);
const PHASE_WORDS = new Set('phase ph part stage st nd rd th المرحله مرحله الجزء'.split(' '));

const wordsOf = (name: string): string[] => foldText(name).match(/[\p{L}\p{N}]+/gu) ?? [];
/** As in `Ph2` and `2nd`. */
const wordsAndNumbersOf = (name: string): string[] => foldText(name).match(/\p{L}+|\p{N}+/gu) ?? [];

export interface ProjectNameKey {
  /** Without numbers, articles and spaces, in a unified transliteration. */
  key: string;
  /** Sorted. */
  numbers: string;
}

export function projectNameKey(name: string): ProjectNameKey {
  const { words, numbers } = withoutNumbers(name);
  return { key: nameKeys(words.join(' ')).loose, numbers };
}

function withoutNumbers(name: string): { words: string[]; numbers: string } {
  const numbers: string[] = [];
  const words: string[] = [];
  for (const word of wordsAndNumbersOf(name)) {
    const number = /^\d+$/.test(word) ? String(Number(word)) : NUMBER_WORDS.get(word);
    if (number !== undefined) numbers.push(number);
    else if (!PROJECT_NOISE.has(word) && !PHASE_WORDS.has(word)) words.push(word);
  }
  return { words, numbers: numbers.sort().join(' ') };
}

export type Language = 'en' | 'ar';

export const languageOf = (name: string): Language => (/\p{Script=Arabic}/u.test(name) ? 'ar' : 'en');

/** Prefixed with the language; null if it would be empty. */
export function developerKey(name: string): string | null {
  const words = wordsOf(name);
  const own = words.filter((word) => !COMPANY_NOISE.has(word));
  const { loose } = nameKeys((own.length > 0 ? own : words).join(' '));
  return loose === '' ? null : `${languageOf(name)}:${loose}`;
}

interface NameWord {
  sounds: string;
  weight: number;
  /** For words that some sources translate and others transliterate. */
  meaning: string | null;
}

export interface ParsedName {
  language: Language;
  words: readonly NameWord[];
  numbers: string;
  isAcronym: boolean;
}

/** Some sources omit them. */
const GENERAL_WORDS = new Set(
  `residence residences residential residency ريزيدنس ريزدنس سكن السكن السكني السكنيه towers ابراج الابراج تاورز
   compound complex مجمع المجمع كمباوند كومباوند suburb community ضاحيه الضاحيه housing اسكان الاسكان apartments شقق`.split(
    /\s+/,
  ),
);
/** Words that distinguish sister projects. Those in a line have one meaning, in both languages and transliterated. */
const MEANINGS = new Map(
  `
  garden gardens حدايق الحدايق حديقه جاردنز جاردن hadaeq hadaiq hadayek hadaik
  heights height hights hieghts مرتفعات هايتس
  hills hill تلال tilal telal هيلز روابي rawabi rawaby
  park بارك
  view views فيوز فيو اطلالات اطلاله
  square ميدان سكوير
  boulevard blvd بوليفارد بولفارد
  living ليفينج ليفنج ليفينغ
  plaza بلازا
  villas villa فلل فيلاز فلا فيلا
  rise رايز
  homes home هومز مساكن masaken masakin
  bay باي
  tower برج تاور burj borj
  oasis واحه wahat wahet waht wahah waha
  palace palaces قصر قصور qasr kasr qaser qusoor qusour kusur qusur
  jewel jewels جوهره jawharat jawharet jauharat jawhara jauhara
  meadows meadow مروج murooj muruj morouj morooj
  gate بوابه bawabat bawabet bawaba
  pearl دره durrat dorrat durat
  breeze نسايم nasaem nasayim nasaim
  terraces terrace شرفات shorofat shurufat
  island جزيره jazirat jazeerat
  beach شاطي shati shatee
  lake lakes بحيره بحيرات buhayrat
  valley وادي wadi
  village قريه qaryat
  city مدينه madinat
  avenue افنيو جاده
  marina مارينا
  walk ممشى ممشي mamsha
  downtown داونتاون
  crown تاج taj`
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap((words) => words.map((word) => [word, words[0] as string])),
);
const ARTICLES = new Set('al el ul ar as ash at ath az ad adh an ال by من'.split(' '));

/** Without ignored words, unless the name has no others. */
function readWords(
  name: string,
  all: readonly string[],
  ignored: ReadonlySet<string>,
): Pick<ParsedName, 'language' | 'words'> {
  const language = languageOf(name);
  const own = all.filter((word) => !ignored.has(word) && !ARTICLES.has(word));
  const words = (own.length > 0 ? own : all).map((word) => {
    const sounds = soundsOf(withoutArticle(word));
    return { sounds, weight: weightOf(sounds), meaning: MEANINGS.get(word) ?? null };
  });
  return { language, words };
}

export function readProjectName(name: string): ParsedName {
  const { words, numbers } = withoutNumbers(name);
  return { ...readWords(name, words, GENERAL_WORDS), numbers, isAcronym: false };
}

export function readDeveloperName(name: string): ParsedName {
  const { language, words } = readWords(name, wordsOf(name), COMPANY_NOISE);
  const isAcronym = /^[A-Z]{2,7}$/.test(name.trim());
  return { language, words: words.map((word) => ({ ...word, meaning: null })), numbers: '', isAcronym };
}

/** Short words such as `Ali` and `الف` are kept unchanged. */
function withoutArticle(word: string): string {
  if (/^ال../.test(word)) return word.slice(2);
  return word.length > 5 && /^(?:al|el[^aeiou])/.test(word) ? word.slice(2) : word;
}

const MIN_WORD_SIMILARITY = 0.6;
/** If only one name has a word that distinguishes sister projects, as in `Burj Al Maha`. */
const MAX_UNPAIRED_SIMILARITY = 0.55;
/** As `Maha Gardens` and `Maha Heights`. */
const SISTERS = -1;

/**
 * From 0 to 1, or `SISTERS`. Compares words in any order, and the names without spaces, because spacing varies.
 * @param excused whether a word may be missing from the other name, because it belongs to the city or developer
 */
export function likenessOfNames(
  a: ParsedName,
  b: ParsedName,
  excused: (sounds: string) => boolean = () => false,
): number {
  const right = [...b.words];
  const left: NameWord[] = [];
  let [shared, all] = [0, 0];
  for (const word of a.words) {
    let [best, at] = [MIN_WORD_SIMILARITY, -1];
    for (const [index, other] of right.entries()) {
      if (word.meaning !== null && other.meaning !== null && word.meaning !== other.meaning) continue;
      const likeness =
        word.meaning !== null && word.meaning === other.meaning ? 1 : soundLikeness(word.sounds, other.sounds);
      if (likeness >= best) [best, at] = [likeness, index];
    }
    if (at < 0) {
      left.push(word);
      continue;
    }
    const [other] = right.splice(at, 1) as [NameWord];
    const weight = word.weight + other.weight;
    shared += weight * best;
    all += weight;
  }
  const [lonely, lonelyThere] = [left, right].map((words) => words.filter(({ sounds }) => !excused(sounds))) as [
    NameWord[],
    NameWord[],
  ];
  if (lonely.some(({ meaning }) => meaning !== null) && lonelyThere.some(({ meaning }) => meaning !== null))
    return SISTERS;
  const unmatched = [...lonely, ...lonelyThere];
  for (const { weight } of unmatched) all += weight;
  const byWord = all === 0 ? 0 : shared / all;
  if (unmatched.some(({ meaning }) => meaning !== null)) return Math.min(byWord, MAX_UNPAIRED_SIMILARITY);
  const whole = ({ words }: ParsedName): string => words.map(({ sounds }) => sounds).join('');
  return Math.max(byWord, soundLikeness(whole(a), whole(b)));
}
