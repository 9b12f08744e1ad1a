import type { ExecutionContext } from 'ava';
import { rollBack } from '#ingest/fill.ts';
import { indexBehind } from '#stores/opensearch/indexes.ts';
import { removeIndexes } from '#test/engines.ts';
import { test } from '#test/test.ts';
import { project } from '../off-plan/ground.ts';
import { startOneSource } from './one-source.ts';
import { ad, ads } from './pipeline.ts';

async function start(t: ExecutionContext, name: string) {
  const ground = await startOneSource(t, name);
  return {
    ...ground,
    /** Returns the source's ids with later values, in order. */
    since: async (moment: number): Promise<string[]> =>
      [...(await ground.values())]
        .filter(([, modified]) => modified > moment)
        .sort((a, b) => a[1] - b[1])
        .map(([id]) => id),
  };
}

test('a listing that changed fences show again gets a new `modified_at`, and a hidden listing keeps its value', async (t) => {
  const { pipeline, source, run, values } = await start(t, 'modified-fences');
  const market = (price: number) =>
    Array.from({ length: 60 }, (_, at) => ad(`m${at}`, { price: price + 50 * at, area: 120, bedrooms: 3 }));
  const odd = ad('odd', { price: 900_000, area: 120, bedrooms: 3 });
  source.feed = [...market(800_000), odd];
  await run();
  const pooled = async () =>
    (await pipeline.document((await pipeline.listing('s', 'odd')).id))?.private.plausible_pooled;
  t.true(await pooled());
  const shown = (await values()).get('odd');
  source.feed = [...market(20_000), odd];
  await pipeline.pool.query(`update source_states set released = true`);
  await run();
  t.false(await pooled());
  t.is((await values()).get('odd'), shown);
  source.feed = [...market(800_000), odd];
  await pipeline.pool.query(`update source_states set released = true`);
  await run();
  t.true(await pooled());
  t.true(((await values()).get('odd') as number) > (shown as number));
});

test('`modified_at` always increases, and a fill keeps it, except for listings that the index did not show', async (t) => {
  const { pipeline, source, run, values, since, watermark, fill } = await start(t, 'modified-fill');
  source.feed = ads(8, 'a');
  await run();
  const before = await values();
  const mark = await watermark();
  await fill(['listings']);
  t.deepEqual(await values(), before);
  t.true((await watermark()) >= mark);
  // A lost document gets a new value, because clients that have read past its old value never received it.
  const { id } = await pipeline.listing('s', 'a3');
  await pipeline.client.delete({ index: pipeline.index.alias, id: String(id), refresh: true });
  const seen = await watermark();
  await fill();
  t.deepEqual(await since(seen), ['a3']);
  t.true((await watermark()) >= ((await values()).get('a3') as number));
  // A lost index keeps all values, because nothing was read while it was lost.
  const all = await values();
  await removeIndexes(`${pipeline.prefix}listings-`);
  await fill();
  t.deepEqual(await values(), all);
  // Values also increase if the clock is set back.
  await pipeline.pool.query('update modification_clock set high = high + 3600000000');
  source.feed = [...ads(8, 'a'), ad('b')];
  await run();
  const ahead = await watermark();
  t.true(ahead > Date.now() * 1_000);
  source.feed = [...source.feed, ad('c')];
  await run();
  t.deepEqual(await since(ahead), ['c']);
});

test('a rollback brings the previous index up to date, and keeps modified_at and the watermark', async (t) => {
  const { pipeline, source, run, values, watermark, served, fill } = await start(t, 'modified-rollback');
  const { pool, index: listingIndex, client } = pipeline;
  const request = { pool, listingIndex };
  const serving = () => indexBehind(client, client.aliases.listings);
  await t.throwsAsync(rollBack(request), { message: /no previous index/ });
  source.feed = ads(20, 'a');
  await run();
  const first = await serving();
  await fill(['listings']);
  const second = await serving();
  t.not(second, first);
  source.feed = [...ads(20, 'a').slice(2), ad('a1', { price: 31_000 }), ad('new')];
  await run();
  const before = await served();
  const mark = await watermark();
  await rollBack(request);
  t.is(await serving(), first);
  t.deepEqual(await served(), before);
  t.true((await watermark()) >= mark);
  source.feed = [...source.feed, ad('later')];
  await run();
  const all = await values();
  await rollBack(request);
  t.is(await serving(), second, 'a rollback can be reverted');
  t.deepEqual(await values(), all);
  await pool.query(`update ingest_runs set status = 'failed' where id = (select max(id) from ingest_runs)`);
  await t.throwsAsync(rollBack(request), { message: /run is unfinished/ });
});

test('a fill shows no change of an unfinished run, and a reader misses none of its changes', async (t) => {
  const { pipeline, source, projects, run, values, since, watermark, served, fill } = await start(
    t,
    'modified-unfinished',
  );
  const { pool, prefix } = pipeline;
  const home = (id: string, at: number, price: number) =>
    ad(id, { price, area: 110 + at, bedrooms: 3, lat: 24.75 + at * 0.001, lng: 46.65 });
  const market = Array.from({ length: 40 }, (_, at) => home(`m${at}`, at, 60_000 + 300 * at));
  const deal = (price: number) => home('deal', 20, price);
  source.feed = [...ads(20, 'a'), ...market, deal(44_000)];
  projects.feed = [project('p1'), project('p2')];
  await run();
  const [shown, before, read] = [await served(), await values(), await watermark()];
  for (const [name, documents] of Object.entries(shown)) t.true(documents.length > 0, name);

  source.feed = [...ads(20, 'a').slice(3), ad('a2', { price: 31_000 }), ad('new'), ...market.slice(1), deal(43_000)];
  projects.feed = [project('p1', { name_en: 'Another Name' })];
  const stop = new AbortController();
  const interrupted = pipeline.run([source], '2026-06-03T03:00:00Z', {
    projectSources: [projects],
    signal: stop.signal,
    // The documents are written, and nothing is published.
    onProgress: ({ stage }) => stage === 'index' && stop.abort(new Error('stopped')),
  });
  await t.throwsAsync(interrupted, { message: 'stopped' });
  // The stages that the abort may have come too late for are unfinished too.
  await pool.query(`update ingest_run_stages set finished_at = null where stage in ('history', 'project_index')
                       and run_id = (select max(id) from ingest_runs)`);
  await pool.query('update listing_months set price = price + 1, changed_run = (select max(id) from ingest_runs)');
  await removeIndexes(`${prefix}listings-`);
  await fill();
  const filled = await served();
  for (const [name, documents] of Object.entries(shown)) t.deepEqual(filled[name], documents, name);
  t.deepEqual([...(await values()).keys()].sort(), [...before.keys()].sort());
  const filledTo = await watermark();

  await run();
  const changed = await since(read);
  for (const id of ['a2', 'new', 'deal']) t.true(changed.includes(id), id);
  t.true(((await values()).get('new') as number) > filledTo);
  t.true(((await values()).get('a2') as number) > filledTo);
  t.false((await values()).has('a1'));
  t.is((await pool.query('select from earlier_rows')).rowCount, 0);
});
