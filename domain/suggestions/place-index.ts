import { foldText, withoutIgnorable } from '../fold.ts';
import { latinWordKey } from '../geography/name-keys.ts';
import { component } from '../json-schema.ts';

export const SUGGESTION_KINDS = component('SuggestionKind', [
  'city',
  'neighborhood',
  'compound',
  'project',
  'developer',
] as const);
type SuggestionKind = (typeof SUGGESTION_KINDS)[number];

export interface Suggestible {
  kind: SuggestionKind;
  /** Slugs of cities. Only developers may have several. */
  cities: readonly string[];
  names: readonly string[];
  listing_count: number;
}

export interface SuggestionQuery {
  q: string;
  city?: string | undefined;
  limit: number;
}

interface Key<Entry> {
  text: string;
  entry: Entry;
  order: number;
  isWhole: boolean;
}

interface Reading {
  words: readonly string[];
  city: string | undefined;
  penalty: number;
}

type Form = keyof ReturnType<typeof formsOf>;
const FORMS: readonly Form[] = ['plain', 'loose', 'consonants'];

/** A whole name has a higher score than the beginning of one. Each deviation reduces the score. */
const WHOLE = 100;
const PREFIX = 70;
const TYPED = 20;
const DEVIATION: Readonly<Record<Form, number>> = { plain: 0, loose: 4, consonants: 25 };
const INNER_WORD = 20;
const EDITED = 22;
const OTHER_LAYOUT = 10;
const NAMED_CITY = 5;
const KIND_BONUS: Readonly<Record<SuggestionKind, number>> = {
  city: 8,
  neighborhood: 4,
  compound: 0,
  project: 0,
  developer: 0,
};
/** Score for each tenfold increase in the number of listings. */
const PER_MAGNITUDE = 2;

/** Shortest text that matches despite a typing error, and without vowels. */
const SHORTEST_EDITED = 4;
const SHORTEST_CONSONANTS = 3;
const SHORTEST_OTHER_LAYOUT = 2;

/** Finds names for suggestions as a user types. The index is immutable; a refresh builds another. */
export class PlaceIndex<Entry extends Suggestible> {
  readonly entries: readonly Entry[];
  /** Keys are sorted, so that the names with a prefix are adjacent. */
  readonly #keys: Readonly<Record<Form, readonly Key<Entry>[]>>;
  readonly #cities = new Map<string, string>();

  constructor(entries: readonly Entry[]) {
    this.entries = entries;
    const keys: Record<Form, Key<Entry>[]> = { plain: [], loose: [], consonants: [] };
    for (const [order, entry] of entries.entries()) {
      const seen = new Set<string>();
      for (const name of entry.names) {
        const words = significantWords(name);
        for (let from = 0; from < words.length; from += 1) {
          const forms = formsOf(words.slice(from));
          for (const form of FORMS) {
            const text = forms[form];
            const id = `${form} ${text}`;
            if (text === '' || seen.has(id)) continue;
            seen.add(id);
            keys[form].push({ text, entry, order, isWhole: from === 0 });
            const [city] = entry.cities;
            if (entry.kind === 'city' && from === 0 && form !== 'consonants' && city !== undefined)
              this.#cities.set(text, city);
          }
        }
      }
    }
    for (const form of FORMS) keys[form].sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
    this.#keys = keys;
  }

  suggest({ q, city, limit }: SuggestionQuery): Entry[] {
    const readings = readingsOf(q).flatMap(({ words, penalty }) => [
      { words, city, penalty },
      ...[...this.#withoutCity(words)]
        .filter(({ slug }) => city === undefined || city === slug)
        .map(({ rest, slug }) => ({ words: rest, city: slug, penalty: penalty - NAMED_CITY })),
    ]);
    const scores = new Map<number, number>();
    for (const reading of readings) this.#match(reading, false, scores);
    // If a whole name matches, no typing error is assumed.
    const isWhole = [...scores.values()].some((score) => score >= WHOLE);
    if (scores.size < limit && !isWhole) for (const reading of readings) this.#match(reading, true, scores);
    return [...scores]
      .toSorted(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b)
      .slice(0, limit)
      .map(([order]) => this.entries[order] as Entry);
  }

  /** Yields the remaining words and the city if the words begin or end with its name. */
  *#withoutCity(words: readonly string[]): Generator<{ rest: readonly string[]; slug: string }> {
    for (const length of [1, 2]) {
      if (words.length <= length) return;
      for (const [named, rest] of [
        [words.slice(-length), words.slice(0, -length)],
        [words.slice(0, length), words.slice(length)],
      ] as const) {
        const { plain, loose } = formsOf(named);
        const slug = this.#cities.get(plain) ?? this.#cities.get(loose);
        if (slug !== undefined) yield { rest, slug };
      }
    }
  }

