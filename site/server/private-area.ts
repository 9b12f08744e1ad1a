import type { Language } from '#src/documents/language.ts';
import { pathIn } from '#src/documents/language.ts';
import { hideFromScripts, redirect } from '#src/documents/send-document.ts';
import { readForm } from '#src/http/body/form.ts';
import type { HttpContext } from '#src/http/context.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { requireSameOrigin } from '#src/http/same-origin.ts';
import type { Session } from '#src/sign-in/sign-in.ts';
import type { Page, Site } from './page.ts';
import { policyOf, sendPage } from './page.ts';

/** A request of a page for one person. */
export interface PrivateRequest {
  context: HttpContext;
  language: Language;
  /** Without the language prefix. */
  path: string;
  query: URLSearchParams;
  /** Fields of the form; null for GET and HEAD. Forms from other sites are refused before they are read. */
  form: URLSearchParams | null;
  session(): Promise<Session | null>;
}

/** Pages for one person, with forms that work without scripts. */
export interface PrivateArea {
  /** Paths without the language prefix. */
  paths: RegExp;
  serve(request: PrivateRequest): Promise<void>;
}

/** @throws ApiError method_not_allowed, forbidden_action for a form of another site, invalid_body */
export async function servePrivate(
  area: PrivateArea,
  { config, signIn }: Pick<Site, 'config' | 'signIn'>,
  context: HttpContext,
  place: { language: Language; path: string },
): Promise<void> {
  hideFromOthers(context);
  const isRead = context.method === 'GET' || context.method === 'HEAD';
  if (!isRead && context.method !== 'POST')
    throw new ApiError('method_not_allowed', { headers: { Allow: 'GET, HEAD, POST' } });
  if (!isRead) requireSameOrigin(context, config.siteUrl);
  const form = isRead ? null : await readForm(context);
  const query = new URLSearchParams(context.querystring);
  const session = async () => {
    const found = await signIn.readSession(context.get('Cookie'));
    context.state.isSignedIn = found !== null;
    return found;
  };
  await area.serve({ context, ...place, query, form, session });
}

/** Neither caches nor search engines nor scripts of other sites receive the response. */
function hideFromOthers(context: HttpContext): void {
  hideFromScripts(context);
  context.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' });
}

interface PrivatePageOptions {
  /** Other origins or schemes to which a form of the page leads. */
  formAction?: readonly string[];
  /** Whether the window that opened the page receives messages from it. */
  opener?: boolean;
}

export function sendPrivatePage(
  context: HttpContext,
  site: Site,
  language: Language,
  page: Page,
  { formAction = [], opener = false }: PrivatePageOptions = {},
): void {
  sendPage(context, site, language, { ...page, isPrivate: true, isSignedIn: context.state.isSignedIn ?? false });
  hideFromOthers(context);
  context.set('Content-Security-Policy', policyOf(site.config, formAction));
  if (opener) context.remove('Cross-Origin-Opener-Policy');
}

/** To a page of the site, after a form. @param path with its query, without the language prefix */
export const redirectAfterForm = (context: HttpContext, language: Language, path: string): void =>
  redirect(context, 303, pathIn(language, path));
