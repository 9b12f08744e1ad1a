import { foldText, isLatin } from '../fold.ts';
import { CITIES, NEIGHBORHOODS } from '../geography/gazetteer.ts';
import { findCity } from '../geography/locate.ts';
import { latinWordKey, nameKeys } from '../geography/name-keys.ts';
import type { City, Neighborhood } from '../geography/places.ts';

export interface PlaceName {
  city: City | null;
  neighborhoods: readonly Neighborhood[];
  length: number;
}

const MAX_WORDS = 4;

const exact = new Map<string, Neighborhood[]>();
const loose = new Map<string, Neighborhood[]>();
const words = new Set<string>();
/** Shortest single-word name, without the article, to which a word can be corrected. */
const SHORTEST_CORRECTED = 4;
const correctable = new Map<string, string>();

const withoutArticle = (word: string): string => word.replace(/^ال(?=..)/, '');

for (const neighborhood of NEIGHBORHOODS)
  for (const name of [neighborhood.name_ar, neighborhood.name_en, ...neighborhood.aliases]) {
    const keys = nameKeys(name);
    enter(exact, keys.exact, neighborhood);
    enter(loose, keys.loose, neighborhood);
    enterWords(foldText(name));
  }
for (const { name_ar, name_en, aliases } of CITIES)
  for (const name of [name_ar, name_en, ...aliases].map(foldText)) enterWords(name);

words.delete('');

function enterWords(folded: string): void {
  for (const word of folded.match(/[\p{L}\p{M}]+/gu) ?? [])
    words.add(isLatin(word) ? latinWordKey(word) : withoutArticle(word));
  const bare = withoutArticle(folded);
  if (!folded.includes(' ') && bare.length >= SHORTEST_CORRECTED) correctable.set(folded, bare);
}

function enter(names: Map<string, Neighborhood[]>, key: string, neighborhood: Neighborhood): void {
  if (key === '') return;
  const held = names.get(key) ?? [];
  if (!held.some(({ city }) => city === neighborhood.city)) names.set(key, [...held, neighborhood]);
}

export const isPlaceWord = (word: string): boolean =>
  isLatin(word) ? words.has(latinWordKey(word)) : words.has(withoutArticle(word)) || findCity(word) !== null;

export const placeNames = (): ReadonlyMap<string, string> => correctable;

/**
 * Returns the longest name of a place in any usual spelling; null if there is none.
 * @param given folded words
 * @param introduced whether short names in loose transliteration are accepted
 */
export function placeAt(given: readonly string[], at: number, introduced: boolean): PlaceName | null {
  for (let length = Math.min(MAX_WORDS, given.length - at); length > 0; length -= 1) {
    const span = given.slice(at, at + length);
    if (span.some((word) => !/^[\p{L}\p{M}\d'’]+$/u.test(word))) continue;
    // Here, `at`, `as` and `an` are English words, and not the article of a transliterated name.
    if (/^(?:at|as|an|حي)$/.test(span.at(-1) ?? '') || /^(?:a|the)$/.test(span[0] ?? '')) continue;
    const name = span.join(' ');
    const city = findCity(name);
    const keys = nameKeys(name);
    if (keys.exact.length < 2) continue;
    const mayBeLoose = introduced || (isLatin(keys.loose) && keys.loose.length >= 5);
    const neighborhoods = exact.get(keys.exact) ?? (mayBeLoose ? loose.get(keys.loose) : undefined) ?? [];
    // An article or a direction alone is not a place.
    if (city === null && neighborhoods.length === 0) continue;
    // `الهفوف` is a spelling of its city, but also the name of a neighborhood, which is more precise.
    const parts = neighborhoods.filter((each) => each.city === city?.slug);
    const isCity = city !== null && [city.name_en, city.name_ar].some((own) => foldText(own) === name);
    return parts.length > 0 && !isCity ? { city: null, neighborhoods: parts, length } : { city, neighborhoods, length };
  }
  return null;
}
