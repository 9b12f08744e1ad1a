import { SIGN_IN_TEXTS } from '#site/text/index.ts';
import { isEmail } from '#src/accounts/member-store.ts';
import { type Html, html, withCode } from '#src/documents/html.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import type { Site } from '../page.ts';
import { type PrivateRequest, redirectAfterForm } from '../private-area.ts';
import {
  canMail,
  emailField,
  explainLimit,
  field,
  filled,
  formTo,
  hidden,
  ltr,
  problem,
  type SignInSite,
  sendForm,
  sendMailed,
  submit,
  visitorOf,
} from './forms.ts';
import { sendSignUpResult } from './sign-up-pages.ts';

const PATH = '/sign-in';

/**
 * `GET /sign-in` has the form for an address, or with `token` the button that uses a link, which only a POST does: mail
 * scanners send GET and HEAD.
 */
export async function serveSignIn(pages: SignInSite, request: PrivateRequest): Promise<void> {
  const { query, form } = request;
  const token = (form ?? query).get('token');
  if (token !== null) return form ? useLink(pages, request, token) : showLink(pages, request, token);
  return form ? requestLink(pages, request, form) : showForm(pages, request);
}

async function showForm({ site }: SignInSite, request: PrivateRequest): Promise<void> {
  const { context, language, query, session } = request;
  const texts = SIGN_IN_TEXTS[language];
  const invited = query.get('invitation');
  const returnTo = site.signIn.ownPath(query.get('return_to'), pathIn(language, '/console'));
  const current = invited === null ? await session() : null;
  const again = query.has('again');
  if (current && !again && query.has('return_to')) return redirectAfterForm(context, 'en', returnTo);
  if (current && !again) {
    const body = html`<h1>${texts.sign_in}</h1><p><a class="button" href="${returnTo}">${texts.to_console}</a></p>${signOutForm(language, current.person.email)}`;
    return sendForm(request, site, { title: texts.sign_in, body });
  }
  const invitation = invited === null ? null : await site.signIn.invitation(invited);
  const lead = invitation
    ? filled(texts.invitation_text, { organization: invitation.organization, email: ltr(masked(invitation.email)) })
    : again
      ? texts.again_lead
      : texts.sign_in_lead;
  const title = invited === null ? texts.sign_in : texts.invitation;
  const note =
    invited !== null && !invitation ? texts.invitation_invalid : query.has('signed_out') ? texts.signed_out : null;
  sendForm(request, site, {
    title,
    body: html`<h1>${title}</h1>${note && html`<p role="status">${note}</p>`}<p class="lead">${lead}</p>
${linkForm(site, language, { returnTo, invitation: invitation && invited, email: again ? (current?.person.email ?? '') : '' })}`,
  });
}

interface LinkForm {
  returnTo: string;
  email?: string;
  invitation?: string | null;
  error?: string | null;
}

function linkForm(
  site: Site,
  language: Language,
  { returnTo, email = '', invitation = null, error = null }: LinkForm,
): Html {
  const texts = SIGN_IN_TEXTS[language];
  if (!canMail(site)) return html`<p>${withCode(texts.no_mail)}</p>`;
  const address = invitation === null ? emailField(language, email) : hidden('invitation', invitation);
  const account = site.config.hasSelfService
    ? html`${texts.no_account} <a href="${pathIn(language, '/sign-up')}?${new URLSearchParams({ return_to: returnTo }).toString()}">${texts.open_account}</a>`
    : texts.ask_invitation;
  return html`${formTo(language, PATH, html`${problem(error)}${address}${hidden('return_to', returnTo)}${submit(texts.send_link)}`)}<p class="note">${account}</p>`;
}

const signOutForm = (language: Language, email: string): Html => {
  const texts = SIGN_IN_TEXTS[language];
  const text = filled(texts.sign_out_text, { email: ltr(email) });
  return formTo(language, '/sign-out', html`<p>${text}</p>${submit(texts.sign_out)}`);
};

/** The owner recognizes the address; others learn only its provider. */
const masked = (email: string): string => email.replace(/^(.).*(?=@)/u, '$1…');

