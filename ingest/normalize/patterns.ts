/** Number of characters of an ad's text that are read for facts. */
export const MAX_TEXT = 5_000;

/** Boundaries of a word in folded text, also of Arabic words. */
export const START = '(?<![a-z0-9\\u0621-\\u064a])';
export const END = '(?![a-z0-9\\u0621-\\u064a])';

export const wholeWords = (source: string, flags = 'u'): RegExp => new RegExp(`${START}(?:${source})${END}`, flags);

/** Unlike `matchAll`, it copies no pattern, which is compiled for each call. */
export function matchesOf(text: string, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) found.push(match);
  return found;
}

/** Returns the only distinct value; null if there is none, or if there are several. */
export function onlyOf<Value>(values: Iterable<Value>): Value | null {
  const [only = null, ...others] = new Set(values);
  return others.length === 0 ? only : null;
}
