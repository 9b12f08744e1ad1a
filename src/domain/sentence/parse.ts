import { isLatin } from '../fold.ts';
import type { LatLng, Neighborhood } from '../geography/places.ts';
import { RADIUS_M } from '../geography/shapes.ts';
import { PROPERTY_TYPE_TABLE, type PropertyType } from '../listings/vocabulary.ts';
import { type Amount, amountAt } from './amounts.ts';
import { DICTIONARY } from './dictionary.ts';
import { type PlaceName, placeAt } from './places.ts';
import { correctSpelling } from './spelling.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Words of a sentence, with their range in UTF-16 code units: `start` inclusive, `end` exclusive. */
interface Words {
  words: string;
  start: number;
  end: number;
}

/** A filter that the sentence states, and the words that state it. */
interface Understood extends Words {
  parameter: string;
  value: string;
}

/** A place that the sentence may mean. */
interface PlaceReading extends Words {
  city: string;
  neighborhood_id: number;
  name_en: string;
  name_ar: string;
}

export interface ParsedSentence {
  /** Values by parameter, in the notation of a URL of `/listings`. */
  filters: Readonly<Record<string, string>>;
  sort: string | null;
  understood: Understood[];
  not_understood: Words[];
  alternatives: PlaceReading[];
}

export interface SentenceContext {
  /** Number of listings in a neighborhood. It decides between cities that have a neighborhood of the same name. */
  listingsOf(neighborhoodId: number): number;
  /** Center of a neighborhood's listings, for neighborhoods without a known center. Defaults to none. */
  centerOf?(neighborhoodId: number): LatLng | null;
}

/** Minimum share of the listings under an ambiguous name that one city must have to be selected. */
const DOMINANT_SHARE = 0.9;
/** Relative tolerance of numbers after "around", and of areas without "at least" or "at most". */
const BAND = 0.1;
/** Minimum number that is read as an amount of money if it has no unit. */
const LEAST_AMOUNT = 1_000;
/** The same minimum for a number next to a period (`800 a month`) or to a word for price or budget. */
const LEAST_AMOUNT_OF_PERIOD = 50;
/** Payments per year, for the conversion of a price with a period. */
const PER_YEAR: Readonly<Record<string, number>> = {
  daily: 365,
  weekly: 52,
  monthly: 12,
  quarterly: 4,
  semiannually: 2,
  yearly: 1,
};
const LIST_PARAMETERS = new Set([
  'property_type',
  'beds',
  'bathrooms',
  'neighborhood_id',
  'neighborhood_id_exclude',
  'amenities',
  'amenities_exclude',
  'floor',
  'rent_frequency',
  'advertiser_type',
]);

/** A meaning of adjacent tokens. */
interface Atom {
  /** `number`, `place`, `unknown`, `mark`, or the tag of the dictionary. */
  tag: string;
  value: string;
  /** Range of tokens: first inclusive, last exclusive. */
  from: number;
  to: number;
  /** Whether the first word has the Arabic prefix for "and". */
  isJoined: boolean;
  amount?: Amount;
  place?: PlaceName;
  isUsed: boolean;
}

const MARKS: Readonly<Record<string, string>> = {
  '+': 'min:',
  '<': 'max:',
  '>': 'min:',
  '≤': 'max:',
  '≥': 'min:',
  '<=': 'max:',
  '>=': 'min:',
  '-': 'to:',
  '~': 'about:',
  '&': 'and:',
  '/': 'or:',
};

/** Tags after which a place is expected. */
const PLACE_INTRODUCTIONS = new Set(['in', 'district', 'near', 'except', 'street']);

/**
 * Reads a search in Arabic, English or both into filters, by rules and word lists. Unclear words are returned, not
 * guessed. Documented by `GET /listings/parse`. Pure.
 */
