import { SIGN_IN_TEXTS } from '#site/text/index.ts';
import { html } from '#src/documents/html.ts';
import { pathIn } from '#src/documents/language.ts';
import { formatter } from '../format.ts';
import type { PrivateRequest } from '../private-area.ts';
import { filled, formTo, hidden, ltr, problem, type SignInSite, sendForm, submit } from './forms.ts';

/** A person who signs in makes the key of a program a test key of the organization. */
export async function serveClaim({ site }: SignInSite, request: PrivateRequest): Promise<void> {
  const { language, query, form, session } = request;
  const texts = SIGN_IN_TEXTS[language];
  const token = (form ?? query).get('token') ?? '';
  const [trial, current] = [await site.signIn.trialKey(token), await session()];
  const show = (title: string, body: ReturnType<typeof html>, status = 200) =>
    sendForm(request, site, { title, status, body: html`<h1>${title}</h1>${body}` });
  if (!trial) return show(texts.claim, html`<p class="lead">${texts.claim_invalid}</p>`, 410);
  const key = html`<code dir="ltr">svc_test_…${trial.last_four}</code>`;
  if (!current?.member) {
    const query = new URLSearchParams({ return_to: `${pathIn(language, '/claim')}?token=${token}` }).toString();
    const expires = formatter(language).moment(trial.expires_at.getTime());
    const link = (path: string, text: string) =>
      html`<a class="button" href="${pathIn(language, path)}?${query}">${text}</a> `;
    const signUp = site.config.hasSelfService && link('/sign-up', texts.sign_up);
    return show(
      texts.claim,
      html`<p class="lead">${filled(texts.claim_sign_in, { expires })}</p><p>${link('/sign-in', texts.sign_in)}${signUp}</p>`,
    );
  }
  const { member, person } = current;
  const organization = html`<bdi>${member.organization.name}</bdi>`;
  const confirm = (error: string | null = null, status = 200) =>
    show(
      texts.claim,
      html`<p class="lead">${filled(texts.claim_text, { key, organization, units: String(trial.units), limit: String(trial.limit) })}</p>
<p class="note">${filled(texts.sign_out_text, { email: ltr(person.email) })}</p>
${formTo(language, '/claim', html`${problem(error)}${hidden('token', token)}${hidden('member', member.id)}${submit(texts.claim_button)}`)}`,
      status,
    );
  if (form === null) return confirm();
  // The page named another organization, before another tab switched or signed in.
  if (form.get('member') !== member.id) return confirm(null, 409);
  try {
    await site.signIn.claim(member, person.number, token);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'key_limit') return confirm(texts.claim_limit, 409);
    if (code === 'forbidden_action') return confirm(texts.claim_forbidden, 403);
    throw error;
  }
  const next = html`<p><a class="button" href="${pathIn(language, '/console')}">${texts.to_console}</a></p>`;
  show(texts.claimed, html`<p class="lead">${filled(texts.claimed_text, { key, organization })}</p>${next}`);
}
