import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { JOBS } from '#app/workers/housekeeping/jobs.ts';
import { fillIndexes } from '#ingest/fill.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { takeDown } from '#ingest/run/takedowns.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import type { TestResponse } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { type OffPlanGround, offPlanGround } from '../../../ingest/off-plan/ground.ts';
import { ad, testSource } from '../../../ingest/run/pipeline.ts';
import { sendRaw } from '../../http/raw.ts';

let ground: OffPlanGround;
let key: string;
let free: string;
const source = testSource('changes');
const other = testSource('copies');
let clock = Math.floor(Date.now() / 1000) * 1000 - 20 * 86_400_000;
const rows = new Map<string, FeedRow>();
const TWIN = { area: 143, floor: '2', age_years: 4, lat: 24.91, lng: 46.91, bedrooms: 2, price: 61_000 };

const put = (id: string, changes: Partial<RawListing> = {}) => rows.set(id, ad(id, changes));
async function ingest(): Promise<void> {
  source.feed = [...rows.values()];
  clock += 43_200_000;
  await ground.pipeline.pool.query('update source_states set released = true');
  await ground.pipeline.run([source, other], new Date(clock).toISOString());
  await ground.app.services.indexGuard.refresh();
}
const idOf = async (id: string): Promise<number> => (await ground.pipeline.listing('changes', id)).id;
const get = (path: string, by = key) => ground.app.request(path, { key: by });
const changes = async (query: string, by = key) => get(`/v1/listings/changes?${query}`, by);
const now = async (): Promise<{ next: number; stream: string }> => (await changes('after=now')).body.pagination;

test.before(async () => {
  ground = await offPlanGround('changes', ['riyadh', 'jeddah']);
  const { services } = ground.app;
  key = (await createOrganization(services, { plan: 'pro' })).key;
  free = (await createOrganization(services, { plan: 'free' })).key;
  for (let n = 0; n < 30; n++) put(`n${n}`);
  for (const name of [
    'gone',
    'sold',
    'rented',
    'archived',
    'priceless',
    'implausible',
    'photoless',
    'moved',
    'repriced',
    'noticed',
  ])
    put(name);
  put('twin', TWIN);
  put('twin2', { ...TWIN, floor: '7', area: 188, bedrooms: 4, lat: 24.95 });
  await ingest();
});
test.after(() => ground?.close());

const REASONS: Readonly<Record<string, readonly [type: string, reason: string]>> = {
  gone: ['delisted', 'removed_at_source'],
  sold: ['delisted', 'sold'],
  rented: ['delisted', 'rented'],
  archived: ['delisted', 'withdrawn'],
  twin2: ['delisted', 'merged'],
  noticed: ['delisted', 'takedown'],
  priceless: ['hidden', 'no_price'],
  implausible: ['hidden', 'implausible'],
  photoless: ['hidden', 'without_photos'],
};

test('each way in which search stops returning a listing has its row, and its reason by id', async (t) => {
  const { next } = await now();
  const noticed = await idOf('noticed');
  rows.delete('gone');
  put('sold', { status: 'Sold' });
  put('rented', { status: 'مؤجرة' });
  put('archived', { status: 'archived' });
  put('priceless', { price: undefined });
  put('implausible', { price: 300 });
  put('photoless', { photos: [] });
  put('repriced', { price: 47_300 });
  put('moved', { city: 'Jeddah', lat: 21.6, lng: 39.15 });
  put('twin2', TWIN);
  await takeDown(ground.pipeline.pool, noticed);
  await ingest();
  const { body, headers } = await changes(`after=${next}&limit=50`);
  const byId = new Map(body.data.map((row: { listing_id: number }) => [row.listing_id, row]));
  t.is(headers.get('x-request-units'), String(Math.ceil(body.data.length / 10)));
  const batch = await get(`/v1/listings/batch?ids=${(await Promise.all(Object.keys(REASONS).map(idOf))).join(',')}`);
  for (const [name, [type, reason]] of Object.entries(REASONS)) {
    const id = await idOf(name);
    const merged = reason === 'merged' ? await idOf('twin') : null;
    const row = byId.get(id) as Record<string, unknown> | undefined;
    t.like(row, { type, reason, listing: null, merged_into: merged, previous_price_yearly_sar: null }, name);
    const { status, body: detail } = await get(`/v1/listings/${id}`);
    const served = reason === 'no_price' || reason === 'implausible';
    t.is(status, served ? 200 : 404, name);
    const state = type === 'hidden' ? 'hidden' : 'gone';
    const since = new Date(clock).toISOString().replace('.000', '');
    if (!served) t.deepEqual(detail.error.details, { state, reason, since, merged_into: merged }, name);
    const gone = batch.body.gone.find((each: { id: number }) => each.id === id);
    t.deepEqual(gone, served ? undefined : { id, state, reason, since, merged_into: merged }, name);
    t.is(batch.body.missing_ids.includes(id), !served);
    const history = await get(`/v1/listings/${id}/price-history`);
    t.is(history.status, reason === 'takedown' ? 404 : 200, name);
  }
  t.like(byId.get(await idOf('repriced')), {
    type: 'price_changed',
    reason: null,
    listing: { price: { yearly_sar: 47_300 } },
  });
  t.true((byId.get(await idOf('repriced')) as { previous_price_yearly_sar: number }).previous_price_yearly_sar > 0);
  const never = await get('/v1/listings/999999999');
  t.is(never.status, 404);
  t.false('details' in never.body.error);

  const moved = await idOf('moved');
  const rowIn = async (city: string) =>
    (await changes(`after=${next}&city=${city}&limit=50`)).body.data.find(
      (row: { listing_id: number }) => row.listing_id === moved,
    );
  t.like(await rowIn('riyadh'), { type: 'updated', reason: 'left_filter', listing: null });
  t.like(await rowIn('jeddah'), { type: 'updated', reason: null, listing: { location: { city: 'jeddah' } } });
});

