import type { JsonSchema } from '#domain/json-schema.ts';

const MAX_LENGTH = 80;

/** Control characters, line separators and overrides of the writing direction: they make a terminal show what is not there. */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069';
const PATTERN = `^[^${CONTROL}]*[^\\s${CONTROL}][^${CONTROL}]*$`;

/** The name of something: kept, shown in lists, written into the audit. */
export const NAME_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_LENGTH,
  pattern: PATTERN,
  accepts: 'not only spaces, without control characters',
} as const satisfies JsonSchema;

const pattern = new RegExp(PATTERN, 'u');

/** Whether a name is as `NAME_SCHEMA` says. */
export const isName = (text: string): boolean => text.length <= MAX_LENGTH && pattern.test(text);
