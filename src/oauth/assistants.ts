import type pg from 'pg';
import { RequestError } from '#domain/errors.ts';
import type { AuditedChange } from '#src/accounts/audit.ts';
import { newId } from '#src/accounts/ids.ts';
import { projectNumberOf, revokeKey } from '#src/accounts/key-store.ts';
import { createKeyless } from '#src/accounts/keyless.ts';
import { lockOrganization } from '#src/accounts/organization-store.ts';
import { PERMISSIONS, type Role, requirePermission } from '#src/accounts/roles.ts';
import { SCOPES } from '#src/accounts/scopes.ts';
import type { Session } from '#src/sign-in/sign-in.ts';
import * as sql from '#stores/postgres/rows.ts';
import { inTransaction, type Queryable, type Transaction } from '#stores/postgres/transaction.ts';
import { digestOf } from './adapter.ts';
import type { DescribedClient } from './clients.ts';

/** Until the assistant has exchanged its code. Then the key is valid as long as its tokens. */
const UNUSED_MS = 10 * 60_000;
const USAGE_DAYS = 30;

type Database = { pool: pg.Pool; random: AuditedChange['random'] };
type Member = NonNullable<Session['member']>;

const includes = (roles: readonly Role[], role: Role): boolean => roles.includes(role);

/** What a person may connect an assistant to: organizations in which the role may create keys. */
export interface ConnectionTarget {
  member: Member;
  projects: { id: string; name: string }[];
}

export async function connectionTargets(db: Queryable, { memberships }: Session): Promise<ConnectionTarget[]> {
  const members = memberships.filter(({ role }) => includes(PERMISSIONS.develop, role));
  const rows = await sql.queryRows(
    db,
    { organization: sql.integer, id: sql.text, name: sql.text },
    `select organization_id as organization, public_id as id, name from projects
      where organization_id = any ($1::bigint[]) and deleted_at is null order by name`,
    [members.map(({ organization }) => organization.number)],
  );
  return members.map((member) => ({
    member,
    projects: rows.flatMap(({ organization, id, name }) =>
      organization === member.organization.number ? { id, name } : [],
    ),
  }));
}

export interface NewConnection {
  client: DescribedClient;
  /** Public id; null for the whole organization. */
  project: string | null;
  /** Whether the assistant may create exports, which can cost many units. */
  withExports: boolean;
}

/** A person with the console key of the chosen organization, whose actions are audited. */
interface Acting {
  member: Member;
  key: { number: number; id: string };
}

async function actingAs(db: Queryable, { member, consoleKey }: Session): Promise<Acting> {
  const key = await sql.queryRow(
    db,
    { number: sql.integer, id: sql.text },
    'select id as number, public_id as id from api_keys where hash = $1',
    [consoleKey],
  );
  if (!member || !key) throw new RequestError('forbidden_action', { message: 'You are no member of an organization.' });
  return { member, key };
}

/**
 * Creates the key of a connection in the organization that the session has chosen. Nothing is usable before `grantId` is
 * given to the assistant.
 * @throws RequestError forbidden_action, not_found (project)
 */
