import { recordAudit } from '#accounts/audit.ts';
import { newId } from '#accounts/ids.ts';
import { ApiError } from '#domain/errors.ts';
import {
  arrayOf,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  single,
  string,
  timestamp,
  visible,
} from '#domain/json-schema.ts';
import { EVENT_TYPES, type EventType } from '#domain/listings/events.ts';
import { isoSeconds } from '#domain/timestamps.ts';
import { actorOf, defineEndpoint } from '#http/endpoint.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#http/pagination.ts';
import { PRICES } from '#metering/prices.ts';
import {
  countTests,
  DELIVERY_DAYS,
  type DeliveryRecord,
  insertDeliveries,
  listDeliveries,
  readDelivery,
  replayDeliveries,
  STATUSES,
  takeSequence,
} from '#webhooks/deliveries.ts';
import type { EndpointRecord } from '#webhooks/endpoints.ts';
import { eventBody } from '#webhooks/payload.ts';
import { requireEndpoint, webhookIdParameter } from './webhooks.ts';

/** Tests of one endpoint in an hour: an address is somebody's whether or not they asked for it. */
const TESTS_AN_HOUR = 60;
const HOUR = 3_600_000;

const DELIVERY = object({
  id: string,
  sequence: integer,
  event_id: string,
  event_type: oneOf(EVENT_TYPES),
  listing_id: nullable(integer),
  test: boolean,
  status: oneOf(STATUSES),
  created_at: timestamp,
  next_attempt_at: nullable(timestamp),
  finished_at: nullable(timestamp),
  attempts_made: integer,
  attempts: arrayOf(
    object({
      number: integer,
      at: timestamp,
      status: nullable(integer),
      duration_ms: integer,
      error: nullable(string),
      reply: string,
    }),
  ),
});

function present(record: DeliveryRecord) {
  return {
    id: record.id,
    sequence: record.sequence,
    event_id: record.event_id,
    event_type: record.event_type,
    listing_id: record.listing_id,
    test: record.test,
    status: record.status,
    created_at: isoSeconds(record.created_at),
    next_attempt_at: record.status === 'pending' ? isoSeconds(record.due_at) : null,
    finished_at: isoSeconds(record.finished_at),
    attempts_made: record.attempts,
    attempts: record.log,
  };
}

/** @throws ApiError conflict for an endpoint that an operator has disabled: its owner cannot have anything sent there */
function requireReachable({ disabled_reason: reason }: EndpointRecord): void {
  if (reason === 'operator')
    throw new ApiError('conflict', { message: 'This endpoint is disabled. Its operator can enable it.' });
}

export const listWebhookDeliveriesEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organization/webhooks/{webhook_id}/deliveries',
  operationId: 'listWebhookDeliveries',
  area: 'Administration',
  summary: 'Deliveries of a webhook endpoint',
  description: `What was sent, the latest first, and what the receiver answered to each attempt: its status, how long it took and the first 500 characters of its reply. A delivery is kept for ${DELIVERY_DAYS} days once it has ended.`,
  audience: 'admin',
  scope: null,
  price: PRICES.administration,
  pathParameters: [webhookIdParameter],
  parameters: [
    {
      name: 'status',
      schema: { type: 'string', enum: STATUSES },
      description:
        'Only deliveries that wait for an attempt (`pending`), were accepted (`delivered`), or have used up their attempts (`failed`).',
      example: 'delivered',
    },
    cursorParameter,
  ],
  response: pageSchema(DELIVERY),
  errors: ['not_found'],
  handle: async (call) => {
    const { services, caller, path, query } = call;
    const endpoint = await requireEndpoint(services.pool, caller.organization_id, path.webhook_id);
    const status = query.status ?? null;
    const list = { name: 'webhook-deliveries', filters: { webhook_id: path.webhook_id, status } };
    return {
      body: await pageOfRows(call, list, async (size, after) => {
        const records = await listDeliveries(services.pool, endpoint.number, status, size, after?.[0] ?? null);
        return records.map((record) => ({ row: present(record), position: [record.sequence, 0] }));
      }),
    };
  },
});

