import { test } from '#test/test.ts';
import { type Receiver, startReceiver, startWebhookApp, type WebhookApp } from './app.ts';

let receiver: Receiver;
let url: string;
let app: WebhookApp;
test.before(async () => {
  receiver = await startReceiver();
  url = receiver.url;
  app = await startWebhookApp('webhooks_match', { privateHosts: [receiver.host] });
  await receiver.close();
});
test.after(() => app.close());

/** Returns the events queued for an endpoint, oldest first, with type, listing and previous price. */
const queuedFor = async (id: string) => {
  const { rows } = await app.services.pool.query<{ sequence: number; body: string }>(
    `select d.sequence, d.body from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
      where e.public_id = $1 order by d.sequence`,
    [id],
  );
  return rows.map(({ sequence, body }, index) => {
    const event = JSON.parse(body);
    if (sequence !== index + 1 || event.sequence !== sequence) throw new Error(`sequence ${sequence} at ${index}`);
    return event;
  });
};

test('a webhook endpoint receives events of its types that match its filters and were released after its creation', async (t) => {
  const before = app.listing();
  await app.run([{ listing: before }]);
  const all = await app.subscribe(url);
  const expensive = await app.subscribe(url, {
    filters: { city: app.city, price_min: 50_000, property_type: 'apartment' },
  });
  const gone = await app.subscribe(url, { event_types: ['listing.delisted'] });
  t.deepEqual(await app.match(), { events: 0, deliveries: 0 });

  const [cheap, costly, implausible, elsewhere] = [
    app.listing({ price: { yearly_sar: 30_000 } }),
    app.listing({ price: { yearly_sar: 60_000 } }),
    app.listing({}, { plausible_pooled: false }),
    app.listing({ location: { city: 'riyadh' } }),
  ];
  const [id] = await app.run([cheap, costly, implausible, elsewhere].map((listing) => ({ listing })));
  t.is((await app.match()).deliveries, 3);
  t.deepEqual(await app.match(), { events: 0, deliveries: 0 }, 'once');
  const [first, second, ...rest] = await queuedFor(all.id);
  t.deepEqual(rest, []);
  t.deepEqual(first, {
    id,
    type: 'listing.created',
    created: first.created,
    sequence: 1,
    data: {
      listing_id: cheap.display.id,
      city: app.city,
      listing_type: 'rent',
      property_type: 'apartment',
      price_yearly_sar: 30_000,
      url: `${app.services.config.siteUrl}/listings/${cheap.display.id}`,
    },
  });
  t.is(second.data.listing_id, costly.display.id);
  t.deepEqual(
    (await queuedFor(expensive.id)).map(({ data }) => data.listing_id),
    [costly.display.id],
  );

  // The listing is matched in its current state. The price is now below the endpoint's limit, but no event reports
  // that change.
  costly.display.price.yearly_sar = 40_000;
  await app.run([{ listing: costly, type: 'listing.price_changed', previous: 60_000 }]);
  await app.run([{ listing: costly, type: 'listing.delisted' }]);
  const setLatest = (status: string) =>
    app.services.pool.query('update ingest_runs set status = $1 where id = (select max(id) from ingest_runs)', [
      status,
    ]);
  await setLatest('running');
  t.is((await app.match()).deliveries, 1, 'events of an active run are not delivered');
  await setLatest('completed');
  t.is((await app.match()).deliveries, 2);
  t.deepEqual(
    (await queuedFor(all.id)).slice(2).map(({ type, data }) => [type, data.previous_price_yearly_sar]),
    [
      ['listing.price_changed', 60_000],
      ['listing.delisted', undefined],
    ],
  );
  t.is((await queuedFor(expensive.id)).length, 1);
  t.deepEqual(
    (await queuedFor(gone.id)).map(({ type }) => type),
    ['listing.delisted'],
  );
});

test('an endpoint receives at most 500 events per ingest run, and the remaining events in order after later runs', async (t) => {
  const { id } = await app.subscribe(url);
  const small = await app.subscribe(url, { filters: { city: app.city, beds_min: 9 } });
  const behind = async () => {
    const found = (await app.owner.all('/webhooks')).find((each) => each.id === id);
    return [found.last_sequence, found.lag.behind];
  };
  const listings = Array.from({ length: 1_150 }, (_, index) => app.listing({ bedrooms: index % 100 === 0 ? 9 : 2 }));
  const ids = await app.run(listings.map((listing) => ({ listing })));
  await app.match();
  t.deepEqual(await behind(), [500, true]);
  t.is((await queuedFor(small.id)).length, 12, 'other endpoints do not wait');
  await app.match();
  t.deepEqual(await behind(), [500, true], 'the same run');
  const [late] = await app.run([{ listing: app.listing() }]);
  await app.match();
  t.deepEqual(await behind(), [1_000, true]);
  // Meanwhile, a newer endpoint has reached the end of the event log.
  const newer = await app.subscribe(url);
  const [last] = await app.run([{ listing: app.listing() }]);
  await app.match();
  t.deepEqual(await behind(), [1_152, false]);
  t.deepEqual(
    (await queuedFor(id)).map((event) => event.id),
    [...ids, late, last],
  );
  t.deepEqual(
    (await queuedFor(newer.id)).map((event) => event.id),
    [last],
  );
});

test('changed filters apply to later events, with and without words, and a paused endpoint receives its events later', async (t) => {
  const wanted = { city: app.city, q: 'مسبح' };
  const { id } = await app.subscribe(url, { filters: wanted });
  const pool = () => app.listing({ description: 'فيلا مع مسبح' });
  const titled = async () => (await queuedFor(id)).map(({ data }) => data.listing_id);
  const [first, second, third, fourth] = [pool(), app.listing(), pool(), app.listing()];
  await app.run([{ listing: first }, { listing: second }]);
  await app.match();
  t.deepEqual(await titled(), [first.display.id]);
  const change = (body: object) => app.owner.post(`/webhooks/${id}`, body);
  t.is((await change({ filters: { city: app.city, price_min: 1 } })).status, 200);
  await app.run([{ listing: third }]);
  await app.match();
  t.deepEqual(await titled(), [first.display.id, third.display.id]);
  t.is((await change({ filters: { city: app.city, price_min: 900_000 } })).status, 200);
  await app.run([{ listing: pool() }]);
  await app.match();
  t.is((await titled()).length, 2);
  t.is((await change({ filters: wanted, status: 'disabled' })).status, 200);
  const deleted = await app.subscribe(url);
  await app.owner.post(`/webhooks/${deleted.id}/delete`);
  const fifth = pool();
  await app.run([{ listing: fourth }, { listing: fifth }]);
  await app.match();
  t.is((await titled()).length, 2);
  t.is((await change({ status: 'enabled' })).status, 200);
  await app.match();
  t.deepEqual(await titled(), [first.display.id, third.display.id, fifth.display.id]);
  t.deepEqual(await queuedFor(deleted.id), []);
});
