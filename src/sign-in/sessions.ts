import { RequestError } from '#domain/errors.ts';
import type { AuditedChange } from '#src/accounts/audit.ts';
import { newId } from '#src/accounts/ids.ts';
import { createKeyless } from '#src/accounts/keyless.ts';
import { lockOrganization } from '#src/accounts/organization-store.ts';
import type { Language } from '#src/documents/language.ts';
import type { Services } from '#src/services.ts';
import * as sql from '#stores/postgres/rows.ts';
import { inTransaction, type Queryable } from '#stores/postgres/transaction.ts';
import { type Membership, membershipsOf, type Person } from './people.ts';
import { digestOf, newToken } from './tokens.ts';

const HOUR_MS = 3_600_000;
/** A session ends after this time without a request, and after the absolute time. */
const IDLE_MS = 12 * HOUR_MS;
export const SESSION_MS = 14 * 24 * HOUR_MS;
/** Milliseconds after a sign-in for which changes that need a recent sign-in are accepted. */
const RECENT_MS = 600_000;
/** The time of the last request is recorded once in this interval, so that few requests write. */
const SEEN_MS = 60_000;
const MAX_USER_AGENT = 200;

export interface Session {
  id: string;
  number: number;
  person: Person;
  /** In epoch milliseconds. */
  signedInAt: number;
  /** In the chosen organization. Null if the person belongs to none. */
  member: Membership | null;
  memberships: readonly Membership[];
  /** Hash of the console key of `member`. */
  consoleKey: Buffer | null;
}

export interface Browser {
  userAgent: string;
  ip: string | null;
}

const LISTED = {
  id: sql.text,
  created_at: sql.timestamp,
  seen_at: sql.timestamp,
  user_agent: sql.text,
  ip: sql.nullable(sql.text),
  current: sql.boolean,
};
type ListedSession = sql.RowOf<typeof LISTED>;

export const isRecent = ({ signedInAt }: Pick<Session, 'signedInAt'>, now: number): boolean =>
  now - signedInAt <= RECENT_MS;

/**
 * @param starting `organization` if the person has just opened it, or `invitation`, the id of the member, if the person has
 * accepted it: others may have added the address before
 * @returns the token of the cookie
 */
export async function startSession(
  { db, random }: AuditedChange,
  { person, organization, invitation }: { person: number; organization: number | null; invitation: string | null },
  { userAgent, ip }: Browser,
  now: Date,
): Promise<string> {
  const token = newToken(random);
  await db.query(
    `insert into sessions (public_id, id_hash, person_id, member_id, created_at, seen_at, signed_in_at, expires_at, user_agent, ip)
     values ($1, $2, $3, (select id from members where person_id = $3
         order by organization_id is not distinct from $8 desc, public_id is not distinct from $9 desc, id limit 1),
       $4, $4, $4, $5, $6, $7)`,
    [
      newId('ses', random),
      digestOf(token),
      person,
      now,
      new Date(now.getTime() + SESSION_MS),
      userAgent.slice(0, MAX_USER_AGENT),
      ip,
      organization,
      invitation,
    ],
  );
  return token;
}

export const endSession = (db: Queryable, token: string) =>
  db.query('delete from sessions where id_hash = $1', [digestOf(token)]);

const SESSION = {
  number: sql.integer,
  id: sql.text,
  signed_in_at: sql.timestamp,
  seen_at: sql.timestamp,
  member: sql.nullable(sql.integer),
  person: sql.object({
    number: sql.integer,
    id: sql.text,
    email: sql.text,
    language: sql.textAs<Language>(),
  }),
};

/** Null without a valid session. */
export async function findSession(
  { pool, random, clock }: Pick<Services, 'pool' | 'random' | 'clock'>,
  token: string,
): Promise<Session | null> {
  const now = new Date(clock.now());
  const found = await sql.queryRow(
    pool,
    SESSION,
    `select s.id as number, s.public_id as id, s.signed_in_at, s.seen_at, s.member_id as member,
            json_build_object('number', p.id, 'id', p.public_id, 'email', p.email, 'language', p.language) as person
       from sessions s join people p on p.id = s.person_id
      where s.id_hash = $1 and s.expires_at > $2 and s.seen_at > $3`,
    [digestOf(token), now, new Date(now.getTime() - IDLE_MS)],
  );
  if (!found) return null;
  if (now.getTime() - found.seen_at.getTime() > SEEN_MS)
    await pool.query('update sessions set seen_at = $2 where id = $1', [found.number, now]);
  const rows = await membershipsOf(pool, found.person.number);
  const memberships = rows.map(({ console_key: _, ...membership }) => membership);
  const chosen = rows.find(({ number }) => number === found.member) ?? rows[0];
  const consoleKey = chosen ? (chosen.console_key ?? (await ensureConsoleKey(pool, random, chosen))) : null;
  const member = (consoleKey && memberships.find(({ number }) => number === chosen?.number)) ?? null;
  const { number, id, person, signed_in_at } = found;
  return { number, id, person, signedInAt: signed_in_at.getTime(), member, memberships, consoleKey };
}

/** Null if the member was removed since. */
function ensureConsoleKey(
  pool: Services['pool'],
  random: Services['random'],
  { number, name, organization }: Membership,
): Promise<Buffer | null> {
  return inTransaction(pool, async (db) => {
    await lockOrganization(db, organization.number);
    const found = await sql.queryRow(
      db,
      { hash: sql.nullable(sql.bytes) },
      `select k.hash from members m left join api_keys k on k.member_id = m.id and k.kind = 'console' and k.revoked_at is null
        where m.id = $1`,
      [number],
    );
    if (!found || found.hash) return found?.hash ?? null;
    const change: AuditedChange = { db, random, actor: { type: 'system', id: null, requestId: null } };
    return (await createKeyless(change, organization.number, { kind: 'console', name, member: number })).keyHash;
  });
}

/** @throws RequestError not_found */
export async function chooseMember(db: Queryable, session: Session, memberId: string): Promise<void> {
  const member = session.memberships.find(({ id }) => id === memberId);
  if (!member) throw new RequestError('not_found', { message: 'You are no member of this organization.' });
  await db.query('update sessions set member_id = $2 where id = $1', [session.number, member.number]);
}

export const listSessions = (db: Queryable, { person, number }: Session, now: number): Promise<ListedSession[]> =>
  sql.queryRows(
    db,
    LISTED,
    `select public_id as id, created_at, seen_at, user_agent, host(ip) as ip, id = $2 as current from sessions
      where person_id = $1 and expires_at > $3 and seen_at > $4 order by seen_at desc`,
    [person.number, number, new Date(now), new Date(now - IDLE_MS)],
  );

/** @throws RequestError not_found */
export async function revokeSession(db: Queryable, { person }: Session, id: string): Promise<void> {
  const { rowCount } = await db.query('delete from sessions where person_id = $1 and public_id = $2', [
    person.number,
    id,
  ]);
  if (!rowCount) throw new RequestError('not_found', { message: 'No session has this id.' });
}

export const revokeOthers = (db: Queryable, { person, number }: Session) =>
  db.query('delete from sessions where person_id = $1 and id <> $2', [person.number, number]);

/** For administrators. Ends all sessions of a member's person, who may belong to other organizations. */
export const endSessionsOf = (db: Queryable, member: number) =>
  db.query('delete from sessions where person_id = (select person_id from members where id = $1)', [member]);
