import { SCOPES } from '#src/accounts/scopes.ts';
import { factList, type Html, html } from '#src/documents/html.ts';
import { pathIn } from '#src/documents/language.ts';
import type { MemberRow } from './members.ts';
import {
  type ConsolePage,
  checks,
  choice,
  code,
  dayOf,
  dots,
  field,
  form,
  input,
  item,
  link,
  list,
  moment,
  type Options,
  opened,
  panel,
  type View,
} from './parts.ts';
import type { ProjectRow } from './projects.ts';

export interface KeyRow {
  id: string;
  name: string;
  kind: 'live' | 'admin' | 'test' | 'connector' | 'console';
  status: 'active' | 'expired' | 'revoked';
  last_four: string;
  project_id: string | null;
  member_id: string | null;
  scopes: string[] | null;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  must_rotate: boolean;
}

interface Choices {
  projects: readonly ProjectRow[];
  members: readonly MemberRow[];
}

/** Seconds for which the old key works after a rotation. */
const GRACES = ['0', '3600', '86400', '604800', '2592000'] as const;

export const keysPage: ConsolePage = {
  name: 'keys',
  async render(view) {
    const { client, texts, query } = view;
    const [keys, projects, members] = await Promise.all([
      client.all<KeyRow>('/keys'),
      client.all<ProjectRow>('/projects'),
      client.all<MemberRow>('/members'),
    ]);
    const isAll = query.get('show') === 'all';
    const shown = keys.filter(
      ({ kind, status }) => kind !== 'console' && kind !== 'connector' && (isAll || status === 'active'),
    );
    const choices = { projects, members };
    return html`${opened(view, 'create', texts.create_key, form(view, 'create', texts.create_key, createFields(view, choices)))}
${list(
  shown.map((key) => keyItem(view, key, choices)),
  texts.no_keys,
)}
<p><a href="${link(view, 'keys', { show: isAll ? null : 'all' })}">${isAll ? texts.show_active : texts.show_all}</a></p>`;
  },
  actions: {
    async create(view, given) {
      const body = { ...settingsOf(given), kind: field(given, 'kind'), expires_at: dayOf(given, 'expires_at') };
      return secretPanel(view, await view.client.post<KeyRow & { secret: string }>('/keys', body));
    },
    async change({ client }, given) {
      const isAdmin = given.get('kind') === 'admin';
      const { name, ...others } = settingsOf(given);
      const expiry =
        given.get('expires_at') === given.get('expires_before') ? {} : { expires_at: dayOf(given, 'expires_at') };
      await client.post(`/keys/${field(given, 'id')}`, { name, ...(isAdmin ? {} : others), ...expiry });
    },
    async rotate(view, given) {
      const body = { grace_seconds: Number(field(given, 'grace')) };
      return secretPanel(
        view,
        await view.client.post<KeyRow & { secret: string }>(`/keys/${field(given, 'id')}/rotate`, body),
      );
    },
    async revoke({ client }, given) {
      await client.post(`/keys/${field(given, 'id')}/revoke`, {});
    },
  },
};

const settingsOf = (given: URLSearchParams) => ({
  name: field(given, 'name'),
  project_id: field(given, 'project_id') || null,
  member_id: field(given, 'member_id') || null,
  scopes: given.has('scopes') ? given.getAll('scopes') : null,
});

const optionsOf = (rows: readonly { id: string; name: string }[], none: string): Options => [
  ['', none],
  ...rows.map(({ id, name }) => [id, name] as const),
];

function settingFields(view: View, { projects, members }: Choices, key: KeyRow | null): Html {
  const { texts } = view;
  const scopes = SCOPES.map((scope) => [scope, view.nameOf('apis', scope)] as const);
  return html`${input('name', texts.name, { value: key?.name ?? null, required: true, maxLength: 80 })}
${key?.kind !== 'admin' && choice('project_id', texts.project, optionsOf(projects, texts.none), key?.project_id ?? null)}
${key?.kind !== 'admin' && choice('member_id', texts.member, optionsOf(members, texts.none), key ? key.member_id : view.session.member.id)}
${key?.kind !== 'admin' && checks('scopes', texts.scopes, scopes, key?.scopes ?? [], texts.scopes_hint)}
${input('expires_at', texts.expires, { type: 'date', value: key?.expires_at?.slice(0, 10) ?? null })}`;
}

