import type { PointOfInterest } from '../geography/points-of-interest.ts';
import { atomsOf } from './atoms.ts';
import { InterestIndex } from './interest-index.ts';
import { Interpretation, type NotUnderstood, type ParsedFilter } from './interpretation.ts';
import { claimNearby, setNearby } from './nearby.ts';
import { type PlaceReading, readPlaces, type SentenceContext } from './place-filters.ts';
import { readNumbers } from './quantities.ts';
import { QuantityFilters } from './quantity-filters.ts';
import { correctSpelling } from './spelling.ts';
import { tokensOf } from './tokens.ts';
import { readWords } from './word-filters.ts';

export type { SentenceContext };

export interface ParsedSentence {
  /** Filters in the notation of a URL of `/listings`. */
  filters: Readonly<Record<string, string>>;
  sort: string | null;
  near_place: Interpretation['nearPlace'];
  understood: ParsedFilter[];
  not_understood: NotUnderstood[];
  alternatives: PlaceReading[];
}

/**
 * Reads a search in Arabic, English or both, by rules and word lists. Unclear words are returned, not guessed. `GET
 * /listings/parse` documents the result.
 */
export function parseSentence(sentence: string, context: SentenceContext): ParsedSentence {
  const index = context.pointsOfInterest?.length ? indexOf(context.pointsOfInterest) : null;
  const tokens = correctSpelling(tokensOf(sentence), (word) => index?.knows(word) === true);
  const reading = new Interpretation(sentence, atomsOf(tokens, index));
  const claim = claimNearby(reading);
  const quantities = new QuantityFilters(reading, context.year);
  readNumbers(reading, quantities);
  readWords(reading);
  const alternatives = readPlaces(reading, context);
  if (claim !== null) setNearby(reading, claim);
  quantities.readPeriods();
  return {
    filters: reading.filters(),
    sort: reading.sort,
    near_place: reading.nearPlace,
    understood: reading.understood.toSorted((a, b) => a.start - b.start || a.end - b.end),
    not_understood: reading.rest(alternatives),
    alternatives,
  };
}

const indexes = new WeakMap<readonly PointOfInterest[], InterestIndex>();

/** The places of a process never change. */
function indexOf(places: readonly PointOfInterest[]): InterestIndex {
  const index = indexes.get(places) ?? new InterestIndex(places);
  indexes.set(places, index);
  return index;
}
