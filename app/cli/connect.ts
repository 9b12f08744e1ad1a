import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type pg from 'pg';
import { dataFolder, toolEnvironment } from '#app/start/tool-environment.ts';
import type { AuditedChange, LockedChange } from '#src/accounts/audit.ts';
import type { RandomBytes } from '#src/accounts/keys.ts';
import { lockOrganization, organizationNumber } from '#src/accounts/organization-store.ts';
import { databaseUrls, encryptionKeys, readNodes, siteUrlOf } from '#src/config.ts';
import { type Environment, readVariables } from '#src/variables.ts';
import { type OpenSearch, withOpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { type SessionPool, withPool } from '#stores/postgres/pool.ts';
import { requireSessions } from '#stores/postgres/sessions.ts';
import { inTransaction } from '#stores/postgres/transaction.ts';
import { type CommandAction, commandsWith, type Flags } from './command.ts';

export interface Connection {
  pool: pg.Pool;
  pepper: string;
  random: RandomBytes;
  encryptionKeys: ReturnType<typeof encryptionKeys>;
  historyStart: string;
  siteUrl: string;
  /** The operator is the author of audit events. */
  change<T>(work: (change: AuditedChange) => Promise<T>): Promise<T>;
}

export const accountCommands = (group: Command) => commandsWith(group, withConnection);

interface OrganizationConnection extends Omit<Connection, 'change'> {
  number: number;
  change<T>(work: (change: LockedChange) => Promise<T>): Promise<T>;
}

/** Adds commands whose first argument is an organization. Their work receives its number; changes lock it. */
export const organizationCommands = (group: Command) => {
  const add = accountCommands(group);
  return (usage: string, description: string, work: CommandAction<OrganizationConnection>): Command =>
    add(usage, description, async (connection, flags: Flags, org = '', ...args) => {
      const number = await organizationNumber(connection.pool, org);
      const change: OrganizationConnection['change'] = (changes) =>
        connection.change(async (audited) => changes({ ...audited, db: await lockOrganization(audited.db, number) }));
      return work({ ...connection, number, change }, flags, ...args);
    });
};

/**
 * Connects to `DATABASE_URL`, or to the database of a running `npm start`.
 * @throws Error if neither exists
 */
export async function withDatabase<T>(
  statementTimeout: number,
  work: (pool: SessionPool, env: Environment) => Promise<T>,
): Promise<T> {
  const env = await toolEnvironment(process.env);
  if (!env.DATABASE_URL)
    throw new Error('DATABASE_URL is not set and no `npm start` runs here. Start it, or set DATABASE_URL.');
  const { databaseUrl } = databaseUrls(readVariables(env, ['DATABASE_URL', 'DATABASE_DIRECT_URL']));
  await requireSessions(databaseUrl);
  return withPool(databaseUrl, { max: 2, statementTimeout, name: 'listings-cli' }, (pool) => work(pool, env));
}

/** @throws Error if `KEY_PEPPER` is not set */
export function withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
  return withDatabase(15_000, async (pool, env) => {
    if (!env.KEY_PEPPER)
      throw new Error("KEY_PEPPER is not set: keys made without the API's own pepper would not work.");
    const { HISTORY_START, ENCRYPTION_KEYS, KEY_PEPPER, KEY_PEPPER_OLD, ...site } = readVariables(env, [
      'HISTORY_START',
      'KEY_PEPPER_OLD',
      'ENCRYPTION_KEYS',
      'KEY_PEPPER',
      'SITE_URL',
      'PORT',
    ]);
    const actor = { type: 'operator', id: userInfo().username, requestId: null } as const;
    const connection: Connection = {
      pool,
      pepper: KEY_PEPPER,
      random: randomBytes,
      historyStart: HISTORY_START,
      siteUrl: siteUrlOf(site),
      encryptionKeys: encryptionKeys(ENCRYPTION_KEYS, KEY_PEPPER, KEY_PEPPER_OLD),
      change: (changes) => inTransaction(pool, (db) => changes({ db, random: randomBytes, actor })),
    };
    return work(connection);
  });
}

/**
 * Connects to OpenSearch at `OPENSEARCH_URL` or of a running `npm start`.
 * @throws Error if neither exists
 */
export async function withEngine<Result>(work: (client: OpenSearch) => Promise<Result>): Promise<Result> {
  const { OPENSEARCH_URL, INDEX_PREFIX: indexPrefix = '' } = await toolEnvironment(process.env);
  if (!OPENSEARCH_URL)
    throw new Error('OPENSEARCH_URL is not set and no `npm start` runs here. Start it, or set OPENSEARCH_URL.');
  return withOpenSearch({ urls: readNodes({ OPENSEARCH_URL }), indexPrefix, requestTimeout: 30_000 }, work);
}

/** Starts the engines of the data folder for the duration of `work`, unless others are configured or running. */
export async function withStartedEngines<Result>(work: () => Promise<Result>): Promise<Result> {
  const { OPENSEARCH_URL: url } = await toolEnvironment(process.env);
  const dataDir = dataFolder(process.env);
  if (url || !existsSync(join(dataDir, 'opensearch'))) return work();
  console.error('Starting OpenSearch, Postgres and S3 ...');
  const { startEngines } = await import('#embedded/engines.ts');
  const engines = await startEngines({ dataDir, env: process.env, say: console.error });
  try {
    return await work();
  } finally {
    await engines.stop();
  }
}
