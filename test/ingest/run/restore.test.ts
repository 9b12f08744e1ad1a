import type { ExecutionContext } from 'ava';
import { fillIndexes } from '#ingest/fill.ts';
import { withWriter } from '#ingest/postgres/writer.ts';
import { isRebuildDue, readLastRestore, stateRestore } from '#ingest/run/restore.ts';
import { readRunRecords } from '#search/meta.ts';
import { test } from '#test/test.ts';
import { project } from '../off-plan/ground.ts';
import { startOneSource } from './one-source.ts';
import { ad, ads, type Pipeline } from './pipeline.ts';

const start = (t: ExecutionContext, name: string) => startOneSource(t, name, 12);

interface Shown {
  listings: number[];
  projects: number[];
  developers: number[];
  runs: number[];
  events: string[];
}

/** Returns all ids in the database. */
async function ids({ pool }: Pipeline): Promise<Shown> {
  const all = async <T>(sql: string): Promise<T[]> => (await pool.query<{ id: T }>(sql)).rows.map(({ id }) => id);
  return {
    listings: await all('select id from listings'),
    projects: await all('select id from off_plan_records'),
    developers: await all('select id from off_plan_developers'),
    runs: await all('select id from ingest_runs'),
    events: await all('select id from released_listing_events'),
  };
}

const restores = async ({ pool }: Pipeline): Promise<number> =>
  (await pool.query<{ n: number }>('select count(*) as n from restores')).rows[0]?.n ?? -1;

/** Returns indexed documents that differ from the database: deleted listings and wrong prices. */
async function differences({
  pool,
  index,
  client,
}: Pipeline): Promise<{ ghosts: number; missing: number; wrong: number }> {
  await index.refresh();
  const { rows } = await pool.query<{ id: number; price: number }>('select id, price from listings where served');
  const { body } = await client.search({ index: index.alias, body: { size: 1_000 } });
  const shown = new Map(
    body.hits.hits.map((hit) => [
      Number(hit._id),
      (hit._source as unknown as { display: { price: { yearly_sar: number } } }).display.price.yearly_sar,
    ]),
  );
  return {
    ghosts: [...shown.keys()].filter((id) => !rows.some((row) => row.id === id)).length,
    missing: rows.filter(({ id }) => !shown.has(id)).length,
    wrong: rows.filter(({ id, price }) => shown.has(id) && shown.get(id) !== price).length,
  };
}

/** Returns ids that are only in a derived index or only in its table. */
async function derivedDifferences({ pool, client, prefix }: Pipeline & { prefix: string }): Promise<string[]> {
  const tables = {
    history: `select listing_id || '-' || first_month as id from listing_months`,
    deals: 'select listing_id::text as id from listing_deals where not gone',
    projects: 'select id::text from off_plan_projects where document is not null',
    developers: 'select id::text from off_plan_developers where document is not null',
  };
  const found = await Promise.all(
    Object.entries(tables).map(async ([name, sql]) => {
      await client.indices.refresh({ index: prefix + name });
      const { body } = await client.search({ index: prefix + name, body: { size: 1_000 } });
      const shown = new Set(body.hits.hits.map(({ _id }) => String(_id)));
      const stated = new Set((await pool.query<{ id: string }>(sql)).rows.map(({ id }) => id));
      const differing = [...[...shown].filter((id) => !stated.has(id)), ...[...stated].filter((id) => !shown.has(id))];
      return differing.map((id) => `${name} ${id}`);
    }),
  );
  return found.flat();
}

