import type { JsonSchema } from '#domain/json-schema.ts';
import { isVisibleText } from '#domain/text/visible.ts';

const MAX_LENGTH = 80;

/** Schema of names, which are stored, shown in lists and written to the audit log. */
export const NAME_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_LENGTH,
  visibleText: true,
} as const satisfies JsonSchema;

/** Returns whether a name matches `NAME_SCHEMA`. */
export const isName = (text: string): boolean => text.length <= MAX_LENGTH && isVisibleText(text);
