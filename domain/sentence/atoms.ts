import { type Amount, amountAt } from './amounts.ts';
import { DICTIONARY } from './dictionary.ts';
import type { InterestIndex } from './interest-index.ts';
import { introductionOf, isOfOther, type Nearby } from './introductions.ts';
import { type PlaceName, placeAt } from './place-names.ts';
import type { Token } from './tokens.ts';

/** Least amount of money without a unit next to a period (`800 a month`) or to a word for price or budget. */
export const LEAST_AMOUNT_OF_PERIOD = 50;

export interface Atom {
  /** `number`, `place`, `nearby`, `unknown`, `mark`, or the tag of the dictionary. */
  tag: string;
  value: string;
  text: string;
  phrase: string;
  start: number;
  end: number;
  /** Whether the word has the Arabic prefix for "and". */
  isJoined: boolean;
  amount?: Amount;
  place?: PlaceName;
  nearby?: Nearby;
  isUsed: boolean;
}

const MARKS: Readonly<Record<string, string>> = {
  '+': 'min',
  '<': 'max',
  '>': 'min',
  '≤': 'max',
  '≥': 'min',
  '<=': 'max',
  '>=': 'min',
  '-': 'to',
  '~': 'about',
  '&': 'and',
  '/': 'or',
};

const PLACE_INTRODUCTIONS = new Set(['in', 'district', 'near', 'except', 'street']);

/** Splits a sentence into numbers, places, words of the dictionary and unknown words. */
export function atomsOf(tokens: readonly Token[], index: InterestIndex | null = null): Atom[] {
  const words = tokens.map(({ text }) => text);
  const atoms: Atom[] = [];
  let introduced = false;
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as Token;
    const isJoined = /^و(?=..)/.test(token.text);
    const add = (tag: string, length: number, more: Partial<Atom> = {}): void => {
      const { start } = token;
      const { end } = tokens[at + length - 1] as Token;
      const phrase = words.slice(at, at + length).join(' ');
      atoms.push({ tag, value: '', text: token.text, phrase, start, end, isJoined, isUsed: false, ...more });
      introduced = PLACE_INTRODUCTIONS.has(tag) || (introduced && (tag === 'stop' || tag === 'or' || tag === 'and'));
      at += length;
    };
    const isSlash = token.text === '/';
    const time = words[isSlash ? at + 1 : at] ?? '';
    const period = isSlash && time === 'm' ? 'monthly' : isSlash || isAfterMoney(atoms) ? periodOf(time) : null;
    if (period !== null && (isSlash || (namedAt(words, at)?.length ?? 1) === 1)) {
      add('period', isSlash ? 2 : 1, { value: period });
      continue;
    }
    if (token.kind === 'mark') {
      // `5+ beds`, but `4 beds + maid room`.
      const isPlus = token.text === '+' && (tokens[at - 1]?.end !== token.start || isAmenity(words, at + 1));
      add(isPlus ? 'and' : (MARKS[token.text] ?? 'mark'), 1);
      continue;
    }
    if (token.text === 'plus' && isAmenity(words, at + 1)) {
      add('and', 1);
      continue;
    }
    const named = namedAt(words, at);
    const amount = amountAt(tokens, at);
    if (amount !== null && amount.length >= (named?.length ?? 0) && !isNamedNumber(named, amount, token)) {
      add('number', amount.length, { amount });
      continue;
    }
    const place = placeOf(words, at, introduced);
    const known = index && nearbyAt(words, at, index, atoms, named?.length ?? 0, place);
    if (known) {
      add('nearby', known.length, { nearby: known });
      continue;
    }
    const isOnlyWord =
      named === null ||
      (named.value?.startsWith('landmark:') && atoms.at(-1)?.tag === 'district') ||
      named.length < (place?.length ?? 0) ||
      (introduced && named.value !== null && !isStronger(named.value));
    if (place !== null && isOnlyWord) {
      add('place', place.length, { place });
      continue;
    }
    if (named === null) {
      add('unknown', 1);
      continue;
    }
    const [tag = 'stop', value = ''] = (named.value ?? 'stop:').split(':');
    add(tag, named.length, { value });
  }
  return atoms;
}

/**
 * @param usual number of words that the dictionary has at this position, which a name must exceed
 * @param place a city takes precedence, and a neighborhood over the station that is named after it
 */
