import { MODIFIED_STEP } from '#domain/listings/modified.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { readWatermark } from '#stores/opensearch/listing-index/listing-index.ts';
import { test } from '#test/test.ts';
import { ad, ads, pipelineOfFile, testSource } from './pipeline.ts';

const pipeline = pipelineOfFile('ingest-outcomes');

/** Times of the runs. The last one follows after half a day. */
const RUNS = ['2026-04-02T03:00:00Z', '2026-04-03T03:00:00Z', '2026-04-04T03:00:00Z', '2026-04-04T15:00:00Z'] as const;
const [ONE, TWO, THREE] = RUNS;
const OLD = '2026-04-01T08:00:00Z';
const OLDER = '2026-03-15T08:00:00Z';
const NEWER = '2026-04-02T12:00:00Z';

type Changes = Partial<RawListing>;

/** An ad in the feeds of the runs, and its outcomes. */
interface Case {
  /** Its values by run, or null if the feed does not list it; missing ones are those of the run before. */
  rows: readonly (Changes | null)[];
  events?: readonly string[];
  prices?: readonly (number | null)[];
  /** What its document contains after each run: null if there is none, `true` for any. */
  shown?: readonly (object | true | null)[];
  /** Runs that change `modified_at`. */
  modified?: readonly number[];
}

const [CREATED, CHANGED, DELISTED] = ['listing.created', 'listing.price_changed', 'listing.delisted'] as const;
const price = (yearly_sar: number | null, more: object = {}) => ({ display: { price: { yearly_sar, ...more } } });
const updated = (updated_at: string) => ({ display: { updated_at } });
const flagged = (quality: string, plausible = true, sar = 600_000) => ({
  display: { price: { yearly_sar: sar } },
  private: { quality: [quality], plausible_typed: plausible, plausible_pooled: plausible },
});
const sale: Changes = { purpose: 'sale', price_period: null, price: 600_000, area: 150, title: 'شقة للبيع' };
const land: Changes = { purpose: 'sale', property_type: 'أرض', bedrooms: null, city: 'Tabuk', lat: null, lng: null };
const company: Changes = { advertiser_type: 'company', advertiser_key: '+966500000001' };
const photos = (...names: string[]) => names.map((name) => `https://photos.example/${name}.jpg`);
const perSqm = (yearly_sar: number, amount: number, previous: number | null = null) => ({
  display: {
    price: {
      yearly_sar,
      previous_yearly_sar: previous,
      changed_at: previous === null ? null : RUNS[3],
      as_posted: { amount, frequency: 'per_sqm' },
    },
  },
  private: { plausible_typed: true },
});

