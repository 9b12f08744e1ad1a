import fc from 'fast-check';
import { EVENT_TYPES } from '#domain/listings/events.ts';
import { eventId, eventOf } from '#ingest/events/event.ts';
import { test } from '#test/test.ts';

test('a new ad creates a created event, a removed ad a delisted event, and a new price a price_changed event', (t) => {
  t.is(eventOf({ wasPublished: false, published: true, priceChanged: false }), 'listing.created');
  t.is(eventOf({ wasPublished: false, published: true, priceChanged: true }), 'listing.created');
  t.is(eventOf({ wasPublished: true, published: false, priceChanged: true }), 'listing.delisted');
  t.is(eventOf({ wasPublished: true, published: true, priceChanged: true }), 'listing.price_changed');
  t.is(eventOf({ wasPublished: true, published: true, priceChanged: false }), null);
  t.is(eventOf({ wasPublished: false, published: false, priceChanged: true }), null);
});

test('an event id is evt_ with hexadecimal digits, equal for equal events only', (t) => {
  const event = fc.tuple(
    fc.constantFrom(...EVENT_TYPES),
    fc.integer({ min: 1, max: 2 ** 45 }),
    fc.integer({ min: 1, max: 2 ** 31 }),
  );
  t.notThrows(() =>
    fc.assert(
      fc.property(event, event, (a, b) => {
        const [left, right] = [eventId(...a), eventId(...b)];
        return /^evt_[0-9a-f]{24}$/.test(left) && (left === right) === (a.join() === b.join());
      }),
    ),
  );
});
