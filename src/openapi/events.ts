import {
  amount,
  boolean,
  component,
  integer,
  nullable,
  object,
  oneOf,
  string,
  timestamp,
} from '#domain/json-schema.ts';
import { LISTING_TYPES, PROPERTY_TYPES } from '#domain/listing-vocabulary.ts';
import { EVENT_TYPES, type EventType } from '#domain/listings/events.ts';

const EVENTS: Readonly<Record<EventType, { name: string; summary: string; description: string }>> = {
  'listing.created': {
    name: 'ListingCreatedEvent',
    summary: 'A listing was created',
    description: 'Sent when a listing that matches the filters is published.',
  },
  'listing.price_changed': {
    name: 'ListingPriceChangedEvent',
    summary: 'The price of a listing changed',
    description: 'Sent when the price of a listing that matches the filters changes.',
  },
  'listing.delisted': {
    name: 'ListingDelistedEvent',
    summary: 'A listing was delisted',
    description: 'Sent when a listing that matches the filters is withdrawn.',
  },
};

/** Bodies of deliveries by the type of their event, as `src/webhooks/payload.ts` writes them. */
export const EVENT_BODIES = EVENT_TYPES.map((type) => {
  const { name } = EVENTS[type];
  const data = object({
    listing_id: integer,
    city: string,
    listing_type: oneOf(LISTING_TYPES),
    property_type: oneOf(PROPERTY_TYPES),
    price_yearly_sar: nullable(amount),
    ...(type === 'listing.price_changed' && { previous_price_yearly_sar: nullable(amount) }),
    url: { ...string, description: 'Page of the listing on the site of the service.' },
  });
  const body = object({
    id: {
      ...string,
      description: 'Id of the event, equal for every attempt and replay.',
      examples: ['evt_9c210169782fef8df07a7426'],
    },
    type: { ...oneOf([type]), description: 'Type of the event.' },
    created: { ...timestamp, description: 'Time of the event.' },
    sequence: integer,
    test: { ...boolean, description: 'True in test events, otherwise absent.' },
    data: { ...data, description: 'The listing after the event.' },
  });
  return { type, schema: component(name, { ...body, required: body.required.filter((each) => each !== 'test') }) };
});

/** Without its body: an operation of OpenAPI that the service calls at the address of an endpoint. */
export function describeEvent(type: EventType) {
  const { name, summary, description } = EVENTS[type];
  return {
    operationId: `receive${name}`,
    tags: ['Administration'],
    summary,
    description,
    security: [],
    responses: { '2XX': { description: 'The event is accepted.' } },
  };
}
