import type { Command } from 'commander';
import { createKey, type KeyRecord, keysOfOtherPeppers, listKeys, revokeKey, rotateKey } from '#accounts/key-store.ts';
import { KEY_KINDS, type KeyKind } from '#accounts/keys.ts';
import { organizationNumber } from '#accounts/organization-store.ts';
import { SCOPES, type Scope } from '#accounts/scopes.ts';
import { run } from './connect.ts';
import { type OutputOptions, printOne, printRows } from './output.ts';
import { parseDuration, parseMoment, parseName } from './values.ts';

/** Adds the `key` commands, which create, list, rotate and revoke API keys. */
export function addCommands(key: Command): void {
  key.addHelpText(
    'after',
    `
Examples:
  npm run cli -- key create "Acme" backend --scopes listings,market --expires 2027-01-01T00:00:00Z
  npm run cli -- key create "Acme" console --kind admin
  npm run cli -- key list "Acme"
  npm run cli -- key rotate "Acme" key_0f3a... --grace 24h
  npm run cli -- key revoke "Acme" key_0f3a...
  npm run cli -- key unseen`,
  );

  key
    .command('create <org> <name>')
    .description('Create a key; its secret is shown once')
    .option('--kind <kind>', 'live, test or admin', 'live')
    .option('--project <id>', 'id of the project')
    .option('--scopes <scopes>', 'scopes of the key, separated by commas')
    .option('--expires <moment>', 'expiry time, such as 2027-01-01T00:00:00Z')
    .action((org: string, name: string, _: unknown, command: Command) =>
      run(command, async (connection, flags) => {
        const id = await organizationNumber(connection.pool, org);
        const wanted = {
          name: parseName(name),
          kind: parseKind(String(flags.kind)),
          project_id: flags.project === undefined ? null : String(flags.project),
          scopes: flags.scopes === undefined ? null : String(flags.scopes).split(',').map(parseScope),
          expires_at: flags.expires === undefined ? null : parseExpiry(String(flags.expires)),
        };
        const made = await connection.change((db) =>
          createKey(db, connection.dependencies, id, wanted, connection.actor),
        );
        printSecret(made, flags);
      }),
    );

  key
    .command('list <org>')
    .description('List the keys of an organization, newest first')
    .action((org: string, _: unknown, command: Command) =>
      run(command, async ({ pool }, flags) => {
        const rows = await listKeys(pool, await organizationNumber(pool, org), 1_000, null);
        printRows(
          rows.map(({ number: _number, ...row }) => row),
          flags,
        );
      }),
    );

  key
    .command('rotate <org> <key-id>')
    .description('Create a new key with the same settings; the old key works until the grace period ends')
    .option('--grace <duration>', 'grace period of the old key, such as 30m, 24h or 7d', '24h')
    .action((org: string, keyId: string, _: unknown, command: Command) =>
      run(command, async (connection, flags) => {
        const id = await organizationNumber(connection.pool, org);
        const grace = parseDuration(String(flags.grace));
        const made = await connection.change((db) =>
          rotateKey(db, connection.dependencies, id, keyId, grace, connection.actor),
        );
        printSecret(made, flags);
      }),
    );

  key
    .command('unseen')
    .description(
      'List active keys that were not used under KEY_PEPPER since it was rotated; they stop when KEY_PEPPER_OLD is removed',
    )
    .action((_: unknown, command: Command) =>
      run(command, async ({ pool, dependencies }, flags) =>
        printRows(await keysOfOtherPeppers(pool, dependencies.pepper), flags),
      ),
    );

  key
    .command('revoke <org> <key-id>')
    .description('Revoke a key immediately')
    .action((org: string, keyId: string, _: unknown, command: Command) =>
      run(command, async (connection, flags) => {
        const id = await organizationNumber(connection.pool, org);
        const record = await connection.change(async (db) => {
          const revoked = await revokeKey(db, connection.dependencies.random, id, keyId, connection.actor);
          await connection.recordRemoval('key', keyId);
          return revoked;
        });
        printOne({ ...record }, flags);
      }),
    );
}

function printSecret(made: { record: KeyRecord; secret: string }, flags: OutputOptions): void {
  printOne({ ...made.record, secret: made.secret }, flags);
  if (!flags.json) process.stdout.write('Keep the secret now: it is not shown again.\n');
}

function parseKind(text: string): KeyKind {
  const kind = KEY_KINDS.find((candidate) => candidate === text);
  if (kind) return kind;
  throw new Error(`"${text}" is not a kind of key. Kinds: ${KEY_KINDS.join(', ')}.`);
}

function parseExpiry(text: string): Date | null {
  const moment = parseMoment(text);
  if (moment && moment.getTime() <= Date.now()) throw new Error(`A key that expires at ${text} would never work.`);
  return moment;
}

function parseScope(text: string): Scope {
  const scope = SCOPES.find((candidate) => candidate === text.trim());
  if (scope) return scope;
  throw new Error(`"${text}" is not a scope. Scopes: ${SCOPES.join(', ')}.`);
}
