import { RequestError } from '#domain/errors.ts';
import { findRecord, type Records, readRecord } from '#stores/postgres/records.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { type AuditedChange, type LockedChange, type LockedTransaction, recordAudit } from './audit.ts';
import { newId } from './ids.ts';
import { generateKey, hashKey, KEY_KINDS, pepperId, SECRET_KINDS, type SecretKind } from './keys.ts';
import { findMember } from './member-store.ts';
import { roleOfKey } from './roles.ts';
import { type Scope, scopeNotInPlan } from './scopes.ts';

export interface Peppers {
  pepper: string;
  /** The previous pepper, whose hashes are still accepted. */
  oldPepper: string | null;
}

const TEST_KEYS_PER_ORGANIZATION = 3;
/** Keys that an organization can make in an hour. Members with more permissions can still rotate keys when others cannot. */
export const KEYS_PER_HOUR = { developer: 30, admin: 40, owner: 50 } as const;

/** Condition for keys that count toward limits and have names of their own. */
export const HAS_SECRET = `kind in ('${SECRET_KINDS.join("', '")}')`;

const KEY = {
  number: sql.integer,
  id: sql.text,
  name: sql.text,
  kind: sql.oneOf(KEY_KINDS),
  status: sql.oneOf(['active', 'expired', 'revoked']),
  last_four: sql.text,
  project_id: sql.nullable(sql.text),
  member_id: sql.nullable(sql.text),
  scopes: sql.nullable(sql.listOf(sql.textAs<Scope>())),
  created_at: sql.timestamp,
  expires_at: sql.nullable(sql.timestamp),
  revoked_at: sql.nullable(sql.timestamp),
  last_used_at: sql.nullable(sql.timestamp),
  /** After an exposure, for example in a URL. */
  must_rotate: sql.boolean,
};

export type KeyRecord = sql.RowOf<typeof KEY>;

export interface CreatedKey {
  record: KeyRecord;
  secret: string;
}

export interface NewKey {
  name: string;
  kind: SecretKind;
  project_id: string | null;
  /** Public id or address of the member to whom the key belongs, and whose role limits an admin key. */
  member: string | null;
  /** Null for all scopes of the plan. */
  scopes: Scope[] | null;
  expires_at: Date | null;
}

export const KEYS: Records<typeof KEY> = {
  columns: KEY,
  select: `
    k.id as number, k.public_id as id, k.name, k.kind,
    case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'active' end as status,
    k.last_four, p.public_id as project_id, m.public_id as member_id, k.scopes, k.created_at, k.expires_at,
    k.revoked_at, k.last_used_at, k.exposed_at is not null as must_rotate`,
  from: 'api_keys k left join projects p on p.id = k.project_id left join members m on m.id = k.member_id',
  table: 'k',
};

