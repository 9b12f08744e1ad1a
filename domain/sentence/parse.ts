import { atomsOf } from './atoms.ts';
import { Interpretation, type ParsedFilter, type Words } from './interpretation.ts';
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
  understood: ParsedFilter[];
  not_understood: Words[];
  alternatives: PlaceReading[];
}

/**
 * Reads a search in Arabic, English or both, by rules and word lists. Unclear words are returned, not guessed. `GET
 * /listings/parse` documents the result.
 */
export function parseSentence(sentence: string, context: SentenceContext): ParsedSentence {
  const reading = new Interpretation(sentence, atomsOf(correctSpelling(tokensOf(sentence))));
  const quantities = new QuantityFilters(reading);
  readNumbers(reading, quantities);
  readWords(reading);
  const alternatives = readPlaces(reading, context);
  quantities.readPeriods();
  return {
    filters: reading.filters(),
    sort: reading.sort,
    understood: reading.understood.toSorted((a, b) => a.start - b.start || a.end - b.end),
    not_understood: reading.rest(),
    alternatives,
  };
}
