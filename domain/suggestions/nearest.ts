import { distance } from 'fastest-levenshtein';
import { nameKeys } from '../geography/name-keys.ts';
import type { Candidate } from '../named.ts';

/** Longest compared text. The cost of an edit distance grows quadratically. */
export const MAX_COMPARED = 60;

/** Returns the tolerated number of edits. A short text with two errors could be any other text. */
function allowedEdits(text: string): number {
  if (text.length < 3) return 0;
  return text.length < 6 ? 1 : 2;
}

/**
 * By name in either language, by any spelling of a place name, or, unless names must be `correct`, by edit distance.
 */
export function nearest(given: string, candidates: readonly Candidate[], correct = false): string | null {
  if (given.length > MAX_COMPARED) return null;
  const key = nameKeys(given);
  if (key.exact === '') return null;
  const named = candidates.flatMap(({ value, names }) =>
    [value, ...names].map((name) => ({ value, key: nameKeys(name) })),
  );
  const same =
    named.find((each) => each.key.exact === key.exact) ??
    named.find((each) => singular(each.key.exact) === singular(key.exact)) ??
    named.find((each) => each.key.loose === key.loose);
  if (same || correct) return same?.value ?? null;
  const texts = named.map((each) => ({ value: each.value, text: each.key.exact }));
  return nearestByEdits(key.exact, texts) ?? onlyPrefix(key.exact, texts);
}

const SHORTEST_PREFIX = 4;

/**
 * Returns the only value with a name that begins with the text (`khamis`), or with which the text begins
 * (`riyadhcity`).
 */
function onlyPrefix(given: string, texts: readonly NamedValue[]): string | null {
  const values = new Set(
    texts
      .filter(({ text }) => Math.min(text.length, given.length) >= SHORTEST_PREFIX)
      .filter(({ text }) => text.startsWith(given) || given.startsWith(text))
      .map(({ value }) => value),
  );
  const [only] = values;
  return values.size === 1 && only !== undefined ? only : null;
}

interface NamedValue {
  value: string;
  text: string;
}

export function nearestByEdits(given: string, texts: readonly NamedValue[]): string | null {
  let least = allowedEdits(given) + 1;
  let found: string | null = null;
  for (const { value, text } of texts) {
    if (Math.abs(text.length - given.length) >= least) continue;
    const edits = distance(given, text);
    if (edits >= least) continue;
    least = edits;
    found = value;
  }
  return found;
}

export const singular = (word: string): string => word.replace(/(?<=.{2})ies$/, 'y').replace(/(?<=[^s]{2})s$/, '');