export const replayWebhookDeliveryEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
  operationId: 'replayWebhookDelivery',
  area: 'Administration',
  summary: 'Replay a delivery',
  description:
    'Sends a delivery that has ended once more, with the same event id and body, and again up to six attempts. It is sent even where the endpoint was disabled for its failures. One that has not ended gives 409 `conflict`.',
  audience: 'admin',
  scope: null,
  price: PRICES.administration,
  pathParameters: [
    webhookIdParameter,
    {
      name: 'delivery_id',
      schema: visible(60),
      description: 'Id of the delivery.',
      required: true,
      example: 'dlv_0f3a',
    },
  ],
  parameters: [],
  bodySchema: { type: 'object', additionalProperties: false, properties: {} },
  response: single(DELIVERY),
  errors: ['not_found', 'conflict'],
  handle: async (call) => {
    const { db, services, caller, path } = call;
    const endpoint = await requireEndpoint(db, caller.organization_id, path.webhook_id);
    requireReachable(endpoint);
    const now = new Date(services.clock.now());
    const replayed = await replayDeliveries(db, endpoint.number, [path.delivery_id], now);
    const record = await readDelivery(db, endpoint.number, path.delivery_id);
    if (!record) throw new ApiError('not_found', { param: 'delivery_id' });
    if (replayed === 0)
      throw new ApiError('conflict', { message: 'This delivery has not ended: it is being sent already.' });
    await recordAudit(db, services.random, caller.organization_id, actorOf(call), {
      action: 'webhook.replayed',
      target: path.webhook_id,
      details: { delivery_id: path.delivery_id },
    });
    return { body: { data: present(record) } };
  },
});

export const testWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/webhooks/{webhook_id}/test',
  operationId: 'testWebhook',
  area: 'Administration',
  summary: 'Send a test event',
  description: `Sends an event with made-up contents and \`"test": true\` beside them, signed and retried like any other. It is sent even where the endpoint was disabled for its failures. At most ${TESTS_AN_HOUR} an hour.`,
  audience: 'admin',
  scope: null,
  price: PRICES.administration,
  pathParameters: [webhookIdParameter],
  parameters: [],
  bodySchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      event_type: {
        type: 'string',
        enum: EVENT_TYPES,
        description: "The type of the event; the first of the endpoint's own where it is left out.",
      },
    },
  },
  successStatus: 201,
  response: single(DELIVERY),
  errors: ['not_found', 'conflict', 'rate_limited'],
  handle: async (call) => {
    const { db, services, caller, path, body } = call;
    const endpoint = await requireEndpoint(db, caller.organization_id, path.webhook_id);
    requireReachable(endpoint);
    const now = services.clock.now();
    // Taken first: it makes those who test at the same time take turns.
    const sequence = await takeSequence(db, endpoint.number);
    if ((await countTests(db, endpoint.number, new Date(now - HOUR))) >= TESTS_AN_HOUR)
      throw new ApiError('rate_limited', {
        message: `An endpoint is sent at most ${TESTS_AN_HOUR} tests an hour.`,
        headers: { 'Retry-After': '60' },
      });
    const id = newId('dlv', services.random);
    const type: EventType = body?.event_type ?? endpoint.event_types[0] ?? 'listing.created';
    const city = endpoint.filters.city as readonly string[];
    const event = {
      id: newId('evt', services.random),
      type,
      at: new Date(now),
      listing_id: 0,
      city: city[0] ?? '',
      listing_type: 'rent',
      property_type: 'apartment',
      price_yearly_sar: 48_000,
      previous_price_yearly_sar: 52_000,
    };
    const eventText = eventBody(event, { siteUrl: services.config.siteUrl, sequence, test: true });
    await insertDeliveries(
      db,
      [
        {
          endpoint: endpoint.number,
          id,
          sequence,
          eventId: event.id,
          eventType: type,
          listingId: null,
          body: eventText,
        },
      ],
      { now: event.at, test: true },
    );
    await recordAudit(db, services.random, caller.organization_id, actorOf(call), {
      action: 'webhook.tested',
      target: path.webhook_id,
      details: { delivery_id: id },
    });
    const record = await readDelivery(db, endpoint.number, id);
    if (!record) throw new Error('no delivery was made');
    return { status: 201, body: { data: present(record) } };
  },
});
