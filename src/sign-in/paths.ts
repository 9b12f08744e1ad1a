import { type Language, pathIn } from '#src/documents/language.ts';

/** Returns a path of the site, whatever a link states. Pure. */
export const ownPath = (path: string | null, fallback = '/console'): string =>
  path !== null && /^\/(?![/\\])[\w\-./~%?&=+:,@!$*'()]*$/.test(path) ? path : fallback;

/** Path of the page that signs in and returns. Pure. @param again whether a signed-in person must sign in again */
export const signInPath = (language: Language, returnTo: string, { again = false } = {}): string =>
  `${pathIn(language, '/sign-in')}?${new URLSearchParams({ return_to: returnTo, ...(again && { again: '1' }) })}`;