/** @throws RequestError not_found (project), scope_not_in_plan, name_taken, key_limit, rate_limited */
export async function createKey(
  change: LockedChange,
  pepper: string,
  organizationId: number,
  wanted: NewKey,
): Promise<CreatedKey> {
  const { db, random } = change;
  const organization = await planOf(db, organizationId);
  requireScopes(wanted.scopes, organization);
  const projectNumber =
    wanted.project_id === null ? null : await projectNumberOf(db, organizationId, wanted.project_id);
  const memberNumber = wanted.member === null ? null : await memberNumberOf(db, organizationId, wanted.member);
  await checkLimits(change, organizationId, wanted, organization.active_keys);

  const secret = generateKey(wanted.kind, random);
  const publicId = newId('key', random);
  await db.query(
    `insert into api_keys (public_id, organization_id, project_id, kind, name, hash, last_four, scopes, expires_at, pepper, member_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      publicId,
      organizationId,
      projectNumber,
      wanted.kind,
      wanted.name,
      hashKey(secret, pepper),
      secret.slice(-4),
      wanted.scopes,
      wanted.expires_at,
      pepperId(pepper),
      memberNumber,
    ],
  );
  const { name, kind, scopes, project_id } = wanted;
  await recordAudit(change, organizationId, 'key.created', publicId, { name, kind, scopes, project_id });
  return { record: await readRecord(db, KEYS, organizationId, publicId), secret };
}

export const planOf = (db: Queryable, organizationId: number) =>
  sql.queryOne(
    db,
    { active_keys: sql.integer, plan_scopes: sql.listOf(sql.textAs<Scope>()), plan: sql.text },
    `select coalesce(o.active_keys, p.active_keys) as active_keys, p.scopes as plan_scopes, p.name as plan
       from organizations o join plans p on p.name = o.plan where o.id = $1`,
    [organizationId],
  );

export function requireScopes(
  wanted: readonly Scope[] | null,
  { plan, plan_scopes }: { plan: string; plan_scopes: Scope[] },
) {
  const outside = wanted?.find((scope) => !plan_scopes.includes(scope));
  if (outside) throw scopeNotInPlan(outside, plan, 'scopes');
}

export const noKey = () => new RequestError('not_found', { param: 'key_id', message: 'No key has this id.' });
export const keyNameTaken = () =>
  new RequestError('name_taken', { param: 'name', message: 'A key with this name already exists.' });

export async function memberNumberOf(db: Queryable, organizationId: number, idOrEmail: string): Promise<number> {
  const member = await findMember(db, organizationId, idOrEmail);
  if (member) return member.number;
  throw new RequestError('not_found', { param: 'member_id', message: 'No member has this address or id.' });
}

export async function projectNumberOf(db: Queryable, organizationId: number, publicId: string): Promise<number> {
  const project = await sql.queryRow(
    db,
    { id: sql.integer },
    'select id from projects where organization_id = $1 and public_id = $2 and deleted_at is null',
    [organizationId, publicId],
  );
  if (!project) throw new RequestError('not_found', { param: 'project_id', message: 'No project has this id.' });
  return project.id;
}

async function checkLimits(
  change: AuditedChange,
  organizationId: number,
  wanted: NewKey,
  activeKeys: number,
): Promise<void> {
  const { db } = change;
  const found = await sql.queryOne(
    db,
    { taken: sql.boolean, active: sql.integer },
    `select coalesce(bool_or(name = $2 and revoked_at is null), false) as taken,
            count(*) filter (where (kind = 'test') = $3 and revoked_at is null and (expires_at is null or expires_at > now()))::int as active
       from api_keys where organization_id = $1 and ${HAS_SECRET}`,
    [organizationId, wanted.name, wanted.kind === 'test'],
  );
  if (found.taken) throw keyNameTaken();
  await checkHour(change, organizationId);
  const limit = wanted.kind === 'test' ? TEST_KEYS_PER_ORGANIZATION : activeKeys;
  if (found.active >= limit) throw keyLimit(limit, wanted.kind === 'test' ? 'test ' : '');
}

const keyLimit = (limit: number, kind: string): RequestError =>
  new RequestError('key_limit', {
    message: `The organization already has ${limit} active ${kind}keys. Revoke a key first.`,
    details: { limit },
  });

/** For a test key that exists already. @throws RequestError key_limit */
export async function requireTestKey(db: LockedTransaction, organizationId: number): Promise<void> {
  const active = await sql.countRows(
    db,
    `from api_keys where organization_id = $1 and kind = 'test' and revoked_at is null and (expires_at is null or expires_at > now())`,
    [organizationId],
  );
  if (active >= TEST_KEYS_PER_ORGANIZATION) throw keyLimit(TEST_KEYS_PER_ORGANIZATION, 'test ');
}

async function checkHour({ db, actor }: AuditedChange, organizationId: number): Promise<void> {
  const role = actor.type === 'key' && actor.id !== null ? await roleOfKey(db, organizationId, actor.id) : 'owner';
  const limit = role === 'owner' || role === 'admin' ? KEYS_PER_HOUR[role] : KEYS_PER_HOUR.developer;
  const { recent, wait } = await sql.queryOne(
    db,
    { recent: sql.integer, wait: sql.nullable(sql.integer) },
    `select count(*) filter (where created_at > now() - interval '1 hour')::int as recent,
            ceil(extract(epoch from (array_agg(created_at order by created_at desc))[$2] + interval '1 hour' - now()))::int as wait
       from api_keys where organization_id = $1 and ${HAS_SECRET}`,
    [organizationId, limit],
  );
  if (recent < limit) return;
  throw new RequestError('rate_limited', {
    message: `At most ${limit} keys can be created per hour. Retry later.`,
    retryAfterS: Math.max(1, wait ?? 1),
  });
}

/** @throws RequestError not_found */
export async function revokeKey(change: AuditedChange, organizationId: number, publicId: string): Promise<KeyRecord> {
  const { db } = change;
  const { rowCount } = await db.query(
    'update api_keys set revoked_at = now() where organization_id = $1 and public_id = $2 and revoked_at is null',
    [organizationId, publicId],
  );
  if (rowCount) await recordAudit(change, organizationId, 'key.revoked', publicId);
  const record = await findRecord(db, KEYS, organizationId, publicId);
  if (!record) throw noKey();
  return record;
}

/**
 * The old key expires at the end of the grace period at the latest.
 * @param callerKey public id of the admin key that rotates, or null for an operator. An admin key can rotate only
 *   itself, because another's secret could have more permissions
 * @throws RequestError not_found, forbidden_action, rate_limited; conflict if the old key is not active, was
 *   rotated, or replaces one that still works
 */
export async function rotateKey(
  change: AuditedChange,
  pepper: string,
  organizationId: number,
  publicId: string,
  graceSeconds: number,
  callerKey: string | null = null,
): Promise<CreatedKey> {
  const { db, random } = change;
  const old = await sql.queryRow(
    db,
    {
      id: sql.integer,
      kind: sql.oneOf(KEY_KINDS),
      expires_at: sql.nullable(sql.timestamp),
      usable: sql.boolean,
      predecessor: sql.nullable(sql.text),
    },
    `select id, kind, expires_at, revoked_at is null and (expires_at is null or expires_at > now()) and rotated_to is null as usable,
            (select e.public_id from api_keys e
              where e.organization_id = $1 and e.rotated_to = k.id and e.revoked_at is null and e.expires_at > now()) as predecessor
       from api_keys k where organization_id = $1 and public_id = $2 for update`,
    [organizationId, publicId],
  );
  if (!old) throw noKey();
  const kind = SECRET_KINDS.find((each) => each === old.kind);
  if (!kind)
    throw new RequestError('conflict', {
      message: `Keys of the kind \`${old.kind}\` have no secret to rotate. Revoke the key.`,
    });
  if (!old.usable) {
    throw new RequestError('conflict', { message: 'Only an active key that has not been rotated can be rotated.' });
  }
  // Otherwise repeated rotations would give an organization more keys than its plan has.
  if (old.predecessor !== null)
    throw new RequestError('conflict', {
      message: `The key that this one replaces, \`${old.predecessor}\`, still works. Revoke it first, or wait until its grace period ends.`,
    });
  if (callerKey !== null && old.kind === 'admin' && publicId !== callerKey)
    throw new RequestError('forbidden_action', { message: 'An admin key can rotate data keys and itself only.' });
  await checkHour(change, organizationId);
  const secret = generateKey(kind, random);
  const newPublicId = newId('key', random);
  // Active keys must not share a name.
  await db.query(
    `update api_keys set name = left(name, 80) || ' (rotated ' || public_id || ')',
            expires_at = least(expires_at, now() + make_interval(secs => $2)) where id = $1`,
    [old.id, graceSeconds],
  );
  await db.query(
    `with made as (
       insert into api_keys (public_id, organization_id, project_id, member_id, kind, name, hash, last_four, scopes, expires_at, pepper)
       select $2, organization_id, project_id, member_id, kind, regexp_replace(name, ' \\(rotated key_[0-9a-f]+\\)$', ''), $3, $4, scopes, $5, $6
         from api_keys where id = $1
       returning id)
     update api_keys set rotated_to = (select id from made) where id = $1`,
    [old.id, newPublicId, hashKey(secret, pepper), secret.slice(-4), old.expires_at, pepperId(pepper)],
  );
  const details = { new_key: newPublicId, grace_seconds: graceSeconds };
  await recordAudit(change, organizationId, 'key.rotated', publicId, details);
  return { record: await readRecord(db, KEYS, organizationId, newPublicId), secret };
}

