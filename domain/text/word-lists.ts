import type { AdvertiserType, Amenity, ListingType, PropertyType, RentFrequency } from '../listing-vocabulary.ts';
import lists from './word-lists.json' with { type: 'json' };

/**
 * For each value of a vocabulary, the words that sources and advertisers use, in both languages. Spellings with the
 * same folded form (hamza, ta marbuta, case, underscores) are one word.
 */
export type WordList<Value extends string> = Readonly<Record<Value, string>>;

const wordList = <Value extends string>(words: Readonly<Record<Value, readonly string[]>>): WordList<Value> =>
  Object.fromEntries(
    Object.entries<readonly string[]>(words).map(([value, names]) => [value, names.join(',')]),
  ) as Record<Value, string>;

export const PURPOSE_WORDS = wordList(lists.purpose) satisfies WordList<ListingType>;
/** Words of feeds for the state of an ad. A state such as `pending` has several meanings, and is none. */
export const STATE_WORDS = wordList(lists.state);
export const PERIOD_WORDS = wordList(lists.period) satisfies WordList<RentFrequency>;
export const TYPE_WORDS = wordList(lists.type) satisfies WordList<PropertyType>;
export const ADVERTISER_WORDS = wordList(lists.advertiser) satisfies WordList<AdvertiserType>;
export const AMENITY_WORDS = wordList(lists.amenity) satisfies WordList<Amenity>;
/** Phrases that contain an amenity word but mean no amenity. */
export const NOT_AMENITIES = lists.not_amenities.join(',');
