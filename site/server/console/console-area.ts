import { randomBytes } from 'node:crypto';
import { ERRORS, RequestError } from '#domain/errors.ts';
import { CONSOLE_TEXTS } from '#site/text/index.ts';
import { Html, html, withCode } from '#src/documents/html.ts';
import { pathIn } from '#src/documents/language.ts';
import { redirect } from '#src/documents/send-document.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import type { InternalCall } from '#src/http/internal-caller.ts';
import type { Session } from '#src/sign-in/sign-in.ts';
import { formatter } from '../format.ts';
import type { Site } from '../page.ts';
import { type PrivateArea, type PrivateRequest, redirectAfterForm, sendPrivatePage } from '../private-area.ts';
import { FOCUSED } from '../sign-in/forms.ts';
import { billingPage } from './billing.ts';
import { createClient } from './client.ts';
import { assistantsPage, keysPage } from './keys.ts';
import { membersPage } from './members.ts';
import { type ConsolePage, choice, dots, form, type View } from './parts.ts';
import { projectsPage } from './projects.ts';
import { auditPage, exportsPage, logPage } from './records.ts';
import { sessionsPage, settingsPage } from './settings.ts';
import { usagePage } from './usage.ts';
import { webhooksPage } from './webhooks.ts';

/** In the order of the menu. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  keysPage,
  usagePage,
  membersPage,
  projectsPage,
  billingPage,
  webhooksPage,
  exportsPage,
  assistantsPage,
  logPage,
  settingsPage,
  sessionsPage,
  auditPage,
];

type Names = Readonly<Record<string, Readonly<Record<string, { name_en: string; name_ar: string }>>>>;

/** The console: a client of the administration API, with forms that work without scripts. */
export const consoleArea = (site: Site, { call }: { call: InternalCall }): PrivateArea => ({
  paths: /^\/console(\/|$)/,
  async serve(request) {
    const { context, language, path, query, form: given } = request;
    const current = await request.session();
    if (!current) return redirect(context, 303, site.signIn.pathTo(language, pathIn(language, path) + context.search));
    const name = path.split('/')[2] ?? CONSOLE_PAGES[0]?.name;
    const page = CONSOLE_PAGES.find((each) => each.name === name);
    if (!page) throw new ApiError('route_not_found');
    if (given?.get('_action') === 'organization') {
      await site.signIn.choose(current, given.get('member') ?? '');
      return redirectAfterForm(context, language, '/console');
    }
    const opened = given?.get('_member') ?? null;
    const session = (await sessionOf(site, request, current, opened)) ?? current;
    if (!session.member || !session.consoleKey) return sendWithout(site, request, session);
    const client = createClient(call, {
      keyHash: session.consoleKey,
      signedInAt: session.signedInAt,
      ip: context.state.ip ?? null,
      idempotencyKey: given?.get('_once') ?? null,
    });
    const { names } = (await site.api.data<{ names: Names }>('/v1/enums')) ?? { names: {} };
    const view: View = {
      site,
      client,
      session: { ...session, member: session.member },
      language,
      texts: CONSOLE_TEXTS[language],
      format: formatter(language),
      nameOf: (list, value) => names[list]?.[value]?.[`name_${language}`] ?? value,
      path,
      query,
      refused: null,
      now: site.clock.now(),
      requestId: context.state.requestId,
      once: () => randomBytes(16).toString('base64url'),
    };
    if (path === '/console/billing/statement.csv') {
      const file = await refusal(() => client.text('/statements', { month: query.get('month'), format: 'csv' }));
      if (file instanceof ApiError) return sendConsole(view, request, page, file);
      context.set('Content-Disposition', 'attachment; filename="statement.csv"');
      context.type = 'text/csv; charset=utf-8';
      context.body = file;
      return;
    }
    if (!given) return sendConsole(view, request, page, await refusal(() => page.render(view)));
    const action = page.actions?.[given.get('_action') ?? ''];
    if (!action) throw new ApiError('route_not_found');
    const isOwn = opened === session.member.id;
    const outcome = isOwn ? await refusal(() => action(view, given)) : new ApiError('conflict', OPENED_BY_ANOTHER);
    if (outcome === undefined) return redirectAfterForm(context, language, doneAt(path, query, given.get('_action')));
    if (typeof outcome === 'string') return redirectAfterForm(context, language, outcome);
    const refused = isOwn && outcome instanceof ApiError ? given : null;
    const content = await refusal(() => page.render({ ...view, refused }));
    sendConsole(view, request, page, content, outcome);
  },
});

const OPENED_BY_ANOTHER = {
  message:
    'The form was opened for another account or organization, and has changed nothing. Check which one this page names, and send the form again.',
};

/** A form acts for the member who has opened it, also if another tab has switched to another organization since. */
async function sessionOf(site: Site, request: PrivateRequest, session: Session, member: string | null) {
  if (member === null || member === session.member?.id || !session.memberships.some(({ id }) => id === member))
    return session;
  await site.signIn.choose(session, member);
  return request.session();
}

