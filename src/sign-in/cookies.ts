import { LINK_MS } from './links.ts';
import { SESSION_MS } from './sessions.ts';

const SESSION = 'account';
const BROWSER = 'sign_in';

/** Cookies of people: of a session, and of the browser that requests a link. */
export function createCookies(siteUrl: string) {
  const isSecure = siteUrl.startsWith('https:');
  const nameOf = (name: string): string => (isSecure ? `__Host-${name}` : name);
  // Strict would sign people out who come from another site, such as that of an assistant.
  const render = (name: string, value: string, maxAgeMs: number): string =>
    `${nameOf(name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeMs / 1_000}${isSecure ? '; Secure' : ''}`;
  const tokenIn = (header: string, name: string): string | null =>
    new RegExp(`(?:^|;\\s*)${nameOf(name)}=([\\w-]{43})(?:;|$)`).exec(header)?.[1] ?? null;
  return {
    /** Tokens in a `Cookie` header. */
    sessionToken: (header: string) => tokenIn(header, SESSION),
    browserToken: (header: string) => tokenIn(header, BROWSER),
    /** Values of `Set-Cookie`. */
    sessionCookie: (token: string | null) => render(SESSION, token ?? '', token === null ? 0 : SESSION_MS),
    browserCookie: (token: string) => render(BROWSER, token, LINK_MS),
  };
}
