import { recordAudit } from '#accounts/audit.ts';
import { newId } from '#accounts/ids.ts';
import { ApiError } from '#domain/errors.ts';
import {
  arrayOf,
  boolean,
  integer,
  nullable,
  number,
  object,
  oneOf,
  single,
  string,
  timestamp,
  visible,
} from '#domain/json-schema.ts';
import { EVENT_DAYS, EVENT_TYPES } from '#domain/listings/events.ts';
import { isoSeconds } from '#domain/timestamps.ts';
import { actorOf, defineEndpoint } from '#http/endpoint.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#http/pagination.ts';
import { PRICES } from '#metering/prices.ts';
import { AddressError, hostOf } from '#outbound/address.ts';
import { checkDestination } from '#outbound/resolve.ts';
import type { Queryable } from '#postgres/transaction.ts';
import { filterProperties } from '#queries/filters/json.ts';
import { filterRows } from '#queries/filters/table.ts';
import type { Services } from '#src/services.ts';
import { webhookAddresses } from '#webhooks/address-policy.ts';
import {
  countEndpoints,
  deleteEndpoint,
  type EndpointRecord,
  insertEndpoint,
  listEndpoints,
  MAX_ENDPOINTS,
  readEndpoint,
} from '#webhooks/endpoints.ts';
import { newSecret, secretEncryption } from '#webhooks/secrets.ts';
import { checkFilters, FILTER_ERRORS, type FilterSet } from '../filters/check.ts';
import { filtersDocument } from '../filters/document.ts';

/** Milliseconds that resolving the name of a new endpoint may take. */
const RESOLVE_LIMIT = 2_000;

const PROPERTIES = {
  id: string,
  url: string,
  event_types: arrayOf(oneOf(EVENT_TYPES)),
  filters: { type: 'object', additionalProperties: true },
  status: oneOf(['enabled', 'disabled']),
  disabled_reason: { type: ['string', 'null'], enum: ['exhausted', 'operator', null] },
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
} as const;

function present(record: EndpointRecord, now: number) {
  const { delivered, failed, oldest_pending_at: oldest, previous_secret_until: until } = record;
  return {
    id: record.id,
    url: record.url,
    event_types: record.event_types,
    filters: record.filters,
    status: record.status,
    disabled_reason: record.disabled_reason,
    disabled_at: isoSeconds(record.disabled_at),
    created_at: isoSeconds(record.created_at),
    old_secret_until: until && until.getTime() > now ? isoSeconds(until) : null,
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
  };
}

const NOT_ALERTABLE = filterRows().flatMap(({ name, alertable }) => (alertable ? [] : [name]));

/** The filters of a search but for those whose result changes with time alone: no event would tell of that. */
const FILTERS: FilterSet = {
  filters: { properties: filterProperties(filterRows().filter(({ alertable }) => alertable)), required: ['city'] },
};

export const webhookIdParameter = {
  name: 'webhook_id',
  schema: visible(60),
  description: 'Id of the webhook endpoint.',
  required: true,
  example: 'whk_0f3a',
} as const;

/** The endpoint of this id of the caller's organization. @throws ApiError not_found */
export async function requireEndpoint(db: Queryable, organizationId: number, id: string): Promise<EndpointRecord> {
  const found = await readEndpoint(db, organizationId, id);
  if (!found) throw new ApiError('not_found', { param: 'webhook_id' });
  return found;
}

export const listWebhooksEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organization/webhooks',
  operationId: 'listWebhooks',
  area: 'Administration',
  summary: 'Webhook endpoints',
  description: `The webhook endpoints of the organization, newest first, without their secrets. \`last_sequence\` is the sequence number of the last delivery made for an endpoint: they have no gap. \`lag\` says what waits to be delivered; \`lag.behind\` that events have gone out which it has not been given yet, as after more than 500 of one run; \`lag.missed_until\` that it was so far behind that events up to this moment, then ${EVENT_DAYS} days old, were deleted before it was given all of them. \`success_rate_pct\` is the share of ended deliveries that the receiver accepted, each counted once however often it was replayed. \`exhausted_since_enabled\` counts the deliveries that have failed since the endpoint was enabled, were not accepted since, and are kept.`,
  audience: 'admin',
  scope: null,
  price: PRICES.administration,
  pathParameters: [],
  parameters: [cursorParameter],
  response: pageSchema(object(PROPERTIES)),
  errors: [],
  handle: async (call) => ({
    body: await pageOfRows(call, { name: 'webhooks', filters: {} }, async (size, after) => {
      const { services, caller } = call;
      const records = await listEndpoints(services.pool, caller.organization_id, size, after?.[0] ?? null);
      const now = services.clock.now();
      return records.map((record) => ({ row: present(record, now), position: [record.number, 0] }));
    }),
  }),
});

