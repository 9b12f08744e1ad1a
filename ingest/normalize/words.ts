import {
  AMENITIES,
  type Amenity,
  PROPERTY_TYPE_TABLE,
  PROPERTY_TYPES,
  type PropertyType,
} from '#domain/listings/vocabulary.ts';
import { memoize } from '#domain/memoize.ts';
import { clausesOf, isNearby, isNegated, Lexicon, type Mention, phraseAt, phraseList } from '#domain/text/phrases.ts';
import {
  ADVERTISER_WORDS,
  AMENITY_WORDS,
  NOT_AMENITIES,
  PERIOD_WORDS,
  PURPOSE_WORDS,
  TYPE_WORDS,
} from '#domain/text/word-lists.ts';

/** Creates a function that returns a value for a whole text that is a name, else the first mention not negated. */
function reader<Value extends string>(lexicon: Lexicon<Value>): (text: string) => Value | null {
  return memoize((text) => {
    const whole = lexicon.whole(text);
    if (whole !== null) return whole;
    const clauses = clausesOf(text);
    const stated = lexicon
      .mentions(clauses)
      .find(({ clause, from, to }) => !isNegated(clauses[clause] as string[], from, to));
    return stated?.value ?? null;
  });
}

/** Reads rent or sale; null for unknown words. */
export const readPurpose = reader(new Lexicon(PURPOSE_WORDS));
/** Reads the rent period; null for unknown words. */
export const readPeriod = reader(new Lexicon(PERIOD_WORDS));
/** Reads the value of the `advertiser_type` filter; null if the source's wording is inconclusive. */
export const readAdvertiserType = reader(new Lexicon(ADVERTISER_WORDS));

export const types = new Lexicon(TYPE_WORDS);
for (const type of PROPERTY_TYPES) {
  types.add(PROPERTY_TYPE_TABLE[type].name_ar, type);
  types.add(PROPERTY_TYPE_TABLE[type].name_en, type);
}

/** Words that introduce a location: an apartment in a villa is an apartment. */
const LOCATIVES = phraseList(
  'in, inside, within, of, at, on, with, in a, in an, in the, of a, في, داخل, ضمن, من, بداخل, مع',
);

/** Reads the property type; null for unknown words. */
export const readPropertyType = memoize((text) => {
  const whole = types.whole(text);
  if (whole !== null) return whole;
  const clauses = clausesOf(text);
  const wordsOf = ({ clause }: Mention<PropertyType>) => clauses[clause] as string[];
  const stated = types
    .mentions(clauses)
    .filter((mention) => !isNegated(wordsOf(mention), mention.from, mention.to))
    .filter((mention) => !isPlace(wordsOf(mention), mention.from));
  // A nearby place is not the property: `near metro: apartment` is an apartment.
  const here = stated.filter((mention) => !isNearby(wordsOf(mention), mention.from, mention.to));
  const mentions = here.length > 0 ? here : stated;
  const first = mentions[0];
  if (first === undefined) return null;
  // In English, the last of adjacent type words applies (`villa apartment`); in Arabic, the first.
  const isLatin = /^[a-z]/.test(clauses[first.clause]?.[first.from] ?? '');
  return isLatin ? lastInRow(mentions).value : first.value;
});

/** Returns whether a locative directly precedes the word. */
function isPlace(words: readonly string[], from: number): boolean {
  return [1, 2].some((back) => from >= back && phraseAt(words, from - back, LOCATIVES) === back);
}

function lastInRow<Value>(mentions: readonly Mention<Value>[]): Mention<Value> {
  let last = mentions[0] as Mention<Value>;
  for (const next of mentions.slice(1)) {
    if (next.clause !== last.clause || next.from !== last.to) break;
    last = next;
  }
  return last;
}

const amenities = new Lexicon(AMENITY_WORDS, NOT_AMENITIES);
const amenityRank: ReadonlyMap<Amenity, number> = new Map(AMENITIES.map((amenity, rank) => [amenity, rank]));

/** Returns the amenities that a word or phrase mentions, as a bitmask by vocabulary rank. */
const amenitiesOf = memoize((text) => {
  const whole = amenities.whole(text);
  if (whole !== null) return bitOf(whole);
  let found = 0;
  const clauses = clausesOf(text);
  for (const { value, clause, from, to } of amenities.mentions(clauses)) {
    const words = clauses[clause] as string[];
    if (!isNegated(words, from, to) && !isNearby(words, from, to)) found |= bitOf(value);
  }
  return found;
});

function bitOf(amenity: Amenity): number {
  return 1 << (amenityRank.get(amenity) as number);
}

/** Returns the amenities among the source's words, distinct and in vocabulary order. Unknown words are ignored. */
export function readAmenities(words: readonly string[] | null | undefined): Amenity[] {
  if (!Array.isArray(words) || words.length === 0) return [];
  let found = 0;
  for (const word of words) if (typeof word === 'string') found |= amenitiesOf(word);
  return AMENITIES.filter((_, rank) => (found & (1 << rank)) !== 0);
}
