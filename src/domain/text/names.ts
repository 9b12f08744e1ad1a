import { CITIES, NEIGHBORHOODS } from '../geography/gazetteer.ts';
import { latinWordKey } from '../geography/names.ts';
import { AD_NAMES } from './ad-names.ts';
import { foldText } from './fold.ts';
import { indexText } from './index-text.ts';

/** A name that stands in a text: Arabic names that it may be, folded, and how many words it takes. */
export interface FoundName {
  names: readonly string[];
  length: number;
}

/** Words of a name in Latin letters at most. */
const MAX_WORDS = 4;
/** A spelling that fits more names than this does not say which is meant. */
const MAX_NAMES = 3;
/** Words whose keys are kept. Texts have few others. */
const MAX_KEPT = 20_000;

/** English words that sound like a name. */
const NOT_NAMES = new Set(
  `hall hail sale sell sail tail nail mail mall hill fall villa villas sea say see saw read ready such code cut nor nice called
  good goods got get matter hit industrial north south east west central middle also able area arena air all mina manner
  main man many money near need new now rate rent room safe same seal side site size some sun tall tell the time total
  want water way wide wood yard year`.split(/\s+/),
);
/** A shorter key of the sound alone fits too much. */
const SHORTEST_SOUND = 5;

/** In shorter words a letter makes another name. */
const SHORTEST_VARIANT = 6;

/**
 * Keys of a word in Latin letters. `loose` is the key by which neighborhoods are recognized; `sound` also takes q, g, gh,
 * k and kh for one letter, and th, dh and z for those beside them. Articles have empty keys.
 */
interface WordKeys {
  loose: string;
  sound: string;
}

const keptKeys = new Map<string, WordKeys>();

function keysOf(word: string): WordKeys {
  const kept = keptKeys.get(word);
  if (kept !== undefined) return kept;
  const loose = latinWordKey(dropArticle(word.replace(/['’‘`ʻʼ]/g, '')));
  const keys = { loose, sound: soundOf(loose) };
  if (keptKeys.size >= MAX_KEPT) keptKeys.clear();
  keptKeys.set(word, keys);
  return keys;
}

/** `arrimal` is "ar Rimal", `elyasmin` "el Yasmin"; `latinWordKey` drops `al`. */
function dropArticle(word: string): string {
  return word.replace(/^[ae](?:(sh|th|dh|[rstdnz])(?=\1))/, '').replace(/^el(?=[^aeiou][a-z]{3})/, '');
}

function soundOf(loose: string): string {
  return loose
    .replace(/gh|kh|q|g|c(?!h)/g, 'k')
    .replace(/th|dh/g, 't')
    .replace(/iya$/, 'ia')
    .replace(/y/g, 'i')
    .replace(/w/g, 'u')
    .replace(/(.)\1+/g, '$1');
}

/** Arabic names by key, and all beginnings of keys at the end of a word, so that no longer name is looked for in vain. */
interface NameTable {
  names: Map<string, Map<string, string>>;
  beginnings: Set<string>;
}

const loose: NameTable = { names: new Map(), beginnings: new Set() };
const sound: NameTable = { names: new Map(), beginnings: new Set() };
/** Arabic names of several words by their spelling as one, and other Arabic spellings. */
const arabic = new Map<string, string>();
/** Arabic words of names, without the article. */
const placeWords = new Set<string>();
const bare = (word: string): string => word.replace(/^[وب]?ال(?=..)/, '').replace(/(?<=..)ء$/, '');
const SIDE = /^ال(?:شمالي|جنوبي|شرقي|غربي|اوسط|وسطي)ه?$/;
const isSide = ({ loose }: WordKeys): boolean => /^\d$/.test(loose);

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
    enter(keys, name);
    // North and South Obhur are Obhur as well.
    const [rest, restName] = [keys.filter((key) => !isSide(key)), words.filter((word) => !SIDE.test(word))];
    if (rest.length < keys.length && restName.length < words.length) enter(rest, restName.join(' '));
  }
}

/** Whether a letter more or less makes one spelling of the other: other names of a place are not variants. */
function isVariant(spelling: string, name: string): boolean {
  const [shorter, longer] = spelling.length < name.length ? [spelling, name] : [name, spelling];
  if (longer.includes(' ') || longer.length !== shorter.length + 1 || shorter.length < SHORTEST_VARIANT) return false;
  return [...longer].some((_, at) => longer.slice(0, at) + longer.slice(at + 1) === shorter);
}

function* listedNames(): Generator<{ name_ar: string; spellings: readonly string[] }> {
  for (const { name_ar, name_en, aliases } of [...CITIES, ...NEIGHBORHOODS])
    yield { name_ar, spellings: [name_en, ...aliases] };
  for (const line of AD_NAMES.trim().split('\n')) {
    const [name_ar = '', spellings = ''] = line.split('|');
    yield { name_ar, spellings: spellings.split(';') };
  }
}

function enter(keys: readonly WordKeys[], name: string): void {
  for (const [table, key] of [
    [loose, keys.map((each) => each.loose)],
    [sound, keys.map((each) => each.sound)],
  ] as const) {
    if (key.join('').length < 3) continue;
    const names = table.names.get(key.join('-')) ?? new Map<string, string>();
    // With the article and without it, a name is one word to the engine.
    if (!names.has(bare(name))) names.set(bare(name), name);
    table.names.set(key.join('-'), names);
    for (let at = 1; at < key.length; at += 1) table.beginnings.add(key.slice(0, at).join('-'));
  }
}

/**
 * The longest name in Latin letters that begins at a word. Articles count for nothing, but one in front belongs to the
 * name. Words are in lower case.
 */
export function latinNameAt(words: readonly string[], at: number): FoundName | null {
  const [key, further] = [
    { loose: '', sound: '' },
    { loose: true, sound: true },
  ];
  let found: FoundName | null = null;
  let counted = 0;
  for (let end = at; end < words.length && counted < MAX_WORDS && (further.loose || further.sound); end += 1) {
    const word = words[end] as string;
    if (!isLatin(word)) break;
    const keys = keysOf(word);
    if (keys.loose === '') continue;
    counted += 1;
    key.loose += (counted > 1 ? '-' : '') + keys.loose;
    key.sound += (counted > 1 ? '-' : '') + keys.sound;
    const names =
      loose.names.get(key.loose) ?? (key.sound.length < SHORTEST_SOUND ? undefined : sound.names.get(key.sound));
    if (names !== undefined && names.size <= MAX_NAMES && !(counted === 1 && NOT_NAMES.has(word)))
      found = { names: [...names.values()], length: end + 1 - at };
    further.loose = loose.beginnings.has(key.loose);
    further.sound = sound.beginnings.has(key.sound);
  }
  return found;
}

/** Whether a folded Arabic word is part of a listed name. */
export const isPlaceWord = (word: string): boolean => placeWords.has(bare(word));

/** The listed spelling of an Arabic word that is a name in another one, such as two words written together. */
export const arabicNameOf = (word: string): string | undefined =>
  arabic.get(word) ?? (word.startsWith('ال') ? arabic.get(word.slice(2)) : undefined);

export const isLatin = (word: string): boolean => (word >= 'a' && word < '{') || (word >= '\u00c0' && word <= '\u024f');
