import { SIGN_IN_TEXTS } from '#site/text/index.ts';
import { Html, html } from '#src/documents/html.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import type { ApiError } from '#src/http/errors/api-error.ts';
import type { InternalCall } from '#src/http/internal-caller.ts';
import { formatter } from '../format.ts';
import type { Page, Site } from '../page.ts';
import { type PrivateRequest, sendPrivatePage } from '../private-area.ts';

/** What the pages of sign-in share. */
export interface SignInSite {
  site: Site;
  call: InternalCall;
}

/** Whether mail reaches people: a server sends it, or the page of this machine shows it. */
export const canMail = ({ config }: Pick<Site, 'config'>): boolean => config.mail !== null || config.hasInbox;

/** Renders a form of the site. Fields are HTML. */
export const formTo = (language: Language, path: string, content: Html): Html =>
  html`<form class="account" method="post" action="${pathIn(language, path)}">${content}</form>`;

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

export const submit = (label: string): Html => html`<p><button class="main" type="submit">${label}</button></p>`;

/** @param attributes fixed markup */
export const field = (name: string, label: string, value: string, attributes: string): Html =>
  html`<p class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}" ${new Html(attributes)} required></p>`;

export const emailField = (language: Language, value: string): Html =>
  field(
    'email',
    SIGN_IN_TEXTS[language].email,
    value,
    'type="email" autocomplete="email" dir="ltr" maxlength="254" autocapitalize="none" spellcheck="false"',
  );

/** Of the result of a form: keyboards, screen readers and phones begin there, after the menu. */
export const FOCUSED = new Html('tabindex="-1" autofocus');

/** Above a form that must be corrected. */
export const problem = (text: string | Html | null): Html | null =>
  text === null ? null : html`<p class="problem" ${FOCUSED} role="alert">${text}</p>`;

/** Puts values between quotes for the direction of the text. */
export const filled = (text: string, values: Readonly<Record<string, string | Html>>): Html => {
  const parts = text.split(/\{(\w+)\}/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : (values[part] ?? '')))}`;
};

export const ltr = (text: string): Html => html`<bdi class="address" dir="ltr">${text}</bdi>`;

export function sendForm(request: PrivateRequest, site: Site, page: Omit<Page, 'path'>): void {
  const { context, language, path } = request;
  sendPrivatePage(context, site, language, { ...page, path }, { opener: true });
}

/** The text of a refusal by the limits of links; other errors are thrown. */
export function explainLimit(error: unknown, language: Language): string {
  const { code, retryAfterS } = (error ?? {}) as Partial<ApiError>;
  if (code !== 'rate_limited') throw error;
  const texts = SIGN_IN_TEXTS[language];
  const minutes = formatter(language).count(texts.minutes, Math.ceil((retryAfterS ?? 60) / 60));
  return texts.too_many_links.replace('{minutes}', minutes);
}

/** The browser that requests a link, by a cookie. */
export function visitorOf({ signIn }: Site, { context, language }: PrivateRequest) {
  const browser = signIn.browserToken(context.get('Cookie')) ?? signIn.newBrowserToken();
  return { language, ip: context.state.ip ?? null, browser };
}

export function sendMailed(request: PrivateRequest, site: Site, text: Html, code: string): void {
  const { language } = request;
  const texts = SIGN_IN_TEXTS[language];
  const inbox = `${pathIn(language, '/sign-in/inbox')}`;
  sendForm(request, site, {
    title: texts.sent,
    body: html`<h1>${texts.sent}</h1><p class="lead">${text}</p>
${site.config.hasInbox && html`<p><a class="button" href="${inbox}">${texts.inbox_link}</a></p>`}
<p>${texts.sent_code} <strong class="code-digits" dir="ltr">${code}</strong></p>`,
  });
}
