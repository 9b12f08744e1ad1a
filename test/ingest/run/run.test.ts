import { readBoundaries } from '#domain/geography/boundaries.ts';
import { FILLED, fillIndexes } from '#ingest/fill.ts';
import { IngestBusyError } from '#ingest/postgres/writer.ts';
import { readAllAliased } from '#search/indexes.ts';
import { openListingIndex } from '#search/listing-index/index.ts';
import { featureOf, fileOf, square } from '#test/boundaries.ts';
import { test } from '#test/test.ts';
import { ad, ads, startPipeline, testSource } from './pipeline.ts';

const DAY_1 = '2026-04-02T03:00:00Z';

let pipeline: Awaited<ReturnType<typeof startPipeline>>;
test.before(async () => {
  pipeline = await startPipeline('ingest-run');
});
test.after(() => pipeline.close());

// Only one ingest run can be active per installation, so these tests are serial and use separate sources.
let clock = Date.parse(DAY_1);
/** Returns run times for one test, all later than those of earlier tests. */
function days(count: number): string[] {
  return Array.from({ length: count }, () => {
    clock += 86_400_000;
    return new Date(clock).toISOString().replace('.000', '');
  });
}

test('an ad is ingested into the index, and an identical second run changes nothing', async (t) => {
  const [first = '', second = ''] = days(2);
  const source = testSource('plain');
  source.feed = ads(5, 'p');
  const report = await pipeline.run([source], first);
  t.deepEqual(report.events, { 'listing.created': 5 });
  const { id } = await pipeline.listing('plain', 'p3');
  const stored = await pipeline.document(id);
  t.like(stored, {
    display: {
      id,
      title: 'شقة للإيجار p3',
      listing_type: 'rent',
      listing_category: 'residential',
      property_type: 'apartment',
      location: { city: 'riyadh', city_name_en: 'Riyadh' },
      image_count: 1,
      first_seen_at: first,
      updated_at: '2026-04-01T08:00:00Z',
      also_listed_on: [],
    },
    private: { source: 'plain', source_listing_id: 'p3', last_seen: Date.parse(first) / 1000 },
  });
  const before = await pipeline.snapshot();
  const again = await pipeline.run([source], second);
  t.deepEqual(again.events, {});
  t.deepEqual(await pipeline.snapshot(), before);
  t.like(again.stages[0], { details: { unchanged: 5, new: 0, changed: 0, withdrawn: 0 } });
});

test('the ads of a company have the same random reference, which stays; those of an individual have none', async (t) => {
  const [one = '', two = ''] = days(2);
  const source = testSource('companies');
  const company = { advertiser_type: 'company', advertiser_key: '+966500000001' };
  source.feed = [
    ad('c1', company),
    ad('c2', company),
    ad('c3', { ...company, advertiser_key: '+966500000002' }),
    ad('c4', { advertiser_type: 'owner', advertiser_key: '+966500000003' }),
  ];
  await pipeline.run([source], one);
  const refs = async () => {
    const found = [];
    for (const id of ['c1', 'c2', 'c3', 'c4']) {
      const stored = await pipeline.document((await pipeline.listing('companies', id)).id);
      found.push(stored?.private.advertiser_ref);
    }
    return found;
  };
  const [first, second, third, owner] = await refs();
  t.regex(first ?? '', /^adv_[0-9a-f]{20}$/);
  t.is(second, first);
  t.not(third, first);
  t.is(owner, undefined);
  source.feed = [ad('c1', { ...company, price: 51_000 }), ...source.feed.slice(1)];
  await pipeline.run([source], two);
  t.deepEqual(await refs(), [first, second, third, owner]);
});

