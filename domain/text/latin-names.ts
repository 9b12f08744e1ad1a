import { distance } from 'fastest-levenshtein';
import { foldText, isLatin } from '../fold.ts';
import { CITIES, NEIGHBORHOODS } from '../geography/gazetteer.ts';
import { latinWordKey } from '../geography/name-keys.ts';
import { memoize } from '../memoize.ts';
import adNames from './ad-names.json' with { type: 'json' };
import { indexText } from './index-text.ts';

export interface NameMatch {
  names: readonly string[];
  length: number;
  /** Whether only the sound of the words is that of the names. */
  isGuess: boolean;
}

const MAX_WORDS = 4;
/** With more matches, the spelling is ambiguous. */
const MAX_NAMES = 3;

const NOT_NAMES = new Set(
  `hall hail sale sell sail tail nail mail mall hill fall villa villas sea say see saw read ready such code cut nor nice called
  good goods got get matter hit industrial north south east west central middle also able area arena air all mina manner
  main man many money near need new now rate rent room safe same seal side site size some sun tall tell the time total
  want water way wide wood yard year`.split(/\s+/),
);
/** Shortest word that may differ by a letter. In shorter words, one letter makes another name. */
const SHORTEST_VARIANT = 6;

/**
 * `loose` also identifies neighborhoods; `sound` additionally merges q, g, gh, k and kh, and th, dh and z with similar
 * letters; `bones` is the sound without vowels after the first letter. Articles have empty keys.
 */
interface WordKeys {
  loose: string;
  sound: string;
  bones: string;
}

