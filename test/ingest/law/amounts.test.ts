import test from 'ava';
import { ad, testSource } from '../run/pipeline.ts';
import { type Served, startServed } from './served.ts';

let served: Served;
test.before(async () => {
  served = await startServed('amounts');
  await served.app.addCity({ slug: 'riyadh' });
});
test.after.always(() => served?.close());

test.serial(
  'a price with halalas reaches search, history, webhooks and exports as an amount with two decimals',
  async (t) => {
    const { pipeline, app, key } = served;
    const source = testSource('halalas');
    const monthly = (price: string) => ad('rent', { price, price_period: 'monthly' });
    source.feed = [monthly('1234.55'), ad('other', { purpose: 'sale', price: '850000.126', price_period: null })];
    await pipeline.run([source], '2026-04-01T03:00:00Z');
    source.feed = [monthly('1200.45'), ...source.feed.slice(1)];
    await pipeline.run([source], '2026-04-02T03:00:00Z');
    const { id } = await pipeline.listing('halalas', 'rent');
    const { id: sale } = await pipeline.listing('halalas', 'other');

    const detail = (await app.request(`/v1/listings/${id}`, { key })).body.data;
    t.is(detail.price.yearly_sar, 14_405.4);
    t.is(detail.price.previous_yearly_sar, 14_814.6);
    t.is((await app.request(`/v1/listings/${sale}`, { key })).body.data.price.yearly_sar, 850_000.13);

    const history = await app.request(`/v1/listings/${id}/price-history`, { key });
    t.deepEqual(
      history.body.data.prices.map((row: Record<string, unknown>) => [
        row.price_yearly_sar,
        row.previous_price_yearly_sar,
      ]),
      [
        [14_814.6, null],
        [14_405.4, 14_814.6],
      ],
    );

    const delivered = await served.match();
    t.deepEqual(
      delivered.map(({ type, data }) => [type, (data as Record<string, unknown>).price_yearly_sar]),
      [
        ['listing.created', 14_814.6],
        ['listing.created', 850_000.13],
        ['listing.price_changed', 14_405.4],
      ],
    );
    const filters = { from: '2026-04-01T00:00:00Z', to: '2026-04-03T00:00:00Z', city: 'riyadh' };
    const changes = (await served.export('listing_changes', 'ndjson', filters)).trim().split('\n');
    t.deepEqual(
      changes.map((line) => JSON.parse(line).price_yearly_sar),
      [14_814.6, 850_000.13, 14_405.4],
    );
  },
);

test.serial('an event that cannot be matched is skipped, and later events are delivered', async (t) => {
  const { pipeline, skipped } = served;
  const source = testSource('unmatched');
  source.feed = Array.from({ length: 20 }, (_, index) => ad(`u${index}`));
  await pipeline.run([source], '2026-04-03T03:00:00Z');
  const { id } = await pipeline.listing('unmatched', 'u7');
  const event = await pipeline.pool.query<{ id: string }>('select id from listing_events where listing_id = $1', [id]);
  const record = await pipeline.pool.query<{ record: string }>('select record from listing_records where id = $1', [
    id,
  ]);
  await pipeline.pool.query(`update listing_records set record = '{"city": 1' where id = $1`, [id]);
  const delivered = await served.match();
  t.is(delivered.length, 19);
  t.deepEqual(skipped, [event.rows[0]?.id as string]);
  const { rows } = await pipeline.pool.query(
    'select listing_id, skipped_reason from listing_events where skipped_at is not null',
  );
  t.is(rows.length, 1);
  t.is(rows[0].listing_id, id);
  t.truthy(rows[0].skipped_reason);
  t.deepEqual(await served.match(), [], 'the offset has moved past the event');
  await pipeline.pool.query('update listing_records set record = $2 where id = $1', [id, record.rows[0]?.record]);
});

test.serial(
  'a price that is not a number is skipped, and no event is skipped because of an unavailable datastore',
  async (t) => {
    const { pipeline, skipped } = served;
    const source = testSource('not_a_number');
    source.feed = [ad('n1'), ad('n2')];
    await pipeline.run([source], '2026-04-04T03:00:00Z');
    await t.throwsAsync(
      served.match({
        readListings: async () => {
          throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
        },
      }),
    );
    t.is(skipped.length, 1);
    const { id } = await pipeline.listing('not_a_number', 'n1');
    await pipeline.pool.query(`update listing_events set price_yearly_sar = 'NaN' where listing_id = $1`, [id]);
    t.is((await served.match()).length, 1);
    t.is(skipped.length, 2);
    t.deepEqual(await served.match(), []);
  },
);