  #match({ words, city, penalty }: Reading, edited: boolean, scores: Map<number, number>): void {
    const forms = formsOf(words);
    const offer = (form: Form, { text, entry, order, isWhole }: Key<Entry>, remaining: number): void => {
      if (city !== undefined && !entry.cities.includes(city)) return;
      const typed = remaining === 0 ? WHOLE : PREFIX + TYPED * (1 - remaining / text.length);
      const score =
        typed -
        penalty -
        DEVIATION[form] -
        (isWhole ? 0 : INNER_WORD) -
        (edited ? EDITED : 0) +
        KIND_BONUS[entry.kind] +
        PER_MAGNITUDE * Math.log10(1 + entry.listing_count);
      if (score > (scores.get(order) ?? 0)) scores.set(order, score);
    };
    for (const form of FORMS) {
      const given = forms[form];
      // A text of one repeated letter loses most of its letters.
      if (form === 'loose' && given.length * 2 < forms.plain.length) continue;
      if (form === 'consonants' && (edited || given.length < SHORTEST_CONSONANTS)) continue;
      const keys = this.#keys[form];
      if (!edited) {
        for (let at = firstFrom(keys, given); at < keys.length; at += 1) {
          const key = keys[at] as Key<Entry>;
          if (!key.text.startsWith(given)) break;
          offer(form, key, key.text.length - given.length);
        }
      } else if (given.length >= SHORTEST_EDITED) {
        for (const key of keys) {
          const remaining = remainingAfterEdit(given, key.text);
          if (remaining !== null) offer(form, key, remaining);
        }
      }
    }
  }
}

/** Returns the text as typed, and as the same keys on the other keyboard layout. */
function readingsOf(q: string): { words: readonly string[]; penalty: number }[] {
  const typed = withoutIgnorable(q).trim();
  const words = significantWords(typed);
  // Words such as `al` and «حي ال» can begin any name.
  if (words.length === 0 && /\p{L}/u.test(typed)) return [{ words, penalty: 0 }];
  const others = typed.length < SHORTEST_OTHER_LAYOUT ? [] : onOtherLayout(typed).map(significantWords);
  return [{ words, penalty: 0 }, ...others.map((each) => ({ words: each, penalty: OTHER_LAYOUT }))].filter(
    (reading) => reading.words.length > 0,
  );
}

function firstFrom(keys: readonly { text: string }[], text: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as { text: string }).text < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the number of characters that follow a text with exactly one typing error; null if the name does not begin
 * with the text.
 */
function remainingAfterEdit(given: string, name: string): number | null {
  if (name.length < given.length - 1) return null;
  let at = 0;
  while (at < given.length && given.charCodeAt(at) === name.charCodeAt(at)) at += 1;
  if (at === given.length) return null;
  // Most names fail at the next character, which is compared without copying.
  const continues = (from: number, to: number): boolean =>
    from >= given.length || (given.charCodeAt(from) === name.charCodeAt(to) && name.startsWith(given.slice(from), to));
  if (continues(at, at + 1)) return name.length - given.length - 1;
  const isSwapped =
    given.charCodeAt(at) === name.charCodeAt(at + 1) && given.charCodeAt(at + 1) === name.charCodeAt(at);
  if (at < name.length && (continues(at + 1, at + 1) || (isSwapped && continues(at + 2, at + 2))))
    return name.length - given.length;
  return continues(at + 1, at) ? name.length - given.length + 1 : null;
}

