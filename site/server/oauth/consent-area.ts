import { OAUTH_TEXTS, type OauthTexts } from '#site/text/index.ts';
import { type Html, html } from '#src/documents/html.ts';
import type { Language } from '#src/documents/language.ts';
import { redirect } from '#src/documents/send-document.ts';
import type { ConsentRequest, Oauth } from '#src/oauth/oauth.ts';
import type { Session } from '#src/sign-in/sign-in.ts';
import type { Page, Site } from '../page.ts';
import { type PrivateArea, type PrivateRequest, redirectAfterForm, sendPrivatePage } from '../private-area.ts';
import { filled, formTo, ltr } from '../sign-in/forms.ts';

const CONSENT = /^\/oauth\/consent\/([\w-]{1,64})$/;

/** Where a person decides about an assistant: `/oauth/authorize`, which the assistant opens, and the consent. */
export function consentArea(site: Site, oauth: Oauth): PrivateArea {
  return {
    paths: /^\/oauth\/(authorize|consent)(\/|$)/,
    async serve(request) {
      const id = CONSENT.exec(request.path)?.[1];
      return id === undefined ? authorize(site, oauth, request) : consent(site, oauth, request, id);
    },
  };
}

async function authorize(site: Site, oauth: Oauth, request: PrivateRequest): Promise<void> {
  const { context, language } = request;
  const result = await oauth.server.authorize(context);
  if ('location' in result) return redirect(context, 303, result.location);
  const texts = OAUTH_TEXTS[language];
  const { error, description, status } = result;
  sendDecision(site, request, {
    title: texts.invalid,
    status,
    body: html`<h1>${texts.invalid}</h1><p class="lead">${texts.invalid_lead}</p><pre dir="ltr"><code>${error}: ${description}</code></pre>`,
  });
}

async function consent(site: Site, oauth: Oauth, request: PrivateRequest, id: string): Promise<void> {
  const { context, language, path, form } = request;
  const wanted = await oauth.consents.read(context, id);
  if (!wanted) return sendExpired(site, request);
  const session = await request.session();
  if (!session) return redirect(context, 303, site.signIn.pathTo(language, context.path));
  if (!form) return sendConsent(site, oauth, request, wanted, session);
  const next =
    form.get('decision') === 'refuse'
      ? await oauth.consents.deny(context, wanted)
      : await approve(site, oauth, request, { wanted, session, form });
  if (next === 'choose') return redirectAfterForm(context, language, path);
  return next === null ? sendExpired(site, request) : redirect(context, 303, next);
}

/** @returns where the browser continues; null if the request has expired; `choose` if the target is unknown */
async function approve(
  site: Site,
  oauth: Oauth,
  { context, ...request }: PrivateRequest,
  { wanted, session, form }: { wanted: ConsentRequest; session: Session; form: URLSearchParams },
): Promise<string | null> {
  const [memberId = '', project = null] = (form.get('target') ?? '').split(' ');
  if (!session.memberships.some(({ id }) => id === memberId)) return 'choose';
  if (session.member?.id !== memberId) await site.signIn.choose(session, memberId);
  const chosen = await request.session();
  const choice = { project, withExports: form.has('with_exports') };
  return chosen ? oauth.consents.approve(context, wanted, chosen, choice) : 'choose';
}

async function sendConsent(
  site: Site,
  oauth: Oauth,
  request: PrivateRequest,
  { client, formAction }: ConsentRequest,
  session: Session,
): Promise<void> {
  const { language, path } = request;
  const texts = OAUTH_TEXTS[language];
  const targets = await oauth.targets(session);
  const options = targets.flatMap(({ member: { id, organization }, projects }) => [
    option(id, texts.whole.replace('{organization}', organization.name), id === session.member?.id),
    ...projects.map((project) => {
      const label = texts.part.replace('{organization}', organization.name).replace('{project}', project.name);
      return option(`${id} ${project.id}`, label, false);
    }),
  ]);
  const canConnect = options.length > 0;
  const decisions = html`<p><button class="main" name="decision" value="allow" type="submit"${canConnect ? null : html` disabled`}>${texts.allow}</button> <button name="decision" value="refuse" type="submit">${texts.refuse}</button></p>`;
  const fields = canConnect
    ? html`<p class="field"><label for="target">${texts.target}</label><select id="target" name="target">${options}</select></p>
<p><label><input type="checkbox" name="with_exports" value="on"> ${texts.with_exports}</label></p><p class="note">${texts.effect}</p>`
    : html`<p class="problem" role="alert">${texts.no_target}</p>`;
  const body = html`<h1>${texts.title}</h1>
<p class="lead">${filled(texts.lead, { client: html`<strong><bdi>${client.name}</bdi></strong> (${proofOf(texts, client)})` })}</p>
${clientFacts(texts, client)}
<p>${texts.signed_in} ${ltr(session.person.email)}.</p>
${formTo(language, path, html`${fields}${decisions}`)}`;
  sendDecision(site, request, { title: texts.title, body }, [formAction]);
}

const option = (value: string, label: string, isSelected: boolean): Html =>
  html`<option value="${value}"${isSelected && html` selected`}>${label}</option>`;

/** A document proves the host of a client, not its name. */
const proofOf = (texts: OauthTexts, { documentHost, isVerified }: ConsentRequest['client']): Html | string =>
  isVerified && documentHost ? filled(texts.published_by, { host: ltr(documentHost) }) : texts.not_verified;

function clientFacts(texts: OauthTexts, client: ConsentRequest['client']): Html {
  const { redirectHost, documentHost, isLocal, isVerified } = client;
  const host = isLocal ? filled(texts.this_computer, { host: ltr(redirectHost) }) : ltr(redirectHost);
  const proved = isVerified && documentHost;
  const warning = isLocal
    ? texts.local_warning
    : proved
      ? filled(texts.check_host, { host: ltr(documentHost) })
      : texts.name_stated;
  return html`<dl><dt>${texts.redirect_host}</dt><dd>${host}</dd></dl><p class="problem" role="note">${warning}</p>`;
}

function sendExpired(site: Site, request: PrivateRequest): void {
  const texts = OAUTH_TEXTS[request.language];
  const body = html`<h1>${texts.expired}</h1><p class="lead">${texts.expired_lead}</p>`;
  sendDecision(site, request, { title: texts.expired, status: 400, body });
}

/** The client has opened the window, and receives its result through it. */
function sendDecision(
  site: Site,
  { context, language, path }: { context: PrivateRequest['context']; language: Language; path: string },
  page: Omit<Page, 'path'>,
  formAction: readonly string[] = [],
): void {
  // A page in another language does not repeat the request of the assistant.
  const own = CONSENT.test(path) ? path : null;
  sendPrivatePage(context, site, language, { ...page, path: own }, { formAction, opener: true });
}
