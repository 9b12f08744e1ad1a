import { foldText, isLatin } from '../fold.ts';
import { CITIES, NEIGHBORHOODS } from '../geography/gazetteer.ts';
import { findCity, findNeighborhood } from '../geography/locate.ts';
import { latinWordKey, nameKeys } from '../geography/names.ts';
import type { City, Neighborhood } from '../geography/places.ts';

export interface PlaceName {
  city: City | null;
  neighborhoods: readonly Neighborhood[];
  length: number;
}

const MAX_WORDS = 4;
/** Shortest single-word name, without the article, to which a word can be corrected. */
const SHORTEST_CORRECTED = 4;
/** Shortest name in Latin letters that may be a transliteration. */
const SHORTEST_LOOSE = 5;

const withoutArticle = (word: string): string => word.replace(/^ال(?=..)/, '');

const namesOf = ({ name_ar, name_en, aliases }: City | Neighborhood) => [name_ar, name_en, ...aliases];

const words = new Set<string>();
const correctable = new Map<string, string>();
for (const place of [...NEIGHBORHOODS, ...CITIES])
  for (const name of namesOf(place).map(foldText)) {
    for (const word of name.match(/[\p{L}\p{M}]+/gu) ?? [])
      words.add(isLatin(word) ? latinWordKey(word) : withoutArticle(word));
    const bare = withoutArticle(name);
    if (!name.includes(' ') && bare.length >= SHORTEST_CORRECTED) correctable.set(name, bare);
  }
words.delete('');

export const isPlaceWord = (word: string): boolean =>
  isLatin(word) ? words.has(latinWordKey(word)) : words.has(withoutArticle(word)) || findCity(word) !== null;

export const placeNames = (): ReadonlyMap<string, string> => correctable;

/**
 * Returns the longest name of a place in any usual spelling; null if there is none.
 * @param given folded words
 */
export function placeAt(given: readonly string[], at: number): PlaceName | null {
  for (let length = Math.min(MAX_WORDS, given.length - at); length > 0; length -= 1) {
    const span = given.slice(at, at + length);
    if (span.some((word) => !/^[\p{L}\p{M}\d'’]+$/u.test(word))) continue;
    // Here, `at`, `as` and `an` are English words, and not the article of a transliterated name.
    if (/^(?:at|as|an|حي)$/.test(span.at(-1) ?? '') || /^(?:a|the)$/.test(span[0] ?? '')) continue;
    const name = span.join(' ');
    const { exact, loose } = nameKeys(name);
    const city = findCity(name);
    if (exact.length < 2) continue;
    const alike = CITIES.flatMap(({ slug }) => findNeighborhood(slug, name) ?? []);
    const named = alike.filter((each) => namesOf(each).some((own) => nameKeys(own).exact === exact));
    const mayBeLoose = named.length === 0 && (!isLatin(loose) || loose.length >= SHORTEST_LOOSE);
    const neighborhoods = mayBeLoose ? alike : named;
    // An article or a direction alone is not a place.
    if (city === null && neighborhoods.length === 0) continue;
    // `الهفوف` is a spelling of its city, but also the name of a neighborhood, which is more precise.
    const parts = neighborhoods.filter((each) => each.city === city?.slug);
    const isCity = city !== null && [city.name_en, city.name_ar].some((own) => foldText(own) === name);
    return parts.length > 0 && !isCity ? { city: null, neighborhoods: parts, length } : { city, neighborhoods, length };
  }
  return null;
}
