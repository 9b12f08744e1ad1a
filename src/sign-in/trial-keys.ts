import { RequestError } from '#domain/errors.ts';
import { type AuditedChange, recordAudit } from '#src/accounts/audit.ts';
import { newId } from '#src/accounts/ids.ts';
import { requireTestKey } from '#src/accounts/key-store.ts';
import { generateKey, hashKey, pepperId } from '#src/accounts/keys.ts';
import { lockOrganization } from '#src/accounts/organization-store.ts';
import { PERMISSIONS, type Role } from '#src/accounts/roles.ts';
import { requireVisitorLimit } from '#src/accounts/sending-limits.ts';
import { networkOf } from '#src/metering/rate-limit.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable, Transaction } from '#stores/postgres/transaction.ts';
import type { Membership } from './people.ts';
import { digestOf, newToken } from './tokens.ts';

const TRIAL_UNITS = 100;
const TRIAL_MS = 72 * 3_600_000;
const MAX_UNCLAIMED = 500;
const ONE_A_DAY =
  'Your network can create one trial key in 24 hours. Use the one that it has created, open an account at /sign-up, or retry after the number of seconds in the Retry-After header.';
const SCOPES = ['reference', 'listings', 'official'];

/**
 * Creates a test key for a program without an account. Trial keys share an organization, whose units per day are limited
 * by `charge`.
 * @param ip address of the program, which can create one a day
 * @throws RequestError rate_limited
 */
export async function createTrialKey(
  { db, random }: Pick<AuditedChange, 'db' | 'random'>,
  pepper: string,
  ip: string | null,
  now: Date,
) {
  await requireVisitorLimit(db, 'trial_network', networkOf(ip), now, ONE_A_DAY);
  const organization = await trialOrganization(db, random);
  // Under its lock, so that concurrent calls cannot exceed the number.
  await lockOrganization(db, organization);
  const unclaimed = await sql.countRows(db, 'from trial_keys where claimed_at is null and expires_at > $1', [now]);
  if (unclaimed >= MAX_UNCLAIMED)
    throw new RequestError('rate_limited', {
      message: `There are ${MAX_UNCLAIMED} trial keys, and no more at once. Retry tomorrow, or open an account.`,
      retryAfterS: 86_400,
    });
  const [key, claim, id] = [generateKey('test', random), newToken(random), newId('key', random)];
  const expiresAt = new Date(now.getTime() + TRIAL_MS);
  await db.query(
    `with created as (
       insert into api_keys (public_id, organization_id, kind, name, hash, last_four, scopes, expires_at, pepper)
       values ($1, $2, 'test', $1, $3, $4, $5, $6, $7) returning id)
     insert into trial_keys (key_id, claim_hash, created_at, expires_at) select id, $8, $9, $6 from created`,
    [id, organization, hashKey(key, pepper), key.slice(-4), SCOPES, expiresAt, pepperId(pepper), digestOf(claim), now],
  );
  return { key, claim, expiresAt, units: TRIAL_UNITS };
}

const ID = { id: sql.integer };

async function trialOrganization(db: Queryable, random: AuditedChange['random']): Promise<number> {
  const find = () => sql.queryRow(db, ID, 'select id from organizations where holds_trials');
  const create = () =>
    sql.queryRow(
      db,
      ID,
      `insert into organizations (public_id, name, plan, units_per_month, account_of, holds_trials)
       values ($1, 'Trial keys', 'free', $2, 'trials', true) on conflict (account_of) do nothing returning id`,
      [newId('org', random), TRIAL_UNITS],
    );
  const found = (await find()) ?? (await create()) ?? (await find());
  if (!found) throw new Error('no organization holds trial keys');
  return found.id;
}

const TRIAL = {
  number: sql.integer,
  id: sql.text,
  last_four: sql.text,
  expires_at: sql.timestamp,
  units: sql.integer,
};
type TrialKey = sql.RowOf<typeof TRIAL> & { limit: number };

/** Null if it is unknown, expired, revoked or claimed. `units` of its `limit` are used. */
export async function findTrialKey(db: Queryable, claim: string, now: Date, lock = false): Promise<TrialKey | null> {
  const found = await sql.queryRow(
    db,
    TRIAL,
    `select k.id as number, k.public_id as id, k.last_four, t.expires_at,
            coalesce((select sum(units) from unit_counters c where c.subject = 'key' and c.subject_id = k.id), 0)::int as units
       from trial_keys t join api_keys k on k.id = t.key_id
      where t.claim_hash = $1 and t.claimed_at is null and t.expires_at > $2 and k.revoked_at is null${lock ? ' for update of t, k' : ''}`,
    [digestOf(claim), now],
  );
  return found && { ...found, limit: TRIAL_UNITS };
}

/**
 * Makes a trial key a test key of the member's organization, with the units of one.
 * @throws RequestError not_found, forbidden_action, key_limit
 */
export async function claimTrialKey(
  change: AuditedChange & { db: Transaction },
  { number, id: member, organization }: Pick<Membership, 'number' | 'id' | 'organization'>,
  person: number,
  claim: string,
  now: Date,
): Promise<TrialKey> {
  const db = await lockOrganization(change.db, organization.number);
  const current = await sql.queryRow(db, { role: sql.textAs<Role>() }, 'select role from members where id = $1', [
    number,
  ]);
  const accepted: readonly string[] = PERMISSIONS.develop;
  if (!current || !accepted.includes(current.role)) throw new RequestError('forbidden_action');
  const trial = await findTrialKey(db, claim, now, true);
  if (!trial) throw new RequestError('not_found');
  await requireTestKey(db, organization.number);
  await db.query('update api_keys set organization_id = $2, expires_at = null, scopes = null where id = $1', [
    trial.number,
    organization.number,
  ]);
  await db.query('update trial_keys set claimed_by = $2, claimed_at = $3 where key_id = $1', [
    trial.number,
    person,
    now,
  ]);
  await recordAudit(change, organization.number, 'key.claimed', trial.id, { member });
  return trial;
}