test('a price change creates an event and a history entry, and a first price announces the listing', async (t) => {
  const [one = '', two = '', three = '', four = ''] = days(4);
  const source = testSource('prices');
  const quiet = ads(6, 'quiet');
  const set = (moving: number | null, first: number | null) => {
    source.feed = [...quiet, ad('moving', { price: moving }), ad('first', { price: first })];
  };
  set(50_000, null);
  await pipeline.run([source], one);
  const moving = (await pipeline.listing('prices', 'moving')).id;
  const first = (await pipeline.listing('prices', 'first')).id;
  t.deepEqual(await pipeline.events(first), []);
  set(45_000, 60_000);
  const report = await pipeline.run([source], two);
  t.deepEqual(report.events, { 'listing.created': 1, 'listing.price_changed': 1 });
  t.like((await pipeline.document(moving))?.display.price, {
    yearly_sar: 45_000,
    previous_yearly_sar: 50_000,
    changed_at: two,
  });
  t.like((await pipeline.document(first))?.display.price, {
    yearly_sar: 60_000,
    previous_yearly_sar: null,
    changed_at: null,
  });
  set(45_000, 60_000);
  await pipeline.run([source], three);
  set(48_000, null);
  await pipeline.run([source], four);
  t.deepEqual(await pipeline.events(moving), ['listing.created', 'listing.price_changed', 'listing.price_changed']);
  t.deepEqual(await pipeline.events(first), ['listing.created']);
  const { rows } = await pipeline.pool.query(
    'select price_yearly_sar, previous_price_yearly_sar from listing_events where listing_id = $1 order by run_id',
    [moving],
  );
  t.deepEqual(rows, [
    { price_yearly_sar: 50_000, previous_price_yearly_sar: null },
    { price_yearly_sar: 45_000, previous_price_yearly_sar: 50_000 },
    { price_yearly_sar: 48_000, previous_price_yearly_sar: 45_000 },
  ]);
  const history = async (id: number) =>
    (
      await pipeline.pool.query('select price_yearly_sar as p from listing_prices where listing_id = $1 order by at', [
        id,
      ])
    ).rows.map(({ p }) => p);
  t.deepEqual(await history(moving), [50_000, 45_000, 48_000]);
  t.deepEqual(await history(first), [60_000, null]);
});

test('a removed ad is delisted, and a returning ad is created again under its id', async (t) => {
  const [one = '', two = '', three = ''] = days(3);
  const source = testSource('leaving');
  const staying = ads(6, 'stay');
  source.feed = [...staying, ad('gone')];
  await pipeline.run([source], one);
  const { id } = await pipeline.listing('leaving', 'gone');
  source.feed = staying;
  t.deepEqual((await pipeline.run([source], two)).events, { 'listing.delisted': 1 });
  t.is(await pipeline.document(id), null);
  source.feed = [...staying, ad('gone')];
  await pipeline.run([source], three);
  const back = await pipeline.listing('leaving', 'gone');
  t.is(back.id, id);
  t.is((back.first_seen_at as Date).getTime(), Date.parse(one));
  t.truthy(await pipeline.document(id));
  t.deepEqual(await pipeline.events(id), ['listing.created', 'listing.delisted', 'listing.created']);
});

test('homes without photos are never visible and create no events, and land without photos is visible and creates events', async (t) => {
  const [one = '', two = ''] = days(2);
  const source = testSource('hidden');
  const plot = ad('plot', { property_type: 'land', purpose: 'sale', bedrooms: null, price: 900_000, photos: [] });
  source.feed = [...ads(4, 'seen'), ad('bare', { photos: [] }), plot];
  t.deepEqual((await pipeline.run([source], one)).events, { 'listing.created': 5 });
  const bare = (await pipeline.listing('hidden', 'bare')).id;
  t.is(await pipeline.document(bare), null);
  t.truthy(await pipeline.document((await pipeline.listing('hidden', 'plot')).id));
  source.feed = [...ads(4, 'seen'), plot];
  t.deepEqual((await pipeline.run([source], two)).events, {});
  t.deepEqual(await pipeline.events(bare), []);
});

