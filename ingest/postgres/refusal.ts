import pg from 'pg';
import { messageOf } from '#domain/message-of.ts';
import { storable } from '#domain/text/storable.ts';

/** From this size on, the content of rows is not the cause. */
const MIN_REFUSED_BATCH = 10;

export const isRefusedWhole = (refused: number, rows: number): boolean => rows >= MIN_REFUSED_BATCH && refused === rows;

/** Data exception, integrity constraint, program limit. */
const REFUSED_VALUES = /^(?:22|23|54)/;

/** Null for failures that affect other rows too. */
export function refusalOf(error: unknown): string | null {
  const isRefused =
    error instanceof pg.DatabaseError
      ? REFUSED_VALUES.test(error.code ?? '')
      : error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  return isRefused ? storable(messageOf(error)) : null;
}
