import type { ExecutionContext } from 'ava';
import { MODIFIED_STEP } from '#domain/listings/modified.ts';
import { rebuildIndexes } from '#ingest/rebuild.ts';
import { claimAs } from '#start/claim.ts';
import { test } from '#test/test.ts';
import { startOneSource } from './one-source.ts';
import { ad, ads, testSource } from './pipeline.ts';

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

test('values of modified_at are unique, at least one step apart, and below the watermark of their run', async (t) => {
  const { source, run, values, watermark } = await start(t, 'modified-unique');
  t.is(await watermark(), 0, 'an installation that has published nothing');
  source.feed = ads(1_200, 'a');
  await run();
  const sorted = [...(await values()).values()].sort((a, b) => a - b);
  t.is(sorted.length, 1_200);
  for (const [at, value] of sorted.entries()) if (at > 0) t.true(value - (sorted[at - 1] as number) >= MODIFIED_STEP);
  t.true((sorted.at(-1) as number) <= (await watermark()));
  t.true((await watermark()) <= Date.now() * 1_000 + 1_000_000);
});

test('a change of content, price or a relisting changes modified_at; observation times do not', async (t) => {
  const { pipeline, source, run, values, since, watermark } = await start(t, 'modified-moves');
  const quiet = ads(6, 'q');
  const timeless = ads(6, 'daily', { updated_at: null });
  source.feed = [...quiet, ...timeless, ad('price'), ad('text'), ad('gone'), ad('bumped')];
  await run();
  const first = await values();
  let mark = await watermark();
  source.feed = [
    ...quiet,
    ...timeless,
    ad('price', { price: 30_000, updated_at: '2026-01-01T00:00:00Z' }),
    ad('text', { title: 'شقة أخرى' }),
    ad('bumped', { updated_at: '2026-06-02T00:00:00Z' }),
  ];
  const report = await run();
  t.true(((report.stages.find(({ stage }) => stage === 'index')?.details.indexed as number) ?? 0) >= 9);
  t.deepEqual((await since(mark)).sort(), ['price', 'text']);
  t.like(await pipeline.document((await pipeline.listing('s', 'daily1')).id), {
    display: { updated_at: '2026-06-03T03:00:00Z' },
  });
  mark = await watermark();
  source.feed = [...source.feed, ad('gone')];
  await run();
  t.deepEqual(await since(mark), ['gone']);
  mark = await watermark();
  await run();
  t.deepEqual(await since(mark), []);
  for (const name of ['q1', 'daily1', 'bumped']) t.is((await values()).get(name), first.get(name));
});

test('a merge changes the `modified_at` of the remaining listing, and a split changes both', async (t) => {
  const { pipeline, source, values } = await start(t, 'modified-merge');
  const other = testSource('other');
  const home = { price: 61_000, area: 143, bedrooms: 3, floor: '2', age_years: 4, lat: 24.8123, lng: 46.6123 };
  source.feed = [...ads(4, 'l'), ad('same', home)];
  other.feed = ads(4, 'r');
  const both = (at: string) => pipeline.run([source, other], at);
  await both('2026-06-02T03:00:00Z');
  const before = await values();
  other.feed = [...ads(4, 'r'), ad('also', { ...home, lat: 24.8124 })];
  await both('2026-06-03T03:00:00Z');
  const merged = await values();
  t.true((merged.get('same') as number) > (before.get('same') as number));
  t.false(merged.has('also'), 'merged');
  other.feed = [
    ...ads(4, 'r'),
    ad('also', { bedrooms: 1, area: 250, price: 99_000, photos: ['https://photos.example/else.jpg'] }),
  ];
  await both('2026-06-04T03:00:00Z');
  const split = await values();
  t.true((split.get('same') as number) > (merged.get('same') as number), 'split');
  t.true((split.get('also') as number) > (merged.get('same') as number), 'shown again');
  t.is(split.get('l1'), before.get('l1'));
});

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

test('a rebuild keeps modified_at, except for listings that the index did not show', async (t) => {
  const { pipeline, source, run, values, since, watermark } = await start(t, 'modified-rebuild');
  source.feed = ads(8, 'a');
  await run();
  const before = await values();
  const mark = await watermark();
  const request = { pool: pipeline.pool, listingIndex: pipeline.index, claim: claimAs(new Date()) };
  await rebuildIndexes(['listings'], request);
  t.deepEqual(await values(), before);
  t.true((await watermark()) >= mark);
  // A lost document gets a new value, because clients that have read past its old value never received it.
  const { id } = await pipeline.listing('s', 'a3');
  await pipeline.client.delete({ index: pipeline.index.alias, id: String(id), refresh: true });
  const seen = await watermark();
  await rebuildIndexes(['listings'], request);
  t.deepEqual(await since(seen), ['a3']);
  t.true((await watermark()) >= ((await values()).get('a3') as number));
  // A lost index keeps all values, because nothing was read while it was lost.
  const all = await values();
  await pipeline.client.send('DELETE', `/${pipeline.prefix}listings-v*`);
  await rebuildIndexes(['listings'], request);
  t.deepEqual(await values(), all);
});

test('`modified_at` increases even if the clock is set back', async (t) => {
  const { pipeline, source, run, since, watermark } = await start(t, 'modified-clock');
  source.feed = ads(4, 'a');
  await run();
  await pipeline.pool.query('update modification_clock set high = high + 3600000000');
  source.feed = [...ads(4, 'a'), ad('b')];
  await run();
  const ahead = await watermark();
  t.true(ahead > Date.now() * 1_000);
  source.feed = [...source.feed, ad('c')];
  await run();
  t.deepEqual(await since(ahead), ['c']);
});

test('listings of an earlier release derive modified_at from first_seen_at and the id until they change', async (t) => {
  const { pipeline, source, run, values, since, watermark } = await start(t, 'modified-upgrade');
  source.feed = ads(8, 'a');
  await run();
  await pipeline.pool.query(
    `truncate listing_publications; update modification_clock set high = 0, watermark = null, run = 0`,
  );
  const index = await pipeline.index.synced();
  t.truthy(index.mark);
  source.feed = [...ads(7, 'a'), ad('a7', { price: 31_000 }), ad('new')];
  await run();
  const first = Date.parse('2026-06-02T03:00:00Z') * 1_000;
  const { rows } = await pipeline.pool.query<{ key: string; modified: number; id: number }>(
    `select l.source_listing_id as key, p.modified, l.id from listings l join listing_publications p on p.listing_id = l.id`,
  );
  const recorded = new Map(rows.map(({ key, modified }) => [key, modified]));
  for (const { key, modified, id } of rows)
    if (!['a7', 'new'].includes(key)) t.is(modified, first + id * MODIFIED_STEP, key);
  const a7 = recorded.get('a7') as number;
  t.true(a7 > first + 1_000_000_000 && a7 <= (await watermark()));
  t.deepEqual(
    (await since(a7 - 1)).filter((id) => ['a7', 'new'].includes(id)),
    ['a7', 'new'],
  );
  t.is((await values()).get('new'), recorded.get('new'));
});
