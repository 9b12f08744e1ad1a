import { isLatin } from '../fold.ts';
import { PROPERTY_TYPE_TABLE, type PropertyType } from '../listing-vocabulary.ts';
import type { Atom } from './atoms.ts';
import type { Interpretation } from './interpretation.ts';

const TYPE_AS_AMENITY: Readonly<Record<string, string>> = {
  warehouse: 'storage',
  apartment: 'annex',
  room: 'driver_room',
};

/** Sets the filters of words without numbers: types, amenities, purposes and others, with their negation. */
export function readWords(sentence: Interpretation): void {
  let negated = false;
  // If a word was taken, the negation reaches only what "and" or "or" joins: `no basement villa`.
  let isTaken = false;
  // `farm with a house`.
  let isContent = false;
  for (const [at, { tag, value, text, phrase, isUsed, isJoined }] of sentence.atoms.entries()) {
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
    const first = negated ? negatorBefore(sentence, at) : at;
    const isNear = sentence.isNear(at);
    if (!isUsed && tag === 'amenity' && isNear) continue;
    if (!isUsed && (tag === 'amenity' || (tag === 'type' && !isNear && isAmenityHere(sentence, at)))) {
      const amenity = tag === 'amenity' ? value : (TYPE_AS_AMENITY[value] ?? value);
      sentence.set(negated ? 'amenities_exclude' : 'amenities', amenity, first, at);
      isTaken = true;
      continue;
    }
    const isNegated = negated && (!isTaken || isJoined);
    negated = false;
    isTaken = false;
    if (isUsed) continue;
    if (tag === 'purpose') sentence.set('listing_type', value, at);
    else if (tag === 'furnished' && isEither(sentence, at, isNegated)) sentence.use(at);
    else if (tag === 'furnished' || tag === 'verified')
      sentence.set(tag, isNegated ? String(value !== 'true') : value, first, at);
    else if (tag === 'compound') sentence.set('in_compound', isNegated ? 'false' : value, first, at);
    else if (isNegated) continue;
    else if (tag === 'type') {
      if (!isSurrounding(sentence, at) && !(isContent && sentence.hasOtherType(at, value)))
        sentence.set('property_type', value, at);
    } else if (tag === 'advertiser') sentence.set('advertiser_type', value, at);
    else if (tag === 'category') {
      if (refinesType(sentence, at, value)) sentence.use(at);
      else sentence.set('listing_category', value, at);
    } else if (tag === 'floor') {
      sentence.set('floor', value, at);
      // `دور أرضي` is a property type if the sentence states no other.
      if (/^(?:(?:ال)?دور|dor) /.test(phrase) && !sentence.atoms.some((each) => each.tag === 'type'))
        sentence.set('property_type', 'floor', at);
    } else if (tag === 'age' && !isOfOther(sentence, at)) sentence.set('max_age', '1', at);
    else if (tag === 'sort' && sentence.sort === null) {
      sentence.sort = value;
      sentence.use(at);
      sentence.understood.push({ parameter: 'sort', value, ...sentence.wordsOf(at, at) });
    }
  }
}

/** Returns whether both values are stated: `furnished or unfurnished`. */
function isEither(sentence: Interpretation, at: number, isNegated: boolean): boolean {
  const { tag, value } = sentence.atoms[at] as Atom;
  const others = [sentence.next(at, -1), sentence.next(at)]
    .filter((next) => sentence.tag(next) === 'or')
    .flatMap((or) => [sentence.atoms[or - 1], sentence.atoms[or + 1]]);
  return !isNegated && others.some((other) => other?.tag === tag && other.value !== value);
}

/** Returns whether a word describes someone else: `a new employee`, `لموظفة جديدة`. */
function isOfOther(sentence: Interpretation, at: number): boolean {
  return sentence.tag(isLatin(sentence.textOf(at)) ? at + 1 : at - 1) === 'unknown';
}

/** Returns whether a type is only the surroundings or a part: `near a mall`, `شقة في عمارة`, `فيلا دورين`. */
function isSurrounding(sentence: Interpretation, at: number): boolean {
  const { value, text, isJoined } = sentence.atoms[at] as Atom;
  if (sentence.isNear(at)) return true;
  const before = sentence.next(at, -1);
  const tag = sentence.tag(before);
  const hasType = sentence.hasOtherType(at, value);
  if (tag === 'in') return hasType;
  // `building with 12 apartments`, `شقة رقم 12 عمارة 5`.
  const isCounted = [at - 1, at + 1].some((next) => sentence.atoms[next]?.amount && !sentence.atoms[next].isUsed);
  if (hasType && isCounted) return true;
  if (!hasType || value !== 'floor') return false;
  // `شقة بالدور ٢`; `شقة أو دور` are two types.
  return /^ب?ال/.test(text) || (!isJoined && before >= 0 && tag !== 'or' && tag !== 'and' && tag !== 'type');
}

function negatorBefore(sentence: Interpretation, at: number): number {
  const before = sentence.atoms
    .slice(0, at)
    .findLastIndex(({ tag }) => !['stop', 'or', 'and', 'amenity'].includes(tag));
  return sentence.tag(before) === 'neg' ? before : at;
}

function isAmenityHere(sentence: Interpretation, at: number): boolean {
  const { value } = sentence.atoms[at] as Atom;
  if (TYPE_AS_AMENITY[value] === undefined) return false;
  const { words } = sentence.wordsOf(at, at);
  if (value === 'apartment' && !/ملحق/.test(words)) return false;
  if (value === 'room' && !/سائق|driver/i.test(words)) return false;
  return sentence.hasOtherType(at, value);
}

/** Returns whether a word refines an earlier type: `عمارة ... تجارية`. */
function refinesType(sentence: Interpretation, at: number, category: string): boolean {
  const near = [sentence.next(at, -1), sentence.next(at)].find((index) => sentence.tag(index) === 'type') ?? -1;
  return PROPERTY_TYPE_TABLE[sentence.atoms[near]?.value as PropertyType]?.category === category;
}
