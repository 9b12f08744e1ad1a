import { RequestError } from '#domain/errors.ts';
import type { AuditedChange } from '#src/accounts/audit.ts';
import { requireVisitorLimit } from '#src/accounts/sending-limits.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import { queueMails, readWaiting } from '#src/mail/outbox.ts';
import { networkOf } from '#src/metering/rate-limit.ts';
import type { Services } from '#src/services.ts';
import { inTransaction, type Transaction } from '#stores/postgres/transaction.ts';
import { canonicalAddress, isDisposable, readAddress } from './addresses.ts';
import { findInvitation } from './invitations.ts';
import {
  createLink,
  findLink,
  isSameBrowser,
  LINK_MS,
  type LinkPurpose,
  type SignUpDetails,
  useLink,
} from './links.ts';
import { renderMail } from './mails.ts';
import { isKnownAddress, type Membership, signInPerson } from './people.ts';

import {
  type Browser,
  chooseMember,
  endSession,
  findSession,
  isRecent,
  listSessions,
  revokeOthers,
  revokeSession,
  SESSION_MS,
  type Session,
  startSession,
} from './sessions.ts';
import { type SignUp, signUp } from './sign-up.ts';
import { newToken } from './tokens.ts';
import { claimTrialKey, createTrialKey, findTrialKey } from './trial-keys.ts';

export type { Invitation } from './invitations.ts';
export type { SignUpDetails } from './links.ts';
export type { Membership } from './people.ts';
export { isRecent, type ListedSession, type Session } from './sessions.ts';
export type { SignUp } from './sign-up.ts';
export type { TrialKey } from './trial-keys.ts';

/** What the site needs for people who sign in. */
export type SignIn = ReturnType<typeof createSignIn>;

interface Visitor {
  /** In the language of the mail. */
  language: Language;
  ip: string | null;
  /** Token in the cookie of the browser. */
  browser: string;
}

/** A sign-in that has succeeded: the token of the session's cookie, and where it leads. */
export interface SignedIn {
  outcome: 'signed_in';
  session: string;
  returnTo: string;
  /** Of a link that confirmed the address of a sign-up. */
  signUp: SignUp | null;
}

