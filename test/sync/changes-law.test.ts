import { fillIndexes, repairIndexes, rollBack } from '#ingest/fill.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { withWriter } from '#ingest/postgres/writer.ts';
import type { Progress } from '#ingest/run/run-report.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { copyDatabase } from '#test/engines.ts';
import { createOrganization } from '#test/factories.ts';
import { allRows } from '#test/pages.ts';

import { test } from '#test/test.ts';
import { type OffPlanGround, offPlanGround } from '../ingest/off-plan/ground.ts';
import { ad, testSource } from '../ingest/run/pipeline.ts';
import { type ExportApp, manifestOf, rowsOf, withExports } from '../src/exports/app.ts';
import { type ChangeRow, Consumer, differences, digests, generator, type Row } from './consumer.ts';

const SEED = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31);
const CITIES = ['riyadh', 'jeddah'] as const;
const ADS = 160;
const ROUNDS = 6;
const HALF_DAY = 43_200_000;
const STAGES = ['fetch', 'identity', 'quality', 'index', 'history'] as const;

let ground: OffPlanGround;
let exports: ExportApp;
let key: string;
test.before(async () => {
  ground = await offPlanGround('changes-law', CITIES);
  exports = withExports(ground.app);
  key = (await createOrganization(ground.app.services, { plan: 'enterprise', columns: { units_per_minute: null } }))
    .key;
});
test.after(async () => {
  await exports?.close();
  await ground?.pipeline.close();
});

const PLACES = { riyadh: {}, jeddah: { city: 'Jeddah', lat: 21.6, lng: 39.15 } } as const;