function createFields(view: View, choices: Choices): Html {
  const { texts, site, session, language } = view;
  const isOwner = session.member.role === 'owner';
  const isRecent = site.signIn.isRecent(session);
  const kinds = (['live', 'test', ...(isOwner && isRecent ? (['admin'] as const) : [])] as const).map(
    (kind) => [kind, view.nameOf('key_kinds', kind)] as const,
  );
  const again = site.signIn.pathTo(language, pathIn(language, '/console/keys'), { again: true });
  return html`${choice('kind', texts.kind, kinds, 'live')}${settingFields(view, choices, null)}${
    isOwner &&
    !isRecent &&
    html`<p class="note">${texts.admin_key_hint} <a href="${again}">${texts.sign_in_again}</a></p>`
  }`;
}

function keyItem(view: View, key: KeyRow, choices: Choices): Html {
  const { texts } = view;
  const { id, kind, status, project_id, member_id } = key;
  const nameOf = (rows: readonly { id: string; name: string }[], wanted: string | null): string | null =>
    rows.find((each) => each.id === wanted)?.name ?? null;
  const project = nameOf(choices.projects, project_id);
  const state = status === 'active' ? null : view.nameOf('key_statuses', status);
  const note = dots(view.nameOf('key_kinds', kind), `…${key.last_four}`, project, state);
  const facts = factList([
    [texts.id, html`<code dir="ltr">${id}</code>`],
    [texts.project, project ?? texts.none],
    [texts.member, nameOf(choices.members, member_id) ?? texts.none],
    [
      texts.scopes,
      key.scopes === null ? texts.all_scopes : view.format.list(key.scopes.map((scope) => view.nameOf('apis', scope))),
    ],
    [texts.created, moment(view, key.created_at)],
    [texts.last_used, moment(view, key.last_used_at)],
    [texts.expires, moment(view, key.expires_at)],
  ]);
  const warning = key.must_rotate && html`<p class="problem">${texts.must_rotate}</p>`;
  if (status !== 'active') return item(key.name, note, facts);
  const hidden = { id, kind, expires_before: key.expires_at?.slice(0, 10) ?? '' };
  const graces = GRACES.map((seconds) => [seconds, texts.graces[seconds]] as const);
  return item(
    key.name,
    note,
    warning,
    facts,
    html`<h3>${texts.change}</h3>`,
    form(view, 'change', texts.save, settingFields(view, choices, key), { hidden }),
    kind === 'admin'
      ? null
      : html`<h3>${texts.rotate}</h3><p class="note">${texts.rotate_hint}</p>${form(view, 'rotate', texts.rotate, choice('grace', texts.grace, graces, '86400'), { hidden: { id } })}`,
    html`<p><a href="${link(view, 'log', { key_id: id })}">${texts.show_log}</a></p>`,
    form(view, 'revoke', texts.revoke, null, { hidden: { id }, kind: 'danger' }),
  );
}

const secretPanel = ({ texts, site: { config } }: View, { name, kind, secret }: KeyRow & { secret: string }): Html =>
  panel(
    `${texts.secret_of} ${name}`,
    html`<p>${texts.secret_once}</p>`,
    code(secret),
    kind === 'admin' ? null : code(`curl '${config.baseUrl}/cities' -H 'Authorization: Bearer ${secret}'`),
  );

/** Members see and end their own connections, owners and admins all of the organization. */
export const assistantsPage: ConsolePage = {
  name: 'assistants',
  async render(view) {
    const { site, session, texts, format } = view;
    const connections = (await site.oauth?.connections(session)) ?? [];
    return html`<p>${texts.assistants_lead} <a href="${pathIn(view.language, '/guides/assistants')}">${texts.guide}</a></p>
${list(
  connections.map((each) =>
    item(
      each.client_name,
      each.member,
      factList([
        [texts.connected_to, each.is_verified ? each.redirect_host : `${each.redirect_host} (${texts.not_verified})`],
        [texts.project, each.project ?? texts.none],
        [texts.since, moment(view, each.created_at.toISOString())],
        [texts.last_used, moment(view, each.last_used_at?.toISOString() ?? null)],
        [texts.units_30_days, format.number(each.units_30_days)],
      ]),
      html`<p><a href="${link(view, 'log', { key_id: each.key_id })}">${texts.show_log}</a></p>`,
      form(view, 'revoke', texts.disconnect, null, { hidden: { id: each.id }, kind: 'danger' }),
    ),
  ),
  texts.no_assistants,
)}`;
  },
  actions: {
    async revoke({ site, session, requestId }, given) {
      await site.oauth?.revoke(session, field(given, 'id'), requestId);
    },
  },
};