test('a hidden listing that is withdrawn has a second row, and a return ends the state', async (t) => {
  const { next } = await now();
  rows.delete('photoless');
  put('sold');
  put('gone');
  await ingest();
  const { data } = (await changes(`after=${next}`)).body;
  const typeOf = async (name: string) => {
    const id = await idOf(name);
    return data.find((row: { listing_id: number }) => row.listing_id === id)?.type;
  };
  t.deepEqual(
    [await typeOf('photoless'), await typeOf('sold'), await typeOf('gone')],
    ['delisted', 'created', 'created'],
  );
  t.like((await get(`/v1/listings/${await idOf('photoless')}`)).body.error.details, {
    state: 'gone',
    reason: 'removed_at_source',
  });
  t.is((await get(`/v1/listings/${await idOf('sold')}`)).status, 200);
});

test('a takedown leaves its reason, and feeds do not list the ad again', async (t) => {
  const { pool } = ground.pipeline;
  const id = await idOf('noticed');
  put('noticed', { description: 'a new text', price: 52_000 });
  await ingest();
  t.like((await get(`/v1/listings/${id}`)).body.error.details, {
    state: 'gone',
    reason: 'takedown',
    merged_into: null,
  });
  const { rows: events } = await pool.query(
    'select type, reason, price_yearly_sar from listing_events where listing_id = $1',
    [id],
  );
  t.deepEqual(events, [{ type: 'listing.delisted', reason: 'takedown', price_yearly_sar: null }]);
  const { rows: prices } = await pool.query('select from listing_prices where listing_id = $1', [id]);
  t.is(prices.length, 0);
  // A listing that was gone before has its last row again: copies may not have read it.
  const { next } = await now();
  const gone = await idOf('photoless');
  await pool.query('insert into takedowns (listing_id) values ($1)', [gone]);
  await ingest();
  const { data } = (await changes(`after=${next}`)).body;
  t.is(data.length, 1);
  t.like(data[0], { listing_id: gone, type: 'delisted', reason: 'takedown', listing: null });
});

test('a fill that changes documents states their number before it is served, and their rows cost nothing', async (t) => {
  const { pool, index } = ground.pipeline;
  const { next } = await now();
  const ids = (await Promise.all(['n1', 'n2', 'n3'].map(idOf))).sort();
  // As if an earlier release had published other documents.
  await pool.query('update listing_publications set content = content + 1 where listing_id = any ($1)', [ids]);
  const before = await ground.pipeline.client.indices.getAlias({ name: index.alias });
  const stated: [number, unknown][] = [];
  const onReindexed = async (rows: number) => {
    stated.push([rows, (await ground.pipeline.client.indices.getAlias({ name: index.alias })).body]);
  };
  await fillIndexes(['listings'], { pool, listingIndex: index, onReindexed });
  t.deepEqual(stated, [[ids.length, before.body]]);
  await ground.app.services.indexGuard.refresh();
  const { body, headers } = await changes(`after=${next}`);
  t.is(headers.get('x-request-units'), '0');
  t.deepEqual(body.data.map(({ listing_id }: { listing_id: number }) => listing_id).sort(), ids);
  for (const row of body.data) t.like(row, { type: 'updated', reindexed: true, reason: null });
  // A later change of the listing is an ordinary row.
  put('n1', { price: 46_100 });
  await ingest();
  const later = await changes(`after=${body.pagination.next}`);
  t.like(later.body.data[0], { listing_id: await idOf('n1'), type: 'price_changed', reindexed: false });
  t.is(later.headers.get('x-request-units'), '1');
});