export const createConnection = (
  { pool, random }: Database,
  session: Session,
  grantId: string,
  { client, project, withExports }: NewConnection,
  { now, requestId }: { now: number; requestId: string },
): Promise<void> =>
  inTransaction(pool, async (db) => {
    const { member, key } = await actingAs(db, session);
    await lockOrganization(db, member.organization.number);
    await requirePermission(db, key.number, 'develop');
    const change = { db, random, actor: { type: 'key', id: key.id, requestId } } as const;
    const created = await createKeyless(change, member.organization.number, {
      kind: 'connector',
      name: client.name,
      member: member.number,
      project: project === null ? null : await projectNumberOf(db, member.organization.number, project),
      scopes: withExports ? null : SCOPES.filter((scope) => scope !== 'exports'),
      expires_at: new Date(now + UNUSED_MS),
    });
    await db.query(
      `insert into connections (public_id, key_id, grant_hash, client_id, client_name, redirect_host, is_verified, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        newId('con', random),
        created.number,
        digestOf(grantId),
        client.id,
        client.name,
        client.redirectHost,
        client.isVerified,
        new Date(now),
      ],
    );
  });

const CONNECTION = {
  id: sql.text,
  key_id: sql.text,
  client_name: sql.text,
  redirect_host: sql.text,
  is_verified: sql.boolean,
  member: sql.text,
  project: sql.nullable(sql.text),
  created_at: sql.timestamp,
  last_used_at: sql.nullable(sql.timestamp),
  expires_at: sql.timestamp,
  requests_30_days: sql.integer,
  units_30_days: sql.integer,
};
export type Connection = sql.RowOf<typeof CONNECTION>;

/** Connections that a session sees: its own, or for those who manage the organization, all. */
const visible = ({ number, role, organization }: Member) => ({
  condition: '($1::bigint = k.organization_id and ($2::bigint is null or k.member_id = $2))',
  values: [organization.number, includes(PERMISSIONS.manage, role) ? null : number] as const,
});

/** Active connections, newest first. */
export async function listConnections(db: Queryable, { member }: Session, now: number): Promise<Connection[]> {
  if (!member) return [];
  const { condition, values } = visible(member);
  return sql.queryRows(
    db,
    CONNECTION,
    `select c.public_id as id, k.public_id as key_id, c.client_name, c.redirect_host, c.is_verified, m.name as member,
            p.name as project, c.created_at, k.last_used_at, k.expires_at,
            coalesce(u.requests, 0) as requests_30_days, coalesce(u.units, 0) as units_30_days
       from connections c join api_keys k on k.id = c.key_id join members m on m.id = k.member_id
       left join projects p on p.id = k.project_id
       left join lateral (select sum(requests)::bigint as requests, sum(units)::bigint as units from usage_days
          where organization_id = k.organization_id and key_id = k.id
            and day > ($3::timestamptz at time zone 'UTC')::date - $4::int) u on true
      where ${condition} and k.revoked_at is null and k.expires_at > $3 order by c.id desc`,
    [...values, new Date(now), USAGE_DAYS],
  );
}

/** @throws RequestError not_found */
export const revokeConnection = (
  { pool, random }: Database,
  session: Session,
  id: string,
  requestId: string,
): Promise<void> =>
  inTransaction(pool, async (db) => {
    const { member, key } = await actingAs(db, session);
    const { condition, values } = visible(member);
    const found = await sql.queryRow(
      db,
      { grant_hash: sql.bytes },
      `select c.grant_hash from connections c join api_keys k on k.id = c.key_id where ${condition} and c.public_id = $3`,
      [...values, id],
    );
    if (!found) throw new RequestError('not_found', { message: 'No connection has this id.' });
    await endGrant({ db, random, actor: { type: 'key', id: key.id, requestId } }, found.grant_hash);
  });

/** Deletes the tokens of a grant and revokes the key of its connection. */
export async function endGrant(change: AuditedChange, grantHash: Buffer): Promise<void> {
  const { db } = change;
  const found = await sql.queryRow(
    db,
    { organization: sql.integer, key: sql.text },
    `select k.organization_id as organization, k.public_id as key from connections c join api_keys k on k.id = c.key_id
      where c.grant_hash = $1`,
    [grantHash],
  );
  if (found) {
    await lockOrganization(db, found.organization);
    await revokeKey(change, found.organization, found.key);
  }
  await db.query("delete from oauth_records where grant_hash = $1 or (model = 'Grant' and id_hash = $1)", [grantHash]);
}

/** The registration of a client that a person has accepted lives as long as its tokens, and a day longer. */
export const retainClient = (db: Queryable | Transaction, clientId: string, seconds: number) =>
  db.query(
    `update oauth_records set expires_at = greatest(expires_at, now() + make_interval(secs => $2))
      where model = 'Client' and id_hash = $1`,
    [digestOf(clientId), seconds],
  );

/** The key of a token's connection, with which this process calls the API. */
interface Exchanged {
  keyHash: Buffer;
  /** False for a token that has expired, is for another resource, or whose key was revoked. */
  isValid: boolean;
}

/** Null for an unknown token. */
export async function exchangeToken(db: Queryable, token: string, resource: string): Promise<Exchanged | null> {
  const found = await sql.queryRow(
    db,
    { hash: sql.bytes, valid: sql.boolean },
    `select k.hash, r.expires_at > now() and r.payload ->> 'aud' = $2 and k.revoked_at is null as valid
       from oauth_records r join connections c on c.grant_hash = r.grant_hash join api_keys k on k.id = c.key_id
      where r.model = 'AccessToken' and r.id_hash = $1`,
    [digestOf(token), resource],
  );
  return found && { keyHash: found.hash, isValid: found.valid };
}
