import { escapeUnseen } from './visible.ts';

/** Characters of a value that a message repeats. */
export const MAX_QUOTED = 60;

/** Code units of a value that are read. */
const MAX_READ = 2_000;
/** The user name and the password in an address. */
const USER_INFO = /\/\/[^/\s]*@/g;

/**
 * Quotes text of a caller in a message: bounded, and with escapes in place of line breaks, of characters that are invisible
 * or change the writing direction, and of the quotation mark itself. Passwords in addresses are left out.
 */
export function quote(text: string): string {
  // Long texts are cut first, so that the cost is bounded too.
  const points = [...text.slice(0, MAX_READ).replace(USER_INFO, '//[redacted]')];
  const shown = points.length > MAX_QUOTED ? `${points.slice(0, MAX_QUOTED).join('')}…` : points.join('');
  return `\`${escapeUnseen(shown.toWellFormed()).replaceAll('`', '\\u{60}')}\``;
}
