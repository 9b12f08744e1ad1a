import pg from 'pg';
import { messageOf } from '#domain/message-of.ts';
import { storable } from '#domain/text/visible.ts';

/** Number of rows from which a batch without any accepted row has another cause than the content of its rows. */
const MIN_REFUSED_BATCH = 10;

/** Returns whether a datastore refuses an entire batch, so that the content of its rows is not the cause. */
export const isRefusedWhole = (refused: number, rows: number): boolean => rows >= MIN_REFUSED_BATCH && refused === rows;

/** SQLSTATE classes of values that Postgres does not accept: data exception, integrity constraint, program limit. */
const REFUSED_VALUES = /^(?:22|23|54)/;

/**
 * Returns the reason if the content of a row causes an error: Postgres does not accept a value, or the row cannot be
 * processed. Null for failures that affect other rows too.
 */
export function refusalOf(error: unknown): string | null {
  const isRefused =
    error instanceof pg.DatabaseError
      ? REFUSED_VALUES.test(error.code ?? '')
      : error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  return isRefused ? storable(messageOf(error)) : null;
}