const CASES: Readonly<Record<string, Case>> = {
  same: {
    rows: [{}],
    events: [CREATED],
    shown: [
      {
        display: { first_seen_at: ONE, updated_at: OLD, also_listed_on: [] },
        private: { source: 'outcomes', last_seen: Date.parse(ONE) / 1_000 },
      },
      updated(OLD),
    ],
    modified: [0],
  },
  moving: {
    rows: [{ price: 50_000 }, { price: 45_000 }, { price: 45_000 }, { price: 48_000 }],
    events: [CREATED, CHANGED, CHANGED],
    prices: [50_000, 45_000, 48_000],
    shown: [true, price(45_000, { previous_yearly_sar: 50_000, changed_at: TWO })],
    modified: [0, 1, 3],
  },
  'first price': {
    rows: [{ price: null }, { price: 60_000 }, { price: 60_000 }, { price: null }],
    events: [CREATED, 'listing.hidden'],
    prices: [60_000],
    shown: [true, price(60_000, { previous_yearly_sar: null, changed_at: null })],
  },
  returning: {
    rows: [{}, null, {}],
    events: [CREATED, DELISTED, CREATED],
    shown: [true, null, { display: { first_seen_at: ONE, updated_at: THREE }, private: { quality: ['relisted'] } }],
    modified: [0, 2],
  },
  'without photos': {
    rows: [{ photos: [] }, { photos: [], price: 45_000 }, null],
    events: [],
    shown: [null, null, null],
  },
  'price unreadable': { rows: [{ price: 'two camels' }], events: [], shown: [price(null)] },
  wanted: { rows: [{ title: 'Wanted: flat in Riyadh' }], events: [], shown: [null] },
  'plot without photos': { rows: [{ ...land, price: 900_000, photos: [] }], events: [CREATED], shown: [true] },
  'wanted later': {
    rows: [{ title: 'شقة' }, { title: 'مطلوب شقة للايجار' }],
    events: [CREATED, DELISTED],
    shown: [true, null],
  },
  sold: {
    rows: [{ status: 'متاح' }, { status: 'Reserved' }, { status: 'Sold' }],
    events: [CREATED, DELISTED],
    shown: [true, true, null],
  },
  'unknown period': { rows: [{ price_period: 'حسب الاتفاق' }], events: [], shown: [price(null, { as_posted: null })] },
  dollars: {
    rows: [{ price: '$20,000' }],
    prices: [75_000],
    shown: [price(75_000, { as_posted: { amount: 20_000, frequency: 'yearly', currency: 'USD' } })],
  },
  // Only the market shows that the price is per square meter. Another title causes no price change.
  'land per m² by the market': {
    rows: [3_000, 3_000, 3_000, 3_300].map((amount, run) => ({
      ...land,
      area: 360,
      price: amount,
      title: run < 2 ? 'أرض' : 'أرض سكنية',
    })),
    events: [CREATED, CHANGED],
    prices: [1_080_000, 1_188_000],
    shown: [perSqm(1_080_000, 3_000), true, perSqm(1_080_000, 3_000), perSqm(1_188_000, 3_300, 1_080_000)],
  },
  // Changes without a time of the source, or with an older one, are updates at the time of their run.
  'cut, older': {
    rows: [{ price: 50_000 }, { price: 45_000, updated_at: OLDER }],
    shown: [true, updated(TWO), updated(TWO)],
  },
  'cut, newer': { rows: [{ price: 60_000 }, { price: 55_000, updated_at: NEWER }], shown: [true, updated(NEWER)] },
  bumped: { rows: [{}, { updated_at: NEWER }], shown: [true, updated(NEWER)], modified: [0] },
  retitled: {
    rows: [{}, { title: 'شقة بعنوان آخر', updated_at: OLDER }],
    shown: [true, updated(TWO)],
    modified: [0, 1],
  },
  added: { rows: [null, { updated_at: OLDER }], shown: [null, updated(OLDER)] },
  // Written once a day.
  timeless: { rows: [{ updated_at: null }], shown: [ONE, TWO, THREE, THREE].map(updated), modified: [0] },
  'text differs no more': {
    rows: [
      { ...sale, description: 'السعر 850 ألف' },
      { ...sale, description: 'شقة واسعة' },
    ],
    events: [CREATED],
    shown: [flagged('text_price_differs'), price(600_000, { previous_yearly_sar: null })],
    modified: [0, 1],
  },
  'cut under a text': {
    rows: [68_500, 61_500].map((amount) => ({ price: amount, description: 'الإيجار السنوي 69,000' })),
    events: [CREATED, CHANGED],
    prices: [68_500, 61_500],
    shown: [true, flagged('text_price_differs', true, 61_500)],
  },
  part: {
    rows: [{ ...sale, description: 'الدفعة الأولى 600 الف والباقي أقساط' }],
    shown: [flagged('partial_price', false)],
  },
  start: { rows: [{ ...sale, description: 'الأسعار تبدأ من 600 الف' }], shown: [flagged('starting_price')] },
  'small area': {
    rows: [{ ...sale, price: 900_000, area: 15, description: 'المساحة 150 متر' }],
    shown: [{ display: { area_sqm: 150 }, private: { quality: ['area_from_text'] } }],
  },
  'photos shared': {
    rows: [{ photos: photos('a', 'b', 'left') }],
    shown: [{ private: { quality: ['shared_photos'] } }],
    modified: [0, 1],
  },
  'photos shared by another': {
    rows: [{ photos: photos('a', 'b', 'right'), bedrooms: 6, area: 400, price: 190_000 }, null],
    shown: [{ private: { quality: ['shared_photos'] } }],
  },
  'company 1': { rows: [company, { ...company, price: 51_000 }] },
  'company 1 again': { rows: [company] },
  'company 2': { rows: [{ ...company, advertiser_key: '+966500000002' }] },
  owner: { rows: [{ advertiser_type: 'owner', advertiser_key: '+966500000003' }] },
};

/** Rows that are rejected, and ads that do not change. */
const REJECTED: readonly FeedRow[] = [
  ad('', {}),
  ad('what', { property_type: 'spaceship' }),
  ad('what', { property_type: 'spaceship' }),
  ad('where', { city: 'Atlantis', lat: null, lng: null }),
  ad('how', { purpose: 'borrow' }),
  ad('quiet1', { price: 1 }),
  { ok: false, reason: 'malformed_row', detail: 'a cut line', row: '{"id": "x\u0000' },
];
const QUIET = [
  ...ads(60, 'quiet'),
  ...Array.from({ length: 60 }, (_, at) => 100 + 37 * at).map((area, at) =>
    ad(`plot${at}`, { ...land, area, price: (2_000 + 20 * at) * area }),
  ),
];

const source = testSource('outcomes');
const feedOf = (run: number): FeedRow[] => [
  ...QUIET,
  ...Object.entries(CASES).flatMap(([id, { rows }]) => {
    const changes = rows[Math.min(run, rows.length - 1)];
    return changes ? [ad(id, changes)] : [];
  }),
  ...REJECTED,
];

/** Returns rows of a query, as values by ad. */
async function byAd<Value>(columns: string): Promise<Map<string, Value>> {
  const { rows } = await pipeline.pool.query<{ ad: string; value: Value }>(
    `select l.source_listing_id as ad, ${columns} l.source = 'outcomes' group by 1`,
  );
  return new Map(rows.map((row) => [row.ad, row.value]));
}

