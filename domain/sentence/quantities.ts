import type { Amount } from './amounts.ts';
import type { Atom } from './atoms.ts';
import type { Interpretation } from './interpretation.ts';
import { COUNTED, canHave, type Quantity, type QuantityFilters } from './quantity-filters.ts';

const isDual = ({ tag, value }: Atom): boolean => tag === 'unit' && value.endsWith('2');

export function readNumbers(sentence: Interpretation, filters: QuantityFilters): void {
  for (let at = 0; at < sentence.atoms.length; at += 1) {
    const atom = sentence.atoms[at] as Atom;
    if (atom.isUsed) continue;
    if (atom.amount) at = readNumber(sentence, filters, at, atom.amount);
    else if (isDual(atom)) readDual(sentence, filters, at);
  }
  for (const [at, { tag, isUsed }] of sentence.atoms.entries()) if (tag === 'unit' && !isUsed) readSingle(sentence, at);
}

/** @returns the index of the last atom read */
function readNumber(sentence: Interpretation, filters: QuantityFilters, at: number, number: Amount): number {
  const quantity = numbersAt(sentence, at, number);
  readBefore(sentence, quantity);
  const lastNumber = quantity.last;
  const high = quantity.numbers.at(-1) as Amount;
  for (const [index, atom] of sentence.nextTo(lastNumber, 1, 4)) {
    const { tag, value, text } = atom;
    const { unit, bound, label } = quantity;
    if (tag === 'unit' && !isDual(atom)) {
      // A second unit belongs to another quantity, except "per square meter" after an amount.
      if (unit !== '' && !(unit === 'sar' && (value === 'sar' || value === 'persqm'))) break;
      if (!canHave(value, quantity.numbers)) break;
      quantity.unit = value === 'persqm' ? 'persqm' : unit || value;
    } else if (tag === 'label' && value === 'age' && (unit === 'years' || (unit === '' && high.value < 100)))
      quantity.label = 'age';
    else if ((tag === 'max' || tag === 'min') && bound === null && comparesBefore(sentence, index))
      quantity.bound = tag;
    else if (tag === 'about' && bound === null && /^(?:تقريبا|approximately|approx|roughly)$/.test(text))
      quantity.bound = 'about';
    else if (tag === 'period' && label !== 'age' && unit !== 'years') {
      // `60k a year max`: the period itself is read later.
      const behind = sentence.next(index);
      const comparison = sentence.tag(behind);
      if (bound === null && (comparison === 'max' || comparison === 'min') && comparesBefore(sentence, behind)) {
        quantity.bound = comparison;
        sentence.use(behind);
      }
      break;
    } else if (tag === 'or' && ['max', 'min'].includes(sentence.tag(index + 1))) continue;
    else break;
    quantity.last = index;
  }
  // `ثلاث غرف أو أربع`.
  const { isRange, bound, unit, last } = quantity;
  const alternative = sentence.tag(last + 1) === 'or' ? sentence.atoms[last + 2]?.amount : undefined;
  if (
    !isRange &&
    bound === null &&
    /^(?:rooms|baths)$/.test(unit) &&
    alternative &&
    alternative.value < 50 &&
    !['unit', 'label'].includes(sentence.tag(last + 3))
  ) {
    quantity.numbers.push(alternative);
    quantity.last += 2;
  }
  filters.set(quantity);
  return quantity.last;
}

