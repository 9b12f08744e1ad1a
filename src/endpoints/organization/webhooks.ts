import {
  arrayOf,
  boolean,
  component,
  integer,
  nullable,
  number,
  object,
  oneOf,
  single,
  string,
  timestamp,
} from '#domain/json-schema.ts';
import { EVENT_DAYS, EVENT_TYPES, type EventType } from '#domain/listings/events.ts';
import { isoSeconds } from '#domain/timestamps.ts';
import { filterProperties } from '#queries/filters/compile.ts';
import { filterRows } from '#queries/filters/table.ts';
import { recordAudit } from '#src/accounts/audit.ts';
import { newId } from '#src/accounts/ids.ts';
import { changeOf, createdResponse, dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import type { CallServices, Services } from '#src/services.ts';
import { endTestDeliveries } from '#src/webhooks/deliveries.ts';
import {
  changeEndpoint,
  countEndpoints,
  deleteEndpoint,
  ENDPOINTS,
  type EndpointRecord,
  insertEndpoint,
  MAX_ENDPOINTS,
} from '#src/webhooks/endpoints.ts';
import { disableEndpoint, enableEndpoint, rotateSecret } from '#src/webhooks/operate.ts';
import { newSecret, secretEncryption } from '#src/webhooks/secrets.ts';
import { webhookAddresses } from '#src/webhooks/send-delivery.ts';
import { AddressError, hostOf } from '#stores/outbound/address.ts';
import { checkDestination } from '#stores/outbound/resolve.ts';
import { findRecord } from '#stores/postgres/records.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { checkFilters, FILTER_ERRORS, type FilterSet, filtersDocument } from '../filters.ts';
import { idParameter, newestFirst, presentRow } from '../records.ts';
import { ADMINISTRATION, bodyOf, bodyRequiring, graceSeconds, NO_OPTIONS, requireChange } from './common.ts';

const RESOLVE_TIMEOUT_MS = 2_000;

const WEBHOOK_STATUSES = component('WebhookStatus', ['enabled', 'disabled']);

const WEBHOOK = component(
  'WebhookEndpoint',
  object({
    id: string,
    url: string,
    event_types: arrayOf(oneOf(EVENT_TYPES)),
    filters: { type: 'object', additionalProperties: true },
    status: oneOf(WEBHOOK_STATUSES),
    disabled_reason: { type: ['string', 'null'], enum: component('DisabledReason', ['exhausted', 'operator', null]) },
    disabled_at: nullable(timestamp),
    created_at: timestamp,
    old_secret_until: nullable(timestamp),
    last_sequence: integer,
    lag: object({
      pending: integer,
      oldest_pending_at: nullable(timestamp),
      seconds: integer,
      behind: boolean,
      missed_until: nullable(timestamp),
    }),
    deliveries: object({
      delivered: integer,
      failed: integer,
      success_rate_pct: nullable(number),
      exhausted_since_enabled: integer,
    }),
  }),
);

const NEW_WEBHOOK = component('NewWebhookEndpoint', object({ ...WEBHOOK.properties, secret: string }));

function present(record: EndpointRecord, now: number) {
  const { delivered, failed, oldest_pending_at: oldest, previous_secret_until: until } = record;
  return presentRow(WEBHOOK, {
    ...record,
    old_secret_until: until && until.getTime() > now ? until : null,
    last_sequence: record.sequence,
    lag: {
      pending: record.pending,
      oldest_pending_at: isoSeconds(oldest),
      seconds: oldest === null ? 0 : Math.max(0, Math.round((now - oldest.getTime()) / 1_000)),
      behind: record.behind,
      missed_until: isoSeconds(record.missed_until),
    },
    deliveries: {
      delivered,
      failed,
      success_rate_pct: delivered + failed === 0 ? null : Math.round((10_000 * delivered) / (delivered + failed)) / 100,
      exhausted_since_enabled: record.exhausted,
    },
  });
}

const TIME_BASED = filterRows().flatMap(({ name, changesWithTime }) => (changesWithTime ? [name] : []));

/** Without filters whose matches change over time, because this change sends no event. */
const FILTERS: FilterSet = {
  filters: {
    properties: filterProperties(filterRows().filter(({ changesWithTime }) => !changesWithTime)),
    required: ['city'],
  },
};

export const webhookIdParameter = idParameter('webhook_id', 'Id of the webhook endpoint.', 'whk_0f3a');

/** @throws ApiError `not_found` */
export async function requireEndpoint(db: Queryable, organizationId: number, id: string): Promise<EndpointRecord> {
  const found = await findRecord(db, ENDPOINTS, organizationId, id);
  if (!found) throw new ApiError('not_found', { param: 'webhook_id' });
  return found;
}

const listWebhooksEndpoint = defineEndpoint({
  path: '/v1/organization/webhooks',
  operationId: 'listWebhooks',
  ...ADMINISTRATION,
  summary: 'List webhook endpoints',
  description: `Returns the webhook endpoints of the organization, newest first, without their secrets. \`last_sequence\` is the sequence number of the last delivery created for an endpoint; sequence numbers have no gaps. \`lag\` describes pending deliveries; \`lag.behind\` is true if deliveries of recent events have not been created yet, for example after an update with more than 500 events. \`lag.missed_until\` is set if events up to this time were never sent, because they reached the retention period of ${EVENT_DAYS} days first. \`success_rate_pct\` is the share of completed deliveries that the receiver accepted; replays do not count separately. \`exhausted_since_enabled\` is the number of retained deliveries that failed after the endpoint was last enabled and have not been accepted since.`,
  ...newestFirst(
    'webhooks',
    WEBHOOK,
    () => ENDPOINTS,
    (record, { services }) => present(record, services.clock.now()),
  ),
});

/** `checkFilters` validates `filters`. */
const BODY = bodyRequiring(['url', 'event_types', 'filters'], {
  url: {
    type: 'string',
    minLength: 1,
    maxLength: 2_000,
    sensitive: true,
    description: 'URL that events are sent to.',
  },
  event_types: {
    type: 'array',
    items: { type: 'string', enum: EVENT_TYPES },
    minItems: 1,
    uniqueItems: true,
    description: 'Event types to send.',
  },
  filters: {
    type: 'object',
    description: `Filters of \`GET /v1/listings\`, given as JSON numbers, booleans and strings, with arrays for several values. \`city\` is required; \`city\` and \`listing_type\` take several values. The filters ${TIME_BASED.map((name) => `\`${name}\``).join(', ')} are not accepted, because their matches change as time passes.`,
  },
});

const FILTERS_DOCUMENT = filtersDocument('WebhookFilters', FILTERS.filters, BODY.properties.filters.description);

const createWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/webhooks',
  operationId: 'createWebhook',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Create a webhook endpoint',
  description: `Creates a webhook endpoint: a URL that receives future events of the listings that match \`filters\`. \`secret\` signs the deliveries and is returned only in this response. The URL must be \`https://\` on the default port, and its host must resolve to public IP addresses, now and before every delivery; redirects are not followed. An organization can have up to ${MAX_ENDPOINTS} webhook endpoints.`,
  bodySchema: BODY,
  bodyDocument: { ...BODY, properties: { ...BODY.properties, filters: FILTERS_DOCUMENT } },
  successStatus: 201,
  response: single(NEW_WEBHOOK),
  errors: [...FILTER_ERRORS, 'limit_reached'],
  prepare: ({ body, services }) => requireDestination(body.url, services),
  handle: async (call, destination) => {
    const { body, db, services, caller } = call;
    const url = await destination;
    const now = services.clock.now();
    const filters = requireFilters(body.filters, services);
    if ((await countEndpoints(db, caller.organization_id)) >= MAX_ENDPOINTS)
      throw new ApiError('limit_reached', {
        message: `An organization can have up to ${MAX_ENDPOINTS} webhook endpoints. Delete one first.`,
        details: { limit: MAX_ENDPOINTS },
      });
    const id = newId('whk', services.random);
    const secret = newSecret(services.random);
    await insertEndpoint(db, {
      id,
      organizationId: caller.organization_id,
      url: url.href,
      host: hostOf(url),
      eventTypes: inOrder(body.event_types),
      filters,
      secret: secretEncryption(services.config.encryptionKeys, services.random).encrypt(secret),
      now: new Date(now),
    });
    await recordAudit(changeOf(call), caller.organization_id, 'webhook.created', id, {
      host: url.hostname,
      event_types: body.event_types,
    });
    const record = await requireEndpoint(db, caller.organization_id, id);
    return createdResponse({ ...present(record, now), secret });
  },
});

