import { isLatin } from '../fold.ts';
import { neighborhoodsOf } from '../geography/gazetteer.ts';
import { DIRECTIONS, type LatLng, type Neighborhood } from '../geography/places.ts';
import { RADIUS_M } from '../geography/shapes.ts';
import {
  PAYMENTS_PER_YEAR,
  PROPERTY_TYPE_TABLE,
  type PropertyType,
  type RentFrequency,
} from '../listing-vocabulary.ts';
import { type Amount, amountAt } from './amounts.ts';
import { DICTIONARY } from './dictionary.ts';
import { isPlaceWord, type PlaceName, placeAt } from './places.ts';
import { correctSpelling } from './spelling.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Words with their range in UTF-16 code units: `start` inclusive, `end` exclusive. */
interface Words {
  words: string;
  start: number;
  end: number;
}

interface Understood extends Words {
  parameter: string;
  value: string;
}

interface PlaceReading extends Words {
  city: string;
  neighborhood_id: number;
  name_en: string;
  name_ar: string;
}

export interface ParsedSentence {
  /** Filters in the notation of a URL of `/listings`. */
  filters: Readonly<Record<string, string>>;
  sort: string | null;
  understood: Understood[];
  not_understood: Words[];
  alternatives: PlaceReading[];
}

export interface SentenceContext {
  /** Number of listings. It decides between cities that have a neighborhood of the same name. */
  listingsOf(neighborhoodId: number): number;
  centerOf?(neighborhoodId: number): LatLng | null;
}

/** Share of the listings under an ambiguous name that one city must have to be selected. */
const DOMINANT_SHARE = 0.9;
/** Relative width of the range for numbers after "around", and for areas without "at least" or "at most". */
const BAND = 0.1;
/** Least number that is read as an amount of money without a unit. */
const LEAST_AMOUNT = 1_000;
/** The same next to a period (`800 a month`) or to a word for price or budget. */
const LEAST_AMOUNT_OF_PERIOD = 50;
const LIST_PARAMETERS = new Set([
  'property_type',
  'beds',
  'bathrooms',
  'neighborhood_id',
  'neighborhood_id_exclude',
  'direction_id',
  'amenities',
  'amenities_exclude',
  'floor',
  'rent_frequency',
  'advertiser_type',
]);

