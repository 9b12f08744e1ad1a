import pg from 'pg';
import { RequestError } from '#domain/errors.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import { isVisibleText } from '#domain/text/visible.ts';

const MAX_LENGTH = 80;
const UNIQUE_VIOLATION = '23505';

export const NAME_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_LENGTH,
  visibleText: true,
} as const satisfies JsonSchema;

export const nameTaken =
  (name: string) =>
  (error: unknown): never => {
    if (!(error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION)) throw error;
    throw new RequestError('name_taken', { param: 'name', message: `A project named "${name}" already exists.` });
  };

export const isName = (text: string): boolean => [...text].length <= MAX_LENGTH && isVisibleText(text);
