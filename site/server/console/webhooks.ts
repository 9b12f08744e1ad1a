import type { JsonSchema } from '#domain/json-schema.ts';
import { EVENT_TYPES } from '#domain/listings/events.ts';
import { factList, type Html, html } from '#src/documents/html.ts';
import { type OpenApi, resolveSchema } from '../operations.ts';
import {
  button,
  type ConsolePage,
  checks,
  code,
  field,
  form,
  input,
  item,
  link,
  list,
  moment,
  more,
  opened,
  panel,
  type View,
} from './parts.ts';

interface WebhookRow {
  id: string;
  url: string;
  event_types: string[];
  filters: Record<string, unknown>;
  status: 'enabled' | 'disabled';
  disabled_reason: string | null;
  created_at: string;
  lag: { pending: number; behind: boolean; missed_until: string | null };
  deliveries: { delivered: number; failed: number; success_rate_pct: number | null };
}

interface DeliveryRow {
  id: string;
  sequence: number;
  event_type: string;
  status: string;
  created_at: string;
  next_attempt_at: string | null;
  attempts: { at: string; status: number | null; error?: string | null }[];
}

export const webhooksPage: ConsolePage = {
  name: 'webhooks',
  async render(view) {
    const { client, texts, query } = view;
    const id = query.get('id');
    const webhooks = await client.all<WebhookRow>('/webhooks');
    const chosen = webhooks.find((each) => each.id === id);
    if (chosen) return deliveries(view, chosen);
    const types = EVENT_TYPES.map((type) => [type, view.nameOf('webhook_events', type)] as const);
    return html`<p>${texts.webhooks_lead}</p>
${opened(
  view,
  'create',
  texts.create_webhook,
  form(
    view,
    'create',
    texts.create_webhook,
    html`${input('url', texts.receiver, { type: 'url', required: true, hint: texts.receiver_hint })}${input('search', texts.search, { value: query.get('search'), required: true, hint: texts.search_hint, isLatin: true })}${checks('event_types', texts.events, types, EVENT_TYPES)}`,
  ),
)}
${list(
  webhooks.map((webhook) => webhookItem(view, webhook)),
  texts.no_webhooks,
)}`;
  },
  actions: {
    async create(view, given) {
      const filters = filtersOf(await webhookFilters(view), field(given, 'search'));
      const body = { url: field(given, 'url'), event_types: given.getAll('event_types'), filters };
      return secretOf(view, await view.client.post('/webhooks', body));
    },
    async test({ client }, given) {
      await client.post(`/webhooks/${field(given, 'id')}/test`, {});
      return `/console/webhooks?id=${field(given, 'id')}&done=test`;
    },
    async pause({ client }, given) {
      await client.post(`/webhooks/${field(given, 'id')}`, { status: field(given, 'status') });
    },
    async rotate(view, given) {
      return secretOf(view, await view.client.post(`/webhooks/${field(given, 'id')}/rotate-secret`, {}));
    },
    async recover({ client }, given) {
      const since = new Date(`${field(given, 'since')}Z`);
      await client.post(`/webhooks/${field(given, 'id')}/recover`, {
        since: Number.isNaN(since.getTime()) ? field(given, 'since') : since.toISOString(),
      });
    },
    async replay({ client }, given) {
      await client.post(`/webhooks/${field(given, 'id')}/deliveries/${field(given, 'delivery')}/replay`, {});
    },
    async delete({ client }, given) {
      await client.post(`/webhooks/${field(given, 'id')}/delete`, {});
      return '/console/webhooks?done=delete';
    },
  },
};

const secretOf = ({ texts }: View, { secret }: { secret: string }): Html =>
  panel(texts.webhook_secret, html`<p>${texts.secret_once}</p>`, code(secret));

