import type { JsonSchema } from '#domain/json-schema.ts';
import { isVisibleText } from '#domain/text/visible.ts';

const MAX_LENGTH = 80;

/** The name of something: kept, shown in lists, written into the audit. */
export const NAME_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_LENGTH,
  visibleText: true,
} as const satisfies JsonSchema;

/** Whether a name is as `NAME_SCHEMA` says. */
export const isName = (text: string): boolean => text.length <= MAX_LENGTH && isVisibleText(text);
