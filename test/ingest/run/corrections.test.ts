import type { RawListing } from '#ingest/normalize/listing.ts';
import { test } from '#test/test.ts';
import { ad, ads, pipelineOfFile, testSource } from './pipeline.ts';

const pipeline = pipelineOfFile('ingest-corrections');

const SOURCE = 'corrected';
const source = testSource(SOURCE);
const DAYS = ['2026-04-02', '2026-04-03', '2026-05-04', '2026-05-05'].map((day) => `${day}T03:00:00Z`);

const state = (id: string) => pipeline.listing(SOURCE, id);
const eventsOf = async (id: string) => pipeline.events((await state(id)).id);
const served = async (id: string) => (await pipeline.document((await state(id)).id))?.display.price;
/** Returns the first column of a query for an ad. */
const valuesOf = async (id: string, text: string): Promise<unknown[]> =>
  (await pipeline.pool.query({ text, values: [(await state(id)).id], rowMode: 'array' })).rows.flat();
const historyOf = (id: string) =>
  valuesOf(id, 'select price_yearly_sar from listing_prices where listing_id = $1 order by at');
const monthsOf = (id: string) =>
  valuesOf(id, 'select price from listing_months where listing_id = $1 order by first_month');

test('a row that other readers read differently is a correction: no event, no previous price, corrected histories', async (t) => {
  const [one = '', two = '', three = '', four = ''] = DAYS;
  const sale = (id: string, price: number, changes: Partial<RawListing> = {}) =>
    ad(id, { purpose: 'sale', price_period: null, price, area: 150, ...changes });
  const feed = (factor: number) => [
    ...ads(30, 'plain'),
    sale('same', 600_000),
    sale('text', Math.round(600_000 * factor), { description: 'السعر 800 ألف' }),
    sale('unread', 800_000),
    ad('period', { price: Math.round(5_000 * factor), price_period: 'monthly' }),
  ];
  source.feed = feed(1);
  await pipeline.run([source], one);
  source.feed = feed(1.1);
  await pipeline.run([source], two);
  for (const id of ['text', 'period'])
    t.deepEqual(await eventsOf(id), ['listing.created', 'listing.price_changed'], id);
  t.deepEqual(await historyOf('period'), [60_000, 66_000]);

  // The state that earlier readers stored for the same rows.
  await pipeline.pool.query(`
    update listings set content_hash = split_part(content_hash, '.', 1) || '.earlier';
    update listings set price = 800000, previous_price = 780000 where source_listing_id = 'text';
    update listings set price = null, posted_amount = null, priced = false where source_listing_id = 'unread';
    update listings set price = price / 12, previous_price = 5000 where source_listing_id = 'period';
    update listing_prices p set price_yearly_sar = case l.source_listing_id
             when 'text' then case when p.at = '${one}' then 780000 else 800000 end
             else p.price_yearly_sar / 12 end,
           posted_amount = case l.source_listing_id when 'period' then p.posted_amount end
      from listings l where l.id = p.listing_id and l.source_listing_id in ('text', 'period');
    delete from listing_prices p using listings l where l.id = p.listing_id and l.source_listing_id = 'unread';
    update listing_months m set price = l.price, new_price = p.price_yearly_sar from listings l, listing_prices p
     where l.id = m.listing_id and p.listing_id = l.id and p.at = '${one}';
    update listing_records set record = replace(record, '"price_yearly_sar":', '"price_yearly_sar":1')`);
  const report = await pipeline.run([source], three);
  t.deepEqual([report.events, report.held], [{}, {}]);
  t.like(await served('text'), { yearly_sar: 660_000, previous_yearly_sar: null, changed_at: null });
  t.like(await served('unread'), { yearly_sar: 800_000, previous_yearly_sar: null });
  t.like(await served('period'), { yearly_sar: 66_000, previous_yearly_sar: 60_000, changed_at: two });
  t.deepEqual(await historyOf('text'), [780_000, 660_000]);
  t.deepEqual(await historyOf('unread'), [800_000]);
  t.deepEqual(await historyOf('period'), [60_000, 66_000]);
  t.deepEqual(await monthsOf('period'), [66_000]);
  t.deepEqual(await monthsOf('text'), [660_000]);
  t.deepEqual((await state('text')).updated_at, new Date(two));

  // Another day, with the same readers: changes are changes again.
  source.feed = feed(1);
  t.deepEqual((await pipeline.run([source], four)).events, { 'listing.price_changed': 2 });
  t.like(await served('text'), { yearly_sar: 600_000, previous_yearly_sar: 660_000, changed_at: four });
});

test('prices that an earlier release recorded are judged once: gaps and implausible prices go, with the changes that they caused', async (t) => {
  const [, , three] = DAYS;
  const recorded = { plain0: [1, 100, 1], plain1: [1.25, null, 1] };
  for (const [id, factors] of Object.entries(recorded)) {
    await pipeline.pool.query('delete from listing_prices where listing_id = $1', [(await state(id)).id]);
    await pipeline.pool.query(
      `insert into listing_prices (listing_id, at, price_yearly_sar)
       select id, at, price * factor from listings, unnest($2::timestamptz[], $3::float8[]) as recorded (at, factor)
        where source_listing_id = $1`,
      [id, DAYS.slice(0, 3), factors],
    );
  }
  await pipeline.pool.query(
    `update listings set previous_price = price * 100, price_changed_at = '${three}' where source_listing_id = 'plain0'`,
  );
  const report = await pipeline.run([source], '2026-05-06T03:00:00Z');
  t.deepEqual(report.events, {});
  const [paused, mistyped] = [Number((await state('plain1')).price), Number((await state('plain0')).price)];
  t.deepEqual(await historyOf('plain0'), [mistyped]);
  t.deepEqual(await historyOf('plain1'), [paused * 1.25, paused]);
  t.like(await served('plain0'), { yearly_sar: mistyped, previous_yearly_sar: null, changed_at: null });
  t.like(await served('plain1'), { yearly_sar: paused, previous_yearly_sar: paused * 1.25, changed_at: three });
  const unjudged = 'select 1 from listing_prices where run_id is null';
  t.is((await pipeline.pool.query(unjudged)).rowCount, 0);
});
