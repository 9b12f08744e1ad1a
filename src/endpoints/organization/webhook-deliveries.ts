import {
  arrayOf,
  boolean,
  component,
  integer,
  nullable,
  object,
  oneOf,
  single,
  string,
  timestamp,
} from '#domain/json-schema.ts';
import { LISTING_TYPES, PROPERTY_TYPES } from '#domain/listing-vocabulary.ts';
import { EVENT_TYPES, type EventType } from '#domain/listings/events.ts';
import { recordAudit } from '#src/accounts/audit.ts';
import { newId } from '#src/accounts/ids.ts';
import { changeOf, createdResponse, dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#src/http/pagination.ts';
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
} from '#src/webhooks/deliveries.ts';
import type { EndpointRecord } from '#src/webhooks/endpoints.ts';
import { eventBody } from '#src/webhooks/payload.ts';
import { idParameter, presentRow } from '../records.ts';
import { ADMINISTRATION, bodyOf, NO_OPTIONS } from './common.ts';
import { requireEndpoint, webhookIdParameter } from './webhooks.ts';

/** Per endpoint, which protects receivers of third parties. */
const MAX_TESTS_PER_HOUR = 60;
const HOUR_MS = 3_600_000;

const DELIVERY = component(
  'WebhookDelivery',
  object({
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
  }),
);

const present = (record: DeliveryRecord) =>
  presentRow(DELIVERY, {
    ...record,
    next_attempt_at: record.status === 'pending' ? record.due_at : null,
    attempts_made: record.attempts,
    attempts: record.log,
  });

/** @throws ApiError `conflict` if nothing is sent to the endpoint */
function requireReachable({ status, disabled_reason: reason }: EndpointRecord): void {
  if (status === 'disabled' && reason === null)
    throw new ApiError('conflict', { message: 'The endpoint is paused. Enable it with `updateWebhook` first.' });
  if (reason === 'operator')
    throw new ApiError('conflict', { message: 'The endpoint is disabled. The operator of the service can enable it.' });
}

const listWebhookDeliveriesEndpoint = defineEndpoint({
  path: '/v1/organization/webhooks/{webhook_id}/deliveries',
  operationId: 'listWebhookDeliveries',
  ...ADMINISTRATION,
  summary: 'List deliveries of a webhook endpoint',
  description: `Returns the deliveries of a webhook endpoint, latest first, with the response of the receiver to each attempt: status, duration and the first 500 characters of the body. Deliveries are retained for ${DELIVERY_DAYS} days after completion.`,
  pathParameters: [webhookIdParameter],
  parameters: [
    {
      name: 'status',
      schema: { type: 'string', enum: STATUSES },
      description:
        'Delivery status: waiting for an attempt (`pending`), accepted (`delivered`), or failed after all attempts (`failed`).',
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
        return records.map((record) => ({ row: present(record), position: [record.sequence, 0] as const }));
      }),
    };
  },
});

const replayWebhookDeliveryEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
  operationId: 'replayWebhookDelivery',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Replay a delivery',
  description:
    'Resends a completed delivery with the same event id and body, with up to six new attempts. The delivery is sent even if the endpoint was disabled because of failures. Replaying a pending delivery returns 409 `conflict`.',
  pathParameters: [webhookIdParameter, idParameter('delivery_id', 'Id of the delivery.', 'dlv_0f3a')],
  bodySchema: NO_OPTIONS,
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
      throw new ApiError('conflict', {
        message: 'The delivery is pending. Replay it after it is delivered or has failed.',
      });
    await recordAudit(changeOf(call), caller.organization_id, 'webhook.replayed', path.webhook_id, {
      delivery_id: path.delivery_id,
    });
    return dataResponse(present(record));
  },
});

const testWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/webhooks/{webhook_id}/test',
  operationId: 'testWebhook',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Send a test event',
  description: `Sends an event with sample data and \`"test": true\`, signed and retried like any other event. The delivery is sent even if the endpoint was disabled because of failures. At most ${MAX_TESTS_PER_HOUR} test events can be sent per hour.`,
  pathParameters: [webhookIdParameter],
  bodySchema: bodyOf({
    event_type: {
      type: 'string',
      enum: EVENT_TYPES,
      description: 'Event type; defaults to the first event type of the endpoint.',
    },
    city: {
      type: 'string',
      minLength: 1,
      maxLength: 60,
      description: 'City of the sample listing; defaults to the first city of the filters.',
    },
    listing_type: {
      type: 'string',
      enum: LISTING_TYPES,
      description: 'Listing type of the sample; defaults to the first of the filters, otherwise `rent`.',
    },
    property_type: {
      type: 'string',
      enum: PROPERTY_TYPES,
      description: 'Property type of the sample; defaults to the first of the filters, otherwise `apartment`.',
    },
  }),
  successStatus: 201,
  response: single(DELIVERY),
  errors: ['not_found', 'conflict', 'rate_limited'],
  handle: async (call) => {
    const { db, services, caller, path, body } = call;
    const endpoint = await requireEndpoint(db, caller.organization_id, path.webhook_id);
    requireReachable(endpoint);
    const now = services.clock.now();
    // The row lock of the sequence serializes concurrent tests.
    const sequence = await takeSequence(db, endpoint.number);
    if ((await countTests(db, endpoint.number, new Date(now - HOUR_MS))) >= MAX_TESTS_PER_HOUR)
      throw new ApiError('rate_limited', {
        message: `At most ${MAX_TESTS_PER_HOUR} test events can be sent per endpoint and hour. Retry later.`,
        retryAfterS: 60,
      });
    const id = newId('dlv', services.random);
    const type: EventType = body?.event_type ?? endpoint.event_types[0] ?? 'listing.created';
    const filtered = (name: string): string | undefined =>
      (endpoint.filters[name] as readonly string[] | undefined)?.[0];
    const event = {
      id: newId('evt', services.random),
      type,
      at: new Date(now),
      listing_id: 0,
      city: body?.city ?? filtered('city') ?? '',
      listing_type: body?.listing_type ?? filtered('listing_type') ?? 'rent',
      property_type: body?.property_type ?? filtered('property_type') ?? 'apartment',
      price_yearly_sar: 48_000,
      previous_price_yearly_sar: 52_000,
    };
    const delivery = {
      endpoint: endpoint.number,
      id,
      sequence,
      eventId: event.id,
      eventType: type,
      listingId: null,
      body: eventBody(event, { siteUrl: services.config.siteUrl, sequence, test: true }),
    };
    await insertDeliveries(db, [delivery], { now: event.at, test: true });
    await recordAudit(changeOf(call), caller.organization_id, 'webhook.tested', path.webhook_id, { delivery_id: id });
    const record = await readDelivery(db, endpoint.number, id);
    if (!record) throw new Error('no delivery was created');
    return createdResponse(present(record));
  },
});

export const deliveryEndpoints = [testWebhookEndpoint, listWebhookDeliveriesEndpoint, replayWebhookDeliveryEndpoint];
