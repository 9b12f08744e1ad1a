import { RequestError } from '#domain/errors.ts';
import type { AuditedChange } from '#src/accounts/audit.ts';
import { readAddress } from '#src/accounts/member-store.ts';
import { requireVisitorLimit } from '#src/accounts/sending-limits.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import { queueMails } from '#src/mail/outbox.ts';
import { networkOf } from '#src/metering/rate-limit.ts';
import type { Services } from '#src/services.ts';
import { inTransaction, type Transaction } from '#stores/postgres/transaction.ts';
import { canonicalAddress, isDisposable } from './addresses.ts';
import { createLink, LINK_MS, type LinkPurpose, type SignUpDetails, useLink } from './links.ts';
import { renderMail } from './mails.ts';
import { ownPath } from './paths.ts';
import { isKnownAddress, signInPerson } from './people.ts';
import { type Browser, endSession, startSession } from './sessions.ts';
import { type SignUp, signUp } from './sign-up.ts';

export type SignInServices = Pick<Services, 'pool' | 'config' | 'clock' | 'random'>;

export interface Visitor {
  /** In the language of the mail. */
  language: Language;
  ip: string | null;
  /** Token in the cookie of the browser. */
  browser: string;
}

/** A sign-in that has succeeded: the token of the session's cookie, and where it leads. */
interface SignedIn {
  outcome: 'signed_in';
  session: string;
  returnTo: string;
  /** The sign-up whose address the link confirmed. */
  signUp: SignUp | null;
}

export const systemChange = (db: Transaction, { random }: Pick<Services, 'random'>): AuditedChange => ({
  db,
  random,
  actor: { type: 'system', id: null, requestId: null },
});

/** Mails a link. @returns the code that another browser than the visitor's needs */
async function mailLink(
  { config, clock, random }: SignInServices,
  db: Transaction,
  email: string,
  purpose: LinkPurpose,
  { language, ip, browser }: Visitor,
  { returnTo, isMailed }: { returnTo: string; isMailed: boolean },
): Promise<string> {
  const now = new Date(clock.now());
  const [address, network] = [canonicalAddress(email), networkOf(ip)];
  await requireVisitorLimit(db, 'link_network', network, now);
  await requireVisitorLimit(db, 'link_sender', `${address} ${network}`, now);
  await requireVisitorLimit(db, 'link_address', address, now);
  const expiresAt = new Date(now.getTime() + LINK_MS);
  const link = { ...purpose, email, language, returnTo, browser, expiresAt };
  const { token, code } = await createLink(db, { random, pepper: config.keyPepper, now }, link);
  const url = `${config.siteUrl}${pathIn(language, '/sign-in')}?token=${token}`;
  const mail = renderMail(config, purpose.purpose, language, { url });
  const reason = `${purpose.purpose} ${token.slice(0, 8)} ${now.toISOString()}`;
  if (isMailed) await queueMails(db, [{ reason, recipient: email, ...mail, expires_at: expiresAt }], now);
  return code;
}

/**
 * The same for every address, also if nobody can sign in with it.
 * @param invitation id of the member whose invitation the page shows, and in whose organization the session starts
 * @throws RequestError rate_limited
 */
export const requestLink = (
  services: SignInServices,
  email: string,
  visitor: Visitor,
  returnTo: string,
  invitation: string | null = null,
): Promise<string> =>
  inTransaction(services.pool, async (db) => {
    const address = readAddress(email);
    const isMailed = await isKnownAddress(db, address);
    const purpose = { purpose: 'sign_in', details: { invitation } } as const;
    return mailLink(services, db, address, purpose, visitor, { returnTo, isMailed });
  });

/** @throws RequestError rate_limited; invalid_value for a disposable address */
export async function requestSignUp(
  services: SignInServices,
  email: string,
  details: SignUpDetails,
  visitor: Visitor,
  returnTo: string,
): Promise<string> {
  const address = readAddress(email);
  if (isDisposable(address)) throw new RequestError('invalid_value', { param: 'email', message: 'disposable' });
  const purpose = { purpose: 'sign_up', details } as const;
  return inTransaction(services.pool, (db) =>
    mailLink(services, db, address, purpose, visitor, { returnTo, isMailed: true }),
  );
}

/** Signs in with a new session. The earlier session of the browser ends. @throws RequestError rate_limited */
export const completeSignIn = (
  services: SignInServices,
  given: { token: string; browser: string | null; code: string; session: string | null },
  browser: Browser,
): Promise<SignedIn | { outcome: 'invalid' | 'wrong_code' }> =>
  inTransaction(services.pool, async (db) => {
    const { config, clock } = services;
    const [change, now] = [systemChange(db, services), new Date(clock.now())];
    const use = await useLink(db, { pepper: config.keyPepper, now }, given);
    if (use.outcome !== 'used') return { outcome: use.outcome };
    const { email, language, return_to, ...link } = use.link;
    let created: SignUp | null = null;
    if (link.purpose === 'sign_up') {
      await requireVisitorLimit(db, 'sign_up_network', networkOf(browser.ip), now);
      created = await signUp(change, config, email, link.details, language, now);
    }
    const person = await signInPerson(change, email, language, now);
    if (given.session !== null) await endSession(db, given.session);
    const organization = created?.outcome === 'created' ? created.organization : null;
    const invitation = link.purpose === 'sign_in' ? (link.details.invitation ?? null) : null;
    const session = await startSession(change, { person: person.number, organization, invitation }, browser, now);
    return { outcome: 'signed_in', session, returnTo: ownPath(return_to), signUp: created };
  });