/** Returns the number of the key from which rotations have made a key. */
export async function firstKey(db: Queryable, organizationId: number, keyId: number): Promise<number> {
  const { first } = await sql.queryOne(
    db,
    { first: sql.integer },
    `with recursive earlier as (
       select id from api_keys where id = $2
       union all
       select k.id from earlier e join api_keys k on k.rotated_to = e.id where k.organization_id = $1
     )
     select min(id) as first from earlier`,
    [organizationId, keyId],
  );
  return first;
}

const peppersOf = ({ pepper, oldPepper }: Peppers): string[] => (oldPepper === null ? [pepper] : [pepper, oldPepper]);

export async function rehashKey(db: Queryable, { pepper, oldPepper }: Peppers, secret: string): Promise<void> {
  if (oldPepper === null) return;
  await db.query('update api_keys set hash = $2, pepper = $3 where hash = $1', [
    hashKey(secret, oldPepper),
    hashKey(secret, pepper),
    pepperId(pepper),
  ]);
}

export async function keysOfOtherPeppers(db: Queryable, pepper: string) {
  return sql.queryRows(
    db,
    {
      id: sql.text,
      organization: sql.text,
      name: sql.text,
      kind: sql.oneOf(KEY_KINDS),
      last_used_at: sql.nullable(sql.timestamp),
      expires_at: sql.nullable(sql.timestamp),
    },
    `select k.public_id as id, o.name as organization, k.name, k.kind, k.last_used_at, k.expires_at
       from api_keys k join organizations o on o.id = k.organization_id
      where k.pepper is distinct from $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and k.${HAS_SECRET}
      order by k.last_used_at desc nulls last, k.id`,
    [pepperId(pepper)],
  );
}

/** Unknown keys are ignored. */
export async function markExposed(change: AuditedChange, peppers: Peppers, secrets: readonly string[]): Promise<void> {
  const exposed = await sql.queryRows(
    change.db,
    { organization_id: sql.integer, public_id: sql.text },
    'update api_keys set exposed_at = now() where hash = any($1) and exposed_at is null returning organization_id, public_id',
    [secrets.flatMap((secret) => peppersOf(peppers).map((pepper) => hashKey(secret, pepper)))],
  );
  for (const { organization_id, public_id } of exposed)
    await recordAudit(change, organization_id, 'key.exposed', public_id);
}
