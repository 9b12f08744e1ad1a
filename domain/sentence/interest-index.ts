import type { PointOfInterest } from '../geography/points-of-interest.ts';
import { MAX_NEAR_POINTS, RADIUS_M } from '../geography/shapes.ts';
import KINDS from './place-kinds.json' with { type: 'json' };
import { tokensOf } from './tokens.ts';

/** What a name means: the places that have it, or all of a kind. */
export interface NamedPlaces {
  name_en: string | null;
  name_ar: string | null;
  isKind: boolean;
  places: readonly PointOfInterest[];
}

/** Meters of "near" a place that states no radius. */
const NEAR_M = 1_000;
/** The prefixes of Arabic for "in", "and" and "to", with and without the article. */
const PREFIX = /^(?:و?[بل]|و)(?=..)/;

/** Names of places by their words. Names are keys of a map and never patterns, so that no name is slow to find. */
export class InterestIndex {
  readonly #names = new Map<string, NamedPlaces>();
  readonly #words = new Set<string>();
  #longest = 0;

  constructor(places: readonly PointOfInterest[]) {
    for (const [kind, { words, ...named }] of Object.entries(KINDS)) {
      const found = places.filter((place) => place.kind === kind);
      if (found.length > 0) for (const word of words) this.#add(word, { ...named, isKind: true, places: found });
    }
    for (const place of places) {
      const { name_en, name_ar, aliases } = place;
      for (const name of [name_en, name_ar, ...aliases]) {
        const held = name === null ? undefined : this.#names.get(keyOf(name));
        // The words of a kind are not names.
        if (name === null || held?.isKind || held?.places.includes(place)) continue;
        this.#add(name, { name_en, name_ar, isKind: false, places: [...(held?.places ?? []), place] });
      }
    }
  }

  #add(name: string, named: NamedPlaces): void {
    const words = wordsOf(name);
    this.#names.set(words.join(' '), named);
    for (const word of words) this.#words.add(word);
    this.#longest = Math.max(this.#longest, words.length);
  }

  knows(word: string): boolean {
    return formsOf(word).some((form) => this.#words.has(form));
  }

  /** Returns the longest name that begins at a word; null if there is none. */
  namedAt(words: readonly string[], at: number): (NamedPlaces & { length: number }) | null {
    for (let length = Math.min(this.#longest, words.length - at); length > 0; length -= 1) {
      const [first = '', ...others] = words.slice(at, at + length);
      for (const form of formsOf(first)) {
        const named = this.#names.get([form, ...others].join(' '));
        if (named) return { ...named, length };
      }
    }
    return null;
  }
}

const wordsOf = (name: string): string[] => tokensOf(name).flatMap(({ text, kind }) => (kind === 'mark' ? [] : text));
const keyOf = (name: string): string => wordsOf(name).join(' ');

function formsOf(word: string): string[] {
  const bare = word.replace(/^(?:و?لل)(?=..)/, 'ال').replace(PREFIX, '');
  return [...new Set([word, bare, bare.replace(/^ال(?=..)/, '')])];
}

/** Meters, from the places if the sentence states none. */
export const radiusOf = ({ places, isKind }: NamedPlaces, meters: number | null): number => {
  const near = isKind ? NEAR_M : Math.max(...places.map(({ radius }) => radius ?? NEAR_M));
  return Math.min(RADIUS_M.max, Math.max(RADIUS_M.min, Math.round(meters ?? near)));
};

/** Returns the places in a city, or all without one; null if there are none, or too many for a filter. */
export function placesIn({ places }: NamedPlaces, city: string | undefined): readonly PointOfInterest[] | null {
  const found = city === undefined ? places : places.filter((place) => place.city === city);
  return found.length === 0 || found.length > MAX_NEAR_POINTS ? null : found;
}