function webhookItem(view: View, webhook: WebhookRow): Html {
  const { texts, format } = view;
  const { id, status, lag, deliveries: counts } = webhook;
  const isEnabled = status === 'enabled';
  return item(
    html`<bdi dir="ltr">${webhook.url}</bdi>`,
    view.nameOf('webhook_statuses', status),
    lag.missed_until !== null && html`<p class="problem">${texts.missed} ${moment(view, lag.missed_until)}</p>`,
    factList([
      [texts.filters, html`<code dir="ltr">${JSON.stringify(webhook.filters)}</code>`],
      [texts.events, format.list(webhook.event_types.map((type) => view.nameOf('webhook_events', type)))],
      [texts.delivered, format.number(counts.delivered)],
      [texts.failed, format.number(counts.failed)],
      [texts.pending, format.number(lag.pending)],
      [texts.created, moment(view, webhook.created_at)],
    ]),
    html`<p><a href="${link(view, 'webhooks', { id })}">${texts.show_deliveries}</a></p><div class="actions">${button(view, 'test', texts.send_test, { id })}${button(view, 'pause', isEnabled ? texts.pause : texts.resume, { id, status: isEnabled ? 'disabled' : 'enabled' })}${button(view, 'rotate', texts.rotate_secret, { id })}</div>`,
    form(view, 'delete', texts.delete, null, { hidden: { id }, kind: 'danger' }),
  );
}

async function deliveries(view: View, webhook: WebhookRow): Promise<Html> {
  const { client, texts, query } = view;
  const { data, pagination } = await client.page<DeliveryRow>(`/webhooks/${webhook.id}/deliveries`, {
    cursor: query.get('cursor'),
  });
  return html`<p><a href="${link(view, 'webhooks')}">${texts.pages.webhooks}</a></p><h2><bdi dir="ltr">${webhook.url}</bdi></h2>
${form(view, 'recover', texts.recover, input('since', texts.recover_since, { type: 'datetime-local', required: true, hint: texts.recover_hint }), { hidden: { id: webhook.id } })}
${list(
  data.map((delivery) =>
    item(
      html`<bdi>${view.nameOf('webhook_events', delivery.event_type)}</bdi> #${delivery.sequence}`,
      html`${view.nameOf('delivery_statuses', delivery.status)} · ${moment(view, delivery.created_at)}`,
      factList(
        delivery.attempts.map(
          ({ at, status, error }, index) =>
            [
              `${texts.attempt} ${index + 1}`,
              html`${moment(view, at)} · <bdi dir="ltr">${status ?? error ?? '-'}</bdi>`,
            ] as const,
        ),
      ),
      button(view, 'replay', texts.replay, { id: webhook.id, delivery: delivery.id }),
    ),
  ),
  texts.no_deliveries,
)}
${more(view, pagination.next_cursor)}`;
}

/** Filters of webhooks by name, as the document of the API describes them. */
async function webhookFilters({ site }: View): Promise<Readonly<Record<string, JsonSchema>>> {
  const document = await site.api.body<OpenApi>('/v1/openapi.json');
  if (!document) return {};
  const schema = resolveSchema(document, { $ref: '#/components/schemas/WebhookFilters' });
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return Object.fromEntries(properties.map(([name, each]) => [name, resolveSchema(document, each)]));
}

/**
 * Returns the filters in the address of a search, or in its query. Parameters that are not filters are left out.
 * Pure.
 */
export function filtersOf(schemas: Readonly<Record<string, JsonSchema>>, search: string): Record<string, unknown> {
  const query = new URLSearchParams(search.slice(search.indexOf('?') + 1));
  return Object.fromEntries(
    [...query].flatMap(([name, text]) => {
      const schema = schemas[name];
      return schema === undefined || text === '' ? [] : [[name, filterValue(text, schema)]];
    }),
  );
}

function filterValue(text: string, schema: JsonSchema): unknown {
  const forms = [schema, ...[schema.oneOf, schema.anyOf].flatMap((each) => (each ?? []) as JsonSchema[])];
  const types = new Set(forms.flatMap(({ type }) => type as string | string[]));
  const items = forms.flatMap((each) => (each.items ? [each.items as JsonSchema] : []));
  if (types.has('array') && (text.includes(',') || !types.has('string') || items.length > 0)) {
    const parts = text.split(',').map((part) => scalarOf(part.trim(), items));
    return parts.length > 1 || forms.every(({ type }) => type === 'array') ? parts : parts[0];
  }
  return scalarOf(text, forms);
}

function scalarOf(text: string, forms: readonly JsonSchema[]): unknown {
  const types = new Set(
    forms.flatMap(({ type, enum: values }) => (type ?? typeof (values as unknown[])?.[0]) as string | string[]),
  );
  if ((types.has('integer') || types.has('number')) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
