import type { JsonSchema } from '#domain/json-schema.ts';

const MAX_LENGTH = 80;

/** Control characters, line separators and overrides of the writing direction: they make a terminal show what is not there. */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069';
/**
 * Other characters that show nothing by themselves: separators, format characters and those that Unicode calls default
 * ignorable, such as the joiners inside Arabic and Persian words; and the blank Braille pattern. Listed rather than named by
 * property, because the schema is published and few languages' patterns know Unicode properties.
 */
const INVISIBLE = [
  ' \\u00a0\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890-\\u0891\\u08e2\\u115f-\\u1160\\u1680\\u17b4-\\u17b5',
  '\\u180b-\\u180f\\u2000-\\u200f\\u202f\\u205f-\\u2065\\u206a-\\u206f\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0',
  '\\ufff0-\\ufffb\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}',
].join('');
/** The first visible character is found without backtracking, so that a long text takes linear time. */
const PATTERN = `^[${INVISIBLE}]*[^${INVISIBLE}${CONTROL}][^${CONTROL}]*$`;

/** The name of something: kept, shown in lists, written into the audit. */
export const NAME_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_LENGTH,
  pattern: PATTERN,
  accepts: 'with a visible character, without control characters',
} as const satisfies JsonSchema;

const pattern = new RegExp(PATTERN, 'u');

/** Whether a name is as `NAME_SCHEMA` says. */
export const isName = (text: string): boolean => text.length <= MAX_LENGTH && pattern.test(text);

const visible = new RegExp(`[^${INVISIBLE}${CONTROL}]`, 'u');

/** Whether a text shows anything. */
export const isVisible = (text: string): boolean => visible.test(text);
