import { foldText } from '../fold.ts';
import { PROPERTY_TYPE_TABLE } from '../listing-vocabulary.ts';
import { Lexicon } from '../text/phrases.ts';
import {
  ADVERTISER_WORDS,
  AMENITY_WORDS,
  NOT_AMENITIES,
  PERIOD_WORDS,
  PURPOSE_WORDS,
  TYPE_WORDS,
} from '../text/word-lists.ts';
import words from './dictionary.json' with { type: 'json' };

/**
 * `phrases` has, by `tag:value`, the words that occur only in searches; others come from the word lists of ingest. Some
 * of `landmark` are also names of districts, but only after "district"; its values are directions of a city. The words in `none` have no filter; they are
 * listed so that they are not corrected as misspellings. `in_latin_letters` is Arabic in Latin letters, in which a
 * digit inside a word separates it: `sha2a`. `otherwise` has words of ingest that mean something else in a search.
 */
const { phrases, in_latin_letters: inLatinLetters, otherwise } = words;
const OTHERWISE = new Set(otherwise.map((word) => foldText(word)));

/** If several lists contain a phrase, the first one applies. */
export const DICTIONARY = buildDictionary();

function buildDictionary(): Lexicon<string> {
  const dictionary = new Lexicon<string>({} as Record<string, string>, NOT_AMENITIES);
  for (const [meaning, names] of [...Object.entries(phrases), ...Object.entries(inLatinLetters)])
    for (const name of names) dictionary.add(name, meaning);
  const lists = {
    purpose: PURPOSE_WORDS,
    type: TYPE_WORDS,
    amenity: AMENITY_WORDS,
    period: PERIOD_WORDS,
    advertiser: ADVERTISER_WORDS,
  };
  for (const [type, { name_ar, name_en }] of Object.entries(PROPERTY_TYPE_TABLE))
    for (const name of [name_ar, name_en]) dictionary.add(name, `type:${type}`);
  for (const [tag, list] of Object.entries(lists))
    for (const [value, names] of Object.entries(list))
      for (const name of [value, ...names.split(',')])
        if (!OTHERWISE.has(foldText(name))) dictionary.add(name, `${tag}:${value}`);
  return dictionary;
}