test('the history of a gone listing ends after 90 days', async (t) => {
  const id = await idOf('archived');
  t.is((await get(`/v1/listings/${id}/price-history`)).status, 200);
  await ground.pipeline.pool.query(`update listings set left_at = now() - interval '91 days' where id = $1`, [id]);
  const { status, body } = await get(`/v1/listings/${id}/price-history`);
  t.is(status, 404);
  t.like(body.error.details, { reason: 'withdrawn' });
});

test('positions of another stream, in the future or before retained events are refused with the way back', async (t) => {
  const { next, stream } = await now();
  const { pool } = ground.pipeline;
  const expired = async (query: string, param = 'after') => {
    const { status, body } = await changes(query);
    t.is(status, 400, query);
    t.like(body.error, { code: 'position_expired', param, details: { stream } }, query);
    return body.error.details.earliest;
  };
  await expired(`after=${next + 10}`);
  await expired('after=9999999999999999');
  await expired(`after=${next}&stream=other`, 'stream');
  const begun = performance.now();
  await expired(`after=${next}&stream=other&wait_s=20`, 'stream');
  t.true(performance.now() - begun < 10_000, 'without a wait');
  t.is((await changes(`after=${next}&stream=${stream}`)).status, 200);
  t.is((await changes('after=-5')).body.error.code, 'missing_parameter');
  for (const wrong of ['', 'latest', '1.5', '1e3', '99999999999999999', '٣'])
    t.is((await changes(`after=${encodeURIComponent(wrong)}`)).body.error.param, 'after', wrong);
  t.is((await changes('limit=10')).body.error.code, 'missing_parameter');

  // Events older than 400 days are deleted.
  const job = JOBS.find(({ name }) => name === 'expire-ingest-records');
  const {
    rows: [first],
  } = await pool.query('select min(position) as position from listing_events where position > 0');
  const client = await pool.connect();
  await job?.run(client, new Date(clock + 399 * 86_400_000));
  client.release();
  const earliest = await expired(`after=${Number(first.position) - 10}`);
  t.is((await changes(`after=${earliest}`)).status, 200);

  // An empty copy receives every listing, also those without retained events.
  const copy = new Map<number, object>();
  for (let after = 'earliest', more = true; more; ) {
    const { body } = await changes(`after=${after}&limit=9&city=riyadh&listing_type=rent&stream=${stream}`);
    for (const { listing_id, listing } of body.data) listing ? copy.set(listing_id, listing) : copy.delete(listing_id);
    after = body.pagination.next;
    more = body.pagination.has_more;
  }
  const shown = await get('/v1/listings/count?city=riyadh&listing_type=rent');
  t.is(copy.size, shown.body.data.total);
});

test('a page costs by its rows, an empty page nothing, and the plan limits it', async (t) => {
  const { next } = await now();
  const empty = await changes(`after=${next}&limit=100`);
  t.deepEqual([empty.body.data, empty.headers.get('x-request-units')], [[], '0']);
  t.deepEqual(empty.body.pagination, { limit: 100, next, has_more: false, stream: empty.body.pagination.stream });
  t.is((await changes('after=earliest&limit=26', free)).status, 400);
  const page = await changes('after=earliest&limit=25', free);
  t.is(page.headers.get('x-request-units'), '3');
  t.true(
    page.body.data.every(
      ({ listing }: { listing: { source: object } | null }) => listing === null || 'url' in listing.source,
    ),
  );
  const [{ listing }] = page.body.data;
  t.is(listing.source.url, null);
  t.is(
    (await changes('after=earliest&limit=25&city=jeddah&listing_type=sale', free)).headers.get('x-request-units'),
    '0',
  );
});

