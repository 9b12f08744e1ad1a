import { isLatin } from '../fold.ts';
import { PAYMENTS_PER_YEAR, type RentFrequency } from '../listing-vocabulary.ts';
import type { Amount } from './amounts.ts';
import { type Atom, isYear, LEAST_AMOUNT_OF_PERIOD } from './atoms.ts';
import type { Interpretation } from './interpretation.ts';

/** Relative width of the range for numbers after "around", and for areas without "at least" or "at most". */
const BAND = 0.1;
/** Least number that is read as an amount of money without a unit. */
const LEAST_AMOUNT = 1_000;
type Bound = 'max' | 'min' | 'about' | null;

/** Numbers with a unit, stated by atoms `first` to `last`. */
export interface Quantity {
  numbers: Amount[];
  isRange: boolean;
  bound: Bound;
  label: string;
  unit: string;
  first: number;
  last: number;
  at: number;
}

export const COUNTED = /^(?:rooms|baths|livings)$/;

/** Returns whether a unit can have the numbers. `40 thousand rooms` is a price and a word after it. */
export function canHave(unit: string, numbers: readonly Amount[]): boolean {
  if (COUNTED.test(unit)) return numbers.every(({ value, scale }) => scale === 1 && value < 50);
  return !/^(?:years|km|minutes)$/.test(unit) || numbers.every(({ scale }) => scale === 1);
}

/** Converts quantities and periods of a sentence to filters. A quantity can complete the previous one. */
export class QuantityFilters {
  readonly #sentence: Interpretation;
  #previous: Quantity | null = null;
  #pricePeriod: Atom | null = null;

  readonly #year: number;

  /** @param year the current year */
  constructor(sentence: Interpretation, year: number) {
    this.#sentence = sentence;
    this.#year = year;
  }

  /** Sets the filters that a quantity states, if it states any. */
  set(quantity: Quantity): void {
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
    if (!isMoney && quantity.unit === '' && this.#isNoQuantity(quantity)) {
      this.#setYear(quantity);
      return;
    }
    if (quantity.unit === '' && !isMoney) {
      // `غرف: 3`.
      const before =
        this.#sentence.tag(quantity.first - 1) === 'mark'
          ? quantity.first - 2
          : this.#sentence.next(quantity.first, -1);
      const named = this.#sentence.atoms[before];
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
      this.#sentence.set('livings_min', String(low.value + (bound === 'min' ? this.#excluded(first) : 0)), first, last);
    } else if (unit === 'sqm' && this.#isStreetNumber(at, last)) return;
    else if (unit === 'sqm' || label === 'area') this.#setRange('area', quantity, 'about', 1);
    else if ((label === 'age' || unit === 'years') && !isMoney && high.value < 100) {
      if (bound !== 'min' && (label === 'age' || bound === 'max'))
        this.#sentence.set('max_age', String(high.value), first, last);
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

  /** Sets the maximum age from the earliest year of construction: `built after 2020`, `سنة البناء 2015 وما فوق`. */
  #setYear({ numbers, isRange, bound, label, first, last, at }: Quantity): void {
    const { words } = this.#sentence.wordsOf(first, at);
    const year = (numbers[0] as Amount).value;
    // `not older than 2017`, `أحدث من 2018`.
    const isYounger = bound === 'max' && /older|newer|حدث/i.test(words);
    const isBuilt = label === 'year' && /built|construct|بناء|بني|بنت/i.test(words) && !/before|قبل/i.test(words);
    const isAfter = /after|(?<!\p{L})بعد/iu.test(words);
    const isSince = isYounger || bound === 'min' || /since|منذ|(?<!\p{L})من(?!\p{L})/iu.test(words);
    if (isRange || !(isBuilt || isYounger) || !(isAfter || isSince) || year < this.#year - 100) return;
    const age = this.#year - year - (isAfter ? 1 : 0);
    if (age >= 0) this.#sentence.set('max_age', String(age), first, last);
  }

  /** Returns 1 if the comparison excludes its number (`more than 3 rooms` means at least 4), otherwise 0. */
  #excluded(first: number): 0 | 1 {
    const words = `${this.#sentence.atoms[first]?.phrase} ${this.#sentence.atoms[first + 1]?.phrase}`;
    return /^(?:(?:ب|ل)?(?:اكثر|اقل) من|more than|less than|over|above|under|below|fewer than|فوق|تحت)/.test(words)
      ? 1
      : 0;
  }

  #isNext(last: number, first: number): boolean {
    const next = this.#sentence.next(last);
    return next === first || (this.#sentence.tag(next) === 'and' && this.#sentence.next(next) === first);
  }

  /** Returns whether a number is the name or width of a street: `شارع 30`, `شارع عرض 20 متر`, `20 meter street`. */
  #isStreetNumber(at: number, last: number): boolean {
    const before = this.#sentence.next(at, -1);
    const isWidth = /^(?:ب?عرض(?:ه)?|width|wide)$/.test(this.#sentence.textOf(before));
    const behind = this.#sentence.next(last);
    const text = this.#sentence.textOf(behind);
    const isEnglishStreet = this.#sentence.tag(behind) === 'street' && isLatin(text);
    return isWidth || text === 'wide' || this.#sentence.tag(before) === 'street' || isEnglishStreet;
  }

  /** Returns whether a period is stated: `800 a month`, `يومي ب 500`. */
  #hasPeriod(first: number, last: number): boolean {
    let before = this.#sentence.next(first, -1);
    if (this.#sentence.tag(before) === 'in') before = this.#sentence.next(before, -1);
    return this.#sentence.tag(this.#sentence.next(last)) === 'period' || this.#sentence.tag(before) === 'period';
  }

  #periodOfPrice(last: number): Atom | null {
    const behind = this.#sentence.atoms[this.#sentence.next(last)];
    const first = this.#sentence.atoms.find(({ tag }) => tag === 'period') ?? null;
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
    else this.#sentence.set(`${name}_${compared}`, text(high), first, last);
  }

  #setCount(name: 'beds' | 'bathrooms', quantity: Quantity): void {
    const { numbers, isRange, bound, first, last } = quantity;
    const values = numbers.map(({ value }) => value);
    if (values.some((value) => !Number.isInteger(value) || value > 100)) return;
    const [low, high] = [Math.min(...values), Math.max(...values)];
    if (isRange) this.#setBounds(name, String(low), String(high), quantity);
    else if (bound === 'min') this.#sentence.set(`${name}_min`, String(high + this.#excluded(first)), first, last);
    else if (bound === 'max') this.#sentence.set(`${name}_max`, String(high - this.#excluded(first)), first, last);
    else for (const value of values) this.#sentence.set(name, String(value), first, last);
  }

  #setBounds(name: string, min: string, max: string, { first, last }: Quantity): void {
    this.#sentence.set(`${name}_min`, min, first, last);
    this.#sentence.set(`${name}_max`, max, first, last);
  }

  readPeriods(): void {
    for (const [at, { tag, value, isUsed }] of this.#sentence.atoms.entries()) {
      if (tag !== 'period' || isUsed || this.#sentence.has('listing_type', 'sale')) continue;
      if (this.#pricePeriod === null) this.#sentence.set('rent_frequency', value, at);
      else this.#sentence.use(at);
      if (!this.#sentence.has('listing_type')) this.#sentence.set('listing_type', 'rent', at);
    }
  }
}
