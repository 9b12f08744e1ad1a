import type pg from 'pg';
import { refusalOf } from './refusal.ts';

/**
 * Writes rows. Those that make a write fail are isolated by halving, and left out.
 * @param save writes rows; its writes are undone if it throws
 * @param refuse receives a row at fault and the reason
 */
export async function saveAccepted<Row>(
  client: pg.ClientBase,
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