test('the first page of a search states the position from which its copy continues', async (t) => {
  const { next, stream } = await now();
  const first = await get('/v1/listings?city=riyadh&listing_type=rent&limit=2');
  t.like(first.body.pagination, { position: next, stream });
  const { next_cursor } = first.body.pagination;
  const second = await get(`/v1/listings?city=riyadh&listing_type=rent&limit=2&cursor=${next_cursor}`);
  t.false('position' in second.body.pagination);
});

test('a waiting call returns when a run publishes, or when its time is over', async (t) => {
  t.timeout(60_000);
  const { waits } = ground.app.services;
  const { next } = await now();
  t.deepEqual((await changes(`after=${next}&wait_s=1`)).body.data, []);
  const begun = performance.now();
  const two = [1, 2].map(() => changes(`after=${next}&wait_s=20`));
  await eventually(async () => waits.waiting === 2);
  const refused = await changes(`after=${next}&wait_s=20`);
  put('n3', { price: 44_400 });
  await ingest();
  const [long] = (await Promise.all(two)) as [TestResponse];
  t.like(refused, { status: 429 });
  t.is(refused.body.error.param, 'wait_s');
  t.is(long.body.data[0].type, 'price_changed');
  t.true(performance.now() - begun < 19_000);
  t.is(waits.waiting, 0);
});

test('a wait over HTTP/1.0 returns, and one whose connection closes makes room for another', async (t) => {
  const { services, url } = ground.app;
  const { next } = await now();
  const request = (seconds: number, version: string) =>
    `GET /v1/listings/changes?after=${next}&wait_s=${seconds} HTTP/${version}\r\nHost: test\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const old = await sendRaw(url, [request(1, '1.0')]);
  t.deepEqual([old.status, old.body.pagination.next], [200, next]);
  for (let closed = 0; closed < 3; closed++) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(request(20, '1.1'));
    await eventually(async () => services.waits.waiting === 1);
    socket.destroy();
    await eventually(async () => services.waits.waiting === 0);
  }
  await eventually(async () => {
    await services.requestLog.flush();
    const { rows: left } = await services.pool.query(`select units from request_logs where status = 499`);
    return left.length === 3;
  });
});

test('a listing merged into one that is then merged names the last, and a takedown of it takes the whole property', async (t) => {
  const names = ['first', 'second', 'third'];
  for (const [at, name] of names.entries())
    put(name, { ...TWIN, floor: `${at}`, area: 400 + 90 * at, bedrooms: 3 + at, lat: 24.6 + at / 50 });
  await ingest();
  const [first = 0, second = 0, third = 0] = await Promise.all(names.map(idOf));
  const { next } = await now();
  put('third', { ...TWIN, floor: '1', area: 490, bedrooms: 4, lat: 24.62 });
  await ingest();
  for (const name of ['second', 'third']) put(name, { ...TWIN, floor: '0', area: 400, bedrooms: 3, lat: 24.6 });
  await ingest();
  const { data } = (await changes(`after=${next}`)).body;
  const merged = (row: { listing_id: number; reason: string; merged_into: number }) => [
    row.listing_id,
    row.reason,
    row.merged_into,
  ];
  t.deepEqual(data.map(merged), [
    [third, 'merged', second],
    [second, 'merged', first],
  ]);
  for (const id of [second, third])
    t.like((await get(`/v1/listings/${id}`)).body.error.details, { reason: 'merged', merged_into: first });
  // The cost of a listing that is gone is known before its state.
  t.is((await get(`/v1/listings/${third}?max_units=0`)).body.error.param, 'max_units');
  t.is((await get(`/v1/listings/${third}?dry_run=true`)).body.data.max_units, 1);
  const position = (await now()).next;
  await takeDown(ground.pipeline.pool, third);
  await ingest();
  const taken = (await changes(`after=${position}`)).body.data.map(merged);
  t.deepEqual(taken.sort(), [first, second, third].map((id) => [id, 'takedown', null]).sort());
  for (const id of [first, second, third])
    t.like((await get(`/v1/listings/${id}`)).body.error.details, { reason: 'takedown', merged_into: null });
});

test('waiting calls end when the process stops', async (t) => {
  const { waits } = ground.app.services;
  const { next } = await now();
  const [{ status, body }] = await Promise.all([
    changes(`after=${next}&wait_s=20`),
    sleep(300).then(() => waits.end()),
  ]);
  t.is(status, 200);
  t.deepEqual(body.data, []);
  const begun = performance.now();
  await changes(`after=${next}&wait_s=20`);
  t.true(performance.now() - begun < 10_000, 'no call waits afterwards');
});