const keysOf = memoize((word): WordKeys => {
  const text = dropArticle(word.replace(/['’‘`ʻʼ]/g, ''));
  const loose = latinWordKey(text);
  // A g is a jim for `loose`, and a ghain or a qaf for `sound`.
  const sound = soundOf(latinWordKey(text.replace(/g(?!h)/g, 'gh')));
  return { loose, sound, bones: sound.replace(/(?<!^)[aiu]/g, '').replace(/(?<=..)h$/, '') };
});

/** Separates the article: `arrimal` becomes "ar Rimal", `elyasmin` "el Yasmin". `latinWordKey` removes `al`. */
function dropArticle(word: string): string {
  return word.replace(/^[ae](?:(sh|th|dh|[rstdnz])(?=\1))/, '').replace(/^el(?=[^aeiou][a-z]{3})/, '');
}

function soundOf(loose: string): string {
  return loose
    .replace(/gh|kh|q|g|c(?!h)/g, 'k')
    .replace(/th|dh/g, 'd')
    .replace(/iya$/, 'ia')
    .replace(/y/g, 'i')
    .replace(/w/g, 'u')
    .replace(/(.)\1+/g, '$1');
}

/** Each key unifies more spellings than the previous one. Keys shorter than `shortest` match too many names. */
const KEYS = [
  { key: 'loose', shortest: 3 },
  { key: 'sound', shortest: 4 },
  { key: 'bones', shortest: 4 },
] as const satisfies readonly { key: keyof WordKeys; shortest: number }[];

interface Lexicon {
  names: Map<string, Map<string, string>>;
  arabic: Map<string, string>;
  placeWords: Set<string>;
}

const bare = (word: string): string => word.replace(/^[وب]?ال(?=..)/, '').replace(/(?<=..)ء$/, '');
const SIDE = /^ال(?:شمالي|جنوبي|شرقي|غربي|اوسط|وسطي)ه?$/;
const isSide = ({ loose }: WordKeys): boolean => /^\d$/.test(loose);

const joined = (keys: readonly WordKeys[], key: keyof WordKeys): string => keys.map((each) => each[key]).join('');

let built: Lexicon | undefined;

/** Built on first use, because this takes a tenth of a process's startup time. */
function lexicon(): Lexicon {
  if (built) return built;
  const names: Lexicon['names'] = new Map();
  const arabic = new Map<string, string>();
  const placeWords = new Set<string>();
  for (const { name_ar, spellings } of listedNames()) {
    const name = indexText(name_ar);
    const words = name.split(' ');
    for (const word of words) placeWords.add(bare(word));
    if (words.length > 1) arabic.set(words.join(''), name);
    for (const spelling of spellings) {
      const folded = foldText(spelling);
      if (/[\u0621-\u064a]/.test(folded)) {
        if (folded !== name && isVariant(folded, name)) arabic.set(folded, name);
        continue;
      }
      const keys = (folded.match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? []).map(keysOf).filter((key) => key.loose !== '');
      enter(names, keys, name);
      // For example, North and South Obhur also match as Obhur.
      const [rest, restName] = [keys.filter((key) => !isSide(key)), words.filter((word) => !SIDE.test(word))];
      if (rest.length < keys.length && restName.length < words.length) enter(names, rest, restName.join(' '));
    }
  }
  built = { names, arabic, placeWords };
  return built;
}

/** Returns whether a spelling has exactly one letter more. */
function isVariant(spelling: string, name: string): boolean {
  const [shorter, longer] = spelling.length < name.length ? [spelling, name] : [name, spelling];
  if (longer.includes(' ') || longer.length !== shorter.length + 1 || shorter.length < SHORTEST_VARIANT) return false;
  return distance(shorter, longer) === 1;
}

/** Names of the gazetteer, and of persons after whom places are named, streets, developers and projects. */
const listedNames = (): { name_ar: string; spellings: readonly string[] }[] => [
  ...[...CITIES, ...NEIGHBORHOODS].map(({ name_ar, name_en, aliases }) => ({
    name_ar,
    spellings: [name_en, ...aliases],
  })),
  ...Object.entries(adNames).map(([name_ar, spellings]) => ({ name_ar, spellings })),
];

function enter(names: Lexicon['names'], keys: readonly WordKeys[], name: string): void {
  for (const { key } of KEYS) {
    const text = joined(keys, key);
    if (text.length < 3) continue;
    const id = `${key} ${text}`;
    const known = names.get(id) ?? new Map<string, string>();
    // The engine treats a name with and without the article as the same word.
    if (!known.has(bare(name))) known.set(bare(name), name);
    names.set(id, known);
  }
}

/**
 * A leading article belongs to the name. Words are in lower case.
 * @param mayBeEnglish matching is then stricter, because many English words have the same consonants as a name
 */
export function latinNameAt(words: readonly string[], at: number, mayBeEnglish = true): NameMatch | null {
  const keys: WordKeys[] = [];
  let found: NameMatch | null = null;
  for (let end = at; end < words.length && keys.length < MAX_WORDS; end += 1) {
    const word = words[end] as string;
    if (!isLatin(word)) break;
    const last = keysOf(word);
    if (last.loose === '') continue;
    keys.push(last);
    const match = keys.length === 1 && NOT_NAMES.has(word) ? undefined : namesOf(keys, mayBeEnglish);
    if (match !== undefined && match.names.size <= MAX_NAMES)
      found = { names: [...match.names.values()], length: end + 1 - at, isGuess: match.isGuess };
  }
  return found;
}

function namesOf(
  keys: readonly WordKeys[],
  mayBeEnglish: boolean,
): { names: Map<string, string>; isGuess: boolean } | undefined {
  for (const { key, shortest } of KEYS) {
    const text = joined(keys, key);
    const names = text.length < shortest ? undefined : lexicon().names.get(`${key} ${text}`);
    if (names !== undefined && (key !== 'bones' || (names.size === 1 && !mayBeEnglish)))
      return { names, isGuess: key !== 'loose' };
  }
  return undefined;
}

export const isPlaceWord = (word: string): boolean => lexicon().placeWords.has(bare(word));

export function arabicNameOf(word: string): string | undefined {
  const { arabic } = lexicon();
  return arabic.get(word) ?? (word.startsWith('ال') ? arabic.get(word.slice(2)) : undefined);
}
