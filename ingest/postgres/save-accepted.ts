import pg from 'pg';
import { messageOf } from '#domain/message-of.ts';
import { storable } from '#domain/text/visible.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';

/** SQLSTATE classes of values that Postgres does not accept: data exception, integrity constraint, program limit. */
const REFUSED_VALUES = /^(?:22|23|54)/;

/** Returns the reason if the content of a row causes an error; null for failures that affect other rows too. */
export function refusalOf(error: unknown): string | null {
  const isRefused =
    error instanceof pg.DatabaseError
      ? REFUSED_VALUES.test(error.code ?? '')
      : error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  return isRefused ? storable(messageOf(error)) : null;
}

/**
 * Writes rows. Those that make a write fail are isolated by halving, and left out.
 * @param save writes rows; its writes are undone if it throws
 * @param refuse receives a row at fault and the reason
 */
export async function saveAccepted<Row>(
  client: Transaction,
  rows: readonly Row[],
  save: (rows: readonly Row[]) => Promise<void>,
  refuse: (row: Row, reason: string) => void,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  await client.query('savepoint accepted');
  try {
    await save(rows);
    await client.query('release savepoint accepted');
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === null) throw error;
    await client.query('rollback to savepoint accepted');
    await client.query('release savepoint accepted');
    if (rows.length === 1) {
      refuse(first, reason);
      return;
    }
    const half = Math.ceil(rows.length / 2);
    await saveAccepted(client, rows.slice(0, half), save, refuse);
    await saveAccepted(client, rows.slice(half), save, refuse);
  }
}