/** Reads one number or several: `3 or 4`, `40 to 60 thousand`. */
function numbersAt(sentence: Interpretation, at: number, number: Amount): Quantity {
  const numbers = [number];
  let last = at;
  let isRange = false;
  const isBetween = sentence.tag(sentence.next(at, -1)) === 'between';
  // `50 sqm to 90 sqm`.
  const [unit, to, end, endUnit] = sentence.atoms.slice(at + 1, at + 5);
  const isTo =
    to?.tag === 'to' || /^(?:up to|upto|حتي|لحد)$/.test(to?.phrase ?? '') || (isBetween && to?.tag === 'and');
  if (unit?.tag === 'unit' && isTo && end?.amount && endUnit?.tag === 'unit' && endUnit.value === unit.value) {
    numbers.push(end.amount);
    last += 3;
    isRange = true;
  }
  while (!isRange) {
    const separator = sentence.atoms[last + 1];
    // `بين 40 و60`: "and" is a prefix of the number.
    const isDirect = isBetween && separator?.amount !== undefined && numbers.length === 1;
    const amount = isDirect ? separator.amount : sentence.atoms[last + 2]?.amount;
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

function readBefore(sentence: Interpretation, quantity: Quantity): void {
  const { numbers, at, last } = quantity;
  for (const [index, { tag, value, text, isUsed }] of sentence.nextTo(at, -1, 4)) {
    if (isUsed) break;
    if (tag === 'max' || tag === 'min') {
      // `nothing above 70k`.
      const isNegated = sentence.tag(sentence.next(index, -1)) === 'neg';
      quantity.bound ??= isNegated ? (tag === 'max' ? 'min' : 'max') : tag;
    } else if (tag === 'about') quantity.bound ??= tag;
    else if (
      tag === 'unit' &&
      COUNTED.test(value) &&
      quantity.unit === '' &&
      sentence.tag(sentence.next(last)) !== 'unit' &&
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
 * Returns whether a phrase that can also precede a number (`at least`) belongs to the number directly after it: `2
 * bedrooms at least 100 m2`.
 */
function comparesBefore(sentence: Interpretation, at: number): boolean {
  const { text, phrase } = sentence.atoms[at] as Atom;
  if (!isBehind(text) || / (?:من|عن|than|of)$/.test(phrase)) return false;
  if (/^(?:\+|plus|or|and|as|tops|او|upwards|[وف](?=..).*)$/.test(text)) return true;
  let behind = sentence.next(at);
  while (sentence.tag(behind) === 'label' || sentence.atoms[behind]?.value === 'sar') behind = sentence.next(behind);
  const following = sentence.atoms[behind];
  return following?.amount === undefined && !(following && isDual(following));
}

function readDual(sentence: Interpretation, filters: QuantityFilters, at: number): void {
  const unit = (sentence.atoms[at] as Atom).value.slice(0, -1);
  const numbers: Amount[] = [{ value: 2, scale: 1, length: 1 }];
  const quantity: Quantity = { numbers, isRange: false, bound: null, label: '', unit, first: at, last: at, at };
  for (const [index, { tag, value, isUsed }] of sentence.nextTo(at, -1, 3)) {
    if (isUsed) break;
    if (tag === 'max' || tag === 'min') quantity.bound ??= tag;
    else if (tag === 'label') quantity.label ||= value;
    else break;
    quantity.first = index;
  }
  const [separator, following, unitBehind] = sentence.atoms.slice(at + 1, at + 4);
  const other = following?.amount;
  const after = sentence.next(at);
  const comparison = sentence.tag(after);
  if (comparison === 'label' && sentence.atoms[after]?.value === 'age') quantity.label ||= 'age';
  if (separator?.tag === 'to' && other && unitBehind?.value === unit) {
    // `من غرفتين إلى أربع غرف`.
    numbers.push(other);
    Object.assign(quantity, { isRange: true, bound: null, last: at + 3 });
  } else if (quantity.bound === null) {
    if (separator?.tag === 'or' && other && other.value < 50 && unitBehind?.tag !== 'unit') {
      // `غرفتين أو ثلاث`.
      numbers.push(other);
      quantity.last = at + 2;
    } else if ((comparison === 'min' || comparison === 'max') && comparesBefore(sentence, after)) {
      quantity.bound = comparison;
      quantity.last = after;
    }
  }
  filters.set(quantity);
}

/** Reads a word without a number: `شقة غرفة وصالة` means one of each. A room without a type is a property type. */
function readSingle(sentence: Interpretation, at: number): void {
  const { value, text } = sentence.atoms[at] as Atom;
  // The unit of a number that sets no filter, such as a maximum of living rooms.
  const before = sentence.atoms[sentence.next(at, -1)];
  if ((before?.amount && !before.isUsed) || before?.tag === 'neg') return;
  const hasType = sentence.atoms.some(({ tag }) => tag === 'type');
  const isOne = /^(?:و|ب|وب)?(?:ال)?(?:غرفه|صاله|room|bedroom|bedrm|bdrm|living|hall|gh[ou]rfah?|salah?)$/.test(text);
  if (value === 'rooms' && isOne) {
    const shared = sharedHome(sentence, at);
    if (shared >= 0) sentence.set('property_type', 'room', at, shared);
    else if (hasType || sentence.atoms.some((atom) => atom.tag === 'unit' && atom.value.startsWith('livings')))
      sentence.set('beds', '1', at);
    else sentence.set('property_type', 'room', at);
  } else if (value === 'rooms' && !hasType && /^(?:غرف|rooms)$/.test(text)) sentence.set('property_type', 'room', at);
  else if (value === 'baths' && /^(?:واحده?|وحده|one)$/.test(sentence.textOf(at + 1)))
    sentence.set('bathrooms', '1', at, at + 1);
  else if (value === 'livings' && (isOne || /living|معيشه/.test(sentence.wordsOf(at, at).words)))
    sentence.set('livings_min', '1', at);
}

/** Returns the home that a room is in (`room in a shared apartment`); -1 if there is none. */
function sharedHome(sentence: Interpretation, at: number): number {
  const within = sentence.next(at);
  const isIn = sentence.tag(within) === 'in' && !sentence.atoms[within]?.phrase.endsWith('داخل');
  const home = [...sentence.nextTo(within, 1, 2)].find(([, { tag }]) => tag === 'type');
  const isDirect = home !== undefined && [within + 1, within + 2, within + 3].includes(home[0]);
  return isIn && isDirect ? home[0] : -1;
}

function isBehind(text: string): boolean {
  return /^(?:\+|plus|or|and|و?اقل|و?اكثر|فاقل|فاكثر|فما|وتحت|وفوق|وطالع|as|at|tops|max|maximum|min|minimum|كحد|بحد|حد|علي|عالاقل|او|upwards)$/.test(
    text,
  );
}