test('invalid rows are rejected with a reason and withdraw no ad', async (t) => {
  const [one = '', two = ''] = days(2);
  const source = testSource('bad_rows');
  source.feed = [
    ...ads(4, 'good'),
    ad('', {}),
    ad('what', { property_type: 'spaceship' }),
    ad('where', { city: 'Atlantis', lat: null, lng: null }),
    ad('how', { purpose: 'borrow' }),
    ad('much', { price: 'two camels' }),
    ad('good1', { price: 1 }),
    ad('nul\u0000', {}),
    { ok: false, reason: 'malformed_row', detail: 'a cut line', row: '{"id": "x\u0000' },
  ];
  const report = await pipeline.run([source], one);
  const { dropped, kept } = report.stages[0] ?? { dropped: {}, kept: 0 };
  t.like(dropped, {
    missing_id: 1,
    unknown_property_type: 1,
    unknown_city: 1,
    unknown_purpose: 1,
    duplicate_id: 1,
  });
  const total = Object.values(dropped).reduce((sum, count) => sum + count, 0);
  t.is(kept + total, source.feed.length);
  const { rows } = await pipeline.pool.query(
    `select reason, row from ingest_rejects where run_id = $1 and source = 'bad_rows'`,
    [report.run],
  );
  // The price is listed too, but does not reject its ad.
  t.is(rows.length, total + 1);
  t.like(
    rows.find(({ reason }) => reason === 'price_unreadable'),
    { row: 'two camels' },
  );
  t.is(report.stages[0]?.details.unread_price, 1);
  t.truthy(await pipeline.document((await pipeline.listing('bad_rows', 'much')).id));
  t.true(rows.some(({ reason, row }) => reason === 'unknown_purpose' && row.includes('borrow')));
  // A stored ad whose price becomes unreadable is an ad without a price: search leaves it out, and it is not delisted.
  source.feed = [...ads(3, 'good'), ad('good3', { price: 'two camels' })];
  const after = await pipeline.run([source], two);
  t.deepEqual(after.events, {});
  t.like(await pipeline.document((await pipeline.listing('bad_rows', 'good3')).id), {
    display: { price: { yearly_sar: null } },
  });
});

test('an incomplete feed delists nothing, and other sources continue', async (t) => {
  const [one = '', two = '', three = ''] = days(3);
  const [broken, whole] = [testSource('broken'), testSource('whole')];
  broken.feed = ads(6, 'b');
  whole.feed = ads(3, 'w');
  await pipeline.run([broken, whole], one);
  broken.feed = [...ads(1, 'b'), ad('b-new'), new Error('connection reset')];
  whole.feed = [...ads(3, 'w'), ad('w-new')];
  const report = await pipeline.run([broken, whole], two);
  t.deepEqual(report.failed, { broken: 'connection reset' });
  t.deepEqual(report.events, { 'listing.created': 2 });
  const seen = async (source: string) =>
    (await pipeline.pool.query('select last_seen_at from source_states where source = $1', [source])).rows[0];
  t.is((await seen('broken')).last_seen_at.getTime(), Date.parse(one));
  t.is((await seen('whole')).last_seen_at.getTime(), Date.parse(two));
  broken.feed = [...ads(6, 'b'), ad('b-new')];
  t.deepEqual((await pipeline.run([broken, whole], three)).failed, {});
});

test('a feed that shrinks by more than half is held until an operator releases it', async (t) => {
  const { releaseSource, heldSources } = await import('#ingest/run/held-sources.ts');
  const [one = '', two = '', three = '', four = '', five = ''] = days(5);
  const source = testSource('shrinking');
  source.feed = ads(10, 's');
  await pipeline.run([source], one);
  source.feed = ads(5, 's');
  t.deepEqual((await pipeline.run([source], two)).events, { 'listing.delisted': 5 }, 'half is not more than half');
  source.feed = [...ads(2, 's'), ad('s-new')];
  const held = await pipeline.run([source], three);
  t.regex(held.held.shrinking ?? '', /3 of 5/);
  t.deepEqual(held.events, { 'listing.created': 1 });
  t.like(await heldSources(pipeline.pool), [{ source: 'shrinking' }]);
  // Reading the same feed again does not release it.
  t.truthy((await pipeline.run([source], four)).held.shrinking);
  await releaseSource(pipeline.pool, 'shrinking');
  const released = await pipeline.run([source], five);
  t.deepEqual(released.held, {});
  t.deepEqual(released.events, { 'listing.delisted': 3 });
  t.deepEqual(await heldSources(pipeline.pool), []);
  await t.throwsAsync(releaseSource(pipeline.pool, 'shrinking'), { message: /not held/ });
});