/** Returns a path of the site, whatever a link states. Pure. */
export const ownPath = (path: string | null, fallback = '/console'): string =>
  path !== null && /^\/(?![/\\])[\w\-./~%?&=+:,@!$*'()]*$/.test(path) ? path : fallback;

/** Path of the page that signs in and returns. Pure. @param again whether a signed-in person must sign in again */
export const signInPath = (language: Language, returnTo: string, { again = false } = {}): string =>
  `${pathIn(language, '/sign-in')}?${new URLSearchParams({ return_to: returnTo, ...(again && { again: '1' }) })}`;

const SESSION_COOKIE = 'account';
const BROWSER_COOKIE = 'sign_in';

export function createSignIn({ pool, config, clock, random }: Pick<Services, 'pool' | 'config' | 'clock' | 'random'>) {
  const isSecure = config.siteUrl.startsWith('https:');
  const nameOf = (name: string): string => (isSecure ? `__Host-${name}` : name);
  const cookie = (name: string, value: string, attributes: string): string =>
    `${nameOf(name)}=${value}; Path=/; HttpOnly; SameSite=Lax${attributes}${isSecure ? '; Secure' : ''}`;
  const tokenIn = (header: string, name: string): string | null =>
    new RegExp(`(?:^|;\\s*)${nameOf(name)}=([\\w-]{43})(?:;|$)`).exec(header)?.[1] ?? null;
  const change = (db: Transaction): AuditedChange => ({
    db,
    random,
    actor: { type: 'system', id: null, requestId: null },
  });
  const time = (): Date => new Date(clock.now());
  const pepper = config.keyPepper;

  /** Mails a link. @returns the code that another browser than the visitor's needs */
  async function mailLink(
    db: Transaction,
    email: string,
    purpose: LinkPurpose,
    { language, ip, browser }: Visitor,
    { returnTo, isMailed }: { returnTo: string; isMailed: boolean },
  ): Promise<string> {
    const now = time();
    const [address, network] = [canonicalAddress(email), networkOf(ip)];
    await requireVisitorLimit(db, 'link_network', network, now);
    await requireVisitorLimit(db, 'link_sender', `${address} ${network}`, now);
    await requireVisitorLimit(db, 'link_address', address, now);
    const expiresAt = new Date(now.getTime() + LINK_MS);
    const link = { ...purpose, email, language, returnTo, browser, expiresAt };
    const { token, code } = await createLink(db, { random, pepper, now }, link);
    const url = `${config.siteUrl}${pathIn(language, '/sign-in')}?token=${token}`;
    const mail = renderMail(config, purpose.purpose, language, { url });
    const reason = `${purpose.purpose} ${token.slice(0, 8)} ${now.toISOString()}`;
    if (isMailed) await queueMails(db, [{ reason, recipient: email, ...mail, expires_at: expiresAt }], now);
    return code;
  }

  return {
    /** Tokens of the cookies. */
    sessionToken: (header: string) => tokenIn(header, SESSION_COOKIE),
    browserToken: (header: string) => tokenIn(header, BROWSER_COOKIE),
    newBrowserToken: () => newToken(random),
    /** Values of `Set-Cookie`. */
    sessionCookie: (token: string | null) =>
      cookie(SESSION_COOKIE, token ?? '', `; Max-Age=${token === null ? 0 : SESSION_MS / 1_000}`),
    browserCookie: (token: string) => cookie(BROWSER_COOKIE, token, `; Max-Age=${LINK_MS / 1_000}`),

    /** Null without a valid session. */
    async readSession(cookieHeader: string): Promise<Session | null> {
      const token = tokenIn(cookieHeader, SESSION_COOKIE);
      return token === null ? null : findSession({ pool, random, clock }, token);
    },

    /** The same for every address, also if nobody can sign in with it. @throws RequestError rate_limited */
    requestLink: (email: string, visitor: Visitor, returnTo: string): Promise<string> =>
      inTransaction(pool, async (db) => {
        const address = readAddress(email);
        const isMailed = await isKnownAddress(db, address);
        const purpose = { purpose: 'sign_in', details: {} } as const;
        return mailLink(db, address, purpose, visitor, { returnTo, isMailed });
      }),

    /** @throws RequestError rate_limited; invalid_value for a disposable address */
    requestSignUp(email: string, details: SignUpDetails, visitor: Visitor, returnTo: string): Promise<string> {
      const address = readAddress(email);
      if (isDisposable(address)) throw new RequestError('invalid_value', { param: 'email', message: 'disposable' });
      return inTransaction(pool, async (db) => {
        return mailLink(db, address, { purpose: 'sign_up', details }, visitor, { returnTo, isMailed: true });
      });
    },

    /** Null if the invitation is not valid. */
    invitation: (memberId: string) => findInvitation(pool, memberId, time()),

    /** What the page of a link shows; null if it is unknown, used or expired. Changes nothing. */
    async readLink(token: string, browser: string | null) {
      const link = await findLink(pool, token, time());
      return link && { email: link.email, purpose: link.purpose, needsCode: !isSameBrowser(link, browser) };
    },

    /** Signs in with a new session. The earlier session of the browser ends. */
    useLink: (
      given: { token: string; browser: string | null; code: string; session: string | null },
      browser: Browser,
    ): Promise<SignedIn | { outcome: 'invalid' | 'wrong_code' }> =>
      inTransaction(pool, async (db) => {
        const now = time();
        const use = await useLink(db, { pepper, now }, given);
        if (use.outcome !== 'used') return { outcome: use.outcome };
        const { email, language, return_to, ...link } = use.link;
        let created: SignUp | null = null;
        if (link.purpose === 'sign_up') {
          await requireVisitorLimit(db, 'sign_up_network', networkOf(browser.ip), now);
          created = await signUp(change(db), config, email, link.details, language, now);
        }
        const person = await signInPerson(change(db), email, language, now);
        if (given.session !== null) await endSession(db, given.session);
        const session = await startSession(change(db), person.number, browser, now);
        return { outcome: 'signed_in', session, returnTo: ownPath(return_to), signUp: created };
      }),

    /** Mail that no server sends, newest first. */
    inbox: () => readWaiting(pool, time()),

    /** @throws RequestError rate_limited */
    createTrialKey: (ip: string | null) =>
      inTransaction(pool, (db) => createTrialKey({ db, random }, pepper, ip, time())),
    trialKey: (claim: string) => findTrialKey(pool, claim, time()),
    /** @throws RequestError not_found, forbidden_action, key_limit */
    claim: (member: Membership, person: number, claim: string) =>
      inTransaction(pool, (db) => claimTrialKey(change(db), member, person, claim, time())),

    isRecent: (session: Session) => isRecent(session, clock.now()),
    pathTo: signInPath,
    ownPath,
    signOut: (token: string) => endSession(pool, token),
    choose: (session: Session, memberId: string) => chooseMember(pool, session, memberId),
    sessions: (session: Session) => listSessions(pool, session, clock.now()),
    revoke: (session: Session, id: string) => revokeSession(pool, session, id),
    revokeOthers: (session: Session) => revokeOthers(pool, session),
  };
}