async function requestLink({ site }: SignInSite, request: PrivateRequest, form: URLSearchParams): Promise<void> {
  const { context, language } = request;
  const texts = SIGN_IN_TEXTS[language];
  const returnTo = site.signIn.ownPath(form.get('return_to'), pathIn(language, '/console'));
  const invited = form.get('invitation');
  const invitation = invited === null ? null : await site.signIn.invitation(invited);
  const typed = form.get('email')?.trim() ?? '';
  const email = invitation?.email ?? typed;
  const refuse = (status: number, error: string) => {
    const body = html`<h1>${texts.sign_in}</h1>${linkForm(site, language, { returnTo, email: typed, error })}`;
    sendForm(request, site, { title: texts.sign_in, status, body });
  };
  if (!canMail(site) || !isEmail(email) || email.length > 254) return refuse(400, texts.wrong_email);
  const visitor = visitorOf(site, request);
  try {
    const code = await site.signIn.requestLink(email, visitor, returnTo, invitation && invited);
    context.append('Set-Cookie', site.signIn.browserCookie(visitor.browser));
    sendMailed(request, site, filled(texts.sent_text, { email: ltr(invitation ? masked(email) : email) }), code);
  } catch (error) {
    refuse(429, explainLimit(error, language));
  }
}

async function showLink({ site }: SignInSite, request: PrivateRequest, token: string, error: string | null = null) {
  const { context, language } = request;
  const texts = SIGN_IN_TEXTS[language];
  const link = await site.signIn.readLink(token, site.signIn.browserToken(context.get('Cookie')));
  if (!link) {
    const returnTo = pathIn(language, '/console');
    return sendForm(request, site, {
      title: texts.invalid_link,
      status: 410,
      body: html`<h1>${texts.invalid_link}</h1><p class="lead">${texts.invalid_link_text}</p>${linkForm(site, language, { returnTo })}`,
    });
  }
  const isSignUp = link.purpose === 'sign_up';
  const title = isSignUp ? texts.sign_up : texts.sign_in;
  const code = html`<p>${texts.code_text}</p>${field('code', texts.code, '', 'inputmode="numeric" autocomplete="one-time-code" dir="ltr" maxlength="12"')}`;
  const text = filled(isSignUp ? texts.confirm_sign_up : texts.confirm_text, { email: ltr(link.email) });
  sendForm(request, site, {
    title,
    status: error === null ? 200 : 400,
    body: html`<h1>${title}</h1><p class="lead">${text}</p>
${formTo(language, PATH, html`${problem(error)}${hidden('token', token)}${link.needsCode && code}${submit(texts.continue)}`)}`,
  });
}

async function useLink(pages: SignInSite, request: PrivateRequest, token: string): Promise<void> {
  const { context, language, form } = request;
  const { signIn } = pages.site;
  const cookies = context.get('Cookie');
  const { ip = null } = context.state;
  const given = {
    token,
    browser: signIn.browserToken(cookies),
    code: form?.get('code') ?? '',
    session: signIn.sessionToken(cookies),
  };
  const result = await signIn.useLink(given, { userAgent: context.get('User-Agent'), ip }).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'rate_limited') throw error;
    return null;
  });
  const texts = SIGN_IN_TEXTS[language];
  if (result === null) {
    const body = html`<h1>${texts.sign_up}</h1>${problem(texts.too_many_accounts)}`;
    return sendForm(request, pages.site, { title: texts.sign_up, status: 429, body });
  }
  if (result.outcome !== 'signed_in')
    return showLink(pages, request, token, result.outcome === 'wrong_code' ? texts.wrong_code : null);
  context.append('Set-Cookie', signIn.sessionCookie(result.session));
  context.state.isSignedIn = true;
  if (result.signUp) return sendSignUpResult(pages, request, result.signUp, result.returnTo);
  redirectAfterForm(context, 'en', result.returnTo);
}

/** Only on this machine, by its own name: pages of other sites could otherwise reach it (DNS rebinding), or a proxy. */
export async function serveInbox({ site }: SignInSite, request: PrivateRequest): Promise<void> {
  const { context, language } = request;
  const isOwn =
    /^(127(\.\d{1,3}){3}|localhost|\[::1\])(:\d+)?$/.test(context.host) && context.get('X-Forwarded-For') === '';
  if (!site.config.hasInbox || !isOwn) throw new ApiError('route_not_found');
  const texts = SIGN_IN_TEXTS[language];
  const mails = await site.signIn.inbox();
  const linked = (body: string): Html => {
    const parts = body.split(/(https?:\/\/\S+)/);
    return html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<a href="${part}" dir="ltr">${part}</a>`))}`;
  };
  const items = mails.map(
    ({ recipient, subject, body }) =>
      html`<article class="mail" dir="auto"><h2>${subject}</h2><p class="note">${texts.inbox_to} ${ltr(recipient)}</p><p class="text">${linked(body)}</p></article>`,
  );
  sendForm(request, site, {
    title: texts.inbox,
    body: html`<h1>${texts.inbox}</h1><p class="lead">${texts.inbox_lead}</p>${mails.length === 0 ? html`<p>${texts.inbox_empty}</p>` : items}`,
  });
}