test('without source update times, updated_at is the time of a confirmation, written once a day', async (t) => {
  const [one = '', two = ''] = days(2);
  const source = testSource('timeless');
  source.feed = ads(3, 't', { updated_at: null });
  await pipeline.run([source], one);
  const { id } = await pipeline.listing('timeless', 't1');
  t.is((await pipeline.document(id))?.display.updated_at, one);
  const soon = new Date(Date.parse(one) + 12 * 3_600_000).toISOString();
  await pipeline.run([source], soon);
  t.is((await pipeline.document(id))?.display.updated_at, one);
  const report = await pipeline.run([source], two);
  t.is((await pipeline.document(id))?.display.updated_at, two);
  t.deepEqual(report.events, {});
});

test('ads of one property are one listing with the names of the other sources', async (t) => {
  const [one = '', two = '', three = ''] = days(3);
  const [left, right] = [testSource('twin_a'), testSource('twin_b')];
  const home = { price: 61_000, area: 143, bedrooms: 3, floor: '2', age_years: 4, lat: 24.8123, lng: 46.6123 };
  left.feed = [...ads(4, 'l'), ad('same', home)];
  right.feed = [...ads(4, 'r')];
  await pipeline.run([left, right], one);
  const { id } = await pipeline.listing('twin_a', 'same');
  right.feed = [...ads(4, 'r'), ad('also', { ...home, lat: 24.8124 })];
  const joined = await pipeline.run([left, right], two);
  t.deepEqual(joined.events, {}, 'a duplicate creates no event');
  t.deepEqual((await pipeline.document(id))?.display.also_listed_on, ['twin_b']);
  const other = await pipeline.listing('twin_b', 'also');
  t.is(other.duplicate_of, id);
  // The oldest ad is removed; the property remains on offer under the id of the other ad.
  left.feed = ads(4, 'l');
  const left2 = await pipeline.run([left, right], three);
  t.deepEqual(left2.events, { 'listing.created': 1, 'listing.delisted': 1 });
  t.is(await pipeline.document(id), null);
  t.deepEqual((await pipeline.document(other.id))?.display.also_listed_on, []);
});

test('if two visible ads turn out to be one property, the older remains and the other is delisted', async (t) => {
  const [one = '', two = ''] = days(2);
  const [left, right] = [testSource('merge_a'), testSource('merge_b')];
  const home = { price: 72_000, area: 151, bedrooms: 3, floor: '3', age_years: 2, lat: 24.7511, lng: 46.7011 };
  left.feed = [...ads(3, 'l'), ad('m', home)];
  right.feed = [...ads(3, 'r'), ad('n', { ...home, area: 250 })];
  await pipeline.run([left, right], one);
  const [older, younger] = [await pipeline.listing('merge_a', 'm'), await pipeline.listing('merge_b', 'n')];
  t.deepEqual(await pipeline.events(younger.id), ['listing.created']);
  right.feed = [...ads(3, 'r'), ad('n', home)];
  await pipeline.run([left, right], two);
  t.deepEqual(await pipeline.events(older.id), ['listing.created']);
  t.deepEqual(await pipeline.events(younger.id), ['listing.created', 'listing.delisted']);
});

test('concurrent runs are refused', async (t) => {
  const [one = '', two = ''] = days(2);
  const source = testSource('busy');
  let entered = () => {};
  let leave = () => {};
  const inside = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    leave = resolve;
  });
  source.rows = async function* rows() {
    entered();
    await gate;
    yield ad('only');
  };
  const first = pipeline.run([source], one);
  await inside;
  await t.throwsAsync(pipeline.run([source], two, { lockWait: 0 }), { instanceOf: IngestBusyError });
  leave();
  t.deepEqual((await first).events, { 'listing.created': 1 });
});