/** Arabic letters by the key of an English keyboard (layout Arabic 101). */
const ARABIC_BY_KEY: ReadonlyMap<string, string> = new Map(
  [
    ['q w e r t y u i o p [ ]', 'ض ص ث ق ف غ ع ه خ ح ج د'],
    ["a s d f g h j k l ; '", 'ش س ي ب ل ا ت ن م ك ط'],
    ['` z x c v b n m , . /', 'ذ ئ ء ؤ ر لا ى ة و ز ظ'],
    ['H Y N G T B', 'أ إ آ لأ لإ لآ'],
  ].flatMap(([keys = '', letters = '']) => {
    const typed = letters.split(' ');
    return keys.split(' ').map((key, at) => [key, typed[at] ?? ''] as const);
  }),
);
const KEY_BY_ARABIC: ReadonlyMap<string, string> = new Map(
  [...ARABIC_BY_KEY].map(([key, letter]) => [letter, key.toLowerCase()]),
);

/** Returns one text for Latin letters, up to two for Arabic ones, because `لا` is one key or two. */
export function onOtherLayout(text: string): string[] {
  if (!/[\u0621-\u064a]/.test(text))
    return [[...text].map((key) => ARABIC_BY_KEY.get(key) ?? ARABIC_BY_KEY.get(key.toLowerCase()) ?? key).join('')];
  const typed = (letters: readonly string[]): string =>
    letters.map((letter) => KEY_BY_ARABIC.get(letter) ?? letter).join('');
  const oneKey = typed(text.match(/ل[اأإآ]|./gsu) ?? []);
  const twoKeys = typed([...text]);
  return oneKey === twoKeys ? [oneKey] : [oneKey, twoKeys];
}

const NOISE = /^(?:al|el|an|ar|as|ash|at|ath|az|ad|adh|ul|district|hay{1,2}|neighbou?rhood|حي|الحي|ال|في|in)$/;
const MAX_CHARACTERS = 100;

const isArabic = (word: string): boolean => /[\u0621-\u064a]/.test(word);

const wordsOf = (text: string): string[] =>
  foldText(text.slice(0, MAX_CHARACTERS))
    .replace(/['’‘`ʻʼ]/g, '')
    .replace(/(?<!\p{L})عبد (?=ال)/gu, 'عبد')
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Removes the article, in Latin letters also of a sun letter (`annakheel`). */
function withoutArticle(word: string): string {
  if (isArabic(word)) return word.replace(/^(?:(?:وال|بال)(?=..)|ال(?=.))/, '');
  return word.replace(/^(?:a|e)(?:l(?=..)|(?=(sh|dh|th|[dlnrstz])\1..)(?:sh|dh|th|[dlnrstz]))/, '');
}

const significantWords = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => !NOISE.test(word))
    .map(withoutArticle);

/**
 * From the most to the least distinctive: the joined words, the same with transliterations unified, and that without
 * vowels (empty for Arabic script).
 */
function formsOf(words: readonly string[]) {
  const plain = words.join('');
  const loose = words.map((word) => (isArabic(word) ? looseArabic(word) : looseLatin(word))).join('');
  return { plain, loose, consonants: isArabic(plain) ? '' : loose.replace(/[aeiouyw]/g, '') };
}

/** Unifies final letters that are confused, doubled letters, and hamza. */
const looseArabic = (word: string): string =>
  word
    .replace(/[ءئ]/g, '')
    .replace(/(.{2})[اه]$/, '$1')
    .replace(/(.{2})يي?$/, '$1ي')
    .replace(/ض/g, 'ظ')
    .replace(/(.)\1+/g, '$1');

function looseLatin(word: string): string {
  const unified = latinWordKey(word.replace(/aw(?=[^aeiouy]|$)|au|ow(?=[^aeiouy]|$)/g, 'u').replace(/gh/g, 'g'));
  return (unified === '' ? word : unified).replace(/[qgc]/g, 'k').replace(/(.)\1+/g, '$1');
}