interface Atom {
  /** `number`, `place`, `unknown`, `mark`, or the tag of the dictionary. */
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

/**
 * Folded words for landmarks, after correction of the spelling. In Arabic they precede the name of their place, in
 * English they follow it.
 */
const LANDMARKS_AR =
  /^(?:ب|ال|بال|ل)?(?:مركز|حديقه|بوابه|برج|ابراج|مستشفي|ملعب|استاد|منتزه|بوليفارد|واجهه|محطه|مطار|جامع)$/;
const LANDMARKS_EN =
  /^(?:park|gated?|towers?|hospital|stadium|boulevard|front|mall|station|airport|mosque|museum|square)$/;

const PLACE_INTRODUCTIONS = new Set(['in', 'district', 'near', 'except', 'street']);

/**
 * Reads a search in Arabic, English or both, by rules and word lists. Unclear words are returned, not guessed. `GET
 * /listings/parse` documents the result.
 */
export function parseSentence(sentence: string, context: SentenceContext): ParsedSentence {
  const reader = new Reader(sentence, atomsOf(correctSpelling(tokensOf(sentence))));
  reader.readNumbers();
  reader.readWords();
  const alternatives = reader.readPlaces(context);
  reader.readPeriods();
  return {
    filters: reader.filters(),
    sort: reader.sort,
    understood: reader.understood.toSorted((a, b) => a.start - b.start || a.end - b.end),
    not_understood: reader.rest(),
    alternatives,
  };
}

function atomsOf(tokens: readonly Token[]): Atom[] {
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

type Bound = 'max' | 'min' | 'about' | null;

/** Numbers with a unit, stated by atoms `first` to `last`. */
interface Quantity {
  numbers: Amount[];
  isRange: boolean;
  bound: Bound;
  label: string;
  unit: string;
  first: number;
  last: number;
  at: number;
}

interface Mention {
  at: number;
  first: number;
  mode: 'in' | 'near' | 'except';
  radius: number;
  names: readonly Neighborhood[];
}

class Reader {
  readonly #sentence: string;
  readonly #atoms: readonly Atom[];
  readonly #values = new Map<string, string[]>();
  readonly understood: Understood[] = [];
  sort: string | null = null;
  #previous: Quantity | null = null;
  #pricePeriod: Atom | null = null;

  constructor(sentence: string, atoms: readonly Atom[]) {
    this.#sentence = sentence;
    this.#atoms = atoms;
  }

  filters(): Record<string, string> {
    return Object.fromEntries([...this.#values].map(([name, values]) => [name, values.join(',')]));
  }

  #tag(index: number): string {
    return this.#atoms[index]?.tag ?? '';
  }

  #textOf(index: number): string {
    return this.#atoms[index]?.text ?? '';
  }

  #wordsOf(first: number, last: number): Words {
    const start = this.#atoms[first]?.start ?? 0;
    const end = this.#atoms[last]?.end ?? start;
    return { words: this.#sentence.slice(start, end), start, end };
  }

  /**
   * Sets a filter that atoms `first` to `last` state. Returns false if the filter takes one value and already has
   * another.
   */
  #set(parameter: string, value: string, first: number, last = first): boolean {
    const values = this.#values.get(parameter) ?? [];
    if (!values.includes(value)) {
      if (values.length > 0 && !LIST_PARAMETERS.has(parameter)) return false;
      this.#values.set(parameter, [...values, value]);
    }
    this.#use(first, last);
    this.understood.push({ parameter, value, ...this.#wordsOf(first, last) });
    return true;
  }

  #use(first: number, last = first): void {
    for (const atom of this.#atoms.slice(first, last + 1)) atom.isUsed = true;
  }

  /** Returns the index of the next atom in the direction of `step`, without fillers; -1 at a mark or the end. */
  #next(at: number, step: 1 | -1 = 1): number {
    for (let index = at + step; ; index += step) {
      const atom = this.#atoms[index];
      if (atom === undefined || atom.tag === 'mark') return -1;
      if (atom.tag !== 'stop') return index;
    }
  }

  /** Yields up to `most` atoms, each with its index, without fillers and up to a mark. */
  *#nextTo(at: number, step: 1 | -1, most: number): Generator<[number, Atom]> {
    let index = this.#next(at, step);
    for (let count = 0; index >= 0 && count < most; count += 1) {
      yield [index, this.#atoms[index] as Atom];
      index = this.#next(index, step);
    }
  }

  readNumbers(): void {
    for (let at = 0; at < this.#atoms.length; at += 1) {
      const atom = this.#atoms[at] as Atom;
      if (atom.isUsed) continue;
      if (atom.amount) at = this.#readNumber(at, atom.amount);
      else if (isDual(atom)) this.#readDual(at);
    }
    for (const [at, { tag, isUsed }] of this.#atoms.entries()) if (tag === 'unit' && !isUsed) this.#readSingle(at);
  }

  /** @returns the index of the last atom read */
  #readNumber(at: number, number: Amount): number {
    const quantity = this.#numbersAt(at, number);
    this.#readBefore(quantity);
    const lastNumber = quantity.last;
    const high = quantity.numbers.at(-1) as Amount;
    for (const [index, atom] of this.#nextTo(lastNumber, 1, 4)) {
      const { tag, value, text } = atom;
      const { unit, bound, label } = quantity;
      if (tag === 'unit' && !isDual(atom)) {
        // A second unit belongs to another quantity, except "per square meter" after an amount.
        if (unit !== '' && !(unit === 'sar' && (value === 'sar' || value === 'persqm'))) break;
        if (!canHave(value, quantity.numbers)) break;
        quantity.unit = value === 'persqm' ? 'persqm' : unit || value;
      } else if (tag === 'label' && value === 'age' && (unit === 'years' || (unit === '' && high.value < 100)))
        quantity.label = 'age';
      else if ((tag === 'max' || tag === 'min') && bound === null && this.#comparesBefore(index)) quantity.bound = tag;
      else if (tag === 'about' && bound === null && /^(?:تقريبا|approximately|approx|roughly)$/.test(text))
        quantity.bound = 'about';
      else if (tag === 'period' && label !== 'age' && unit !== 'years') {
        // `60k a year max`: the period itself is read later.
        const behind = this.#next(index);
        const comparison = this.#tag(behind);
        if (bound === null && (comparison === 'max' || comparison === 'min') && this.#comparesBefore(behind)) {
          quantity.bound = comparison;
          this.#use(behind);
        }
        break;
      } else if (tag === 'or' && ['max', 'min'].includes(this.#tag(index + 1))) continue;
      else break;
      quantity.last = index;
    }
    // `ثلاث غرف أو أربع`.
    const { isRange, bound, unit, last } = quantity;
    const alternative = this.#tag(last + 1) === 'or' ? this.#atoms[last + 2]?.amount : undefined;
    if (
      !isRange &&
      bound === null &&
      /^(?:rooms|baths)$/.test(unit) &&
      alternative &&
      alternative.value < 50 &&
      !['unit', 'label'].includes(this.#tag(last + 3))
    ) {
      quantity.numbers.push(alternative);
      quantity.last += 2;
    }
    this.#setQuantity(quantity);
    return quantity.last;
  }

  /** Reads one number or several: `3 or 4`, `40 to 60 thousand`. */
  #numbersAt(at: number, number: Amount): Quantity {
    const numbers = [number];
    let last = at;
    let isRange = false;
    const isBetween = this.#tag(this.#next(at, -1)) === 'between';
    // `50 sqm to 90 sqm`.
    const [unit, to, end, endUnit] = this.#atoms.slice(at + 1, at + 5);
    const isTo =
      to?.tag === 'to' || /^(?:up to|upto|حتي|لحد)$/.test(to?.phrase ?? '') || (isBetween && to?.tag === 'and');
    if (unit?.tag === 'unit' && isTo && end?.amount && endUnit?.tag === 'unit' && endUnit.value === unit.value) {
      numbers.push(end.amount);
      last += 3;
      isRange = true;
    }
    while (!isRange) {
      const separator = this.#atoms[last + 1];
      // `بين 40 و60`: "and" is a prefix of the number.
      const isDirect = isBetween && separator?.amount !== undefined && numbers.length === 1;
      const amount = isDirect ? separator.amount : this.#atoms[last + 2]?.amount;
      if (separator === undefined || amount === undefined) break;
      const { tag, text } = separator;
      isRange = isDirect || tag === 'to' || (isBetween && tag === 'and');
      const isCount = canHave('rooms', [...numbers, amount]);
      if (!isRange && !(tag === 'or' || (isCount && (tag === 'and' || text === ',' || text === '،')))) break;
      numbers.push(amount);
      last += isDirect ? 1 : 2;
    }
    // `40 إلى 60 ألف`: the first number takes the multiplier of the second.
    const high = numbers.at(-1) as Amount;
    if (isRange && number.scale === 1 && high.scale > 1 && number.value < 1_000)
      number.value *= [high.scale, 1_000].find((scale) => number.value * scale <= high.value) ?? 1;
    return { numbers, isRange, bound: null, label: '', unit: '', first: at, last, at };
  }

  #readBefore(quantity: Quantity): void {
    const { numbers, at, last } = quantity;
    for (const [index, { tag, value, text, isUsed }] of this.#nextTo(at, -1, 4)) {
      if (isUsed) break;
      if (tag === 'max' || tag === 'min') {
        // `nothing above 70k`.
        const isNegated = this.#tag(this.#next(index, -1)) === 'neg';
        quantity.bound ??= isNegated ? (tag === 'max' ? 'min' : 'max') : tag;
      } else if (tag === 'about') quantity.bound ??= tag;
      else if (
        tag === 'unit' &&
        COUNTED.test(value) &&
        quantity.unit === '' &&
        this.#tag(this.#next(last)) !== 'unit' &&
        numbers.every((each) => each.value < 50)
      )
        quantity.unit = value;
      else if (tag === 'label') quantity.label ||= value;
      else if (tag === 'near') {
        // Words for "near" are fillers only if they also mean "from" or "around".
        if (text.startsWith('حول')) quantity.bound ??= 'about';
        if (!/^(?:from|من|حول|حوالين)$/.test(text)) break;
      } else if (tag === 'unit' && (value === 'persqm' || (value === 'sqm' && text === 'المتر')))
        quantity.label ||= 'persqm';
      else if (tag === 'unit' && value === 'sar') quantity.unit ||= value;
      // Other words are fillers: `from 3 to 5`, `in 60k`.
      else if (tag !== 'between' && tag !== 'in' && tag !== 'to') break;
      quantity.first = index;
    }
  }

  /**
   * Returns whether a phrase that can also precede a number (`at least`) belongs to the number directly behind it: `2
   * bedrooms at least 100 m2`.
   */
  #comparesBefore(at: number): boolean {
    const { text, phrase } = this.#atoms[at] as Atom;
    if (!isBehind(text) || / (?:من|عن|than|of)$/.test(phrase)) return false;
    if (/^(?:\+|plus|or|and|as|tops|او|upwards|[وف](?=..).*)$/.test(text)) return true;
    let behind = this.#next(at);
    while (this.#tag(behind) === 'label' || this.#atoms[behind]?.value === 'sar') behind = this.#next(behind);
    const following = this.#atoms[behind];
    return following?.amount === undefined && !(following && isDual(following));
  }

  #setQuantity(quantity: Quantity): void {
    const { numbers, bound, last, at } = quantity;
    // `لا تقل عن 100 متر ولا تزيد عن 200`: the second number has the unit of the first.
    const previous = this.#previous;
    const isOther = bound !== null && previous !== null && previous.bound !== null && bound !== previous.bound;
    const [low, high] = [numbers[0] as Amount, numbers.at(-1) as Amount];
    if (
      quantity.unit === '' &&
      quantity.label === '' &&
      isOther &&
      canHave(previous.unit, numbers) &&
      (previous.unit !== 'sqm' || high.scale === previous.numbers.at(-1)?.scale) &&
      this.#isNext(previous.last, quantity.first)
    )
      ({ unit: quantity.unit, label: quantity.label } = previous);
    this.#previous = { ...quantity };
    const { label } = quantity;
    const isPriced = (label === 'price' || label === 'budget') && high.value >= LEAST_AMOUNT_OF_PERIOD;
    const isMoney = low.scale > 1 || high.scale > 1 || quantity.unit === 'sar' || isPriced;
    // Prices per square meter, other currencies, the income of a building and heights are never filters.
    if (/^(?:persqm|dollars)$/.test(quantity.unit) || /^(?:persqm|income|dimension)$/.test(label)) return;
    if (!isMoney && quantity.unit === '' && this.#isNoQuantity(quantity)) return;
    if (quantity.unit === '' && !isMoney) {
      // `غرف: 3`.
      const before = this.#tag(quantity.first - 1) === 'mark' ? quantity.first - 2 : this.#next(quantity.first, -1);
      const named = this.#atoms[before];
      if (named?.tag === 'unit' && !named.isUsed && COUNTED.test(named.value) && high.value < 50) {
        quantity.unit = named.value;
        quantity.first = before;
      }
    }
    const { unit, first } = quantity;
    if (unit === 'rooms') this.#setCount('beds', quantity);
    else if (unit === 'baths') this.#setCount('bathrooms', quantity);
    else if (unit === 'livings') {
      // There is no filter for a maximum.
      if (bound === 'max') return;
      this.#set('livings_min', String(low.value + (bound === 'min' ? this.#excluded(first) : 0)), first, last);
    } else if (unit === 'sqm' && this.#isStreetNumber(at, last)) return;
    else if (unit === 'sqm' || label === 'area') this.#setRange('area', quantity, 'about', 1);
    else if ((label === 'age' || unit === 'years') && !isMoney && high.value < 100) {
      if (bound !== 'min' && (label === 'age' || bound === 'max'))
        this.#set('max_age', String(high.value), first, last);
    } else if (unit === 'km' || unit === 'minutes' || (!isMoney && this.#isStreetNumber(at, last))) return;
    else if (
      isMoney ||
      (unit === '' && high.value >= (this.#hasPeriod(first, last) ? LEAST_AMOUNT_OF_PERIOD : LEAST_AMOUNT))
    ) {
      const period = this.#periodOfPrice(last);
      this.#setRange('price', quantity, 'max', period ? PAYMENTS_PER_YEAR[period.value as RentFrequency] : 1);
    }
  }

  /** Returns whether a number is a name (`license 7200`, `plan no. 3020`) or a year (`built after 2020`). */
  #isNoQuantity({ numbers, label, first, last }: Quantity): boolean {
    if (label === 'reference') return true;
    const isDate = label === 'year' && numbers.every(({ value }) => value >= 1_300 && value <= 2_100);
    return isDate || (label !== 'area' && numbers.every(isYear) && !this.#hasPeriod(first, last));
  }

  /** Returns 1 if the comparison excludes its number (`more than 3 rooms` means at least 4), otherwise 0. */
  #excluded(first: number): 0 | 1 {
    const words = `${this.#atoms[first]?.phrase} ${this.#atoms[first + 1]?.phrase}`;
    return /^(?:(?:ب|ل)?(?:اكثر|اقل) من|more than|less than|over|above|under|below|fewer than|فوق|تحت)/.test(words)
      ? 1
      : 0;
  }

  #isNext(last: number, first: number): boolean {
    const next = this.#next(last);
    return next === first || (this.#tag(next) === 'and' && this.#next(next) === first);
  }

  /** Returns whether a number is the name or width of a street: `شارع 30`, `شارع عرض 20 متر`, `20 meter street`. */
  #isStreetNumber(at: number, last: number): boolean {
    const before = this.#next(at, -1);
    const isWidth = /^(?:ب?عرض(?:ه)?|width|wide)$/.test(this.#textOf(before));
    const behind = this.#next(last);
    const text = this.#textOf(behind);
    const isEnglishStreet = this.#tag(behind) === 'street' && isLatin(text);
    return isWidth || text === 'wide' || this.#tag(before) === 'street' || isEnglishStreet;
  }

  /** Returns whether a period is stated: `800 a month`, `يومي ب 500`. */
  #hasPeriod(first: number, last: number): boolean {
    let before = this.#next(first, -1);
    if (this.#tag(before) === 'in') before = this.#next(before, -1);
    return this.#tag(this.#next(last)) === 'period' || this.#tag(before) === 'period';
  }

  #periodOfPrice(last: number): Atom | null {
    const behind = this.#atoms[this.#next(last)];
    const first = this.#atoms.find(({ tag }) => tag === 'period') ?? null;
    this.#pricePeriod ??= behind?.tag === 'period' ? behind : first;
    return this.#pricePeriod;
  }

  /** @param unstated the comparison if the sentence states none */
  #setRange(name: 'price' | 'area', quantity: Quantity, unstated: 'max' | 'about', factor: number): void {
    const { numbers, isRange, bound, first, last } = quantity;
    const text = (value: number): string => String(Math.round(value * factor * 100) / 100);
    const [low, high] = [(numbers[0] as Amount).value, (numbers.at(-1) as Amount).value];
    const compared = bound ?? unstated;
    if (isRange) this.#setBounds(name, text(Math.min(low, high)), text(Math.max(low, high)), quantity);
    else if (compared === 'about') this.#setBounds(name, text(low * (1 - BAND)), text(low * (1 + BAND)), quantity);
    else this.#set(`${name}_${compared}`, text(high), first, last);
  }

  #setCount(name: 'beds' | 'bathrooms', quantity: Quantity): void {
    const { numbers, isRange, bound, first, last } = quantity;
    const values = numbers.map(({ value }) => value);
    if (values.some((value) => !Number.isInteger(value) || value > 100)) return;
    const [low, high] = [Math.min(...values), Math.max(...values)];
    if (isRange) this.#setBounds(name, String(low), String(high), quantity);
    else if (bound === 'min') this.#set(`${name}_min`, String(high + this.#excluded(first)), first, last);
    else if (bound === 'max') this.#set(`${name}_max`, String(high - this.#excluded(first)), first, last);
    else for (const value of values) this.#set(name, String(value), first, last);
  }

  #setBounds(name: string, min: string, max: string, { first, last }: Quantity): void {
    this.#set(`${name}_min`, min, first, last);
    this.#set(`${name}_max`, max, first, last);
  }

  #readDual(at: number): void {
    const unit = (this.#atoms[at] as Atom).value.slice(0, -1);
    const numbers: Amount[] = [{ value: 2, scale: 1, length: 1 }];
    const quantity: Quantity = { numbers, isRange: false, bound: null, label: '', unit, first: at, last: at, at };
    for (const [index, { tag, value, isUsed }] of this.#nextTo(at, -1, 3)) {
      if (isUsed) break;
      if (tag === 'max' || tag === 'min') quantity.bound ??= tag;
      else if (tag === 'label') quantity.label ||= value;
      else break;
      quantity.first = index;
    }
    const [separator, following, unitBehind] = this.#atoms.slice(at + 1, at + 4);
    const other = following?.amount;
    const after = this.#next(at);
    const comparison = this.#tag(after);
    if (comparison === 'label' && this.#atoms[after]?.value === 'age') quantity.label ||= 'age';
    if (separator?.tag === 'to' && other && unitBehind?.value === unit) {
      // `من غرفتين إلى أربع غرف`.
      numbers.push(other);
      Object.assign(quantity, { isRange: true, bound: null, last: at + 3 });
    } else if (quantity.bound === null) {
      if (separator?.tag === 'or' && other && other.value < 50 && unitBehind?.tag !== 'unit') {
        // `غرفتين أو ثلاث`.
        numbers.push(other);
        quantity.last = at + 2;
      } else if ((comparison === 'min' || comparison === 'max') && this.#comparesBefore(after)) {
        quantity.bound = comparison;
        quantity.last = after;
      }
    }
    this.#setQuantity(quantity);
  }

  /** Reads a word without a number: `شقة غرفة وصالة` means one of each. A room without a type is a property type. */
  #readSingle(at: number): void {
    const { value, text } = this.#atoms[at] as Atom;
    // The unit of a number that sets no filter, such as a maximum of living rooms.
    const before = this.#atoms[this.#next(at, -1)];
    if ((before?.amount && !before.isUsed) || before?.tag === 'neg') return;
    const hasType = this.#atoms.some(({ tag }) => tag === 'type');
    const isOne = /^(?:و|ب|وب)?(?:ال)?(?:غرفه|صاله|room|bedroom|bedrm|bdrm|living|hall|gh[ou]rfah?|salah?)$/.test(text);
    if (value === 'rooms' && isOne) {
      const shared = this.#sharedHome(at);
      if (shared >= 0) this.#set('property_type', 'room', at, shared);
      else if (hasType || this.#atoms.some((atom) => atom.tag === 'unit' && atom.value.startsWith('livings')))
        this.#set('beds', '1', at);
      else this.#set('property_type', 'room', at);
    } else if (value === 'rooms' && !hasType && /^(?:غرف|rooms)$/.test(text)) this.#set('property_type', 'room', at);
    else if (value === 'baths' && /^(?:واحده?|وحده|one)$/.test(this.#textOf(at + 1)))
      this.#set('bathrooms', '1', at, at + 1);
    else if (value === 'livings' && (isOne || /living|معيشه/.test(this.#wordsOf(at, at).words)))
      this.#set('livings_min', '1', at);
  }

  /** Returns the home that a room is in (`room in a shared apartment`); -1 if there is none. */
  #sharedHome(at: number): number {
    const within = this.#next(at);
    const isIn = this.#tag(within) === 'in' && !this.#atoms[within]?.phrase.endsWith('داخل');
    const home = [...this.#nextTo(within, 1, 2)].find(([, { tag }]) => tag === 'type');
    const isDirect = home !== undefined && [within + 1, within + 2, within + 3].includes(home[0]);
    return isIn && isDirect ? home[0] : -1;
  }

  readWords(): void {
    let negated = false;
    // If a word was taken, the negation reaches only what "and" or "or" joins: `no basement villa`.
    let isTaken = false;
    // `farm with a house`.
    let isContent = false;
    for (const [at, { tag, value, text, phrase, isUsed, isJoined }] of this.#atoms.entries()) {
      if (tag === 'stop') continue;
      if (tag === 'neg' || tag === 'except' || tag === 'or' || tag === 'and') {
        // `with` and `فيها` end a negation; `and` continues it.
        const isAnd = tag === 'and' && /^(?:و|and|&|\+|plus|w|wa)$/.test(text);
        negated = tag === 'neg' || tag === 'except' || (negated && (tag === 'or' || isAnd));
        isContent = tag === 'and' && (isContent || !isAnd);
        isTaken = false;
        continue;
      }
      if (tag === 'mark') isContent = false;
      const first = negated ? this.#negatorBefore(at) : at;
      const isNear = this.#isNear(at);
      if (!isUsed && tag === 'amenity' && isNear) continue;
      if (!isUsed && (tag === 'amenity' || (tag === 'type' && !isNear && this.#isAmenityHere(at)))) {
        const amenity = tag === 'amenity' ? value : (TYPE_AS_AMENITY[value] ?? value);
        this.#set(negated ? 'amenities_exclude' : 'amenities', amenity, first, at);
        isTaken = true;
        continue;
      }
      const isNegated = negated && (!isTaken || isJoined);
      negated = false;
      isTaken = false;
      if (isUsed) continue;
      if (tag === 'purpose') this.#set('listing_type', value, at);
      else if (tag === 'furnished' && this.#isEither(at, isNegated)) this.#use(at);
      else if (tag === 'furnished' || tag === 'verified')
        this.#set(tag, isNegated ? String(value !== 'true') : value, first, at);
      else if (tag === 'compound') this.#set('in_compound', isNegated ? 'false' : value, first, at);
      else if (isNegated) continue;
      else if (tag === 'type') {
        if (!this.#isSurrounding(at) && !(isContent && this.#hasOtherType(at, value)))
          this.#set('property_type', value, at);
      } else if (tag === 'advertiser') this.#set('advertiser_type', value, at);
      else if (tag === 'category') {
        if (this.#refinesType(at, value)) this.#use(at);
        else this.#set('listing_category', value, at);
      } else if (tag === 'floor') {
        this.#set('floor', value, at);
        // `دور أرضي` is a property type if the sentence states no other.
        if (/^(?:(?:ال)?دور|dor) /.test(phrase) && !this.#atoms.some((each) => each.tag === 'type'))
          this.#set('property_type', 'floor', at);
      } else if (tag === 'age' && !this.#isOfOther(at)) this.#set('max_age', '1', at);
      else if (tag === 'sort' && this.sort === null) {
        this.sort = value;
        this.#use(at);
        this.understood.push({ parameter: 'sort', value, ...this.#wordsOf(at, at) });
      }
    }
  }

  /** Returns whether both values are stated: `furnished or unfurnished`. */
  #isEither(at: number, isNegated: boolean): boolean {
    const { tag, value } = this.#atoms[at] as Atom;
    const others = [this.#next(at, -1), this.#next(at)]
      .filter((next) => this.#tag(next) === 'or')
      .flatMap((or) => [this.#atoms[or - 1], this.#atoms[or + 1]]);
    return !isNegated && others.some((other) => other?.tag === tag && other.value !== value);
  }

  /** Returns whether a word describes someone else: `a new employee`, `لموظفة جديدة`. */
  #isOfOther(at: number): boolean {
    return this.#tag(isLatin(this.#textOf(at)) ? at + 1 : at - 1) === 'unknown';
  }

  #isNear(at: number): boolean {
    const before = this.#next(at, -1);
    return this.#tag(before) === 'near' && !/^(?:from|من)$/.test(this.#textOf(before));
  }

  /** Returns whether a type is only the surroundings or a part: `near a mall`, `شقة في عمارة`, `فيلا دورين`. */
  #isSurrounding(at: number): boolean {
    const { value, text, isJoined } = this.#atoms[at] as Atom;
    if (this.#isNear(at)) return true;
    const before = this.#next(at, -1);
    const tag = this.#tag(before);
    const hasType = this.#hasOtherType(at, value);
    if (tag === 'in') return hasType;
    // `building with 12 apartments`, `شقة رقم 12 عمارة 5`.
    const isCounted = [at - 1, at + 1].some((next) => this.#atoms[next]?.amount && !this.#atoms[next].isUsed);
    if (hasType && isCounted) return true;
    if (!hasType || value !== 'floor') return false;
    // `شقة بالدور ٢`; `شقة أو دور` are two types.
    return /^ب?ال/.test(text) || (!isJoined && before >= 0 && tag !== 'or' && tag !== 'and' && tag !== 'type');
  }

  #hasOtherType(at: number, type: string): boolean {
    return this.#atoms.slice(0, at).some(({ tag, value }) => tag === 'type' && value !== type);
  }

  #negatorBefore(at: number): number {
    const before = this.#atoms.slice(0, at).findLastIndex(({ tag }) => !['stop', 'or', 'and', 'amenity'].includes(tag));
    return this.#tag(before) === 'neg' ? before : at;
  }

  #isAmenityHere(at: number): boolean {
    const { value } = this.#atoms[at] as Atom;
    if (TYPE_AS_AMENITY[value] === undefined) return false;
    const { words } = this.#wordsOf(at, at);
    if (value === 'apartment' && !/ملحق/.test(words)) return false;
    if (value === 'room' && !/سائق|driver/i.test(words)) return false;
    return this.#hasOtherType(at, value);
  }

  /** Returns whether a word refines an earlier type: `عمارة ... تجارية`. */
  #refinesType(at: number, category: string): boolean {
    const near = [this.#next(at, -1), this.#next(at)].find((index) => this.#tag(index) === 'type') ?? -1;
    return PROPERTY_TYPE_TABLE[this.#atoms[near]?.value as PropertyType]?.category === category;
  }

  /** @returns places that an ambiguous name may also mean */
  readPlaces(context: SentenceContext): PlaceReading[] {
    const mentions: Mention[] = [];
    const cities: { slug: string; at: number; isIn: boolean }[] = [];
    const nothing = {
      mode: 'in' as Mention['mode'],
      isStreet: false,
      isDistrict: false,
      first: -1,
      radius: RADIUS_M.default as number,
    };
    let read = nothing;
    for (let at = 0; at < this.#atoms.length; at += 1) {
      const { tag, text, place, amount, isUsed } = this.#atoms[at] as Atom;
      if (isUsed) {
        read = nothing;
        continue;
      }
      const next = this.#next(at);
      const first = read.first < 0 ? at : read.first;
      if (place) {
        const { city, neighborhoods } = place;
        const { mode, radius } = read;
        const behind = this.#tag(at + 1);
        const isAfterMention = mode !== 'in' && mentions.some((mention) => mention.mode === mode);
        // `Al Olaya district`. In Arabic, the word precedes the name.
        const isSuffix = behind === 'district' && isLatin(this.#textOf(at + 1));
        // `أحياء بالرياض`: the prefix means "in".
        const isIn = /^و?بال/.test(text) || (/^ب/.test(text) && isPlaceWord(text.slice(1)));
        const isDistrict = read.isDistrict && !isIn;
        // `near Riyadh` is the city, unless the words say district, or name another city, which has one of this name.
        const isCity =
          mode === 'near' &&
          !/(?<!\p{L})(?:ال)?حي(?!\p{L})|district/iu.test(this.#wordsOf(at, at).words) &&
          !this.#atoms.some((other) => other.place?.city && other.place.city !== city);
        if (neighborhoods.length > 0 && this.#isOfLandmark(at)) read = nothing;
        else if ((read.isStreet && !isIn) || (behind === 'street' && isLatin(text))) {
          // The name of a street or a building. It follows the word in Arabic and precedes it in English.
          if (!read.isStreet) at += 1;
          read = nothing;
        } else if (city !== null && (mode === 'in' || isAfterMention || isCity) && !isDistrict && !isSuffix) {
          if (this.#set('city', city.slug, first, at)) cities.push({ slug: city.slug, at, isIn });
          read = { ...read, first: -1, isDistrict: false };
        } else if (neighborhoods.length > 0) {
          if (isSuffix) at += 1;
          mentions.push({ at, first, mode, radius, names: neighborhoods });
          read = { ...read, first: -1, isDistrict: false };
        }
      } else if (['stop', 'or', 'and'].includes(tag) || text === '،' || text === ',') continue;
      else if (tag === 'in') {
        const keepsMode = read.mode === 'except' || (read.mode === 'near' && text !== 'in');
        read = { ...read, first, isStreet: false, isDistrict: false, mode: keepsMode ? read.mode : 'in' };
      } else if (tag === 'district') read = { ...read, first, isStreet: false, isDistrict: true };
      else if (tag === 'near') {
        if (read.mode !== 'near' && !/^(?:من|from)$/.test(text)) read = { ...read, first, mode: 'near' };
      } else if (tag === 'except' || (tag === 'neg' && ['place', 'in', 'district'].includes(this.#tag(next))))
        read = { ...read, first: at, mode: 'except' };
      // `15m street`: a width, not a name.
      else if (tag === 'street')
        read = { ...nothing, isStreet: !(isLatin(text) && ['number', 'unit'].includes(this.#tag(at - 1))) };
      else if (amount && this.#atoms[next]?.value === 'km') {
        const radius = Math.min(RADIUS_M.max, Math.round(amount.value * 1_000));
        const latest = mentions.at(-1);
        if (read.mode === 'near' && latest?.mode === 'near' && this.#tag(this.#next(next)) !== 'near')
          Object.assign(latest, { radius, at: next });
        else {
          const before = this.#next(at, -1);
          const isIntroduced = ['max', 'in', 'near'].includes(this.#tag(before)) && !this.#atoms[before]?.isUsed;
          read = { ...read, radius, first: isIntroduced ? before : at, mode: 'near' };
        }
        at = next;
      } else if (tag !== 'max' || this.#tag(next) !== 'number') read = nothing;
    }
    if (mentions.length === 0 && cities.length === 0) {
      // Without another place, "the city" is Madinah.
      const at = this.#atoms.findIndex(({ text, tag }) => tag === 'stop' && /^ب?المدينه$/.test(text));
      if (at >= 0) this.#set('city', 'madinah', at);
    }
    const alternatives = this.#resolve(mentions, cities[0]?.slug ?? null, context);
    // Beside a neighborhood, a direction adds nothing.
    if (mentions.length === 0) for (const city of cities) this.#readDirections(city);
    return alternatives;
  }

  /**
   * Reads directions beside a city: `شمال وشرق الرياض`, `Riyadh north`. Those without neighborhoods are not understood, nor
   * those of a street, a facade or another place: `villa facing north`, `30 km north of Riyadh`, `أرض شمال بالرياض`.
   */
  #readDirections({ slug, at, isIn }: { slug: string; at: number; isIn: boolean }): void {
    const directionAt = (index: number): number | null => {
      const { tag, value, isUsed } = this.#atoms[index] ?? { tag: '', value: '', isUsed: true };
      const id = tag === 'landmark' && !isUsed ? DIRECTIONS.find((each) => each.slug === value)?.id : undefined;
      return neighborhoodsOf(slug).some(({ direction_id }) => direction_id === id) ? (id ?? null) : null;
    };
    const isOf = this.#textOf(at - 1) === 'of';
    const found: number[] = [];
    for (let index = isOf ? at - 2 : at - 1; ; index -= 1)
      if (directionAt(index) !== null) found.push(index);
      else if (found.length === 0 || !['and', 'or'].includes(this.#tag(index)) || directionAt(index - 1) === null)
        break;
    const before = this.#next(found.at(-1) ?? at, -1);
    if (isIn || this.#isOfFacade(before) || (isOf && this.#tag(before) !== 'in')) return;
    const isBehind = !['unknown', 'landmark', 'place'].includes(this.#tag(at + 2)) && !this.#isOfFacade(at + 2);
    if (found.length === 0 && isBehind && directionAt(at + 1) !== null) found.push(at + 1);
    for (const index of found.toReversed()) this.#set('direction_id', String(directionAt(index)), index);
  }

  /** Returns whether a word beside a direction makes it that of a facade, a street, a distance or another place. */
  #isOfFacade(at: number): boolean {
    const tags = ['unit', 'label', 'street', 'near', 'except', 'neg'];
    return tags.includes(this.#tag(at)) || /^(?:facing|faces|ring|ب?اتجاه)$/.test(this.#textOf(at));
  }

  /**
   * Returns whether the name of a district is part of that of another place: `King Abdullah Financial District`, `حديقة
   * الملك سلمان`.
   */
  #isOfLandmark(at: number): boolean {
    const before = this.#atoms[at - 1];
    if (before && !before.isUsed && LANDMARKS_AR.test(before.text)) return true;
    let behind = at + 1;
    while (this.#tag(behind) === 'unknown' && !LANDMARKS_EN.test(this.#textOf(behind))) behind += 1;
    if (this.#atoms[behind]?.isUsed || !isLatin(this.#textOf(at))) return false;
    return LANDMARKS_EN.test(this.#textOf(behind)) || (behind > at + 1 && this.#textOf(behind) === 'district');
  }

  #resolve(
    mentions: readonly Mention[],
    stated: string | null,
    { listingsOf, centerOf }: SentenceContext,
  ): PlaceReading[] {
    const reading = ({ city, id, name_en, name_ar }: Neighborhood, { first, at }: Mention): PlaceReading => ({
      city,
      neighborhood_id: id,
      name_en,
      name_ar,
      ...this.#wordsOf(first, at),
    });
    const alternatives: PlaceReading[] = [];
    // The stated city, otherwise the city of a name that only one city has, or the only city with all names.
    const [main] = mentions;
    const shared = main?.names.filter(({ city }) =>
      mentions.every(({ names }) => names.some((each) => each.city === city)),
    );
    const only = mentions.find(({ names }) => names.length === 1)?.names ?? (shared?.length === 1 ? shared : []);
    let city = stated ?? only[0]?.city ?? null;
    if (city === null && main) {
      const counts = main.names.map(({ id }) => listingsOf(id));
      const total = counts.reduce((sum, count) => sum + count, 0);
      const most = Math.max(...counts);
      if (total > 0 && most >= DOMINANT_SHARE * total) {
        const taken = main.names[counts.indexOf(most)] as Neighborhood;
        city = taken.city;
        alternatives.push(...main.names.filter((other) => other !== taken).map((other) => reading(other, main)));
      }
    }
    for (const mention of mentions) {
      const { at, first, mode, radius, names } = mention;
      const found = city === null ? undefined : names.find((each) => each.city === city);
      if (found === undefined) {
        alternatives.push(...names.map((other) => reading(other, mention)));
        continue;
      }
      if (mode === 'near') {
        const center: LatLng | null = found.center ?? centerOf?.(found.id) ?? null;
        if (center === null || !this.#set('near', `${center.lat},${center.lng}`, first, at)) continue;
        this.#set('radius_m', String(radius), first, at);
      } else this.#set(mode === 'in' ? 'neighborhood_id' : 'neighborhood_id_exclude', String(found.id), first, at);
      if (stated === null && !this.#values.has('city')) this.#set('city', found.city, first, at);
    }
    return alternatives;
  }

  readPeriods(): void {
    for (const [at, { tag, value, isUsed }] of this.#atoms.entries()) {
      if (tag !== 'period' || isUsed || this.#values.get('listing_type')?.[0] === 'sale') continue;
      if (this.#pricePeriod === null) this.#set('rent_frequency', value, at);
      else this.#use(at);
      if (!this.#values.has('listing_type')) this.#set('listing_type', 'rent', at);
    }
  }

  rest(): Words[] {
    const rest: Words[] = [];
    let phrase: number[] = [];
    const end = (): void => {
      if (phrase.some((at) => !['in', 'district', 'to', 'label', 'between'].includes(this.#tag(at))))
        rest.push(this.#wordsOf(phrase[0] as number, phrase.at(-1) as number));
      phrase = [];
    };
    for (const [at, { tag, isUsed }] of this.#atoms.entries()) {
      if (isUsed || tag === 'mark') end();
      else if (tag !== 'stop' && tag !== 'and' && tag !== 'or') phrase.push(at);
    }
    end();
    return rest;
  }
}

const COUNTED = /^(?:rooms|baths|livings)$/;

/** Returns whether a unit can have the numbers. `40 thousand rooms` is a price and a word behind it. */
function canHave(unit: string, numbers: readonly Amount[]): boolean {
  if (COUNTED.test(unit)) return numbers.every(({ value, scale }) => scale === 1 && value < 50);
  return !/^(?:years|km|minutes)$/.test(unit) || numbers.every(({ scale }) => scale === 1);
}

/** Returns whether a number is a year of either calendar. Prices of rooms are rounder. */
function isYear({ value, scale }: Amount): boolean {
  return scale === 1 && value % 50 !== 0 && ((value > 1_950 && value < 2_050) || (value > 1_400 && value < 1_450));
}

const isDual = ({ tag, value }: Atom): boolean => tag === 'unit' && value.endsWith('2');

const TYPE_AS_AMENITY: Readonly<Record<string, string>> = {
  warehouse: 'storage',
  apartment: 'annex',
  room: 'driver_room',
};

function isBehind(text: string): boolean {
  return /^(?:\+|plus|or|and|و?اقل|و?اكثر|فاقل|فاكثر|فما|وتحت|وفوق|وطالع|as|at|tops|max|maximum|min|minimum|كحد|بحد|حد|علي|عالاقل|او|upwards)$/.test(
    text,
  );
}