test('a run first resumes an interrupted run at the time of that run', async (t) => {
  const [one = '', two = ''] = days(2);
  const source = testSource('stopped');
  source.feed = ads(3, 'x');
  const stop = new AbortController();
  await t.throwsAsync(
    pipeline.run([source], one, {
      signal: stop.signal,
      onProgress: ({ stage }) => {
        if (stage === 'fetch') stop.abort();
      },
    }),
  );
  const report = await pipeline.run([source], two);
  t.deepEqual(report.events, {});
  const { id } = await pipeline.listing('stopped', 'x1');
  t.is((await pipeline.document(id))?.display.first_seen_at, one);
  t.deepEqual(await pipeline.events(id), ['listing.created']);
});

test('a run of an earlier time is refused', async (t) => {
  days(1);
  await t.throwsAsync(pipeline.run([testSource('early')], '2026-03-01T00:00:00Z'), { message: /cannot follow/ });
});

const OLD = '2026-04-01T08:00:00Z';
const OLDER = '2026-03-15T08:00:00Z';

const updatedAt = async (source: string, id: string): Promise<string | undefined> =>
  (await pipeline.document((await pipeline.listing(source, id)).id))?.display.updated_at;

test('updated_at changes to the detection time only for changes and relistings without a source time', async (t) => {
  const [one = '', two = '', three = ''] = days(3);
  const source = testSource('edited');
  const left = ads(6, 'left');
  source.feed = [
    ...ads(12, 'same'),
    ...left,
    ...Array.from({ length: 6 }, (_, at) => ad(`cut${at}`, { price: 50_000 })),
    ...['dated', 'stale', 'bumped', 'backdated', 'retitled'].map((id) => ad(id, { price: 60_000 })),
  ];
  await pipeline.run([source], one);

  source.feed = [
    ...ads(12, 'same'),
    ...Array.from({ length: 6 }, (_, at) => ad(`cut${at}`, { price: 45_000, updated_at: OLDER })),
    ad('dated', { price: 55_000, updated_at: '2026-05-02T12:00:00Z' }),
    ad('stale', { price: 55_000 }),
    ad('bumped', { price: 60_000, updated_at: '2026-05-01T12:00:00Z' }),
    ad('backdated', { price: 60_000, updated_at: OLDER }),
    ad('retitled', { price: 60_000, title: 'شقة بعنوان آخر', updated_at: OLDER }),
    ad('added', { updated_at: OLDER }),
  ];
  await pipeline.run([source], two);
  for (let at = 0; at < 6; at++) t.is(await updatedAt('edited', `cut${at}`), two, 'a price cut with an older time');
  t.is(await updatedAt('edited', 'stale'), two, 'a price cut with an unchanged time');
  t.is(await updatedAt('edited', 'retitled'), two);
  t.is(await updatedAt('edited', 'dated'), '2026-05-02T12:00:00Z', 'a change with a time of the source');
  t.is(await updatedAt('edited', 'bumped'), '2026-05-01T12:00:00Z');
  t.is(await updatedAt('edited', 'backdated'), OLD, 'an earlier time without another change is no update');
  t.is(await updatedAt('edited', 'same1'), OLD);
  t.is(await updatedAt('edited', 'added'), OLDER);

  source.feed = [...source.feed, ...left.slice(0, 5), ad('left5', { price: 70_000, updated_at: OLDER })];
  await pipeline.run([source], three);
  for (let at = 0; at < 6; at++) t.is(await updatedAt('edited', `left${at}`), three, 'relisted');
  t.is(await updatedAt('edited', 'cut0'), two);
});

const MALQA = 1001;
const YASMIN = 1002;
const boundaries = readBoundaries(fileOf(featureOf({ neighborhood_id: MALQA }, square(24.825, 46.64, 0.002))));

