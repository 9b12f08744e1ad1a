import { html } from '#src/documents/html.ts';
import { area, button, type ConsolePage, checks, choice, field, form, input, item, list, moment } from './parts.ts';
import type { OrganizationRow } from './usage.ts';

/**
 * Networks from which providers of assistants call, if they publish them as stable: Claude on
 * platform.claude.com/docs/en/api/ip-addresses (2026-11). OpenAI states on developers.openai.com/api/docs/guides/ip-addresses
 * that its ranges change, so a list here would soon lack some.
 */
const ASSISTANTS = [['160.79.104.0/21,153.61.208.0/20', 'Claude']] as const;
const RETENTIONS = ['7', '30', '90'];

export const settingsPage: ConsolePage = {
  name: 'settings',
  async render(view) {
    const { client, texts, format } = view;
    const { name, ip_allowlist: allowlist, request_logs: logs } = await client.data<OrganizationRow>('');
    return html`${form(view, 'name', texts.save, input('name', texts.organization, { value: name, required: true, maxLength: 80 }))}
<h2>${texts.allowlist}</h2><p class="note">${texts.allowlist_hint}</p>
${form(view, 'allowlist', texts.save, html`${area('ranges', texts.ranges, allowlist.join('\n'), texts.ranges_hint)}${checks('assistants', texts.assistants_allowed, ASSISTANTS, [], texts.assistants_others)}${checks('force', texts.lock_out, [['yes', texts.force]], [])}`)}
<h2>${texts.pages.log}</h2>
${form(
  view,
  'logs',
  texts.save,
  html`${choice(
    'retention',
    texts.retention,
    RETENTIONS.map((days) => [days, format.count(texts.days, Number(days))] as const),
    String(logs.retention_days),
  )}${checks('details', texts.request_details, [['yes', texts.keep_details]], logs.details ? ['yes'] : [])}`,
)}
<h2>${texts.close}</h2><p>${texts.close_hint}</p>
${form(view, 'close', texts.close, input('name', texts.type_name, { required: true, hint: name }), { kind: 'danger' })}`;
  },
  actions: {
    async name({ client }, given) {
      await client.post('', { name: field(given, 'name') });
    },
    async allowlist({ client }, given) {
      const ranges = [field(given, 'ranges'), ...given.getAll('assistants')]
        .join(',')
        .split(/[\s,]+/)
        .filter((range) => range !== '');
      await client.post('', { ip_allowlist: ranges, ...(given.has('force') ? { force: true } : {}) });
    },
    async logs({ client }, given) {
      const request_logs = { retention_days: Number(field(given, 'retention')), details: given.has('details') };
      await client.post('', { request_logs });
    },
    async close({ client }, given) {
      await client.post('/close', { name: field(given, 'name') });
      return '/console?done=closed';
    },
  },
};

export const sessionsPage: ConsolePage = {
  name: 'sessions',
  async render(view) {
    const { site, session, texts } = view;
    const sessions = await site.signIn.sessions(session);
    return html`${list(
      sessions.map(({ id, current, created_at, seen_at, user_agent, ip }) =>
        item(
          html`<bdi dir="ltr">${user_agent}</bdi>`,
          current ? texts.this_session : moment(view, seen_at),
          html`<p>${texts.signed_in} ${moment(view, created_at)} · <bdi dir="ltr">${ip ?? ''}</bdi></p>`,
          current ? null : button(view, 'end', texts.end_session, { id }),
        ),
      ),
      texts.none,
    )}${sessions.length > 1 && form(view, 'end_others', texts.end_others)}`;
  },
  actions: {
    async end({ site, session }, given) {
      await site.signIn.revoke(session, field(given, 'id'));
    },
    async end_others({ site, session }) {
      await site.signIn.revokeOthers(session);
    },
  },
};