test('copies equal the index after random runs, stops, fills, takedowns and a restore', async (t) => {
  t.timeout(400_000);
  const { app, pipeline } = ground;
  const random = generator(SEED);
  const source = testSource('changes');
  const other = testSource('changes_other');
  const state = new Map<string, Partial<RawListing>>();
  const request = { pool: pipeline.pool, listingIndex: pipeline.index };
  let clock = Date.parse('2026-03-01T06:00:00Z');
  let number = 0;
  const change = (id: string): void => {
    const now = state.get(id) ?? {};
    const at = random(12);
    if (at <= 2) state.set(id, { ...now, price: 41_000 + random(180) * 100 });
    else if (at === 3) state.set(id, { ...now, price: now.price === null ? 52_000 : null });
    else if (at === 4) state.set(id, { ...now, price: 120 });
    else if (at === 5)
      state.set(id, { ...now, ...(now.city ? { city: 'Riyadh', lat: 24.7, lng: 46.7 } : PLACES.jeddah) });
    else if (at === 6) state.set(id, { ...now, status: ['Sold', 'مؤجرة', 'archived', 'active'][random(4)] as string });
    else if (at === 7) state.set(id, { ...now, photos: now.photos?.length === 0 ? [`https://p.example/${id}`] : [] });
    else if (at === 8)
      state.set(id, {
        ...now,
        purpose: now.purpose === 'sale' ? 'rent' : 'sale',
        price: now.purpose === 'sale' ? 60_000 : 900_000,
      });
    else if (at === 9) state.delete(id);
    else state.set(id, { ...now, description: `وصف جديد ${random(1_000)}` });
  };
  const feed = (): void => {
    while (state.size < ADS) state.set(`c${number++}`, random(3) === 0 ? PLACES.jeddah : {});
    const rows = [...state].map(([id, changes]) => ad(id, changes as Partial<RawListing>));
    source.feed = rows;
    // Copies of some homes, which are merged, and split again when the other source changes them.
    other.feed = rows.flatMap((row, at): FeedRow[] =>
      at % 9 === random(2) && row.ok
        ? [
            ad(`o${row.raw.source_listing_id}`, {
              ...(row.raw as RawListing),
              source_listing_id: `o${row.raw.source_listing_id}`,
            }),
          ]
        : [],
    );
  };
  const ingest = async (overrides = {}): Promise<void> => {
    await pipeline.pool.query('update source_states set released = true');
    clock += HALF_DAY;
    await pipeline.run([source, other], new Date(clock).toISOString(), overrides);
  };
  const stopped = async (stage: string): Promise<void> => {
    const stop = new AbortController();
    const onProgress = (progress: Progress) => {
      if (progress.stage !== stage) return;
      stop.abort(new Error('stopped'));
      throw stop.signal.reason;
    };
    await ingest({ signal: stop.signal, onProgress }).catch((error: Error) => t.is(error.message, 'stopped'));
  };
  const get = (path: string) => app.request(path, { key });
  const rows: ChangeRow[] = [];
  const consumers = [
    new Consumer(get, { limit: '100' }, (row) => rows.push(row)),
    new Consumer(get, { limit: '7', city: 'riyadh', listing_type: 'rent' }),
    new Consumer(get, { limit: '40', city: 'jeddah' }),
    new Consumer(get, { limit: '100', listing_type: 'sale' }),
    new Consumer(get, { limit: '100' }),
  ];
  const [whole, riyadhRent, jeddah, sale, exported] = consumers as [Consumer, Consumer, Consumer, Consumer, Consumer];
  const rowsOfExport = async (body: object) => {
    const made = await exports.make(key, { format: 'ndjson', ...body });
    t.is(made.status, 'completed', JSON.stringify(made));
    return { rows: (await rowsOf(made.files)).map((row) => JSON.parse(row)), manifest: await manifestOf(made.files) };
  };
  const searched = async (city: string, type: string): Promise<Row[]> =>
    allRows(app, `/v1/listings?city=${city}&listing_type=${type}&limit=100`, key);
  const compare = async (what: string): Promise<void> => {
    await app.services.indexGuard.refresh();
    await Promise.all(consumers.map((each) => each.sync()));
    const rows = new Map<string, Row[]>();
    for (const city of CITIES)
      for (const type of ['rent', 'sale']) rows.set(`${city} ${type}`, await searched(city, type));
    const of = (...names: string[]) => digests(names.flatMap((name) => rows.get(name) ?? []));
    const pairs = [
      [whole, of(...rows.keys())],
      [riyadhRent, of('riyadh rent')],
      [jeddah, of('jeddah rent', 'jeddah sale')],
      [sale, of('riyadh sale', 'jeddah sale')],
      [exported, of(...rows.keys())],
    ] as const;
    for (const [at, [{ copy }, expected]] of pairs.entries()) {
      const wrong = differences(digests(copy.values()), expected);
      t.deepEqual(wrong, [], `${what}, consumer ${at}, seed ${SEED}`);
    }
  };

  feed();
  await ingest();
  await app.services.indexGuard.refresh();
  const first = await rowsOfExport({ dataset: 'listings' });
  exported.begin(first.rows, first.manifest.position, first.manifest.stream);
  await compare('first');
  t.true(whole.copy.size > ADS / 2, `${whole.copy.size} listings`);
  for (let round = 0; round < ROUNDS; round++) {
    for (const id of state.keys()) if (random(4) === 0) change(id);
    feed();
    const kind = random(5);
    if (kind === 0) await ingest({ followed: true });
    else if (kind === 1) await stopped(STAGES[random(STAGES.length)] as string);
    else if (kind === 2) {
      await stopped('index');
      await fillIndexes(['listings'], request);
    }
    // Some consumers read a part while the run is unfinished.
    await app.services.indexGuard.refresh();
    await riyadhRent.sync(2);
    await whole.sync(1);
    if (random(2) === 0)
      await pipeline.pool.query('insert into takedowns (listing_id) values ($1) on conflict do nothing', [
        [...whole.copy.keys()][random(whole.copy.size)],
      ]);
    await ingest();
    if (round === 3) await fillIndexes(['listings'], request);
    if (round === 5) await rollBack(request);
    if (round % 2 === 0) await compare(`round ${round}`);
  }
  await compare('all rounds');
  t.deepEqual(
    consumers.map(({ restarts }) => restarts),
    [0, 0, 0, 0, 0],
  );

  // Each change is one row: no position repeats.
  t.is(new Set(rows.map(({ position }) => position)).size, rows.length);
  t.true(rows.every(({ reason, merged_into }) => (reason === 'merged') === (merged_into !== null)));

  // Exports have the same events, except those that a takedown has deleted.
  const eventOf = ({ position, type, listing_id, reason, merged_into }: ChangeRow) =>
    [position, type.replace('listing.', ''), listing_id, reason, merged_into].join(' ');
  const events = await rowsOfExport({ dataset: 'listing_changes', filters: { from: '2026-02-28T00:00:00Z' } });
  const seen = new Set(rows.map(eventOf));
  const listed = new Set((events.rows as ChangeRow[]).map(eventOf));
  const { rows: taken } = await pipeline.pool.query('select id from listings where withdrawn_reason = $1', [
    'takedown',
  ]);
  const gone = new Set(taken.map(({ id }) => id));
  t.deepEqual(
    [...listed].filter((event) => !seen.has(event)),
    [],
  );
  const typed = rows.filter(({ type, listing_id }) => type !== 'updated' && !gone.has(listing_id));
  t.deepEqual(
    typed.map(eventOf).filter((event) => !listed.has(event)),
    [],
  );

  const database = new URL(pipeline.databaseUrl).pathname.slice(1);
  await copyDatabase(pipeline.databaseUrl, `${database}_backup`, database);
  for (const id of state.keys()) if (random(4) === 0) change(id);
  feed();
  await ingest();
  await compare('after the backup');
  await copyDatabase(pipeline.databaseUrl, database, `${database}_backup`);
  const repair = (onProgress?: () => void) =>
    withWriter(pipeline.pool, 'a test', (writer) => repairIndexes({ ...request, writer, onProgress }));
  const stop = () => {
    throw new Error('stopped');
  };
  await t.throwsAsync(repair(stop), { message: 'stopped' });
  // Copies begin again while the index shows the lost state.
  await app.services.indexGuard.refresh();
  await Promise.all(consumers.map((each) => each.sync()));
  await repair();
  await compare('restored');
  t.deepEqual(
    consumers.map(({ restarts }) => restarts),
    [1, 1, 1, 1, 1],
    'a restore begins another sequence',
  );
  await ingest();
  await compare('after the restore');
});
