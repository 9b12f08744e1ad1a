import { SIGN_IN_TEXTS, type SignInTexts } from '#site/text/index.ts';
import { isEmail } from '#src/accounts/member-store.ts';
import { isName } from '#src/accounts/names.ts';
import { codeBlock } from '#src/documents/code.ts';
import { Html, html, withCode } from '#src/documents/html.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import type { SignUp } from '#src/sign-in/sign-in.ts';
import type { Site } from '../page.ts';
import type { PrivateRequest } from '../private-area.ts';
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

const FIRST_CITY = 'riyadh';
/** Characters of the response that the page shows. */
const MAX_SHOWN = 800;

/** The form of `/sign-up`. Without its settings, the page says what the operator must set. */
export async function serveSignUp({ site }: SignInSite, request: PrivateRequest): Promise<void> {
  const { language, query, form } = request;
  const texts = SIGN_IN_TEXTS[language];
  const returnTo = site.signIn.ownPath((form ?? query).get('return_to'), pathIn(language, '/console'));
  const show = (content: Html, status = 200) =>
    sendForm(request, site, { title: texts.sign_up, status, body: html`<h1>${texts.sign_up}</h1>${content}` });
  const missing = missingSettings(site, texts, language);
  if (missing) return show(missing);
  if (form === null)
    return show(html`<p class="lead">${texts.sign_up_lead}</p>${signUpForm(site, language, query, returnTo)}`);
  const refuse = (status: number, error: string) => show(signUpForm(site, language, form, returnTo, error), status);
  const [name, email] = [form.get('name')?.trim() ?? '', form.get('email')?.trim() ?? ''];
  if (!isName(name)) return refuse(400, texts.name_needed);
  if (!isEmail(email) || email.length > 254) return refuse(400, texts.wrong_email);
  if (!form.has('terms')) return refuse(400, texts.accept_needed);
  const visitor = visitorOf(site, request);
  try {
    const details = { name, kind: form.get('kind') === 'person' ? 'person' : 'company' } as const;
    const code = await site.signIn.requestSignUp(email, details, visitor, returnTo);
    request.context.append('Set-Cookie', site.signIn.browserCookie(visitor.browser));
    sendMailed(request, site, filled(texts.sent_sign_up, { email: ltr(email) }), code);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'invalid_value') return refuse(400, texts.disposable);
    refuse(429, explainLimit(error, language));
  }
}

/** Null if people can open accounts. */
function missingSettings({ config }: Site, texts: SignInTexts, language: Language): Html | null {
  if (!config.hasSelfService) {
    const contact = `${pathIn(language, '/pricing')}#key`;
    return html`<p class="lead">${texts.sign_up_off} <a href="${config.contactUrl ?? contact}">${config.contactUrl ?? contact}</a></p>`;
  }
  const names = [
    ...(config.termsUrl === null ? ['TERMS_URL'] : []),
    ...(config.privacyUrl === null ? ['PRIVACY_URL'] : []),
    ...(canMail({ config }) ? [] : ['SMTP_URL', 'MAIL_FROM']),
  ];
  const list = names.map((name) => `\`${name}\``).join(', ');
  return names.length === 0 ? null : html`<p class="lead">${withCode(texts.unset.replace('{names}', list))}</p>`;
}

function signUpForm(
  { config }: Site,
  language: Language,
  values: URLSearchParams,
  returnTo: string,
  error: string | null = null,
): Html {
  const texts = SIGN_IN_TEXTS[language];
  const kind = values.get('kind') === 'person' ? 'person' : 'company';
  const choice = (each: 'company' | 'person'): Html =>
    html`<label><input type="radio" name="kind" value="${each}"${new Html(each === kind ? ' checked' : '')}> ${texts[each]}</label>`;
  const link = (href: string | null, text: string): Html =>
    html`<a href="${href ?? ''}" target="_blank" rel="noopener">${text}</a>`;
  const accept = filled(texts.accept, {
    terms: link(config.termsUrl, texts.terms_of_service),
    privacy: link(config.privacyUrl, texts.privacy_notice),
  });
  return formTo(
    language,
    '/sign-up',
    html`${problem(error)}<fieldset><legend>${texts.account_kind}</legend>${choice('company')} ${choice('person')}</fieldset>
${field('name', texts.account_name, values.get('name') ?? '', 'autocomplete="organization" maxlength="80"')}
${emailField(language, values.get('email') ?? '')}
<p><label><input type="checkbox" name="terms" value="yes" required> ${accept}</label></p>
${hidden('return_to', returnTo)}${submit(texts.sign_up)}`,
  );
}

/** The page of a link that confirmed an address: the key, and the response to a first call with it. */
export async function sendSignUpResult(
  { site, call }: SignInSite,
  request: PrivateRequest,
  signUp: SignUp,
  returnTo: string,
): Promise<void> {
  const { language, context } = request;
  const texts = SIGN_IN_TEXTS[language];
  const next = html`<h2>${texts.next_steps}</h2><p><a class="button" href="${returnTo}">${returnTo.endsWith('/console') ? texts.to_console : texts.continue}</a> <a class="button" href="${pathIn(language, '/guides')}">${texts.to_guides}</a></p>`;
  if (signUp.outcome !== 'created') {
    const text = signUp.outcome === 'exists' ? texts.account_exists : texts.ask_owner;
    const body = html`<h1>${texts.sign_up}</h1><p class="lead">${text}</p>${signUp.outcome === 'exists' && next}`;
    return sendForm(request, site, { title: texts.sign_up, body });
  }
  const { ip = null } = context.state;
  const cities = (await site.api.cities()).map(({ slug }) => slug);
  const city = cities.includes(FIRST_CITY) ? FIRST_CITY : (cities[0] ?? FIRST_CITY);
  const path = `/listings?city=${city}&listing_type=rent&limit=1`;
  const first = await call({ keyHash: signUp.keyHash }, { method: 'GET', url: `/v1${path}`, headers: {} }, ip);
  const curl = `curl -H 'Authorization: Bearer ${signUp.key}' '${site.config.baseUrl}${path}'`;
  const status = html`<strong dir="ltr">${first.status}</strong>`;
  sendForm(request, site, {
    title: texts.account_open,
    body: html`<h1>${texts.account_open}</h1><p>${texts.key_text}</p><div class="secret">${codeBlock(signUp.key)}</div>
<h2>${texts.first_call}</h2><p>${filled(texts.first_call_text, { status })}</p>${codeBlock(curl, 'sh')}${codeBlock(shownJson(first.text), 'json')}${next}`,
  });
}

function shownJson(text: string): string {
  const pretty = JSON.stringify(JSON.parse(text), null, 2);
  return pretty.length <= MAX_SHOWN ? pretty : `${pretty.slice(0, MAX_SHOWN)}\n…`;
}
