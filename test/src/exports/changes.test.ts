import { eventId } from '#test/event-id.ts';
import { createOrganization, indexListings, makeListing, unitsUsed } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { type ExportApp, manifestOf, rowsOf, startExportApp } from './app.ts';

let app: ExportApp;
test.before(async () => {
  app = await startExportApp('exports_changes', { worker: { rowsPerPart: 700 } });
});
test.after(() => app.close());

interface EventRow {
  run: number;
  listing: number;
  type:
    | 'listing.created'
    | 'listing.price_changed'
    | 'listing.delisted'
    | 'listing.hidden'
    | 'listing.relisted'
    | 'listing.moved';
  price?: number;
  previous?: number;
  city: string;
  position?: number;
  reason?: string;
  left_city?: string;
}

/** Adds an ingest run with the timestamp `at`, which defaults to ten minutes before `completedAt`. */
async function addRun(id: number, completedAt: string | null, at: string | null = null): Promise<void> {
  await app.services.pool.query(
    `insert into ingest_runs (id, at, status, sources, trigger, completed_at)
     values ($1, coalesce($4::timestamptz, coalesce($2::timestamptz, now()) - interval '10 min'), $3, '{}', 'test', $2)`,
    [id, completedAt, completedAt === null ? 'running' : 'completed', at],
  );
}

const release = (id: number, completedAt: string) =>
  app.services.pool.query(`update ingest_runs set status = 'completed', completed_at = $2 where id = $1`, [
    id,
    completedAt,
  ]);

async function addEvents(events: readonly EventRow[]): Promise<void> {
  await app.services.pool.query(
    `insert into listing_events (run_id, listing_id, id, type, version, at, city, listing_type, property_type, price_yearly_sar, previous_price_yearly_sar,
       position, reason, left_city, left_listing_type)
     select e.run, e.listing, e.id, e.type, 1, r.at, e.city, 'rent', 'apartment', e.price, e.previous, e.position, e.reason,
            e.left_city, case when e.left_city is not null then 'rent' end
       from json_to_recordset($1::json) e(run int, listing bigint, id text, type text, city text, price float8, previous float8,
            position bigint, reason text, left_city text)
       join ingest_runs r on r.id = e.run`,
    [JSON.stringify(events.map((event) => ({ ...event, id: eventId(event.type, event.listing, event.run) })))],
  );
}

test('a change export has every event in the range, with both prices of a change and the current listing or null', async (t) => {
  const { id, key } = await createOrganization(app.services);
  const city = (await app.addCity()).slug;
  // First seen 3.5 days ago, so that `days_on_market` is the same in the export and the detail response.
  const first_seen = Math.floor(Date.now() / 1000) - 3.5 * 86_400;
  const price = { yearly_sar: 45_000, previous_yearly_sar: 50_000 };
  const live = makeListing({ location: { city }, price }, { first_seen });
  const implausible = makeListing({ location: { city } }, { plausible_pooled: false, plausible_typed: false });
  await indexListings(app.services, [live, implausible]);
  const [seen, hidden, gone] = [live.display.id, implausible.display.id, live.display.id + 500_000];
  await addRun(1, '2026-04-01T03:30:00Z');
  await addRun(2, '2026-04-02T03:30:00Z');
  await addRun(3, '2026-04-03T03:30:00Z');
  await addRun(4, null);
  await addEvents([
    { run: 1, listing: seen, type: 'listing.created', price: 50_000, city },
    { run: 1, listing: gone, type: 'listing.created', price: 70_000, city },
    { run: 2, listing: seen, type: 'listing.price_changed', price: 45_000, previous: 50_000, city },
    { run: 2, listing: gone, type: 'listing.delisted', price: 70_000, city },
    { run: 2, listing: hidden, type: 'listing.created', city },
    { run: 3, listing: seen, type: 'listing.delisted', city },
    { run: 4, listing: hidden, type: 'listing.delisted', city },
  ]);
  const filters = { from: '2026-04-01T03:20:00Z', to: '2026-04-03T03:20:00Z', city };
  const made = await app.make(key, { dataset: 'listing_changes', format: 'ndjson', filters });
  t.like(made, { status: 'completed', units: 100 }, JSON.stringify(made));
  t.is(await unitsUsed(app.services, id), 100);
  const texts = await rowsOf(made.files);
  const rows = texts.map((row) => JSON.parse(row));
  const detail = await app.request(`/v1/listings/${seen}`, { key });
  t.deepEqual(
    rows.map(({ listing, ...row }) => ({ ...row, listing: listing?.id ?? null })),
    [
      {
        id: eventId('listing.created', seen, 1),
        position: null,
        type: 'listing.created',
        at: '2026-04-01T03:20:00Z',
        released_at: '2026-04-01T03:30:00Z',
        listing_id: seen,
        city,
        listing_type: 'rent',
        property_type: 'apartment',
        neighborhood_id: null,
        price_yearly_sar: 50_000,
        previous_price_yearly_sar: null,
        listing: seen,
      },
      { listing: null, listing_id: gone, type: 'listing.created', price_yearly_sar: 70_000 },
      { listing: seen, type: 'listing.price_changed', price_yearly_sar: 45_000, previous_price_yearly_sar: 50_000 },
      { listing: hidden, listing_id: hidden, type: 'listing.created', price_yearly_sar: null },
      { listing: null, listing_id: gone, type: 'listing.delisted', previous_price_yearly_sar: null },
    ].map((expected, index) => ({ ...omit(rows[index]), ...expected })),
  );
  t.true(
    texts[0]?.endsWith(`,"listing":${detail.text.slice('{"data":'.length).replace(',"in_search":true', '')}`),
    'the listing equals the detail response',
  );
  t.deepEqual((await manifestOf(made.files)).filters, { ...filters, city: [city] });
});