export function parseSentence(sentence: string, context: SentenceContext): ParsedSentence {
  const tokens = correctSpelling(tokensOf(sentence));
  const atoms = atomsOf(tokens);
  const reader = new Reader(sentence, tokens, atoms);
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
      atoms.push({ tag, value: '', from: at, to: at + length, isJoined, isUsed: false, ...more });
      introduced = PLACE_INTRODUCTIONS.has(tag) || (introduced && (tag === 'stop' || tag === 'or' || tag === 'and'));
      at += length;
    };
    const period = token.text === '/' ? periodOf(words[at + 1] ?? '') : null;
    if (period !== null) {
      add('period', 2, { value: period });
      continue;
    }
    if (token.kind === 'mark') {
      const [tag = 'mark'] = (MARKS[token.text] ?? 'mark:').split(':');
      // `5+ beds`, but `4 beds + maid room`.
      const isPlus = token.text === '+' && tokens[at - 1]?.end !== token.start;
      add(isPlus ? 'and' : tag, 1);
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
      (named.value === 'landmark:' && atoms.at(-1)?.tag === 'district') ||
      named.length < (place?.length ?? 0) ||
      (introduced && named.value !== null && !isStronger(named.value));
    if (place !== null && isOnlyWord) {
      add('place', place.length, { place, isJoined });
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

/** Returns the meaning of the phrase at a word, which may have the prefix for "and": `وما يتجاوز`. */
function namedAt(words: readonly string[], at: number): ReturnType<typeof DICTIONARY.nameAt> {
  const word = words[at] as string;
  return (
    DICTIONARY.nameAt(words, at) ?? (/^و../.test(word) ? DICTIONARY.nameAt(words.with(at, word.slice(1)), at) : null)
  );
}

/** Reads the unit of time of `7000/month`. */
function periodOf(word: string): string | null {
  const named = DICTIONARY.nameAt(['per', word], 0)?.value ?? DICTIONARY.nameAt(['كل', word], 0)?.value;
  const [tag, value = ''] = named?.split(':') ?? [];
  return tag === 'period' ? value : null;
}

/** Returns whether a number word is part of a phrase instead: `one` alone is a filler, a dual (غرفتين) is a unit. */
function isNamedNumber(named: { value: string | null; length: number } | null, amount: Amount, token: Token): boolean {
  return (
    named !== null &&
    (named.length > amount.length || (named.value === 'stop:' && amount.value === 1 && token.kind === 'word'))
  );
}

/** Returns whether a meaning takes precedence over a place with the same name, even after `in`. */
function isStronger(value: string): boolean {
  return /^(?:stop|in|district|near|street|or|and|except|neg|to|max|min|about|between|unit|purpose|period|landmark)/.test(
    value,
  );
}

/** Reads a place at a word. The word may have an Arabic prefix for "in", "and" or "to". */
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

class Reader {
  readonly #sentence: string;
  readonly #tokens: readonly Token[];
  readonly #atoms: readonly Atom[];
  readonly #values = new Map<string, string[]>();
  readonly understood: Understood[] = [];
  sort: string | null = null;
  /** The number that was read last. A second comparison may refer to its unit. */
  #quantity: { unit: string; label: string; bound: Bound; last: number } = {
    unit: '',
    label: '',
    bound: null,
    last: -1,
  };
  /** The period that the price covers. */
  #pricePeriod: Atom | null = null;

  constructor(sentence: string, tokens: readonly Token[], atoms: readonly Atom[]) {
    this.#sentence = sentence;
    this.#tokens = tokens;
    this.#atoms = atoms;
  }

  filters(): Record<string, string> {
    return Object.fromEntries([...this.#values].map(([name, values]) => [name, values.join(',')]));
  }

  #at(index: number): Atom | undefined {
    return this.#atoms[index];
  }

  /** Returns the text of the first token of an atom; empty if the index has no atom. */
  #textOf(index: number): string {
    return this.#tokens[this.#at(index)?.from ?? -1]?.text ?? '';
  }

  #wordsOf(from: number, to: number): Words {
    const start = this.#tokens[from]?.start ?? 0;
    const end = this.#tokens[to - 1]?.end ?? start;
    return { words: this.#sentence.slice(start, end), start, end };
  }

  /** Sets a filter that atoms `first` to `last` state. Returns false if the filter takes one value and has another. */
  #set(parameter: string, value: string, first: number, last: number): boolean {
    const values = this.#values.get(parameter);
    if (values !== undefined && !values.includes(value)) {
      if (!LIST_PARAMETERS.has(parameter)) return false;
      values.push(value);
    } else if (values === undefined) this.#values.set(parameter, [value]);
    this.#use(first, last);
    const [from, to] = [this.#atoms[first]?.from ?? 0, this.#atoms[last]?.to ?? 0];
    this.understood.push({ parameter, value, ...this.#wordsOf(from, to) });
    return true;
  }

  #use(first: number, last: number): void {
    for (let at = first; at <= last; at += 1) (this.#atoms[at] as Atom).isUsed = true;
  }

  /** Returns the index of the next atom that is not a filler, in the direction of `step`; -1 at a mark or the end. */
  #next(at: number, step: 1 | -1 = 1): number {
    for (let index = at + step; ; index += step) {
      const atom = this.#at(index);
      if (atom === undefined || atom.tag === 'mark') return -1;
      if (atom.tag !== 'stop') return index;
    }
  }

  readNumbers(): void {
    for (let at = 0; at < this.#atoms.length; at += 1) {
      const atom = this.#atoms[at] as Atom;
      if (atom.isUsed) continue;
      if (atom.tag === 'number') at = Math.max(at, this.#readNumber(at));
      else if (atom.tag === 'unit' && /2$/.test(atom.value)) this.#readDual(at);
    }
    for (let at = 0; at < this.#atoms.length; at += 1)
      if (this.#atoms[at]?.tag === 'unit' && !this.#atoms[at]?.isUsed) this.#readSingle(at);
  }

  /** Reads one or more numbers with their comparison and unit. @returns the index of the last atom read */
  #readNumber(at: number): number {
    const numbers = [this.#atoms[at]?.amount as Amount];
    let last = at;
    let isRange = false;
    const before = this.#next(at, -1);
    const isBetween = this.#at(before)?.tag === 'between';
    for (;;) {
      const separator = this.#at(last + 1);
      const following = this.#at(last + 2);
      const direct = this.#at(last + 1);
      // `بين 40 و60`: "and" is a prefix of the number.
      if (isBetween && direct?.tag === 'number' && numbers.length === 1) {
        isRange = true;
        numbers.push(direct.amount as Amount);
        last += 1;
        break;
      }
      if (following?.tag === 'unit' && /2$/.test(following.value) === false) break;
      if (following?.tag !== 'number' || separator === undefined) {
        // `3 غرف أو 4`, `من 3 إلى 5 غرف` with a unit between.
        break;
      }
      const word = this.#tokens[separator.from]?.text;
      if (separator.tag === 'to' || (isBetween && separator.tag === 'and')) isRange = true;
      else if (!(separator.tag === 'or' || separator.tag === 'and' || word === ',' || word === '،')) break;
      numbers.push(following.amount as Amount);
      last += 2;
      if (isRange) break;
    }
    // `40 إلى 60 ألف`: the first number takes the multiplier of the second.
    const [low, high] = [numbers[0] as Amount, numbers.at(-1) as Amount];
    if (isRange && low.scale === 1 && high.scale > 1 && low.value < 1_000)
      low.value *= [high.scale, 1_000].find((scale) => low.value * scale <= high.value) ?? 1;
    let first = at;
    let bound: Bound = null;
    let label = '';
    let unitBefore = '';
    for (let index = before, steps = 0; index >= 0 && steps < 4; index = this.#next(index, -1), steps += 1) {
      const { tag, value, isUsed } = this.#atoms[index] as Atom;
      if (isUsed) break;
      if (tag === 'max' || tag === 'min' || tag === 'about') bound ??= tag;
      else if (
        tag === 'unit' &&
        /^(?:rooms|baths|livings)$/.test(value) &&
        unitBefore === '' &&
        this.#at(this.#next(last))?.tag !== 'unit' &&
        numbers.every((each) => each.value < 50)
      )
        unitBefore = value;
      else if (tag === 'label') label ||= value;
      else if (tag === 'between' || tag === 'in' || (tag === 'near' && value === '') || tag === 'to') {
        // `from 3 to 5`, `in 60k`: fillers. Words for "near" are fillers only if they also mean "from" or "around".
        if (tag === 'near' && this.#textOf(index).startsWith('حول')) bound ??= 'about';
        if (tag === 'near' && !/^(?:from|من|حول|حوالين)$/.test(this.#textOf(index))) break;
      } else if (tag === 'unit' && value === 'persqm') label ||= 'persqm';
      else if (tag === 'unit' && value === 'sar') unitBefore ||= value;
      else break;
      first = index;
    }
    let end = last;
    let unit = unitBefore;
    for (let index = this.#next(last), steps = 0; index >= 0 && steps < 4; index = this.#next(index), steps += 1) {
      const { tag, value } = this.#atoms[index] as Atom;
      const text = this.#textOf(index);
      if (tag === 'unit' && !/2$/.test(value)) {
        // A second unit belongs to another quantity, except "per square meter" after an amount.
        if (unit !== '' && !(unit === 'sar' && (value === 'sar' || value === 'persqm'))) break;
        unit = value === 'persqm' ? 'persqm' : unit || value;
      } else if (tag === 'label' && value === 'age' && (unit === 'years' || (unit === '' && high.value < 100)))
        label = 'age';
      else if ((tag === 'max' || tag === 'min') && bound === null && isBehind(text)) bound = tag;
      else if (
        tag === 'about' &&
        bound === null &&
        (text === 'تقريبا' || text === 'approximately' || text === 'approx' || text === 'roughly')
      )
        bound = 'about';
      else if (tag === 'period' && label !== 'age' && unit !== 'years') {
        // `60k a year max`: the period itself is read later.
        const behind = this.#next(index);
        const comparison = this.#at(behind);
        const isOfThis = this.#at(this.#next(behind))?.tag !== 'number';
        if (bound === null && isOfThis && (comparison?.tag === 'max' || comparison?.tag === 'min')) {
          bound = comparison.tag;
          this.#use(behind, behind);
        }
        break;
      } else if (tag === 'or' && ['max', 'min'].includes(this.#at(index + 1)?.tag ?? '')) continue;
      else break;
      end = index;
    }
    // `ثلاث غرف أو أربع`.
    const alternative = this.#at(end + 1)?.tag === 'or' ? this.#at(end + 2) : undefined;
    if (
      !isRange &&
      bound === null &&
      /^(?:rooms|baths)$/.test(unit) &&
      alternative?.amount &&
      alternative.amount.value < 50 &&
      !['unit', 'label'].includes(this.#at(end + 3)?.tag ?? '')
    ) {
      numbers.push(alternative.amount);
      end += 2;
    }
    return this.#setQuantity({ numbers, isRange, bound, label, unit, first, last: end, at });
  }

  #setQuantity({
    numbers,
    isRange,
    bound,
    label,
    unit,
    first,
    last,
    at,
  }: {
    numbers: Amount[];
    isRange: boolean;
    bound: Bound;
    label: string;
    unit: string;
    first: number;
    last: number;
    at: number;
  }): number {
    // `لا تقل عن 100 متر ولا تزيد عن 200`: the second number has the unit of the first.
    const previous = this.#quantity;
    const isOther = bound !== null && previous.bound !== null && bound !== previous.bound;
    if (unit === '' && label === '' && isOther && this.#isNext(previous.last, first)) ({ unit, label } = previous);
    this.#quantity = { unit, label, bound, last };
    const [low, high] = [numbers[0] as Amount, numbers.at(-1) as Amount];
    const isPriced = (label === 'price' || label === 'budget') && high.value >= LEAST_AMOUNT_OF_PERIOD;
    const isMoney = low.scale > 1 || high.scale > 1 || unit === 'sar' || isPriced;
    // Prices per square meter, other currencies and the income of a building are never filters.
    if (unit === 'persqm' || label === 'persqm' || label === 'income' || unit === 'dollars') {
      return last;
    }
    if (unit === '' && !isMoney) {
      // `غرف: 3`.
      const previous = this.#atoms[first - 1]?.tag === 'mark' ? first - 2 : this.#next(first, -1);
      const named = this.#at(previous);
      if (named?.tag === 'unit' && !named.isUsed && /^(?:rooms|baths|livings)$/.test(named.value) && high.value < 50) {
        unit = named.value;
        first = previous;
      }
    }
    if (unit === 'rooms') this.#setCount('beds', { numbers, isRange, bound, first, last });
    else if (unit === 'baths') this.#setCount('bathrooms', { numbers, isRange, bound, first, last });
    else if (unit === 'livings')
      this.#set(
        'livings_min',
        String(low.value + (bound === 'min' && isStrict(this.#tokens, this.#atoms, first) ? 1 : 0)),
        first,
        last,
      );
    else if (unit === 'sqm' && this.#isStreetNumber(at, last)) return last;
    else if (unit === 'sqm' || label === 'area')
      this.#setRange('area', { low, high, isRange, bound: bound ?? (isRange ? null : 'about'), first, last }, 1);
    else if ((label === 'age' || unit === 'years') && !isMoney && high.value < 100) {
      if (bound !== 'min' && (label === 'age' || bound === 'max'))
        this.#set('max_age', String(high.value), first, last);
    } else if (unit === 'km' || unit === 'minutes') return last;
    else if (
      isMoney ||
      (unit === '' && high.value >= (this.#hasPeriod(first, last) ? LEAST_AMOUNT_OF_PERIOD : LEAST_AMOUNT))
    ) {
      if (this.#isStreetNumber(at, last)) return last;
      const period = this.#periodOfPrice(last);
      const factor = period === null ? 1 : (PER_YEAR[period.value] ?? 1);
      this.#setRange('price', { low, high, isRange, bound: bound ?? (isRange ? null : 'max'), first, last }, factor);
    }
    return last;
  }

  /** Returns whether at most "and" is between two atoms. */
  #isNext(last: number, first: number): boolean {
    const next = this.#next(last);
    return next === first || (this.#at(next)?.tag === 'and' && this.#next(next) === first);
  }

  /** Returns whether a number is a street's name or width: `شارع 30`, `شارع عرض 20 متر`, `20 meter street`. */
  #isStreetNumber(at: number, last: number): boolean {
    const before = this.#next(at, -1);
    const isWidth = /^(?:ب?عرض(?:ه)?|width|wide)$/.test(this.#textOf(before));
    const behind = this.#next(last);
    const text = this.#textOf(behind);
    const isEnglishStreet = this.#at(behind)?.tag === 'street' && isLatin(text);
    return isWidth || text === 'wide' || this.#at(before)?.tag === 'street' || isEnglishStreet;
  }

  /** Returns whether a period is next to a number: `800 a month`, `يومي ب 500`. */
  #hasPeriod(first: number, last: number): boolean {
    let before = this.#next(first, -1);
    if (this.#at(before)?.tag === 'in') before = this.#next(before, -1);
    return this.#at(this.#next(last))?.tag === 'period' || this.#at(before)?.tag === 'period';
  }

  /** Returns the period of a price: the one that follows it, otherwise the first in the sentence. */
  #periodOfPrice(last: number): Atom | null {
    const behind = this.#at(this.#next(last));
    const first = this.#atoms.find(({ tag }) => tag === 'period') ?? null;
    this.#pricePeriod ??= behind?.tag === 'period' ? behind : first;
    return this.#pricePeriod;
  }

  #setRange(
    name: 'price' | 'area',
    {
      low,
      high,
      isRange,
      bound,
      first,
      last,
    }: { low: Amount; high: Amount; isRange: boolean; bound: Bound; first: number; last: number },
    factor: number,
  ): void {
    const text = (value: number): string => String(Math.round(value * factor * 100) / 100);
    const [from, to] = [Math.min(low.value, high.value), Math.max(low.value, high.value)];
    if (isRange) {
      this.#set(`${name}_min`, text(from), first, last);
      this.#set(`${name}_max`, text(to), first, last);
    } else if (bound === 'about') {
      this.#set(`${name}_min`, text(low.value * (1 - BAND)), first, last);
      this.#set(`${name}_max`, text(low.value * (1 + BAND)), first, last);
    } else this.#set(`${name}_${bound ?? 'max'}`, text(high.value), first, last);
  }

  #setCount(
    name: 'beds' | 'bathrooms',
    {
      numbers,
      isRange,
      bound,
      first,
      last,
    }: { numbers: Amount[]; isRange: boolean; bound: Bound; first: number; last: number },
  ): void {
    const values = numbers.map(({ value }) => value);
    if (values.some((value) => !Number.isInteger(value) || value > 100)) return;
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const strict = bound !== null && isStrict(this.#tokens, this.#atoms, first) ? 1 : 0;
    if (isRange) {
      this.#set(`${name}_min`, String(low), first, last);
      this.#set(`${name}_max`, String(high), first, last);
    } else if (bound === 'min') this.#set(`${name}_min`, String(high + strict), first, last);
    else if (bound === 'max') this.#set(`${name}_max`, String(high - strict), first, last);
    else for (const value of values) this.#set(name, String(value), first, last);
  }

  /** Reads a dual (`غرفتين`, `سنتين`), which is a unit with the number two, and a comparison before it. */
  #readDual(at: number): void {
    const unit = (this.#atoms[at] as Atom).value.slice(0, -1);
    const two: Amount = { value: 2, scale: 1, length: 1 };
    let first = at;
    let bound: Bound = null;
    let label = '';
    for (
      let index = this.#next(at, -1), steps = 0;
      index >= 0 && steps < 3;
      index = this.#next(index, -1), steps += 1
    ) {
      const { tag, value, isUsed } = this.#atoms[index] as Atom;
      if (isUsed) break;
      if (tag === 'max' || tag === 'min') bound ??= tag;
      else if (tag === 'label') label ||= value;
      else break;
      first = index;
    }
    let last = at;
    // `من غرفتين إلى أربع غرف`.
    const upper = this.#at(at + 1)?.tag === 'to' ? this.#at(at + 2) : undefined;
    if (upper?.amount && this.#at(at + 3)?.value === unit) {
      this.#setQuantity({
        numbers: [two, upper.amount],
        isRange: true,
        bound: null,
        label,
        unit,
        first,
        last: at + 3,
        at,
      });
      return;
    }
    // `غرفتين أو ثلاث`.
    const other = this.#at(at + 1)?.tag === 'or' ? this.#at(at + 2) : undefined;
    if (bound === null && other?.amount && other.amount.value < 50 && this.#at(at + 3)?.tag !== 'unit') {
      const numbers = [two, other.amount];
      this.#setQuantity({ numbers, isRange: false, bound, label, unit, first, last: at + 2, at });
      return;
    }
    const after = this.#next(at);
    const behind = this.#at(after);
    if (
      (behind?.tag === 'min' || behind?.tag === 'max') &&
      this.#at(this.#next(after))?.tag !== 'number' &&
      bound === null &&
      isBehind(this.#textOf(after))
    ) {
      bound = behind.tag;
      last = after;
    }
    this.#setQuantity({ numbers: [two], isRange: false, bound, label, unit, first, last, at });
  }

  /** Reads a unit without a number: `شقة غرفة وصالة` means one of each. A room without a type is a property type. */
  #readSingle(at: number): void {
    const { value, from, to } = this.#atoms[at] as Atom;
    const hasType = this.#atoms.some(({ tag }) => tag === 'type');
    const text = this.#textOf(at);
    const isOne = /^(?:و|ب|وب)?(?:ال)?(?:غرفه|صاله|room|bedroom|bedrm|bdrm|living|hall|gh[ou]rfah?|salah?)$/.test(text);
    if (value === 'rooms' && isOne) {
      if (hasType || this.#atoms.some((atom) => atom.tag === 'unit' && atom.value.startsWith('livings')))
        this.#set('beds', '1', at, at);
      else this.#set('property_type', 'room', at, at);
    } else if (value === 'rooms' && !hasType && /^(?:غرف|rooms)$/.test(text))
      this.#set('property_type', 'room', at, at);
    else if (value === 'livings' && (isOne || /living|معيشه/.test(this.#wordsOf(from, to).words)))
      this.#set('livings_min', '1', at, at);
  }

  readWords(): void {
    const atoms = this.#atoms;
    let negated = false;
    for (let at = 0; at < atoms.length; at += 1) {
      const { tag, value, isUsed, from } = atoms[at] as Atom;
      if (tag === 'neg') {
        negated = true;
        continue;
      }
      if (tag === 'stop' || tag === 'or') continue;
      if (tag === 'and') {
        // `with` and `فيها` end a negation; `and` continues it.
        if (!/^(?:و|and|&)$/.test(this.#textOf(at))) negated = false;
        continue;
      }
      const negator = negated ? this.#negatorBefore(at) : -1;
      const first = negator >= 0 ? negator : at;
      if (isUsed) {
        negated = false;
        continue;
      }
      const isNear = this.#isNear(at);
      if (tag === 'amenity' && isNear) continue;
      if (tag === 'amenity' || (tag === 'type' && !isNear && this.#isAmenityHere(at))) {
        const amenity = tag === 'amenity' ? value : (TYPE_AS_AMENITY[value] ?? value);
        this.#set(negated ? 'amenities_exclude' : 'amenities', amenity, first, at);
        continue;
      }
      const wasNegated = negated;
      negated = false;
      if (tag === 'type') {
        if (!wasNegated && !this.#isSurrounding(at)) this.#set('property_type', value, at, at);
      } else if (tag === 'purpose') this.#set('listing_type', value, at, at);
      else if (tag === 'furnished') this.#set('furnished', wasNegated ? String(value !== 'true') : value, first, at);
      else if (tag === 'verified') this.#set('verified', wasNegated ? 'false' : 'true', first, at);
      else if (tag === 'compound') this.#set('in_compound', wasNegated ? 'false' : value, first, at);
      else if (tag === 'advertiser' && !wasNegated) this.#set('advertiser_type', value, at, at);
      else if (tag === 'category' && !wasNegated) {
        if (!this.#refinesType(at, value)) this.#set('listing_category', value, at, at);
      } else if (tag === 'floor' && !wasNegated) {
        this.#set('floor', value, at, at);
        // `دور أرضي` is a property type if the sentence states no other.
        if (
          /^(?:(?:ال)?دور|dor) /.test(
            this.#tokens
              .slice(from, (atoms[at] as Atom).to)
              .map(({ text }) => text)
              .join(' '),
          ) &&
          !atoms.some((each) => each.tag === 'type')
        )
          this.#set('property_type', 'floor', at, at);
      } else if (tag === 'age' && !wasNegated && !this.#isOfOther(at)) this.#set('max_age', '1', at, at);
      else if (tag === 'sort' && !wasNegated) {
        if (this.sort === null) {
          this.sort = value;
          this.#use(at, at);
          this.understood.push({ parameter: 'sort', value, ...this.#wordsOf(from, (atoms[at] as Atom).to) });
        }
      }
    }
  }

  /** Returns whether an adjective describes an unknown word: `a new employee`, `لموظفة جديدة`. */
  #isOfOther(at: number): boolean {
    return this.#at(isLatin(this.#textOf(at)) ? at + 1 : at - 1)?.tag === 'unknown';
  }

  /** Returns whether a word for "near" precedes. "From" does not count. */
  #isNear(at: number): boolean {
    const before = this.#next(at, -1);
    return this.#at(before)?.tag === 'near' && !/^(?:from|من)$/.test(this.#textOf(before));
  }

  /** Returns whether a type describes the surroundings or the building: `near a mall`, `شقة في عمارة`, `فيلا دورين`. */
  #isSurrounding(at: number): boolean {
    const { value, isJoined } = this.#atoms[at] as Atom;
    if (this.#isNear(at)) return true;
    const before = this.#next(at, -1);
    const tag = this.#at(before)?.tag;
    const hasType = this.#atoms.slice(0, at).some((each) => each.tag === 'type' && each.value !== value);
    if (tag === 'in') return hasType;
    if (!hasType || value !== 'floor') return false;
    // `شقة بالدور ٢`; `شقة أو دور` are two types.
    const isDefinite = /^ب?ال/.test(this.#textOf(at));
    return isDefinite || (!isJoined && before >= 0 && tag !== 'or' && tag !== 'and' && tag !== 'type');
  }

  #negatorBefore(at: number): number {
    for (let index = at - 1; index >= 0; index -= 1) {
      const { tag } = this.#atoms[index] as Atom;
      if (tag === 'neg') return index;
      if (tag !== 'stop' && tag !== 'or' && tag !== 'and' && tag !== 'amenity') return -1;
    }
    return -1;
  }

  /** Returns whether a type is an amenity of the home, such as a store or an annex after another type. */
  #isAmenityHere(at: number): boolean {
    const { value, from, to } = this.#atoms[at] as Atom;
    if (TYPE_AS_AMENITY[value] === undefined) return false;
    const text = this.#wordsOf(from, to).words;
    if (value === 'apartment' && !/ملحق/.test(text)) return false;
    if (value === 'room' && !/سائق|driver/i.test(text)) return false;
    return this.#atoms.slice(0, at).some((each) => each.tag === 'type' && each.value !== value);
  }

  /** Returns whether a category only confirms the type next to it: `عمارة ... تجارية`. */
  #refinesType(at: number, category: string): boolean {
    const index = this.#next(at, -1);
    const previous = this.#at(index);
    const following = this.#at(this.#next(at));
    const near = previous?.tag === 'type' ? previous : following?.tag === 'type' ? following : undefined;
    return (
      near !== undefined && PROPERTY_TYPE_TABLE[near.value as PropertyType]?.category === category && this.#mark(at)
    );
  }

  #mark(at: number): true {
    this.#use(at, at);
    return true;
  }

  /** Reads places and the words that introduce them. @returns places that an ambiguous name may also mean */
  readPlaces(context: SentenceContext): PlaceReading[] {
    type Mention = {
      at: number;
      first: number;
      mode: 'in' | 'near' | 'except';
      radius: number;
      names: readonly Neighborhood[];
    };
    const mentions: Mention[] = [];
    let mode: Mention['mode'] = 'in';
    let isStreet = false;
    let isDistrict = false;
    let first = -1;
    let radius: number = RADIUS_M.default;
    const reset = (): void => {
      mode = 'in';
      isStreet = false;
      isDistrict = false;
      first = -1;
      radius = RADIUS_M.default;
    };
    const cities: string[] = [];
    for (let at = 0; at < this.#atoms.length; at += 1) {
      const atom = this.#atoms[at] as Atom;
      const { tag, isUsed } = atom;
      if (isUsed) {
        reset();
        continue;
      }
      const text = this.#textOf(at);
      if (tag === 'place' && atom.place) {
        const { city, neighborhoods } = atom.place;
        const behind = this.#at(at + 1);
        const isAfterMention = mode !== 'in' && mentions.some((mention) => mention.mode === mode);
        // `Al Olaya district`. In Arabic, the word precedes the name.
        const isSuffix = behind?.tag === 'district' && isLatin(this.#textOf(at + 1));
        const isCity = city !== null && (mode === 'in' || isAfterMention) && !isDistrict && !isSuffix;
        if (isStreet || (behind?.tag === 'street' && isLatin(text))) {
          // The name of a street. It follows the word in Arabic and precedes it in English.
          if (!isStreet) at += 1;
          reset();
          continue;
        }
        if (isCity) {
          if (this.#set('city', city.slug, first < 0 ? at : first, at)) cities.push(city.slug);
          first = -1;
          isDistrict = false;
        } else if (neighborhoods.length > 0) {
          const last = isSuffix ? at + 1 : at;
          mentions.push({ at: last, first: first < 0 ? at : first, mode, radius, names: neighborhoods });
          first = -1;
          isDistrict = false;
          if (last > at) at = last;
        }
        continue;
      }
      if (tag === 'stop') continue;
      if (tag === 'or' || tag === 'and' || text === '،' || text === ',') continue;
      if (tag === 'in') {
        if (first < 0) first = at;
        isStreet = false;
        if (mode === 'near' && text !== 'in') continue;
        if (mode !== 'except') mode = 'in';
      } else if (tag === 'district') {
        if (first < 0) first = at;
        isDistrict = true;
      } else if (tag === 'near') {
        if (/^(?:من|from)$/.test(text) && mode !== 'near') continue;
        if (mode !== 'near') {
          mode = 'near';
          first = first < 0 ? at : first;
        }
      } else if (
        tag === 'except' ||
        (tag === 'neg' && this.#at(this.#next(at))?.tag === 'place') ||
        (tag === 'neg' && ['in', 'district'].includes(this.#at(this.#next(at))?.tag ?? ''))
      ) {
        mode = 'except';
        first = at;
      } else if (tag === 'street') {
        isStreet = true;
      } else if (tag === 'number' && this.#at(this.#next(at))?.value === 'km') {
        const unit = this.#next(at);
        const stated = Math.min(RADIUS_M.max, Math.round((atom.amount?.value ?? 2) * 1_000));
        const latest = mentions.at(-1);
        if (mode === 'near' && latest?.mode === 'near' && this.#at(this.#next(unit))?.tag !== 'near') {
          latest.radius = stated;
          latest.at = unit;
          at = unit;
          continue;
        }
        radius = stated;
        const before = this.#next(at, -1);
        first = ['max', 'in', 'near'].includes(this.#at(before)?.tag ?? '') && !this.#at(before)?.isUsed ? before : at;
        mode = 'near';
        at = unit;
      } else if (tag !== 'max' || this.#at(this.#next(at))?.tag !== 'number') reset();
    }
    return this.#resolve(mentions, cities[0] ?? null, context);
  }

  #resolve(
    mentions: readonly {
      at: number;
      first: number;
      mode: 'in' | 'near' | 'except';
      radius: number;
      names: readonly Neighborhood[];
    }[],
    stated: string | null,
    { listingsOf, centerOf }: SentenceContext,
  ): PlaceReading[] {
    const alternatives: PlaceReading[] = [];
    const reading = (
      { city, id, name_en, name_ar }: Neighborhood,
      { first, at }: { first: number; at: number },
    ): PlaceReading => ({
      city,
      neighborhood_id: id,
      name_en,
      name_ar,
      ...this.#wordsOf(this.#atoms[first]?.from ?? 0, this.#atoms[at]?.to ?? 0),
    });
    // The stated city, otherwise the city of a name that only one city has, or the only city with all names.
    const shared = mentions.reduce<string[] | null>((cities, { names }) => {
      const here = names.map(({ city }) => city);
      return cities === null ? here : cities.filter((city) => here.includes(city));
    }, null);
    let city =
      stated ??
      mentions.find(({ names }) => names.length === 1)?.names[0]?.city ??
      (shared?.length === 1 ? (shared[0] ?? null) : null);
    if (city === null && mentions.length > 0) {
      const { names } = mentions[0] as (typeof mentions)[number];
      const counts = names.map(({ id }) => listingsOf(id));
      const total = counts.reduce((sum, count) => sum + count, 0);
      const most = Math.max(...counts);
      if (total > 0 && most >= DOMINANT_SHARE * total) {
        const taken = names[counts.indexOf(most)] as Neighborhood;
        city = taken.city;
        for (const other of names)
          if (other !== taken) alternatives.push(reading(other, mentions[0] as (typeof mentions)[number]));
      }
    }
    for (const mention of mentions) {
      const { at, first, mode, radius, names } = mention;
      const found = city === null ? undefined : names.find((each) => each.city === city);
      if (found === undefined) {
        for (const other of names) alternatives.push(reading(other, mention));
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
    for (let at = 0; at < this.#atoms.length; at += 1) {
      const { tag, value, isUsed } = this.#atoms[at] as Atom;
      if (tag !== 'period' || isUsed) continue;
      if (this.#values.get('listing_type')?.[0] === 'sale') continue;
      if (this.#pricePeriod === null) this.#set('rent_frequency', value, at, at);
      else this.#use(at, at);
      if (!this.#values.has('listing_type')) this.#set('listing_type', 'rent', at, at);
    }
  }

  /** Returns the phrases that state no filter, without fillers at either end. */
  rest(): Words[] {
    const rest: Words[] = [];
    let from = -1;
    let to = -1;
    let hasContent = false;
    const end = (): void => {
      if (from >= 0 && hasContent) rest.push(this.#wordsOf(from, to));
      from = -1;
      hasContent = false;
    };
    for (const atom of this.#atoms) {
      if (atom.isUsed || atom.tag === 'mark') {
        end();
        continue;
      }
      if (atom.tag === 'stop' || atom.tag === 'and' || atom.tag === 'or') continue;
      if (from < 0) from = atom.from;
      to = atom.to;
      if (!['in', 'district', 'to', 'label', 'between'].includes(atom.tag)) hasContent = true;
    }
    end();
    return rest;
  }
}

/** Types that are an amenity of another type. */
const TYPE_AS_AMENITY: Readonly<Record<string, string>> = {
  warehouse: 'storage',
  apartment: 'annex',
  room: 'driver_room',
};

/** Returns whether a comparison may follow its number. */
function isBehind(text: string): boolean {
  return /^(?:\+|plus|or|and|و?اقل|و?اكثر|فاقل|فاكثر|فما|وتحت|وفوق|وطالع|as|at|tops|max|maximum|min|minimum|كحد|بحد|حد|علي|عالاقل|او|upwards)$/.test(
    text,
  );
}

/** Returns whether a comparison excludes its number: `more than 3 rooms` means at least 4. */
function isStrict(tokens: readonly Token[], atoms: readonly Atom[], first: number): boolean {
  const words = atoms
    .slice(first, first + 2)
    .map(({ from, to }) =>
      tokens
        .slice(from, to)
        .map(({ text }) => text)
        .join(' '),
    )
    .join(' ');
  return /^(?:(?:ب|ل)?(?:اكثر|اقل) من|more than|less than|over|above|under|below|fewer than|فوق|تحت)/.test(words);
}