test('a new file of boundaries moves ads that state no neighborhood, and removing it moves them back', async (t) => {
  const [one = '', two = '', three = ''] = days(3);
  const source = testSource('bounded');
  const inside = { lat: 24.825, lng: 46.64 };
  source.feed = [
    ...Array.from({ length: 5 }, (_, at) =>
      ad(`stated${at}`, { lat: 24.825 + (at + 1) / 1e5, lng: 46.64, neighborhood: 'الياسمين' }),
    ),
    ad('inside', { ...inside, neighborhood: null }),
    ad('outside', { lat: 24.828, lng: 46.64, neighborhood: null }),
  ];
  const neighborhoods = async (): Promise<unknown[]> => {
    const rows = await Promise.all(['inside', 'outside', 'stated0'].map((id) => pipeline.listing('bounded', id)));
    return rows.map(({ neighborhood_id: id }) => id);
  };
  await pipeline.run([source], one);
  t.deepEqual(await neighborhoods(), [YASMIN, YASMIN, YASMIN]);
  await pipeline.run([source], two, { boundaries });
  t.deepEqual(await neighborhoods(), [MALQA, YASMIN, YASMIN]);
  await pipeline.run([source], three);
  t.deepEqual(await neighborhoods(), [YASMIN, YASMIN, YASMIN]);
});

test('lost indexes are filled from Postgres without events', async (t) => {
  const before = await pipeline.snapshot();
  const { client } = pipeline;
  const counts = new Map([...(await readAllAliased(client))].map(([name, { documents }]) => [name, documents]));
  for (const name of FILLED) await client.send('DELETE', `/${client.aliases[name]}-*`);
  await t.throwsAsync(openListingIndex(client), { name: 'IndexMissingError' });
  const request = { pool: pipeline.pool, listingIndex: pipeline.index };
  t.deepEqual(await fillIndexes(FILLED, request), Object.fromEntries(FILLED.map((name) => [name, counts.get(name)])));
  const after = await pipeline.snapshot();
  t.deepEqual(after.events, before.events);
  t.deepEqual(
    after.documents.map(({ stored }) => stored.display),
    before.documents.map(({ stored }) => stored.display),
  );
});

test('a wanted ad is rejected, and withdrawn if it was stored as an offer', async (t) => {
  const [one = '', two = ''] = days(2);
  const source = testSource('wanting');
  source.feed = [...ads(5, 'w'), ad('turned', { title: 'شقة' })];
  await pipeline.run([source], one);
  source.feed = [
    ...ads(5, 'w'),
    ad('turned', { title: 'مطلوب شقة للايجار' }),
    ad('never', { title: 'Wanted: flat in Riyadh' }),
  ];
  const report = await pipeline.run([source], two);
  t.like(report.stages[0], { dropped: { wanted: 2 }, details: { withdrawn: 1 } });
  t.deepEqual(report.events, { 'listing.delisted': 1 });
});

test('an ad with a doubtful price is stored without it and counted', async (t) => {
  const [one = ''] = days(1);
  const source = testSource('doubted');
  source.feed = [
    ...ads(3, 'd'),
    ad('period', { price_period: 'حسب الاتفاق' }),
    ad('parts', { price: 40_000, price_period: 'دفعتين' }),
    ad('area', { purpose: 'sale', price: '3200 SAR/m2', area: null }),
  ];
  const report = await pipeline.run([source], one);
  t.like(report.stages[0], {
    kept: 6,
    details: { new: 6, unpriced_unknown_period: 1, unpriced_area_missing: 1 },
  });
  const price = async (id: string) =>
    (await pipeline.document((await pipeline.listing('doubted', id)).id))?.display.price;
  t.like(await price('period'), { yearly_sar: null, as_posted: null });
  t.like(await price('area'), { yearly_sar: null, as_posted: null });
  t.like(await price('parts'), { yearly_sar: 40_000, as_posted: { amount: 40_000, frequency: 'yearly' } });
});

test('a price in a pegged currency is converted, and as_posted names the currency', async (t) => {
  const [one = ''] = days(1);
  const source = testSource('pegged');
  source.feed = [...ads(3, 'p'), ad('usd', { price: '$20,000' }), ad('kwd', { price: '5,000 KWD' })];
  await pipeline.run([source], one);
  const price = async (id: string) =>
    (await pipeline.document((await pipeline.listing('pegged', id)).id))?.display.price;
  t.like(await price('usd'), {
    yearly_sar: 75_000,
    as_posted: { amount: 20_000, frequency: 'yearly', currency: 'USD' },
  });
  t.like(await price('kwd'), { yearly_sar: null, as_posted: null });
  t.is((await pipeline.listing('pegged', 'usd')).posted_amount, 75_000);
});

