import { randomBytes } from 'node:crypto';
import type { EventType } from '#domain/listings/events.ts';
import { readStoredListings } from '#ingest/indexing/documents.ts';
import { test } from '#test/test.ts';
import { insertEndpoint } from '#webhooks/endpoints.ts';
import { type Matched, matchEvents } from '#webhooks/match.ts';
import { ad, ads, startPipeline, testSource } from '../ingest/run/pipeline.ts';

let pipeline: Awaited<ReturnType<typeof startPipeline>>;
test.before(async () => {
  pipeline = await startPipeline('webhooks-feed');
  await pipeline.pool.query(`insert into organizations (public_id, name, plan) values ('org_feed', 'Feed', 'pro')`);
});
test.after(() => pipeline.close());

const subscribe = (id: string, eventTypes: readonly EventType[], filters: object = {}) =>
  insertEndpoint(pipeline.pool, {
    id,
    organizationId: 1,
    url: 'https://hooks.test/',
    host: 'hooks.test:443',
    eventTypes,
    filters: { city: ['riyadh'], ...filters },
    secret: Buffer.alloc(0),
    now: new Date(),
  });

const match = async (): Promise<Matched | null> =>
  matchEvents(
    {
      pool: pipeline.pool,
      opensearch: pipeline.client,
      readListings: (ids) => readStoredListings(pipeline.pool, ids),
      siteUrl: 'https://site.test',
      random: randomBytes,
      now: Date.now,
      logger: { error: () => {} },
    },
    AbortSignal.timeout(60_000),
  );

test('each webhook endpoint receives the events of feed changes that it subscribes to', async (t) => {
  const source = testSource('market');
  const quiet = ads(12, 'quiet');
  const read = (day: number, ...others: Parameters<typeof ad>[]) => {
    source.feed = [...quiet, ...others.map((each) => ad(...each))];
    return pipeline.run([source], `2026-04-0${day}T03:00:00Z`);
  };
  const EVERY = ['listing.created', 'listing.price_changed', 'listing.delisted'] as const;
  await read(1, ['dear', { price: 70_000 }], ['cheap', { price: 45_000 }], ['first', { price: null }]);
  await subscribe('every', EVERY);
  await subscribe('dear', EVERY, { price_min: 60_000 });
  await subscribe('gone', ['listing.delisted']);
  t.deepEqual(
    await match(),
    { events: 0, deliveries: 0 },
    'events released before the endpoint was created are not delivered',
  );

  // One listing is removed, one has a changed price, one gets a first price, one exists in a single run only, and one
  // has no photos at first.
  const here: Parameters<typeof ad>[] = [
    ['cheap', { price: 41_000 }],
    ['first', { price: 52_000 }],
  ];
  await read(2, ...here, ['brief', { price: 66_000 }], ['bare', { price: 67_000, photos: [] }]);
  // A listing that is in the feed only between two runs is never detected.
  source.feed = [...source.feed, ad('unseen', { price: 68_000 })];
  await read(3, ...here);
  t.is((await match())?.deliveries, 5 + 3 + 2);

  const eventsOf = async (endpoint: string) => {
    const { rows } = await pipeline.pool.query<{ type: string; ad: string; body: string; sequence: number }>(
      `select d.event_type as type, l.source_listing_id as ad, d.body, d.sequence from webhook_deliveries d
         join webhook_endpoints e on e.id = d.endpoint_id join listings l on l.id = d.listing_id
        where e.public_id = $1 order by d.sequence`,
      [endpoint],
    );
    return rows.map(({ type, ad: of, body }) => {
      const { data } = JSON.parse(body);
      return [type, of, data.price_yearly_sar, data.previous_price_yearly_sar];
    });
  };
  const first = (rows: unknown[][]) => rows.slice(0, -1).sort((a, b) => String(a).localeCompare(String(b)));
  const every = await eventsOf('every');
  // The events of a run are ordered by listing. The last event belongs to another run.
  t.deepEqual(first(every), [
    ['listing.created', 'brief', 66_000, undefined],
    ['listing.created', 'first', 52_000, undefined],
    ['listing.delisted', 'dear', 70_000, undefined],
    ['listing.price_changed', 'cheap', 41_000, 45_000],
  ]);
  t.deepEqual(every.at(-1), ['listing.delisted', 'brief', 66_000, undefined]);
  // Both listings have been removed by now, so they are matched in their last state.
  const expensive = await eventsOf('dear');
  t.deepEqual(first(expensive), [
    ['listing.created', 'brief', 66_000, undefined],
    ['listing.delisted', 'dear', 70_000, undefined],
  ]);
  t.deepEqual(expensive.at(-1), ['listing.delisted', 'brief', 66_000, undefined]);
  t.deepEqual(await eventsOf('gone'), [
    ['listing.delisted', 'dear', 70_000, undefined],
    ['listing.delisted', 'brief', 66_000, undefined],
  ]);
  t.deepEqual(await match(), { events: 0, deliveries: 0 });
});