/** Returns the result, or the refusal of the API or of the authorization server. */
const refusal = async <T>(work: () => Promise<T>): Promise<T | ApiError> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error;
    if (error instanceof RequestError) return new ApiError(error.code, { message: error.message });
    throw error;
  }
};

function doneAt(path: string, query: URLSearchParams, action: string | null): string {
  const next = new URLSearchParams(query);
  next.set('done', action ?? '');
  return `${path}?${next}`;
}

/** What the last form has done; null without one. Pure. */
function doneText(texts: View['texts'], query: URLSearchParams): string | null {
  const done = query.get('done');
  return done === null ? null : ((texts.done as Readonly<Record<string, string>>)[done] ?? texts.saved);
}

type Content = Awaited<ReturnType<ConsolePage['render']>> | ApiError;

const LABELLED = /<span>([^<]*)<\/span><\w+ name="(\w+)"/g;

/** The label of the field that an error names. */
const labelOf = (content: Content, param: string | null | undefined): string | null =>
  content instanceof Html && param
    ? ([...content.markup.matchAll(LABELLED)].find(([, , name]) => name === param)?.[1] ?? null)
    : null;

/** The API states its sentences in English. The Arabic page precedes them with the field and the meaning of the code. */
const problemOf = (view: View, error: ApiError, content: Content): Html => {
  const { language, texts, session, path } = view;
  const { signIn } = view.site;
  const label = labelOf(content, error.param);
  const again =
    error.code === 'forbidden_action' &&
    !signIn.isRecent(session) &&
    html`<p><a href="${signIn.pathTo(language, pathIn(language, path), { again: true })}">${texts.sign_in_again}</a></p>`;
  return html`<div class="problem" ${FOCUSED} role="alert">${language === 'ar' && html`<p>${label && new Html(`${label}: `)}${ERRORS[error.code].ar.message}</p>`}<p lang="en" dir="ltr">${withCode(error.message)}</p>${again}</div>`;
};

function sendConsole(
  view: View,
  { context, language }: PrivateRequest,
  page: ConsolePage,
  content: Content,
  outcome: Html | ApiError | null = null,
): void {
  const { texts, session, query } = view;
  // The keys of a closed account are refused from then on, which the notice says.
  const isClosed = query.get('done') === 'closed';
  const errors = (isClosed ? [outcome] : [outcome, content]).filter((each) => each instanceof ApiError);
  const status = errors[0]?.status ?? 200;
  const done = doneText(texts, query);
  const notice = outcome === null && done !== null ? html`<p class="panel" ${FOCUSED} role="status">${done}</p>` : null;
  const menu = CONSOLE_PAGES.map(
    ({ name }) =>
      html`<li>${
        name === page.name
          ? html`<a href="${pathIn(language, `/console/${name}`)}" aria-current="page">${texts.pages[name]}</a>`
          : html`<a href="${pathIn(language, `/console/${name}`)}">${texts.pages[name]}</a>`
      }</li>`,
  );
  sendPrivatePage(context, view.site, language, {
    title: `${texts.pages[page.name]} · ${session.member.organization.name}`,
    path: `/console/${page.name}`,
    status,
    styles: ['console.css'],
    body: html`<div class="console"><aside>${identity(view)}<nav aria-label="${texts.menu}"><ul>${menu}</ul></nav></aside>
<section><h1>${texts.pages[page.name]}</h1>${notice}${errors.map((error) => problemOf(view, error, content))}${outcome instanceof ApiError ? null : outcome}${content instanceof ApiError ? null : content}</section></div>`,
  });
}

function identity(view: View): Html {
  const { session, texts, language } = view;
  const { member, memberships, person } = session;
  return html`<p class="who"><strong>${member.organization.name}</strong><small>${dots(member.name, person.email, view.nameOf('member_roles', member.role))}</small></p>
${
  memberships.length > 1 &&
  form(
    view,
    'organization',
    texts.switch,
    choice(
      'member',
      texts.organization,
      memberships.map(({ id, organization }) => [id, organization.name] as const),
      member.id,
    ),
  )
}
<form method="post" action="${pathIn(language, '/sign-out')}"><button>${texts.sign_out}</button></form>`;
}

/** For a person who belongs to no organization. */
function sendWithout(site: Site, { context, language, query }: PrivateRequest, { person, memberships }: Session): void {
  const texts = CONSOLE_TEXTS[language];
  const done = doneText(texts, query);
  const choices = memberships.map(
    ({ id, organization }) =>
      html`<form method="post"><input type="hidden" name="_action" value="organization"><input type="hidden" name="member" value="${id}"><button>${organization.name}</button></form>`,
  );
  sendPrivatePage(context, site, language, {
    title: texts.console,
    path: '/console',
    styles: ['console.css'],
    body: html`<h1>${texts.console}</h1>${done !== null && html`<p class="panel" ${FOCUSED} role="status">${done}</p>`}<p><bdi dir="ltr">${person.email}</bdi>: ${texts.no_organization}</p>${choices}<p><a class="button" href="${pathIn(language, '/sign-up')}">${texts.sign_up}</a></p>
<form method="post" action="${pathIn(language, '/sign-out')}"><button>${texts.sign_out}</button></form>`,
  });
}