const omit = ({ listing, ...row }: { listing: { id: number } | null }) => ({ ...row, listing: listing?.id ?? null });

test('a change export has the events of every type with their positions, and of listings that left its filters', async (t) => {
  const { key } = await createOrganization(app.services);
  const [city, next] = [(await app.addCity()).slug, (await app.addCity()).slug];
  const moved = makeListing({ location: { city: next } });
  await indexListings(app.services, [moved]);
  const [id, other] = [moved.display.id, moved.display.id + 4_000_000];
  await addRun(401, '2026-07-01T03:30:00Z');
  await addRun(402, '2026-07-02T03:30:00Z');
  await addEvents([
    { run: 401, listing: other, type: 'listing.hidden', city, position: 5_001, reason: 'no_price' },
    { run: 402, listing: id, type: 'listing.moved', city: next, left_city: city, position: 5_002 },
    { run: 402, listing: other, type: 'listing.relisted', city, position: 5_003 },
  ]);
  const exported = async (place: string) => {
    const made = await app.make(key, {
      dataset: 'listing_changes',
      format: 'ndjson',
      filters: { from: '2026-07-01T00:00:00Z', to: '2026-07-03T00:00:00Z', city: place },
    });
    return (await rowsOf(made.files)).map((text) => {
      const row = JSON.parse(text);
      return [row.position, row.type, row.reason, row.listing?.id ?? null];
    });
  };
  t.deepEqual(await exported(city), [
    [5_001, 'listing.hidden', 'no_price', null],
    [5_002, 'listing.updated', 'left_filter', null],
    [5_003, 'listing.relisted', null, null],
  ]);
  t.deepEqual(await exported(next), [[5_002, 'listing.updated', null, id]]);
});

test('a change export of several pages and parts is complete', async (t) => {
  const { key } = await createOrganization(app.services);
  const city = (await app.addCity()).slug;
  const first = makeListing().display.id + 1_000_000;
  await addRun(101, '2026-05-01T03:30:00Z');
  await addRun(102, '2026-05-02T03:30:00Z');
  const events = Array.from({ length: 2_300 }, (_, index) => ({
    run: index < 1_000 ? 101 : 102,
    listing: first + index,
    type: 'listing.created' as const,
    city,
  }));
  await addEvents(events);
  const { ids } = await changes(key, { from: '2026-05-01T00:00:00Z', city: [city], listing_type: 'rent' });
  t.deepEqual(
    ids,
    events.map(({ listing }) => listing),
  );
});

async function changes(key: string, filters: object): Promise<{ ids: number[]; watermark: string }> {
  const made = await app.make(key, { dataset: 'listing_changes', format: 'ndjson', filters });
  if (made.status !== 'completed') throw new Error(JSON.stringify(made));
  const { watermark } = await manifestOf(made.files);
  return { ids: (await rowsOf(made.files)).map((row) => JSON.parse(row).listing_id), watermark };
}

