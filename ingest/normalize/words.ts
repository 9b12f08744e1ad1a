import { AMENITIES, type Amenity, PROPERTY_TYPE_TABLE, PROPERTY_TYPES } from '#domain/listings/vocabulary.ts';
import { foldText } from '#domain/text/fold.ts';
import { memoize } from './memoize.ts';
import {
  ADVERTISER_WORDS,
  AMENITY_WORDS,
  PERIOD_WORDS,
  PURPOSE_WORDS,
  TYPE_WORDS,
  type WordList,
} from './word-lists.ts';

/** Underscores and hyphens in identifiers stand for spaces. */
function fold(word: string): string {
  return foldText(word.replace(/[_-]+/g, ' '));
}

function tableOf<Value extends string>(words: WordList<Value>): Map<string, Value> {
  const table = new Map<string, Value>();
  for (const [value, names] of Object.entries(words) as [Value, string][]) {
    for (const name of [value, ...names.split(',')]) if (!table.has(fold(name))) table.set(fold(name), value);
  }
  return table;
}

/** Looks up a whole text; failing that, the longest name that occurs in it as whole words (`شقة للإيجار بالرياض`). */
function lookup<Value extends string>(table: ReadonlyMap<string, Value>): (text: string) => Value | null {
  // A single letter is a code (`r`, `s`): within a text it says nothing.
  const names = [...table.keys()].filter((name) => name.length > 2).sort((a, b) => b.length - a.length);
  return memoize((text) => {
    const folded = fold(text);
    const exact = table.get(folded);
    if (exact !== undefined) return exact;
    const padded = ` ${folded.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
    const name = names.find((candidate) => padded.includes(` ${candidate} `));
    return name === undefined ? null : (table.get(name) ?? null);
  });
}

const types = tableOf(TYPE_WORDS);
for (const type of PROPERTY_TYPES) {
  types.set(fold(PROPERTY_TYPE_TABLE[type].name_ar), type);
  types.set(fold(PROPERTY_TYPE_TABLE[type].name_en), type);
}

/** Rent or sale; null when the word is neither. */
export const readPurpose = lookup(tableOf(PURPOSE_WORDS));
/** The property type; null when the word is none of ours. */
export const readPropertyType = lookup(types);
/** The rent's period; null when the word is none. */
export const readPeriod = lookup(tableOf(PERIOD_WORDS));
/** The class of the `advertiser_type` filter; null when the source's wording tells nothing. */
export const readAdvertiserType = lookup(tableOf(ADVERTISER_WORDS));

const readAmenity = lookup(tableOf(AMENITY_WORDS));
const amenityRank: ReadonlyMap<Amenity, number> = new Map(AMENITIES.map((amenity, rank) => [amenity, rank]));

/** `no parking`, `بدون مطبخ`: the amenity is named to say that it is missing. */
const MISSING = /^(?:no|not|without|بدون|بلا|لا|غير|ليس)(?![\p{L}\p{N}])/u;
const amenityOf = memoize((word) => (MISSING.test(fold(word)) ? null : readAmenity(word)));

/** The amenities among the source's words, each once, in the vocabulary's order; other words are left out. */
export function readAmenities(words: readonly string[] | null | undefined): Amenity[] {
  if (!Array.isArray(words) || words.length === 0) return [];
  let found = 0;
  for (const word of words) {
    const amenity = typeof word === 'string' ? amenityOf(word) : null;
    if (amenity !== null) found |= 1 << (amenityRank.get(amenity) as number);
  }
  return AMENITIES.filter((_, rank) => (found & (1 << rank)) !== 0);
}