test('ads have their outcomes: events, prices, documents, flags, and times of updates and modifications', async (t) => {
  let ref: string | undefined;
  const modified = new Map<string, number[]>();
  let before = new Map<string, number>();
  for (const [run, at] of RUNS.entries()) {
    source.feed = feedOf(run);
    const report = await pipeline.run([source], at);
    const [fetched] = report.stages;
    t.like(fetched?.dropped, { missing_id: 1, unknown_property_type: 2, unknown_city: 1, unknown_purpose: 1 });
    t.like(fetched?.dropped, { duplicate_id: 1, malformed_row: 1, wanted: run === 0 ? 1 : 2 });
    const dropped = Object.values(fetched?.dropped ?? {}).reduce((sum, count) => sum + count, 0);
    t.is((fetched?.kept ?? 0) + dropped, source.feed.length);
    if (run === 0) t.like(fetched?.details, { unpriced_unknown_period: 1, unread_price: 1 });
    const { documents } = await pipeline.snapshot();
    const shown = new Map(documents.map(({ stored }) => [stored.private.source_listing_id, stored]));
    for (const [id, { shown: expected }] of Object.entries(CASES)) {
      const state = expected?.[run];
      if (typeof state !== 'object') t.true(state === undefined || shown.has(id), `${id} in run ${run}`);
      else if (state === null) t.false(shown.has(id), `${id} in run ${run}`);
      else t.like(shown.get(id), state as never, `${id} in run ${run}`);
    }
    t.deepEqual(shown.get('quiet0')?.private.quality ?? [], []);
    const values = new Map([...shown].map(([id, stored]) => [id, stored.private.modified ?? Number.NaN]));
    for (const [id, value] of values)
      if (value !== before.get(id)) modified.set(id, [...(modified.get(id) ?? []), run]);
    before = values;
    const sorted = [...values.values()].sort((a, b) => a - b);
    for (const [index, value] of sorted.slice(1).entries()) t.true(value - (sorted[index] as number) >= MODIFIED_STEP);
    const watermark = (await readWatermark(pipeline.client, pipeline.index.alias)) ?? Number.NaN;
    t.true((sorted.at(-1) as number) <= watermark && watermark <= Date.now() * 1_000 + 1_000_000);
    const [first, same, second, owner] = ['company 1', 'company 1 again', 'company 2', 'owner'].map(
      (id) => shown.get(id)?.private.advertiser_ref,
    );
    t.regex(first ?? '', /^adv_[0-9a-f]{20}$/);
    t.deepEqual([same, owner], [first, undefined]);
    ref ??= first;
    t.is(first, ref);
    t.not(second, first);
  }
  const events = await byAd<string[]>(
    'array_agg(e.type order by e.run_id) as value from released_listing_events e join listings l on l.id = e.listing_id where',
  );
  const prices = await byAd<(number | null)[]>(
    'array_agg(p.price_yearly_sar order by p.at) as value from listing_prices p join listings l on l.id = p.listing_id where',
  );
  for (const [id, expected] of Object.entries(CASES)) {
    if (expected.events) t.deepEqual(events.get(id) ?? [], [...expected.events], id);
    if (expected.prices) t.deepEqual(prices.get(id), [...expected.prices], id);
    if (expected.modified) t.deepEqual(modified.get(id), [...expected.modified], id);
  }
  const { rows: changes } = await pipeline.pool.query(
    `select price_yearly_sar as price, previous_price_yearly_sar as previous from listing_events e
       join listings l on l.id = listing_id where source_listing_id = 'moving' order by run_id`,
  );
  t.deepEqual(changes, [
    { price: 50_000, previous: null },
    { price: 45_000, previous: 50_000 },
    { price: 48_000, previous: 45_000 },
  ]);
});

test('prices that a text makes implausible are not in the history of the market', async (t) => {
  const months = await byAd<(number | null)[]>(
    'array_agg(m.price) as value from listing_months m join listings l on l.id = m.listing_id where',
  );
  t.deepEqual([months.get('part'), months.get('start')], [undefined, [600_000]]);
});

test('a reject is one row with its reason, its row and a count', async (t) => {
  const { rows } = await pipeline.pool.query(
    `select row, count, run_id = (select max(id) from ingest_runs) as last, first_at < at as repeated
       from ingest_rejects where reason = 'unknown_property_type'`,
  );
  t.like(rows, [{ count: 2 * RUNS.length, last: true, repeated: true }]);
  t.regex(rows[0]?.row, /spaceship/);
});

test('an identical feed, or one that other readers read equally, changes nothing', async (t) => {
  const before = await pipeline.snapshot();
  const again = await pipeline.run([source], '2026-04-04T18:00:00Z');
  t.deepEqual(again.events, {});
  t.like(again.stages[0]?.details, { new: 0, changed: 0, withdrawn: 0 });
  const after = await pipeline.snapshot();
  t.deepEqual([after.documents, after.events, after.prices], [before.documents, before.events, before.prices]);
  await pipeline.pool.query(`update listings set content_hash = split_part(content_hash, '.', 1) || '.earlier'`);
  t.deepEqual((await pipeline.run([source], '2026-05-04T18:00:00Z')).events, {});
  const read = await pipeline.snapshot();
  t.deepEqual(read.prices, before.prices);
});
