import { type Command, InvalidArgumentError } from 'commander';
import {
  type CreatedKey,
  createKey,
  KEYS,
  type KeyRecord,
  keysOfOtherPeppers,
  revokeKey,
  rotateKey,
} from '#src/accounts/key-store.ts';
import { SECRET_KINDS } from '#src/accounts/keys.ts';
import { SCOPES } from '#src/accounts/scopes.ts';
import { listRecords } from '#stores/postgres/records.ts';
import { accountCommands, organizationCommands } from '../connect.ts';
import type { OutputOptions } from '../output.ts';
import { parseChoice, parseDuration, parseMoment, parseName } from '../values.ts';

export const HELP = `Examples:
  npm run cli -- key create "Acme" backend --scopes listings,market --expires 2027-01-01T00:00:00Z
  npm run cli -- key create "Acme" console --kind admin --member huda@example.com
  npm run cli -- key list "Acme"
  npm run cli -- key rotate "Acme" key_0f3a... --grace 24h
  npm run cli -- key revoke "Acme" key_0f3a...
  npm run cli -- key unseen`;

export function addCommands(key: Command): void {
  const add = organizationCommands(key);

  add('create <org> <name>', 'Create a key; its secret is shown once', async (connection, flags, name) => {
    const { number, change, pepper } = connection;
    const wanted = {
      name: parseName(name),
      kind: parseChoice(String(flags.kind), SECRET_KINDS, 'a kind of key', 'Kinds'),
      project_id: flags.project === undefined ? null : String(flags.project),
      member: flags.member === undefined ? null : String(flags.member).toLowerCase(),
      scopes: flags.scopes === undefined ? null : String(flags.scopes).split(',').map(parseScope),
      expires_at: flags.expires === undefined ? null : parseExpiry(String(flags.expires)),
    };
    return secretOf(await change((audited) => createKey(audited, pepper, number, wanted)), flags);
  })
    .option('--kind <kind>', 'live, test or admin', 'live')
    .option('--project <id>', 'id of the project')
    .option('--member <email>', 'member whose role limits an admin key')
    .option('--scopes <scopes>', 'scopes of the key, separated by commas')
    .option('--expires <moment>', 'expiry time, such as 2027-01-01T00:00:00Z');

  add('list <org>', 'List the keys of an organization, newest first', async ({ pool, number }) => {
    const rows = await listRecords(pool, KEYS, number, 1_000);
    return rows.map(withoutNumber);
  });

  add(
    'rotate <org> <key-id>',
    'Create a new key with the same settings; the old key works until the grace period ends',
    async ({ number, change, pepper }, flags, id) => {
      const grace = parseDuration(String(flags.grace));
      return secretOf(await change((audited) => rotateKey(audited, pepper, number, id, grace)), flags);
    },
  ).option('--grace <duration>', 'grace period of the old key, such as 30m, 24h or 7d', '24h');

  accountCommands(key)(
    'unseen',
    'List active keys that were not used under KEY_PEPPER since it was rotated; they stop when KEY_PEPPER_OLD is removed',
    ({ pool, pepper }) => keysOfOtherPeppers(pool, pepper),
  );

  add('revoke <org> <key-id>', 'Revoke a key immediately', async ({ number, change }, _flags, id) =>
    withoutNumber(await change((audited) => revokeKey(audited, number, id))),
  );
}

function secretOf({ record, secret }: CreatedKey, { json }: OutputOptions) {
  if (!json) process.stdout.write('Keep the secret now: it is not shown again.\n');
  return { ...withoutNumber(record), secret };
}

const withoutNumber = ({ number: _number, ...row }: KeyRecord) => row;

function parseExpiry(text: string): Date | null {
  const moment = parseMoment(text);
  if (moment && moment.getTime() <= Date.now())
    throw new InvalidArgumentError(`A key that expires at ${text} would never work.`);
  return moment;
}

const parseScope = (text: string) => parseChoice(text.trim(), SCOPES, 'a scope', 'Scopes');
