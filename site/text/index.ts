import { byLanguage } from '#src/documents/language.ts';
import documents from '#src/documents/text/documents.json' with { type: 'json' };
import console from './console.json' with { type: 'json' };
import explorer from './explorer.json' with { type: 'json' };
import guides from './guides.json' with { type: 'json' };
import listing from './listing.json' with { type: 'json' };
import oauth from './oauth.json' with { type: 'json' };
import service from './service.json' with { type: 'json' };
import signIn from './sign-in.json' with { type: 'json' };
import site from './site.json' with { type: 'json' };

/** Texts that the scripts of a listing page need too. They are sent to the browser with the page. */
export const SHARED_TEXTS = byLanguage(listing);
export type SharedTexts = (typeof SHARED_TEXTS)['en'];

export const TEXTS = byLanguage({ ...listing, ...site, ...documents });
export type Texts = (typeof TEXTS)['en'];

export const GUIDE_TEXTS = byLanguage(guides);

export const SIGN_IN_TEXTS = byLanguage(signIn);
export type SignInTexts = (typeof SIGN_IN_TEXTS)['en'];

export const OAUTH_TEXTS = byLanguage(oauth);
export type OauthTexts = (typeof OAUTH_TEXTS)['en'];
export const CONSOLE_TEXTS = byLanguage(console);

export const SERVICE_TEXTS = byLanguage(service);
export type ServiceTexts = (typeof SERVICE_TEXTS)['en'];

/** Texts for the explorer. They are sent to the browser with the page. */
export const EXPLORER_TEXTS = byLanguage(explorer);