function nearbyAt(
  words: readonly string[],
  at: number,
  index: InterestIndex,
  atoms: readonly Atom[],
  usual: number,
  place: PlaceName | null,
): (Nearby & { length: number }) | null {
  const named = index.namedAt(words, at);
  const isUsual = (): boolean => {
    const isNeighborhood = place?.city !== null || named?.places.some(({ kind }) => kind === 'metro_station');
    return named !== null && named.length <= Math.max(usual, place !== null && isNeighborhood ? place.length : 0);
  };
  if (named === null || (!named.isKind && isUsual())) return null;
  const placeBehind = (behind: number): PlaceName | null => placeOf(words, behind, true);
  const isOther = isOfOther(words, at, named, {
    isUnknown: (behind) => namedAt(words, behind) === null && placeBehind(behind) === null,
    isPlace: (behind) => placeBehind(behind)?.city === null,
  });
  const introduction = isOther ? null : introductionOf(atoms, !named.isKind);
  if (introduction === null) return null;
  // `KAFD station`.
  const behind = named.isKind ? null : index.namedAt(words, at + named.length);
  return { named, introduction, length: named.length + (behind?.isKind ? behind.length : 0) };
}

/** The phrase may have the prefix for "and": `وما يتجاوز`. */
function namedAt(words: readonly string[], at: number): ReturnType<typeof DICTIONARY.nameAt> {
  const word = words[at] as string;
  const whole = DICTIONARY.nameAt(words, at);
  const bare = /^و../.test(word) ? DICTIONARY.nameAt(words.with(at, word.slice(1)), at) : null;
  return (bare?.length ?? 0) > (whole?.length ?? 0) ? bare : whole;
}

const isAmenity = (words: readonly string[], at: number): boolean =>
  at < words.length && DICTIONARY.nameAt(words, at)?.value?.startsWith('amenity') === true;

/** Returns whether money precedes: `1500 month`, but not `3 month`. */
function isAfterMoney(atoms: readonly Atom[]): boolean {
  const last = atoms.at(-1);
  const amount = last?.value === 'sar' ? atoms.at(-2)?.amount : last?.amount;
  return amount !== undefined && amount.value >= LEAST_AMOUNT_OF_PERIOD && !isYear(amount);
}

function periodOf(word: string): string | null {
  for (const phrase of [['per', word], ['كل', word], [`بال${word.replace(/^(?:ال|لل)/, '')}`]]) {
    const [tag, value = ''] = DICTIONARY.nameAt(phrase, 0)?.value?.split(':') ?? [];
    if (tag === 'period') return value;
  }
  return null;
}

/** The word `one` alone is a filler, and a dual (غرفتين) is a unit. */
function isNamedNumber(named: { value: string | null; length: number } | null, amount: Amount, token: Token): boolean {
  return (
    named !== null &&
    (named.length > amount.length || (named.value === 'stop:' && amount.value === 1 && token.kind === 'word'))
  );
}

function isStronger(value: string): boolean {
  return /^(?:stop|in|district|near|street|or|and|except|neg|to|max|min|about|between|unit|purpose|period|landmark|amenity:garden)/.test(
    value,
  );
}

/** Returns the place at a word, with or without an Arabic prefix for "in", "and" or "to". */
function placeOf(words: readonly string[], at: number, introduced: boolean): PlaceName | null {
  const found = placeAt(words, at, introduced);
  // `khobar 2br`: the number belongs to the unit.
  const last = at + (found?.length ?? 0) - 1;
  if (
    found !== null &&
    /^\d+$/.test(words[last] ?? '') &&
    DICTIONARY.nameAt(words, last + 1)?.value?.startsWith('unit')
  )
    return placeOf(words.slice(0, last), at, introduced);
  if (found !== null) return found;
  const word = words[at] as string;
  const bare = word.replace(/^(?:و?ب|ل|و|ف)(?=ال)|^(?:وب|[بلو])(?=..)/, '').replace(/^لل(?=..)/, 'ال');
  return bare === word ? null : placeAt([...words.slice(0, at), bare, ...words.slice(at + 1)], at, true);
}

/** Returns whether a number is a year of either calendar. A multiple of 50 is read as a price. */
export function isYear({ value, scale }: Amount): boolean {
  return scale === 1 && value % 50 !== 0 && ((value > 1_950 && value < 2_050) || (value > 1_400 && value < 1_450));
}