/** The filters are checked after the other properties, by `checkFilters`. */
const BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['url', 'event_types', 'filters'],
  properties: {
    url: { type: 'string', minLength: 1, maxLength: 2_000, sensitive: true, description: 'Where events are sent.' },
    event_types: {
      type: 'array',
      items: { type: 'string', enum: EVENT_TYPES },
      minItems: 1,
      uniqueItems: true,
      description: 'Types of events to send.',
    },
    filters: {
      type: 'object',
      description: `Those of \`GET /v1/listings\` as JSON: numbers and booleans as such, several values as an array. \`city\` is required; \`city\` and \`listing_type\` take several values. Not ${NOT_ALERTABLE.map((name) => `\`${name}\``).join(', ')}: what they match changes with time alone.`,
    },
  },
} as const;

const FILTERS_DOCUMENT = filtersDocument('WebhookFilters', FILTERS.filters, BODY.properties.filters.description);

export const createWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/webhooks',
  operationId: 'createWebhook',
  area: 'Administration',
  summary: 'Create a webhook endpoint',
  description: `Subscribes an address to events of the listings that match \`filters\`, from now on. \`secret\` signs what is sent and is shown in this answer only. The address is \`https://\` on the default port, and its name must resolve to public addresses, now and before every delivery; redirects are not followed. An organization has at most ${MAX_ENDPOINTS}.`,
  audience: 'admin',
  scope: null,
  price: PRICES.administration,
  pathParameters: [],
  parameters: [],
  bodySchema: BODY,
  bodyDocument: { ...BODY, properties: { ...BODY.properties, filters: FILTERS_DOCUMENT } },
  successStatus: 201,
  response: single(object({ ...PROPERTIES, secret: string })),
  errors: [...FILTER_ERRORS, 'limit_reached'],
  prepare: ({ body, services }) => requireDestination(body.url, services),
  handle: async (call, destination) => {
    const { body, db, services, caller } = call;
    const url = await destination;
    for (const name of NOT_ALERTABLE) {
      if (!Object.hasOwn(body.filters, name)) continue;
      const message = `\`filters.${name}\` cannot be in a webhook: what it matches changes with time alone, and no event tells of that.`;
      throw new ApiError('invalid_value', { param: `filters.${name}`, message });
    }
    const now = services.clock.now();
    const context = { places: services.places, now, historyStart: services.config.historyStart };
    const filters = checkFilters(FILTERS, body.filters, context);
    if ((await countEndpoints(db, caller.organization_id)) >= MAX_ENDPOINTS)
      throw new ApiError('limit_reached', {
        message: `An organization has at most ${MAX_ENDPOINTS} webhook endpoints.`,
        details: { limit: MAX_ENDPOINTS },
      });
    const id = newId('whk', services.random);
    const secret = newSecret(services.random);
    await insertEndpoint(db, {
      id,
      organizationId: caller.organization_id,
      url: url.href,
      host: hostOf(url),
      eventTypes: EVENT_TYPES.filter((type) => body.event_types.includes(type)),
      filters,
      secret: secretEncryption(services.config.encryptionKeys, services.random).encrypt(secret),
      now: new Date(now),
    });
    await recordAudit(db, services.random, caller.organization_id, actorOf(call), {
      action: 'webhook.created',
      target: id,
      details: { host: url.hostname, event_types: body.event_types },
    });
    const record = await requireEndpoint(db, caller.organization_id, id);
    return { status: 201, body: { data: { ...present(record, now), secret } } };
  },
});

/** @throws ApiError invalid_value naming what is wrong with the address */
async function requireDestination(address: string, services: Pick<Services, 'config' | 'resolve'>): Promise<URL> {
  try {
    return await checkDestination(address, webhookAddresses(services.config), services.resolve, RESOLVE_LIMIT);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    throw new ApiError('invalid_value', {
      param: 'url',
      message: `\`url\` must be an https:// address on the default port whose name resolves to public addresses: ${error.message}.`,
    });
  }
}

export const deleteWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/webhooks/{webhook_id}/delete',
  operationId: 'deleteWebhook',
  area: 'Administration',
  summary: 'Delete a webhook endpoint',
  description: 'Nothing more is sent, and the endpoint is gone with its history. It cannot be brought back.',
  audience: 'admin',
  scope: null,
  price: PRICES.administration,
  pathParameters: [webhookIdParameter],
  parameters: [],
  bodySchema: { type: 'object', additionalProperties: false, properties: {} },
  response: single(object({ id: string, deleted: boolean })),
  errors: ['not_found'],
  handle: async (call) => {
    const { db, services, caller, path } = call;
    if (!(await deleteEndpoint(db, caller.organization_id, path.webhook_id)))
      throw new ApiError('not_found', { param: 'webhook_id' });
    await recordAudit(db, services.random, caller.organization_id, actorOf(call), {
      action: 'webhook.deleted',
      target: path.webhook_id,
    });
    return { body: { data: { id: path.webhook_id, deleted: true } } };
  },
});
