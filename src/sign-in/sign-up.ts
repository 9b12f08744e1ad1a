import type { AuditedChange } from '#src/accounts/audit.ts';
import { createKey } from '#src/accounts/key-store.ts';
import { hashKey } from '#src/accounts/keys.ts';
import { setMember } from '#src/accounts/member-store.ts';
import { createOrganization, lockOrganization } from '#src/accounts/organization-store.ts';
import type { Config } from '#src/config.ts';
import type { Language } from '#src/documents/language.ts';
import { queueMails, readOwners } from '#src/mail/outbox.ts';
import * as sql from '#stores/postgres/rows.ts';
import { accountOf, companyDomain } from './addresses.ts';
import type { SignUpDetails } from './links.ts';
import { renderMail } from './mails.ts';
import { signInPerson } from './people.ts';

/** The name of the first key. */
const FIRST_KEY: Readonly<Record<Language, string>> = { en: 'First key', ar: 'المفتاح الأول' };
const PLAN = 'free';

/** `exists`: the person has an account. `ask_owner`: the company has one, whose owners received a mail. */
export type SignUp =
  | { outcome: 'created'; organization: number; key: string; keyHash: Buffer }
  | { outcome: 'exists' | 'ask_owner' };

/**
 * Opens an account on the Free plan for a verified address: an organization with its owner and first key. A person or a
 * company has one, so that nobody multiplies the free units.
 */
export async function signUp(
  opening: AuditedChange,
  config: Pick<Config, 'keyPepper' | 'serviceName' | 'siteUrl'>,
  email: string,
  { name }: SignUpDetails,
  language: Language,
  now: Date,
): Promise<SignUp> {
  const domain = companyDomain(email);
  const find = () => (domain === null ? null : organizationOf(opening, domain, email));
  const organization = (await find())
    ? null
    : await createOrganization(opening, { name, plan: PLAN }, accountOf(email));
  if (organization === null) {
    // A concurrent sign-up, which has ended, may have created it.
    const present = await find();
    if (!present || present.is_member) return { outcome: 'exists' };
    return askOwners(opening, config, present, email, language, now);
  }
  const change = { ...opening, db: await lockOrganization(opening.db, organization) };
  await setMember(change, organization, { email, name: email.slice(0, email.lastIndexOf('@')), role: 'owner' });
  await signInPerson(change, email, language, now);
  const wanted = {
    name: FIRST_KEY[language],
    kind: 'live',
    project_id: null,
    member: null,
    scopes: null,
    expires_at: null,
  } as const;
  const { secret: key } = await createKey(change, config.keyPepper, organization, wanted);
  return { outcome: 'created', organization, key, keyHash: hashKey(key, config.keyPepper) };
}

const PRESENT = { number: sql.integer, name: sql.text, is_member: sql.boolean };

/** The account of a company: opened by a sign-up, or else one with a signed-in member of its domain, whom anyone may have added. */
const organizationOf = ({ db }: AuditedChange, domain: string, email: string) =>
  sql.queryRow(
    db,
    PRESENT,
    `select o.id as number, o.name, bool_or(coalesce(lower(m.email) = $3, false)) as is_member
       from organizations o left join members m on m.organization_id = o.id and m.joined_at is not null
      where o.account_of = $1 or lower(m.email) like '%@' || $2 or lower(m.email) like '%@%.' || $2
      group by o.id order by 3 desc, o.account_of is not distinct from $1 desc, o.id limit 1`,
    [`domain ${domain}`, domain, email],
  );

async function askOwners(
  { db }: AuditedChange,
  config: Pick<Config, 'serviceName' | 'siteUrl'>,
  { number, name: organization }: sql.RowOf<typeof PRESENT>,
  email: string,
  language: Language,
  now: Date,
): Promise<SignUp> {
  const values = { email, organization, url: `${config.siteUrl}/console/members` };
  const mails = (await readOwners(db, number)).map((recipient) => ({
    // One for each person, while the last is stored.
    reason: `join request ${email} ${number}`,
    recipient,
    ...renderMail(config, 'join_request', language, values),
  }));
  await queueMails(db, mails, now);
  return { outcome: 'ask_owner' };
}
