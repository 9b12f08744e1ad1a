import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type pg from 'pg';
import type { Actor } from '#accounts/audit.ts';
import type { KeyDependencies } from '#accounts/key-store.ts';
import { type RemovalKind, recordRemoval } from '#accounts/removals.ts';
import { journalFolder } from '#backup/stores.ts';
import { messageOf } from '#domain/message-of.ts';
import { createPool } from '#postgres/pool.ts';
import { inTransaction, type Transaction } from '#postgres/transaction.ts';
import { encryptionKeys } from '#src/config.ts';
import { readVariables } from '#src/variables.ts';
import { dataFolder, toolEnvironment } from '#start/tool-environment.ts';
import type { OutputOptions } from './output.ts';

/** Context for the commands that manage accounts. */
export interface Connection {
  pool: pg.Pool;
  dependencies: KeyDependencies;
  /** Keys that encrypt the stored secrets. */
  encryptionKeys: ReturnType<typeof encryptionKeys>;
  /** First day of the listing history. */
  historyStart: string;
  /** The operator, as recorded in audit events. */
  actor: Actor;
  change<T>(work: (db: Transaction) => Promise<T>): Promise<T>;
  /** Records a removal in the journal. Call it before the change is committed. Prints a warning if the write fails. */
  recordRemoval(kind: RemovalKind, id: string): Promise<void>;
}

/** A command's own options and the global options. */
export type Flags = OutputOptions & Record<string, unknown>;

/**
 * Runs `work` on the database in `DATABASE_URL`, or on the database of a running `npm start`.
 * @throws Error if neither exists or `KEY_PEPPER` is not set
 */
export async function run(
  command: Command,
  work: (connection: Connection, flags: Flags) => Promise<void>,
): Promise<void> {
  const env = await toolEnvironment(process.env);
  if (!env.DATABASE_URL)
    throw new Error('DATABASE_URL is not set and no `npm start` runs here. Start it, or set DATABASE_URL.');
  if (!env.KEY_PEPPER) throw new Error("KEY_PEPPER is not set: keys made without the API's own pepper would not work.");
  const { HISTORY_START, ENCRYPTION_KEYS, KEY_PEPPER, KEY_PEPPER_OLD } = readVariables(env, [
    'HISTORY_START',
    'KEY_PEPPER_OLD',
    'ENCRYPTION_KEYS',
    'KEY_PEPPER',
  ]);
  const pool = createPool(env.DATABASE_URL, { max: 2, statementTimeout: 15_000, name: 'listings-cli' });
  const actor: Actor = { type: 'operator', id: userInfo().username, requestId: null };
  try {
    const connection: Connection = {
      pool,
      actor,
      historyStart: HISTORY_START,
      encryptionKeys: encryptionKeys(ENCRYPTION_KEYS, KEY_PEPPER, KEY_PEPPER_OLD),
      dependencies: { pepper: KEY_PEPPER, oldPepper: KEY_PEPPER_OLD ?? null, random: randomBytes },
      change: (change) => inTransaction(pool, change),
      recordRemoval: (kind, id) =>
        recordRemoval(journalFolder(dataFolder(process.env), env), kind, id, (error) =>
          console.error(
            `The change is not in the journal of removals, so that it may be undone by a restore: ${messageOf(error)}`,
          ),
        ),
    };
    await work(connection, command.optsWithGlobals<Flags>());
  } finally {
    await pool.end();
  }
}
