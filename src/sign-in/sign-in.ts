import { readWaiting } from '#src/mail/outbox.ts';
import { inTransaction } from '#stores/postgres/transaction.ts';
import { createCookies } from './cookies.ts';
import { findInvitation } from './invitations.ts';
import { findLink, isSameBrowser, type SignUpDetails } from './links.ts';
import { ownPath, signInPath } from './paths.ts';
import type { Membership } from './people.ts';
import {
  completeSignIn,
  requestLink,
  requestSignUp,
  type SignInServices,
  systemChange,
  type Visitor,
} from './requests.ts';
import {
  type Browser,
  chooseMember,
  endSession,
  findSession,
  isRecent,
  listSessions,
  revokeOthers,
  revokeSession,
  type Session,
} from './sessions.ts';
import { newToken } from './tokens.ts';
import { claimTrialKey, createTrialKey, findTrialKey } from './trial-keys.ts';

export type { Membership } from './people.ts';
export { isRecent, type Session } from './sessions.ts';
export type { SignUp } from './sign-up.ts';

/** What the site needs for people who sign in. */
export type SignIn = ReturnType<typeof createSignIn>;

export function createSignIn(services: SignInServices) {
  const { pool, config, clock, random } = services;
  const cookies = createCookies(config.siteUrl);
  const time = (): Date => new Date(clock.now());
  return {
    ...cookies,
    ownPath,
    pathTo: signInPath,
    newBrowserToken: () => newToken(random),
    requestLink: (email: string, visitor: Visitor, returnTo: string, invitation: string | null = null) =>
      requestLink(services, email, visitor, returnTo, invitation),
    requestSignUp: (email: string, details: SignUpDetails, visitor: Visitor, returnTo: string) =>
      requestSignUp(services, email, details, visitor, returnTo),
    /** Null if the invitation is not valid. */
    invitation: (memberId: string) => findInvitation(pool, memberId, time()),
    /** What the page of a link shows; null if it is unknown, used or expired. Changes nothing. */
    async readLink(token: string, browser: string | null) {
      const link = await findLink(pool, token, time());
      return link && { email: link.email, purpose: link.purpose, needsCode: !isSameBrowser(link, browser) };
    },
    useLink: (given: Parameters<typeof completeSignIn>[1], browser: Browser) =>
      completeSignIn(services, given, browser),
    /** Mail that no server sends, newest first. */
    inbox: () => readWaiting(pool, time()),

    /** Null without a valid session. */
    async readSession(cookieHeader: string): Promise<Session | null> {
      const token = cookies.sessionToken(cookieHeader);
      return token === null ? null : findSession(services, token);
    },
    isRecent: (session: Session) => isRecent(session, clock.now()),
    signOut: (token: string) => endSession(pool, token),
    choose: (session: Session, memberId: string) => chooseMember(pool, session, memberId),
    sessions: (session: Session) => listSessions(pool, session, clock.now()),
    revoke: (session: Session, id: string) => revokeSession(pool, session, id),
    revokeOthers: (session: Session) => revokeOthers(pool, session),

    /** @throws RequestError rate_limited */
    createTrialKey: (ip: string | null) =>
      inTransaction(pool, (db) => createTrialKey({ db, random }, config.keyPepper, ip, time())),
    trialKey: (claim: string) => findTrialKey(pool, claim, time()),
    /** @throws RequestError not_found, forbidden_action, key_limit */
    claim: (member: Membership, person: number, claim: string) =>
      inTransaction(pool, (db) => claimTrialKey(systemChange(db, services), member, person, claim, time())),
  };
}
