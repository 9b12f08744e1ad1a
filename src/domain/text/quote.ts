import { escapeUnseen } from './visible.ts';

/** Maximum number of characters in a quoted value. */
export const MAX_QUOTED = 60;

/** Maximum number of code units that are read from a value. */
const MAX_READ = 2_000;
/** The user name and password in a URL. */
const USER_INFO = /\/\/[^/\s]*@/g;

/**
 * Quotes user input in a message. The quote is bounded and escapes line breaks, invisible and direction-changing
 * characters, and quotation marks. Passwords in URLs are redacted.
 */
export function quote(text: string): string {
  // Long texts are cut before processing, which bounds the cost.
  const points = [...text.slice(0, MAX_READ).replace(USER_INFO, '//[redacted]')];
  const shown = points.length > MAX_QUOTED ? `${points.slice(0, MAX_QUOTED).join('')}…` : points.join('');
  return `\`${escapeUnseen(shown.toWellFormed()).replaceAll('`', '\\u{60}')}\``;
}
