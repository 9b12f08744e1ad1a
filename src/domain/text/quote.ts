import { escapeUnseen } from './visible.ts';

/** Maximum number of quoted characters of a value. */
export const MAX_QUOTED = 60;

/** Maximum number of code units that are read. */
const MAX_READ = 2_000;
/** The user name and the password in an address. */
const USER_INFO = /\/\/[^/\s]*@/g;

/**
 * Quotes user input in a message: bounded, with escapes for line breaks, for invisible and direction-changing characters and
 * for quotation marks. Passwords in addresses are redacted.
 */
export function quote(text: string): string {
  // Long texts are cut first, which bounds the cost.
  const points = [...text.slice(0, MAX_READ).replace(USER_INFO, '//[redacted]')];
  const shown = points.length > MAX_QUOTED ? `${points.slice(0, MAX_QUOTED).join('')}…` : points.join('');
  return `\`${escapeUnseen(shown.toWellFormed()).replaceAll('`', '\\u{60}')}\``;
}