const inOrder = (types: readonly EventType[]): EventType[] => EVENT_TYPES.filter((type) => types.includes(type));

/** @throws ApiError `invalid_value` */
function requireFilters(given: Readonly<Record<string, unknown>>, { places, clock, config }: CallServices) {
  for (const name of TIME_BASED) {
    if (!Object.hasOwn(given, name)) continue;
    const message = `\`filters.${name}\` cannot be in a webhook: its matches change as time passes, and time passing sends no event. Remove it.`;
    throw new ApiError('invalid_value', { param: `filters.${name}`, message });
  }
  return checkFilters(FILTERS, given, { places, now: clock.now(), historyStart: config.historyStart });
}

const { required: _, ...CHANGES } = BODY;
const STATUS = {
  type: 'string',
  enum: WEBHOOK_STATUSES,
  description:
    '`disabled` pauses the endpoint; `enabled` resumes it, also after failures: pending deliveries are sent first, then the events since it was disabled.',
} as const;

const updateWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/webhooks/{webhook_id}',
  operationId: 'updateWebhook',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Change a webhook endpoint',
  description:
    'Changes, pauses or resumes a webhook endpoint. Fields that are left out keep their values. New filters apply to events that are matched after the change, a new URL to all further attempts, except those of test events, which end if the host changes. While an endpoint is paused, `disabled_reason` is null and no events are lost within their retention period. An endpoint that the operator of the service disabled returns 409 `conflict`.',
  pathParameters: [webhookIdParameter],
  bodySchema: { ...CHANGES, properties: { ...CHANGES.properties, status: STATUS } },
  bodyDocument: { ...CHANGES, properties: { ...CHANGES.properties, status: STATUS, filters: FILTERS_DOCUMENT } },
  response: single(WEBHOOK),
  errors: [...FILTER_ERRORS, 'not_found', 'conflict'],
  prepare: async ({ body, services }) => (body.url === undefined ? null : requireDestination(body.url, services)),
  handle: async (call, destination) => {
    const { body, db, services, caller, path } = call;
    const { event_types: types, filters: given, status } = body;
    const url = await destination;
    const found = await requireEndpoint(db, caller.organization_id, path.webhook_id);
    if (found.disabled_reason === 'operator')
      throw new ApiError('conflict', {
        message: 'The operator of the service disabled the endpoint, and can enable it.',
      });
    requireChange(body);
    const filters = given === undefined ? undefined : requireFilters(given, services);
    if (url !== null && hostOf(url) !== hostOf(new URL(found.url))) await endTestDeliveries(db, found.number);
    if (url !== null || types !== undefined || filters !== undefined) {
      await changeEndpoint(db, found.number, {
        url: url ? { url: url.href, host: hostOf(url) } : undefined,
        eventTypes: types && inOrder(types),
        filters,
      });
      const details = { host: url?.hostname, event_types: types, filters };
      await recordAudit(changeOf(call), caller.organization_id, 'webhook.changed', path.webhook_id, details);
    }
    if (status === 'enabled' && found.status === 'disabled') await enableEndpoint(changeOf(call), path.webhook_id);
    // Pausing holds back the deliveries of an endpoint that failures disabled.
    if (status === 'disabled' && (found.status === 'enabled' || found.disabled_reason === 'exhausted'))
      await disableEndpoint(changeOf(call), path.webhook_id, null);
    const record = await requireEndpoint(db, caller.organization_id, path.webhook_id);
    return dataResponse(present(record, services.clock.now()));
  },
});

const rotateWebhookSecretEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/webhooks/{webhook_id}/rotate-secret',
  operationId: 'rotateWebhookSecret',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'Creates a new secret for a webhook endpoint. `secret` is returned only in this response. During the grace period deliveries have the signatures of both secrets; until it ends, another rotation returns 409 `conflict` unless `force` is set, which ends the previous secret immediately.',
  pathParameters: [webhookIdParameter],
  bodySchema: bodyOf({
    grace_seconds: graceSeconds(
      'Time in seconds during which deliveries are also signed with the old secret, up to 30 days.',
    ),
    force: { type: 'boolean', default: false, description: 'Whether to rotate during a grace period.' },
  }),
  successStatus: 201,
  response: single(NEW_WEBHOOK),
  errors: ['not_found', 'conflict'],
  handle: async (call) => {
    const { body, db, services, caller, path } = call;
    await requireEndpoint(db, caller.organization_id, path.webhook_id);
    const encryption = secretEncryption(services.config.encryptionKeys, services.random);
    const secret = await rotateSecret(changeOf(call), encryption, path.webhook_id, {
      overlapSeconds: body?.grace_seconds ?? 86_400,
      force: body?.force ?? false,
    });
    const record = await requireEndpoint(db, caller.organization_id, path.webhook_id);
    return createdResponse({ ...present(record, services.clock.now()), secret });
  },
});

async function requireDestination(address: string, services: Pick<Services, 'config' | 'resolve'>): Promise<URL> {
  try {
    return await checkDestination(address, webhookAddresses(services.config), services.resolve, RESOLVE_TIMEOUT_MS);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    throw new ApiError('invalid_value', {
      param: 'url',
      message: `\`url\` must be an https:// URL on the default port whose host resolves to public IP addresses: ${error.message}.`,
    });
  }
}

const deleteWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/webhooks/{webhook_id}/delete',
  operationId: 'deleteWebhook',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Delete a webhook endpoint',
  description:
    'Deletes a webhook endpoint and its delivery history; no more events are sent to it. Deletion cannot be undone.',
  pathParameters: [webhookIdParameter],
  bodySchema: NO_OPTIONS,
  response: single(object({ id: string, deleted: boolean })),
  errors: ['not_found'],
  handle: async (call) => {
    const { db, caller, path } = call;
    if (!(await deleteEndpoint(db, caller.organization_id, path.webhook_id)))
      throw new ApiError('not_found', { param: 'webhook_id' });
    await recordAudit(changeOf(call), caller.organization_id, 'webhook.deleted', path.webhook_id);
    return dataResponse({ id: path.webhook_id, deleted: true });
  },
});

export const webhookEndpoints = [
  listWebhooksEndpoint,
  createWebhookEndpoint,
  updateWebhookEndpoint,
  rotateWebhookSecretEndpoint,
  deleteWebhookEndpoint,
];