test('land posted at a price per square meter is priced by its area, even if only the market shows it', async (t) => {
  const [one = '', two = '', three = '', four = ''] = days(4);
  const source = testSource('plots');
  const land = {
    purpose: 'sale',
    property_type: 'أرض',
    bedrooms: null,
    bathrooms: null,
    city: 'Tabuk',
    lat: null,
    lng: null,
  };
  const market = Array.from({ length: 60 }, (_, index) => {
    const area = 100 + 37 * index;
    return ad(`l${index}`, { ...land, area, price: (2_000 + 20 * index) * area });
  });
  const set = (price: number, title: string) => {
    source.feed = [
      ...market,
      ad('told', { ...land, area: 400, price: '2500 ريال للمتر' }),
      ad('untold', { ...land, area: 360, price, title }),
    ];
  };
  const untold = async () => {
    const { id } = await pipeline.listing('plots', 'untold');
    const { rows } = await pipeline.pool.query(
      'select price_yearly_sar from listing_prices where listing_id = $1 order by at',
      [id],
    );
    const stored = await pipeline.document(id);
    return {
      ...stored?.display.price,
      plausible: stored?.private.plausible_typed,
      history: rows.map((row) => row.price_yearly_sar),
    };
  };

  set(3_000, 'أرض');
  const report = await pipeline.run([source], one);
  t.like(
    report.stages.find(({ stage }) => stage === 'quality'),
    { details: { prices_per_sqm: 1 } },
  );
  const told = await pipeline.document((await pipeline.listing('plots', 'told')).id);
  t.like(told?.display.price, { yearly_sar: 1_000_000, as_posted: { amount: 2_500, frequency: 'per_sqm' } });
  const first = {
    yearly_sar: 1_080_000,
    as_posted: { amount: 3_000, frequency: 'per_sqm' },
    previous_yearly_sar: null,
    changed_at: null,
    plausible: true,
    history: [1_080_000],
  };
  t.deepEqual(await untold(), first as never);

  t.deepEqual((await pipeline.run([source], two)).events, {});
  t.deepEqual(await untold(), first as never);

  // After its title changes, the ad is parsed and corrected again, without a price change.
  set(3_000, 'أرض سكنية');
  t.deepEqual((await pipeline.run([source], three)).events, {});
  t.deepEqual(await untold(), first as never);

  set(3_300, 'أرض سكنية');
  t.deepEqual((await pipeline.run([source], four)).events, { 'listing.price_changed': 1 });
  t.deepEqual(await untold(), {
    yearly_sar: 1_188_000,
    as_posted: { amount: 3_300, frequency: 'per_sqm' },
    previous_yearly_sar: 1_080_000,
    changed_at: four,
    plausible: true,
    history: [1_080_000, 1_188_000],
  } as never);
});

test('events are released later than those of the previous run, even if the clock went back', async (t) => {
  const [one = '', two = ''] = days(2);
  const source = testSource('released');
  source.feed = ads(1, 'released-');
  await pipeline.run([source], one);
  const ahead = `update ingest_runs set completed_at = now() + interval '1 hour' where at = $1 returning completed_at::text as time`;
  const { rows } = await pipeline.pool.query<{ time: string }>(ahead, [one]);
  t.teardown(() =>
    pipeline.pool.query('update ingest_runs set completed_at = now() where at = any ($1)', [[one, two]]),
  );
  await pipeline.run([source], two);
  const { rows: later } = await pipeline.pool.query<{ microseconds: number }>(
    `select extract(microseconds from completed_at - $2::timestamptz)::int as microseconds from ingest_runs where at = $1`,
    [two, rows[0]?.time],
  );
  t.deepEqual(later, [{ microseconds: 2 }]);
});
