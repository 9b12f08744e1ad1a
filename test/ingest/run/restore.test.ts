import type { ExecutionContext } from 'ava';
import type { StoredListing } from '#domain/listings/listing.ts';
import { isRebuildDue, readLastRestore } from '#ingest/run/restore.ts';
import { readRunRecords } from '#stores/opensearch/indexes.ts';
import { test } from '#test/test.ts';
import { project } from '../off-plan/ground.ts';
import { startOneSource } from './one-source.ts';
import { ad, ads, type Pipeline } from './pipeline.ts';

const start = (t: ExecutionContext, name: string) => startOneSource(t, name, 12);

interface IdsInDatabase {
  listings: number[];
  projects: number[];
  developers: number[];
  runs: number[];
  events: string[];
}

/** Returns all ids in the database. */
async function ids({ pool }: Pipeline): Promise<IdsInDatabase> {
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

test('a restore is detected: new ids exceed the served ones, indexes are rebuilt, and reverted listings have a new modified_at', async (t) => {
  const { pipeline, source, projects, run, values, served, fill, watermark, backUp, restore } = await start(
    t,
    'restore',
  );
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
  // A lost run that moves the bounds of plausible prices hides a listing, which keeps its value.
  const { id } = await pipeline.listing('s', 'same0');
  const { private: hidden, ...rest } = (await pipeline.document(id)) as StoredListing;
  const stored = { ...rest, private: { ...hidden, plausible_pooled: false } };
  await pipeline.index.bulk([{ op: 'index', id, version: 1_000, stored }]);
  const [shown, known, read] = [await ids(pipeline), await values(), await watermark()];
  await restore();
  t.true(await isRebuildDue(pipeline.pool, pipeline.client));

  // Prices and ads revert to the state in the backup, and the sources have changed in the meantime.
  source.feed = [...same, ...priced(70_000), ad('gone'), ...ads(6, 'new')];
  projects.feed = [p1, p2, project('p4', { developer_en: 'Qimmat Estates', developer_ar: null })];
  await run();
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
    if (key.startsWith('same') && key !== 'same0') t.is(known.get(key), value, key);
    else t.true(value > read, key);
  t.true((await watermark()) >= Math.max(...modified.values()));

  const rebuilt = await served();
  await fill();
  t.deepEqual(await served(), rebuilt, 'the indexes have what Postgres has');

  await run();
  t.is(await restores(pipeline), 1, 'repeated runs count the same restore once');
  await restore();
  await run();
  t.notDeepEqual((await readLastRestore(pipeline.pool))?.at, restored?.at, 'restoring the backup again is another one');
  t.true(Math.min(...(await ids(pipeline)).runs.filter((id) => !before.runs.includes(id))) > Math.max(...after.runs));
});

test('other states are not detected as a restore, and an index from a snapshot is rebuilt', async (t) => {
  const { pipeline, source, run, watermark, fill } = await start(t, 'restore-none');
  const { index } = pipeline;
  source.feed = [...ads(12, 'same'), ad('price', { price: 50_000 })];
  await run();
  const [first] = await readRunRecords(index.client);
  const { id } = await pipeline.listing('s', 'price');
  const old = (await pipeline.document(id)) as StoredListing;
  const early = await watermark();
  source.feed = [...ads(12, 'same'), ad('price', { price: 45_000 })];
  await run();
  const late = await watermark();
  // A restored snapshot contains the earlier run, document and watermark.
  if (!first) return t.fail();
  await index.recordRun(first);
  await index.bulk([{ op: 'index', id, version: 2, stored: old }]);
  await index.publish(early);
  await run();
  const { display, private: hidden } = (await pipeline.document(id)) as StoredListing;
  t.is(display.price.yearly_sar, 45_000);
  t.true((hidden.modified ?? Number.NaN) > late, 'it has a new value, because the index lacked it');
  t.true((await watermark()) >= (hidden.modified ?? Number.NaN));
  const [newest] = await readRunRecords(index.client);
  await fill(['listings']);
  const records = await readRunRecords(index.client);
  t.true(records.length > 1 && records.every((record) => record.id === newest?.id), 'a fill writes the record');
  await run();
  t.is(await restores(pipeline), 0);
});

test('an interrupted rebuild is completed by the next run, even for an almost finished run of the backup', async (t) => {
  const { pipeline, source, projects, run, served, fill, backUp, restore } = await start(t, 'restore-again');
  source.feed = ads(10, 'a');
  projects.feed = [project('p1')];
  await run();
  const before = await ids(pipeline);
  source.feed = ads(12, 'a');
  await run();
  // Recreates the state before the last statement of the run.
  await pipeline.pool.query(`update ingest_runs set status = 'failed', completed_at = null where id = 2`);
  await backUp();
  source.feed = [...ads(9, 'a'), ...ads(5, 'b')];
  projects.feed = [project('p1'), project('p2')];
  await run();
  const shown = await ids(pipeline);
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
  const rebuilt = await served();
  await fill();
  t.deepEqual(await served(), rebuilt, 'the indexes have what Postgres has');
  const after = await readLastRestore(pipeline.pool);
  t.deepEqual(after?.at, restored?.at);
  t.truthy(after?.rebuilt_at);
  const fresh = (await ids(pipeline)).events.filter((id) => !before.events.includes(id));
  t.true(fresh.length >= 12 - 10 + 5 && !fresh.some((id) => shown.events.includes(id)), 'events have new ids');
});