test('a restore is detected: new ids exceed the served ones, indexes are rebuilt, and reverted listings have a new modified_at', async (t) => {
  const { pipeline, source, projects, run, values, watermark, backUp, restore } = await start(t, 'restore');
  const same = ads(12, 'same');
  const [p1, p2] = [project('p1'), project('p2')];
  const priced = (price: number) => ads(8, 'priced', { price });
  source.feed = [...same, ...priced(70_000), ad('gone')];
  projects.feed = [p1, p2];
  await run();
  const before = await ids(pipeline);
  t.true(before.events.every((id) => /^evt_[0-9a-f]{24}$/.test(id)));
  await backUp();
  source.feed = [...same, ...priced(71_000), ...ads(5, 'lost')];
  projects.feed = [p1, project('p3', { developer_en: 'Lost Homes', developer_ar: null })];
  await run();
  source.feed = [...same, ...priced(72_000), ...ads(7, 'lost')];
  await run();
  const [shown, served, read] = [await ids(pipeline), await values(), await watermark()];
  await restore();
  t.deepEqual(await differences(pipeline), { ghosts: 7, missing: 1, wrong: 8 });
  t.true((await derivedDifferences(pipeline)).length >= 8);
  t.true(await isRebuildDue(pipeline.pool, pipeline.client));

  // Prices and ads revert to the state in the backup, and the sources have changed in the meantime.
  source.feed = [...same, ...priced(70_000), ad('gone'), ...ads(6, 'new')];
  projects.feed = [p1, p2, project('p4', { developer_en: 'Qimmat Estates', developer_ar: null })];
  await run();
  t.deepEqual(await differences(pipeline), { ghosts: 0, missing: 0, wrong: 0 });
  t.deepEqual(await derivedDifferences(pipeline), []);
  t.false(await isRebuildDue(pipeline.pool, pipeline.client));
  const restored = await readLastRestore(pipeline.pool);
  t.is(restored?.reason, 'detected');
  t.truthy(restored?.rebuilt_at);
  const after = await ids(pipeline);
  for (const kind of ['listings', 'projects', 'developers', 'runs'] as const) {
    const fresh = after[kind].filter((id) => !before[kind].includes(id));
    t.true(fresh.length > 0, kind);
    t.true(Math.min(...fresh) > Math.max(...shown[kind]), kind);
  }
  const fresh = after.events.filter((id) => !before.events.includes(id));
  t.true(fresh.length > 0 && !fresh.some((id) => shown.events.includes(id)));
  const modified = await values();
  t.is(modified.size, 12 + 8 + 1 + 6);
  for (const [key, value] of modified)
    if (key.startsWith('same')) t.is(served.get(key), value, key);
    else t.true(value > read, key);
  t.true((await watermark()) >= Math.max(...modified.values()));

  await run();
  t.is(await restores(pipeline), 1, 'repeated runs count the same restore once');
  await restore();
  await run();
  t.notDeepEqual((await readLastRestore(pipeline.pool))?.at, restored?.at, 'restoring the backup again is another one');
  t.true(Math.min(...(await ids(pipeline)).runs.filter((id) => !before.runs.includes(id))) > Math.max(...after.runs));
});

test('an ingest run resumed from the backup draws new ids of events', async (t) => {
  const { pipeline, source, run, backUp, restore } = await start(t, 'restore-interrupted');
  source.feed = ads(4, 'a');
  await run();
  await pipeline.pool.query(
    `insert into ingest_runs (id, at, status, sources, trigger) values (2, '2026-06-02T00:00:00Z', 'failed', '{s}', 'test')`,
  );
  await backUp();
  source.feed = ads(4, 'a', { price: 71_000 });
  await run();
  const shown = await ids(pipeline);
  await restore();
  source.feed = ads(4, 'a', { price: 73_000 });
  await run();
  const { events } = await ids(pipeline);
  t.is(new Set(events).size, 8);
  t.is(events.filter((id) => shown.events.includes(id)).length, 4, 'events from before the backup keep their ids');
});