test('from and to select events by time of change, released_from and released_to by time of release', async (t) => {
  const { key } = await createOrganization(app.services);
  const city = (await app.addCity()).slug;
  const [june, march] = [makeListing().display.id + 2_000_000, makeListing().display.id + 2_100_000];
  // Feeds from June and March, both of which are ingested months later.
  await addRun(201, '2026-09-05T10:00:00Z', '2026-06-10T06:00:00Z');
  await addRun(202, '2026-09-05T11:00:00.25Z', '2026-03-20T06:00:00Z');
  await addEvents([
    { run: 201, listing: june, type: 'listing.price_changed', price: 45_000, previous: 50_000, city },
    { run: 202, listing: march, type: 'listing.created', price: 70_000, city },
  ]);
  const month = (number: string) => ({
    from: `2026-${number}-01T00:00:00Z`,
    to: `2026-${number}-30T00:00:00Z`,
    city,
  });
  t.deepEqual((await changes(key, month('06'))).ids, [june]);
  t.deepEqual((await changes(key, month('03'))).ids, [march]);
  t.deepEqual((await changes(key, month('09'))).ids, []);
  t.deepEqual((await changes(key, { from: '2026-06-10T06:00:00Z', to: '2026-06-10T06:00:01Z', city })).ids, [june]);
  const released = (from: string, to: string) => ({ released_from: from, released_to: to, city });
  t.deepEqual((await changes(key, released('2026-09-01T00:00:00Z', '2026-09-30T00:00:00Z'))).ids, [june, march]);
  t.deepEqual((await changes(key, released('2026-09-05T10:00:00Z', '2026-09-05T11:00:00Z'))).ids, [june]);
  t.deepEqual((await changes(key, released('2026-09-05T11:00:00.25Z', '2026-09-05T11:00:01Z'))).ids, [march]);
});

test('change exports that continue from the watermark have every event exactly once, even of runs that were active', async (t) => {
  const { key } = await createOrganization(app.services);
  const city = (await app.addCity()).slug;
  const first = makeListing().display.id + 3_000_000;
  const created = (run: number, listing: number): EventRow => ({ run, listing, type: 'listing.created', city });
  await addRun(301, '2026-10-01T03:30:00.123456Z');
  await addRun(302, null);
  await addEvents([created(301, first), created(302, first + 1)]);
  const begin = await changes(key, { released_from: '2026-10-01T00:00:00Z', city });
  t.deepEqual(begin, { ids: [first], watermark: '2026-10-01T03:30:00.123457Z' });
  t.deepEqual(await changes(key, { released_from: begin.watermark, city }), { ids: [], watermark: begin.watermark });
  // The next release is always at least two microseconds later.
  await release(302, '2026-10-01T03:30:00.123458Z');
  const next = await changes(key, { released_from: begin.watermark, city });
  t.deepEqual(next, { ids: [first + 1], watermark: '2026-10-01T03:30:00.123459Z' });
  t.deepEqual((await changes(key, { released_from: next.watermark, city })).ids, []);
  const past = { released_from: '2026-09-30T00:00:00Z', released_to: '2026-10-01T03:30:00.123458Z', city };
  t.deepEqual(await changes(key, past), { ids: [first], watermark: '2026-10-01T03:30:00.123458Z' });
  // An export by time of change also returns the watermark from which to continue.
  t.is((await changes(key, { from: '2026-10-01T00:00:00Z', city })).watermark, next.watermark);
});

test('a change export requires exactly one range, which covers at most 366 days and does not begin in the future', async (t) => {
  const { key } = await createOrganization(app.services);
  const at = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19)}Z`;
  const cases: [filters: object, code: string, param: string][] = [
    [{}, 'invalid_body', 'filters.from'],
    [{ from: at(-2), released_from: at(-1) }, 'invalid_value', 'filters.released_from'],
    [{ released_from: at(1) }, 'invalid_value', 'filters.released_from'],
    [{ from: at(-1), to: at(366) }, 'invalid_value', 'filters.from'],
    [{ from: at(-367) }, 'invalid_value', 'filters.from'],
    [{ from: at(0), to: at(-1) }, 'invalid_value', 'filters.to'],
  ];
  for (const [filters, code, param] of cases) {
    const { body } = await app.post(key, { dataset: 'listing_changes', format: 'ndjson', filters });
    t.like(body.error, { code, param }, JSON.stringify(filters));
  }
  const longest = { from: at(-1), to: at(364) };
  t.is((await app.post(key, { dataset: 'listing_changes', format: 'ndjson', filters: longest })).status, 201);
});
