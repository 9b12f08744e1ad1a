import { factList, type Html, html } from '#src/documents/html.ts';
import type { KeyRow } from './keys.ts';
import {
  button,
  type ConsolePage,
  choice,
  code,
  dots,
  field,
  filter,
  input,
  item,
  link,
  list,
  moment,
  more,
  type View,
} from './parts.ts';

interface ExportRow {
  id: string;
  dataset: string;
  format: string;
  status: string;
  created_at: string;
  finished_at: string | null;
  progress: { rows_total: number | null };
  error: { code: string; message: string } | null;
  units: number;
  /** Of a single export. */
  files?: { name: string; url: string; bytes: number; sha256: string }[];
}

export const exportsPage: ConsolePage = {
  name: 'exports',
  async render(view) {
    const { client, texts, format, query } = view;
    const id = query.get('id');
    if (id) return exportFiles(view, await client.data<ExportRow>(`/exports/${encodeURIComponent(id)}`));
    const { data, pagination } = await client.page<ExportRow>('/exports', { cursor: query.get('cursor') });
    return html`<p>${texts.exports_lead}</p>
${list(
  data.map((each) =>
    item(
      view.nameOf('export_datasets', each.dataset),
      dots(each.format, view.nameOf('export_statuses', each.status)),
      factList([
        [texts.id, html`<code dir="ltr">${each.id}</code>`],
        [texts.created, moment(view, each.created_at)],
        [texts.finished, moment(view, each.finished_at)],
        [texts.rows, each.progress.rows_total === null ? '-' : format.number(each.progress.rows_total)],
        [texts.units, format.number(each.units)],
        ...(each.error === null
          ? []
          : [[texts.error, html`<bdi dir="ltr" lang="en">${each.error.message}</bdi>`] as const]),
      ]),
      each.status === 'completed' &&
        html`<p><a href="${link(view, 'exports', { id: each.id })}">${texts.show_files}</a></p>`,
      (each.status === 'queued' || each.status === 'running') && button(view, 'cancel', texts.cancel, { id: each.id }),
    ),
  ),
  texts.no_exports,
)}
${more(view, pagination.next_cursor)}`;
  },
  actions: {
    async cancel({ client }, given) {
      await client.post(`/exports/${field(given, 'id')}/cancel`, {});
    },
  },
};

/** The links expire after an hour, so the page is requested for one export. */
const exportFiles = (
  view: View,
  { dataset, files = [] }: ExportRow,
): Html => html`<p><a href="${link(view, 'exports')}">${view.texts.pages.exports}</a></p><h2>${view.nameOf('export_datasets', dataset)}</h2>
${list(
  files.map(({ name, url, bytes, sha256 }) =>
    item(
      html`<bdi dir="ltr">${name}</bdi>`,
      html`<bdi dir="ltr">${view.format.number(Math.ceil(bytes / 1_024))} KB</bdi>`,
      html`<p><a class="button" href="${url}">${view.texts.download}</a></p>`,
      factList([['SHA-256', html`<code dir="ltr">${sha256}</code>`]]),
    ),
  ),
  view.texts.no_files,
)}`;

interface LogRow {
  request_id: string;
  at: string;
  key_id: string | null;
  method: string;
  route: string;
  query: string | null;
  status: number;
  code: string | null;
  message: string | null;
  units: number;
  duration_ms: number;
  ip: string | null;
}

const LOG_FILTERS = ['request_id', 'key_id', 'route', 'status'] as const;

export const logPage: ConsolePage = {
  name: 'log',
  async render(view) {
    const { client, texts, format, query, site } = view;
    const wanted = Object.fromEntries(LOG_FILTERS.map((name) => [name, query.get(name)?.trim()]));
    const [{ data, pagination }, keys] = await Promise.all([
      client.page<LogRow>('/request-logs', { ...wanted, cursor: query.get('cursor') }),
      client.all<KeyRow>('/keys'),
    ]);
    const names = new Map(keys.map(({ id, name }) => [id, name]));
    const origin = site.config.baseUrl.replace(/\/v1$/, '');
    return html`${filter(
      texts.show,
      input('request_id', texts.request_id, { value: wanted.request_id ?? null, isLatin: true }),
      choice('key_id', texts.groups.key, [['', texts.all], ...names], wanted.key_id ?? null),
      input('route', texts.route, { value: wanted.route ?? null, isLatin: true }),
      input('status', texts.status, { value: wanted.status ?? null }),
    )}
${list(
  data.map((each) =>
    item(
      html`<code dir="ltr">${each.method} ${each.route}</code>`,
      dots(html`<span class="state ${each.status < 400 ? 'ok' : 'bad'}">${each.status}</span>`, format.hour(each.at)),
      factList([
        [texts.request_id, html`<code dir="ltr">${each.request_id}</code>`],
        [texts.time, moment(view, each.at)],
        [texts.groups.key, names.get(each.key_id ?? '') ?? texts.none],
        [texts.units, format.number(each.units)],
        [texts.duration, html`<bdi dir="ltr">${each.duration_ms} ms</bdi>`],
        [texts.address, html`<bdi dir="ltr">${each.ip ?? '-'}</bdi>`],
        ...(each.code === null
          ? []
          : [[texts.error, html`<bdi dir="ltr" lang="en">${each.code}: ${each.message ?? ''}</bdi>`] as const]),
      ]),
      code(
        `curl ${each.method === 'GET' ? '' : `-X ${each.method} `}'${origin}${each.route}${each.query === null ? '' : `?${each.query.replaceAll("'", '%27')}`}' -H "Authorization: Bearer $API_KEY"`,
      ),
    ),
  ),
  texts.no_calls,
)}
${more(view, pagination.next_cursor)}`;
  },
};

interface AuditRow {
  at: string;
  actor: { type: string; id: string | null };
  action: string;
  target_id: string | null;
  details: Record<string, unknown>;
}

export const auditPage: ConsolePage = {
  name: 'audit',
  async render(view) {
    const { client, texts, query } = view;
    const [{ data, pagination }, keys] = await Promise.all([
      client.page<AuditRow>('/audit-events', { cursor: query.get('cursor') }),
      client.all<KeyRow>('/keys'),
    ]);
    const actors = new Map(keys.map(({ id, name }) => [id, name]));
    return html`${list(
      data.map(({ at, actor, action, target_id: target, details }) =>
        item(
          view.nameOf('audit_actions', action),
          dots(moment(view, at), actors.get(actor.id ?? '') ?? view.nameOf('audit_actors', actor.type)),
          factList([[texts.target, html`<code dir="ltr">${target ?? '-'}</code>`]]),
          Object.keys(details).length > 0 && code(JSON.stringify(details, null, 1)),
        ),
      ),
      texts.none,
    )}${more(view, pagination.next_cursor)}`;
  },
};
