import { type AuditedChange, recordAudit } from '#src/accounts/audit.ts';
import { newId } from '#src/accounts/ids.ts';
import { ROLES } from '#src/accounts/roles.ts';
import type { Language } from '#src/documents/language.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';

const PERSON = { number: sql.integer, id: sql.text, email: sql.text, language: sql.textAs<Language>() };
export type Person = sql.RowOf<typeof PERSON>;

const MEMBERSHIP = {
  number: sql.integer,
  id: sql.text,
  name: sql.text,
  role: sql.oneOf(ROLES),
  organization: sql.object({ number: sql.integer, id: sql.text, name: sql.text }),
  /** Hash of the console key of the member; null before its first use. */
  console_key: sql.nullable(sql.bytes),
};
type MembershipRow = sql.RowOf<typeof MEMBERSHIP>;
export type Membership = Omit<MembershipRow, 'console_key'>;

/** Whether a person with the address can sign in: a person, or a member who has not joined. */
export const isKnownAddress = (db: Queryable, email: string): Promise<boolean> =>
  sql.hasRows(db, 'from (select email from people union all select lower(email) from members) a where a.email = $1', [
    email,
  ]);

/**
 * Records a sign-in of the person with the address, which is verified, and joins the memberships with this address.
 * @param email in lower case
 */
export async function signInPerson(
  change: AuditedChange,
  email: string,
  language: Language,
  now: Date,
): Promise<Person> {
  const { db, random } = change;
  const person = await sql.queryOne(
    db,
    PERSON,
    `insert into people (public_id, email, language, created_at, last_sign_in_at) values ($1, $2, $3, $4, $4)
     on conflict (email) do update set last_sign_in_at = excluded.last_sign_in_at, language = excluded.language
     returning id as number, public_id as id, email, language`,
    [newId('per', random), email, language, now],
  );
  const joined = await sql.queryRows(
    db,
    { id: sql.text, organization_id: sql.integer },
    `update members set person_id = $1, joined_at = $3 where lower(email) = $2 and person_id is null
     returning public_id as id, organization_id`,
    [person.number, email, now],
  );
  for (const { id, organization_id } of joined) await recordAudit(change, organization_id, 'member.joined', id);
  return person;
}

/** Oldest first. */
export const membershipsOf = (db: Queryable, person: number): Promise<MembershipRow[]> =>
  sql.queryRows(
    db,
    MEMBERSHIP,
    `select m.id as number, m.public_id as id, m.name, m.role, k.hash as console_key,
            json_build_object('number', o.id, 'id', o.public_id, 'name', o.name) as organization
       from members m join organizations o on o.id = m.organization_id
       left join api_keys k on k.member_id = m.id and k.kind = 'console' and k.revoked_at is null
      where m.person_id = $1 order by m.id`,
    [person],
  );
