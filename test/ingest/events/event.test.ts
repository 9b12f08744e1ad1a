import { eventOf, newEventId } from '#ingest/events/event.ts';
import { test } from '#test/test.ts';

test('a new ad creates a created event, a removed ad a delisted event, and a new price a price_changed event', (t) => {
  t.is(eventOf({ wasPublished: false, published: true, priceChanged: false }), 'listing.created');
  t.is(eventOf({ wasPublished: false, published: true, priceChanged: true }), 'listing.created');
  t.is(eventOf({ wasPublished: true, published: false, priceChanged: true }), 'listing.delisted');
  t.is(eventOf({ wasPublished: true, published: true, priceChanged: true }), 'listing.price_changed');
  t.is(eventOf({ wasPublished: true, published: true, priceChanged: false }), null);
  t.is(eventOf({ wasPublished: false, published: false, priceChanged: true }), null);
});

test('event ids are evt_ with 24 hexadecimal digits, and random', (t) => {
  const ids = Array.from({ length: 100 }, newEventId);
  t.true(ids.every((id) => /^evt_[0-9a-f]{24}$/.test(id)));
  t.is(new Set(ids).size, ids.length);
});
