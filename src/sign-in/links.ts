import type { RandomBytes } from '#src/accounts/keys.ts';
import { readAddress } from '#src/accounts/member-store.ts';
import type { Language } from '#src/documents/language.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable, Transaction } from '#stores/postgres/transaction.ts';
import { digestOf, digestOfCode, newCode, newToken } from './tokens.ts';

export const LINK_MS = 600_000;
/** Wrong codes, after which the link is invalid. */
const MAX_ATTEMPTS = 5;

/** What a sign-up states. */
export interface SignUpDetails {
  name: string;
  kind: 'company' | 'person';
}

export type LinkPurpose =
  | { purpose: 'sign_in'; details: { invitation?: string | null } }
  | { purpose: 'sign_up'; details: SignUpDetails };

export type NewLink = LinkPurpose & {
  /** In lower case. */
  email: string;
  language: Language;
  /** Path of the site. */
  returnTo: string;
  /** Token in the cookie of the browser that requested the link. Null allows every browser. */
  browser: string | null;
  expiresAt: Date;
};

const LINK = {
  token_hash: sql.bytes,
  email: sql.text,
  purpose: sql.oneOf(['sign_in', 'sign_up']),
  details: sql.json<object>(),
  language: sql.textAs<Language>(),
  return_to: sql.text,
  browser_hash: sql.nullable(sql.bytes),
  code_hash: sql.nullable(sql.bytes),
};
export type Link = Omit<sql.RowOf<typeof LINK>, 'purpose' | 'details'> & LinkPurpose;

/** @returns the token of the link, and the code that other browsers need */
export async function createLink(
  db: Queryable,
  { random, pepper, now }: { random: RandomBytes; pepper: string; now: Date },
  { email, purpose, details, language, returnTo, browser, expiresAt }: NewLink,
) {
  const [token, code] = [newToken(random), newCode(random)];
  const tokenHash = digestOf(token);
  await db.query(
    `insert into sign_in_links (token_hash, email, purpose, details, language, return_to, browser_hash, code_hash, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      tokenHash,
      email,
      purpose,
      JSON.stringify(details),
      language,
      returnTo,
      browser === null ? null : digestOf(browser),
      browser === null ? null : digestOfCode(code, tokenHash, pepper),
      now,
      expiresAt,
    ],
  );
  return { token, code };
}

/** Null for a link that is unknown, used or expired. */
export async function findLink(db: Queryable, token: string, now: Date, lock = false): Promise<Link | null> {
  const found = await sql.queryRow(
    db,
    LINK,
    `select token_hash, email, purpose, details, language, return_to, browser_hash, code_hash from sign_in_links
      where token_hash = $1 and used_at is null and expires_at > $2 and attempts < $3${lock ? ' for update' : ''}`,
    [digestOf(token), now, MAX_ATTEMPTS],
  );
  return found as Link | null;
}

/** Whether the browser that requested the link opens it. */
export const isSameBrowser = ({ browser_hash }: Link, browser: string | null): boolean =>
  browser_hash === null || (browser !== null && browser_hash.equals(digestOf(browser)));

export type LinkUse = { outcome: 'used'; link: Link } | { outcome: 'invalid' | 'wrong_code' };

/**
 * Uses a link once, under its lock. Another browser than the one that requested it needs the code which that one shows.
 * @param code as typed; empty without
 */
export async function useLink(
  db: Transaction,
  { pepper, now }: { pepper: string; now: Date },
  { token, browser, code }: { token: string; browser: string | null; code: string },
): Promise<LinkUse> {
  const link = await findLink(db, token, now, true);
  if (!link) return { outcome: 'invalid' };
  const { token_hash, code_hash } = link;
  if (!isSameBrowser(link, browser) && !code_hash?.equals(digestOfCode(code, token_hash, pepper))) {
    await db.query('update sign_in_links set attempts = attempts + 1 where token_hash = $1', [token_hash]);
    return { outcome: 'wrong_code' };
  }
  await db.query('update sign_in_links set used_at = $2 where token_hash = $1', [token_hash, now]);
  return { outcome: 'used', link };
}

const OPERATOR_LINK_MS = 86_400_000;

/** Returns a link that signs a member in once, within 24 hours and in any browser, for the operator to hand over. */
export async function createOperatorLink(
  db: Queryable,
  making: Parameters<typeof createLink>[1],
  siteUrl: string,
  email: string,
): Promise<string> {
  const { token } = await createLink(db, making, {
    purpose: 'sign_in',
    details: {},
    email: readAddress(email),
    language: 'en',
    returnTo: '/console',
    browser: null,
    expiresAt: new Date(making.now.getTime() + OPERATOR_LINK_MS),
  });
  return `${siteUrl}/sign-in?token=${token}`;
}
