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
import { requireSending, reserveTimes, SENDING_BURST, SENDING_LIMITS } from '#src/accounts/sending-limits.ts';
import { changeOf, createdResponse, dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#src/http/pagination.ts';
import {
  DELIVERY_DAYS,
  type DeliveryRecord,
  findRecoverable,
  insertDeliveries,
  listDeliveries,
  readDelivery,
  replayDeliveries,
  STATUSES,
  takeSequence,
} from '#src/webhooks/deliveries.ts';
import { type EndpointRecord, EVENTS_PER_RUN } from '#src/webhooks/endpoints.ts';
import { eventBody } from '#src/webhooks/payload.ts';
import { idParameter, presentRow } from '../records.ts';
import { ADMINISTRATION, bodyOf, NO_OPTIONS } from './common.ts';
import { requireEndpoint, webhookIdParameter } from './webhooks.ts';

const LIMITS = `${SENDING_BURST} at once, by an organization and to a host`;

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
    body: string,
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

const receiverOf = ({ organization_id, url }: EndpointRecord) => ({
  organizationId: organization_id,
  host: new URL(url).hostname,
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
  description: `Returns the deliveries of a webhook endpoint, latest first, with the body that is sent, and the response of the receiver to each attempt: status, duration and the first 500 characters of the body. Deliveries are retained for ${DELIVERY_DAYS} days after completion.`,
  pathParameters: [webhookIdParameter],
  parameters: [
    {
      name: 'status',
      schema: { type: 'string', enum: STATUSES },
      description:
        'Delivery status: waiting for an attempt (`pending`), accepted (`delivered`), or failed after all attempts (`failed`).',
      example: 'delivered',
    },
    {
      name: 'event_type',
      schema: { type: 'string', enum: EVENT_TYPES },
      description: 'Event type of the deliveries.',
      example: 'listing.created',
    },
    {
      name: 'since',
      schema: { type: 'string', format: 'timestamp' },
      description: 'Start of the time range in which the deliveries were created, inclusive.',
      example: '2026-01-31T00:00:00Z',
    },
    {
      name: 'until',
      schema: { type: 'string', format: 'timestamp' },
      description: 'End of the time range, exclusive.',
      notBelow: 'since',
      example: '2030-01-01T00:00:00Z',
    },
    cursorParameter,
  ],
  response: pageSchema(DELIVERY),
  errors: ['not_found'],
  handle: async (call) => {
    const { services, caller, path } = call;
    const { cursor: _, ...filters } = call.query;
    const endpoint = await requireEndpoint(services.pool, caller.organization_id, path.webhook_id);
    const list = { name: 'webhook-deliveries', filters: { webhook_id: path.webhook_id, status: null, ...filters } };
    return {
      body: await pageOfRows(call, list, async (size, after) => {
        const records = await listDeliveries(services.pool, endpoint.number, filters, size, after?.[0] ?? null);
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
  description: `Resends a delivery with the same event id and body, with up to six new attempts. A delivery that waits for its next attempt is sent now; while an attempt is in flight, the response is 409 \`conflict\`. The delivery is sent even if the endpoint was disabled because of failures. At most ${SENDING_LIMITS.replay.host} deliveries can be replayed per hour, and ${LIMITS}.`,
  pathParameters: [webhookIdParameter, idParameter('delivery_id', 'Id of the delivery.', 'dlv_0f3a')],
  bodySchema: NO_OPTIONS,
  response: single(DELIVERY),
  errors: ['not_found', 'conflict', 'rate_limited'],
  handle: async (call) => {
    const { db, services, caller, path } = call;
    const endpoint = await requireEndpoint(db, caller.organization_id, path.webhook_id);
    requireReachable(endpoint);
    const now = new Date(services.clock.now());
    await requireSending(db, { kind: 'replay', ...receiverOf(endpoint), now });
    const replayed = await replayDeliveries(db, endpoint.number, [path.delivery_id], [now]);
    const record = await readDelivery(db, endpoint.number, path.delivery_id);
    if (!record) throw new ApiError('not_found', { param: 'delivery_id' });
    if (replayed === 0)
      throw new ApiError('conflict', {
        message: 'An attempt of the delivery is in flight. Replay the delivery when the attempt has ended.',
      });
    await recordAudit(changeOf(call), caller.organization_id, 'webhook.replayed', path.webhook_id, {
      delivery_id: path.delivery_id,
    });
    return dataResponse(present(record));
  },
});

const recoverWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/webhooks/{webhook_id}/recover',
  operationId: 'recoverWebhook',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Recover failed deliveries',
  description: `Resends the deliveries of an endpoint that were created at or after \`since\` and have failed or wait for another attempt, oldest first and at most ${EVENTS_PER_RUN} per call. They are sent like replays: ${SENDING_BURST} at once, the others at regular intervals within the hour, and each counts as one of the ${SENDING_LIMITS.replay.host} replays per hour of the organization and of the host. \`recovered\` is their number. If \`remaining\` is not 0, call again later. Deliveries that were recovered and have not failed again are not recovered twice.`,
  pathParameters: [webhookIdParameter],
  bodySchema: bodyOf({
    since: {
      type: 'string',
      format: 'timestamp',
      description:
        'Time from which deliveries were created, for example the start of an outage. Defaults to all retained deliveries.',
    },
  }),
  response: single(object({ id: string, recovered: integer, remaining: integer })),
  errors: ['not_found', 'conflict', 'rate_limited'],
  handle: async (call) => {
    const { db, services, caller, path, body } = call;
    const since = body?.since ?? null;
    const endpoint = await requireEndpoint(db, caller.organization_id, path.webhook_id);
    requireReachable(endpoint);
    const { ids, total } = await findRecoverable(db, endpoint.number, since, EVENTS_PER_RUN);
    let recovered = 0;
    if (total > 0) {
      const sending = { kind: 'replay', ...receiverOf(endpoint), now: new Date(services.clock.now()) } as const;
      const times = await reserveTimes(db, sending, ids.length);
      recovered = await replayDeliveries(db, endpoint.number, ids.slice(0, times.length), times);
      const details = { since, deliveries: recovered };
      await recordAudit(changeOf(call), caller.organization_id, 'webhook.recovered', path.webhook_id, details);
    }
    return dataResponse({ id: path.webhook_id, recovered, remaining: total - recovered });
  },
});

const testWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/webhooks/{webhook_id}/test',
  operationId: 'testWebhook',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Send a test event',
  description: `Sends an event with sample data and \`"test": true\`, signed and retried like any other event. The delivery is sent even if the endpoint was disabled because of failures. At most ${SENDING_LIMITS.test.host} test events can be sent per hour, and ${LIMITS}.`,
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
    await requireSending(db, { kind: 'test', ...receiverOf(endpoint), now: new Date(now) });
    const sequence = await takeSequence(db, endpoint.number);
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

export const deliveryEndpoints = [
  testWebhookEndpoint,
  listWebhookDeliveriesEndpoint,
  replayWebhookDeliveryEndpoint,
  recoverWebhookEndpoint,
];
