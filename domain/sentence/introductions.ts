import { isLatin } from '../fold.ts';
import type { Amount } from './amounts.ts';
import type { NamedPlaces } from './interest-index.ts';

/** The properties of an atom that are used here. */
interface Word {
  tag: string;
  value: string;
  text: string;
  phrase: string;
  amount?: Amount;
}

/** Words before a place that say how near it is. */
export interface Introduction {
  /** The first atom. */
  first: number;
  /** A distance in meters, or a time in minutes. */
  amount: { value: number; isTime: boolean } | null;
  means: string | null;
}

/** A place of the operator's file after words for "near". */
export interface Nearby {
  named: NamedPlaces;
  introduction: Introduction;
}

/** Minutes of "walking distance". */
const WALK_MINUTES = 10;
/** Folded phrases that mean "near" only with a distance: `2 km from`, but not `away from`. */
const NEEDS_AMOUNT = /^(?:from|away from|من|علي بعد|علي مسافه|بمسافه|مسافه|يبعد|تبعد|يبعد عن|تبعد عن)$/;

/** Returns how near the words before a place say that it is; null if they do not, or negate it: `not near the metro`. */
export function introductionOf(atoms: readonly Word[], isName: boolean): Introduction | null {
  let at = atoms.length;
  let first = -1;
  const back = (): void => {
    do at -= 1;
    while (atoms[at]?.tag === 'stop');
  };
  const take = (): void => {
    first = at;
    back();
  };
  const tag = (): string => atoms[at]?.tag ?? '';
  const phrase = (): string => atoms[at]?.phrase ?? '';
  back();
  // `by KAFD`: other words after "by" are no places.
  const last = atoms.findLast(({ text }) => text !== 'the');
  const isBy = isName && last?.phrase === 'by';
  if (isBy) first = atoms.indexOf(last as Word);
  const isAround = /^(?:around|حول)/.test(phrase()) && /^(?:about|near)$/.test(tag());
  const isNear = isBy || isAround || (tag() === 'near' && !NEEDS_AMOUNT.test(phrase()));
  const isWalk = phrase().startsWith('walking distance');
  if (isAround || tag() === 'near' || tag() === 'to') take();
  let means = isWalk ? 'foot' : null;
  if (tag() === 'means') {
    means = atoms[at]?.value ?? null;
    take();
  }
  const amount = amountBefore(atoms, at);
  if (amount !== null) {
    at = amount.first;
    take();
    while (/^(?:max|in|near|about)$/.test(tag())) take();
  }
  const isStated = isNear || amount !== null;
  if (!isStated || first < 0 || tag() === 'neg' || tag() === 'except') return null;
  return { first, means, amount: amount ?? (isWalk ? { value: WALK_MINUTES, isTime: true } : null) };
}

/** Returns the distance or time that ends at an atom: `500 m`, `10-minute`, `ربع ساعة`. */
function amountBefore(atoms: readonly Word[], at: number): { value: number; isTime: boolean; first: number } | null {
  const { tag, value, text, phrase, amount: joined } = atoms[at] ?? { tag: '', value: '', text: '', phrase: '' };
  if (tag === 'time') return { value: Number(value), isTime: true, first: at };
  // `500m` is otherwise an amount in millions.
  if (joined && / m$/.test(phrase)) return { value: joined.value / joined.scale, isTime: false, first: at };
  const first = atoms[at - 1]?.tag === 'to' && atoms[at - 1]?.text === '-' ? at - 2 : at - 1;
  const amount = atoms[first]?.amount;
  if (amount === undefined || amount.scale > 1 || amount.value <= 0) return null;
  const isTime = value === 'minutes' || (tag === 'min' && text === 'min');
  if (tag === 'unit' && value === 'km') return { value: amount.value * 1_000, isTime: false, first };
  if (isTime || (tag === 'unit' && value === 'sqm' && !/مربع|sq|²/.test(phrase)))
    return { value: amount.value, isTime, first };
  return null;
}

/** Words that follow the name of another place: `King Saud University hospital`. */
const OTHER_PLACE =
  /^(?:park|gate|towers?|hospital|stadium|boulevard|front|mosque|museum|square|street|road|district)$/;

/**
 * Returns whether words after a name make it that of another place, which is unknown: `جامعة هوغورتس`, `university of
 * Oxford`.
 * @param isUnknown whether a word is neither in the dictionary nor a place
 * @param isPlace whether a word begins the name of a neighborhood
 */
export function isOfOther(
  words: readonly string[],
  at: number,
  { length, isKind }: NamedPlaces & { length: number },
  { isUnknown, isPlace }: Readonly<Record<'isUnknown' | 'isPlace', (at: number) => boolean>>,
): boolean {
  const behind = at + length;
  const word = words[behind] ?? '';
  if (!isKind) return OTHER_PLACE.test(word);
  if (word === 'of') return true;
  return !isLatin(words[at] ?? '') && /^\p{L}/u.test(word) && (isUnknown(behind) || isPlace(behind));
}