test('an operator can record a restore once if no index reveals it', async (t) => {
  const { pipeline, source, run, backUp, restore } = await start(t, 'restore-stated');
  source.feed = ads(3, 'a');
  await run();
  await backUp();
  source.feed = ads(6, 'a');
  await run();
  const shown = await ids(pipeline);
  await restore();
  // OpenSearch is restored too, so it has no run that this database lacks.
  const { rows } = await pipeline.pool.query<{ uid: string }>('select uid from ingest_runs');
  await pipeline.index.recordRun({
    id: rows[0]?.uid ?? '',
    ids: { listing: 3, project: 0, developer: 0, run: 1 },
  });
  const state = () =>
    withWriter(pipeline.pool, 'a test', async (writer) => stateRestore(writer, await readRunRecords(pipeline.client)));
  const first = await state();
  t.true(first.isNew);
  t.is(first.restore.reason, 'stated');
  t.true(first.ids.listing > Math.max(...shown.listings));
  t.true(first.ids.run > Math.max(...shown.runs));
  const second = await state();
  t.false(second.isNew);
  t.deepEqual(second.restore, first.restore);
  await run();
  t.true((await state()).isNew, 'a statement after another run is another restore');
});

test('other states are not detected as a restore', async (t) => {
  const { pipeline, source, run } = await start(t, 'restore-none');
  const { pool, index } = pipeline;
  source.feed = ads(3, 'a');
  await run();
  const [first] = await readRunRecords(index.client);
  t.is(await restores(pipeline), 0, 'a first start');
  source.feed = ads(4, 'a');
  await run();
  t.is(await restores(pipeline), 0, 'a later run');
  if (!first) return t.fail();
  await index.recordRun(first);
  source.feed = ads(5, 'a');
  await run();
  t.is(await restores(pipeline), 0, 'a restored snapshot of OpenSearch');
  const [newest] = await readRunRecords(index.client);
  await fillIndexes(['listings'], { pool, listingIndex: index });
  const records = await readRunRecords(index.client);
  t.true(records.length > 1 && records.every(({ id }) => id === newest?.id), 'a fill writes the record');
  await run();
  t.is(await restores(pipeline), 0, 'a fill');
});

test('an index from a snapshot is rebuilt, with a new modified_at for listings that it lacked', async (t) => {
  const { pipeline, source, run, watermark } = await start(t, 'restore-snapshot');
  source.feed = [...ads(12, 'same'), ad('price', { price: 50_000 })];
  await run();
  const { documents } = await pipeline.snapshot();
  const old = documents.find(
    ({ stored }) => stored.private.source_listing_id === 'price',
  ) as (typeof documents)[number];
  const early = await watermark();
  source.feed = [...ads(12, 'same'), ad('price', { price: 45_000 })];
  await run();
  const late = await watermark();
  // A restored snapshot contains the earlier document and watermark.
  await pipeline.index.bulk([{ op: 'index', id: Number(old.id), version: 2, stored: old.stored }]);
  await pipeline.index.publish(early);
  await run();
  const { id } = await pipeline.listing('s', 'price');
  const price = await pipeline.document(id);
  t.is(price?.display.price.yearly_sar, 45_000);
  const modified = price?.private.modified ?? Number.NaN;
  t.true(modified > late);
  t.true((await watermark()) >= modified);
});

test('an interrupted rebuild is completed by the next run, even for an almost finished run of the backup', async (t) => {
  const { pipeline, source, projects, run, backUp, restore } = await start(t, 'restore-again');
  source.feed = ads(10, 'a');
  projects.feed = [project('p1')];
  await run();
  source.feed = ads(12, 'a');
  await run();
  // Recreates the state before the last statement of the run.
  await pipeline.pool.query(`update ingest_runs set status = 'failed', completed_at = null where id = 2`);
  await backUp();
  source.feed = [...ads(9, 'a'), ...ads(5, 'b')];
  projects.feed = [project('p1'), project('p2')];
  await run();
  await restore();
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  await t.throwsAsync(
    pipeline.run([source], '2026-06-03T03:00:00Z', { projectSources: [projects], signal: stop.signal }),
    { message: 'stopped' },
  );
  const restored = await readLastRestore(pipeline.pool);
  t.is(restored?.rebuilt_at, null);
  await run();
  t.deepEqual(await differences(pipeline), { ghosts: 0, missing: 0, wrong: 0 });
  t.deepEqual(await derivedDifferences(pipeline), []);
  const after = await readLastRestore(pipeline.pool);
  t.deepEqual(after?.at, restored?.at);
  t.truthy(after?.rebuilt_at);
});
