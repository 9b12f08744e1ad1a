import { escapeUnseen } from './visible.ts';

export const MAX_QUOTED = 60;

const MAX_READ = 2_000;
const USER_INFO = /\/\/[^/\s]*@/g;

/**
 * Quotes a text for messages and logs. It is bounded; line breaks, invisible and direction-changing characters and
 * quotation marks are escaped, and passwords in URLs redacted.
 */
export function quote(text: string): string {
  // The text is cut first, which bounds the cost.
  const points = [...text.slice(0, MAX_READ).replace(USER_INFO, '//[redacted]')];
  const shown = points.length > MAX_QUOTED ? `${points.slice(0, MAX_QUOTED).join('')}…` : points.join('');
  return `\`${escapeUnseen(shown.toWellFormed()).replaceAll('`', '\\u{60}')}\``;
}
