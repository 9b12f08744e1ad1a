/** Control characters, line separators and direction overrides, which can make a terminal display a different text. */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069';
/**
 * Other invisible characters, listed instead of selected by Unicode property, so that a new Unicode version does not
 * change which texts are accepted.
 */
const INVISIBLE = [
  ' \u00a0\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u115f-\u1160\u1680\u17b4-\u17b5',
  '\u180b-\u180f\u2000-\u200f\u202f\u205f-\u2065\u206a-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0',
  '\ufff0-\ufffb\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}',
].join('');

/**
 * The pattern finds the first visible character without backtracking, so that matching a long text takes linear time.
 */
const VISIBLE_TEXT = new RegExp(`^[${INVISIBLE}]*[^${INVISIBLE}${CONTROL}][^${CONTROL}]*$`, 'u');
const VISIBLE = new RegExp(`[^${INVISIBLE}${CONTROL}]`, 'u');

export const isVisibleText = (text: string): boolean => VISIBLE_TEXT.test(text);

export const isVisible = (text: string): boolean => VISIBLE.test(text);

const UNSEEN = new RegExp(`(?! )[${INVISIBLE}${CONTROL}]`, 'gu');

/** Whether a text has a control or an invisible character other than a space. */
export const hasUnseen = (text: string): boolean => text.search(UNSEEN) !== -1;

const escapeUnseen = (text: string): string =>
  text.replace(UNSEEN, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);

/**
 * The pattern in the OpenAPI document. It does not cover all invisible characters, and it backtracks, so it is not used
 * for validation.
 */
export const PUBLISHED_PATTERN = `^[^${CONTROL}]*[^\\s${CONTROL}][^${CONTROL}]*$`;

export const MAX_QUOTED = 60;

const MAX_READ = 2_000;
const USER_INFO = /\/\/[^/\s]*@/g;

/**
 * Quotes a text for messages and logs. It is bounded; line breaks, invisible characters and quotation marks are
 * escaped, and passwords in URLs redacted.
 */
export function quote(text: string): string {
  const points = [...text.slice(0, MAX_READ).replace(USER_INFO, '//[redacted]')];
  const shown = points.length > MAX_QUOTED ? `${points.slice(0, MAX_QUOTED).join('')}…` : points.join('');
  return `\`${escapeUnseen(shown.toWellFormed()).replaceAll('`', '\\u{60}')}\``;
}

/** Removes NUL and replaces unpaired surrogates, because Postgres cannot store them. */
export function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '').toWellFormed() : text.toWellFormed();
}
