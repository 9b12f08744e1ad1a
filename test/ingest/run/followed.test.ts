import type { ExecutionContext } from 'ava';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { test } from '#test/test.ts';
import { ad, ads, type Pipeline, startPipeline, testSource, withoutValues } from './pipeline.ts';

const START = Date.parse('2026-03-01T03:00:00Z');
const DAY = 86_400_000;
const timeOf = (day: number): string => new Date(START + day * 20 * DAY).toISOString();

/** The feed for a day, in which ads are added, removed, relisted, repriced, advertised twice or lose their photos. */
function feedOf(day: number): FeedRow[] {
  const kept = ads(60, 'kept', { updated_at: undefined });
  const moving = Array.from({ length: 40 }, (_, at) =>
    ad(`moving${at}`, { price: 40_000 + ((at * 7 + day * (at % 3)) % 50) * 500, photos: photosOf(at, day) }),
  );
  const passing = Array.from({ length: 60 }, (_, at) => ad(`passing${at}`)).filter((_, at) => (at + day) % 4 < 2);
  const late = ads(5 * day, 'late');
  return [...kept, ...moving, ...passing, ...late];
}

const photosOf = (at: number, day: number): string[] =>
  at % 8 === day % 8 ? [] : [`https://photos.example/moving${at}.jpg`];

async function documentsOf({ client }: Pipeline, name: string): Promise<unknown[]> {
  const { body } = await client.search({
    index: client.prefix + name,
    body: { size: 10_000, sort: [{ _id: 'asc' }] as never },
  });
  return body.hits.hits.map(({ _id, _source }) => ({ _id, _source }));
}

/** Returns the served state after all days. Runs on days in `followed` defer index writes to the next run. */
async function after(t: ExecutionContext, name: string, days: readonly boolean[]) {
  const pipeline = await startPipeline(name);
  t.teardown(() => pipeline.close());
  const source = testSource('followed');
  const left: number[] = [];
  for (const [day, followed] of days.entries()) {
    source.feed = feedOf(day);
    const report = await pipeline.run([source], timeOf(day), { followed });
    const index = report.stages.find(({ stage }) => stage === 'index');
    left.push(Number(index?.details.documents_left ?? 0));
    if (followed) t.is(index?.kept, 0);
  }
  t.deepEqual(
    left.map((each) => each === 1),
    [...days],
  );
  const snapshot = await pipeline.snapshot();
  // Deals depend on the previous run only, so their versions may differ.
  const deals = snapshot.deals.map(({ version, ...deal }) => deal);
  return {
    ...snapshot,
    documents: withoutValues(snapshot.documents),
    deals,
    history: await documentsOf(pipeline, 'history'),
  };
}

test('runs that defer index writes to the next run end in the same state as runs that write immediately', async (t) => {
  const whole = await after(t, 'followed-none', [false, false, false, false, false, false]);
  t.true(whole.documents.length > 100);
  t.true(whole.events.some(({ type }) => type === 'listing.delisted'));
  t.deepEqual(await after(t, 'followed-all', [true, true, true, true, true, false]), whole);
  // The index contains documents that must be deleted.
  t.deepEqual(await after(t, 'followed-some', [false, true, false, true, true, false]), whole);
});

test('an interrupted run that deferred its index writes can be resumed with index writes', async (t) => {
  const pipeline = await startPipeline('followed-interrupted');
  t.teardown(() => pipeline.close());
  const source = testSource('followed');
  source.feed = feedOf(0);
  await pipeline.run([source], timeOf(0), { followed: true });
  source.feed = feedOf(1);
  const stop = new AbortController();
  await t.throwsAsync(
    pipeline.run([source], timeOf(1), {
      followed: true,
      signal: stop.signal,
      onProgress: ({ stage }) => {
        if (stage === 'index') stop.abort(new Error('enough'));
      },
    }),
  );
  await pipeline.run([source], timeOf(1));
  const { documents } = await pipeline.snapshot();
  const { rows } = await pipeline.pool.query('select id, version from listings where served order by id');
  t.deepEqual(
    documents.map(({ id, version }) => ({ id: Number(id), version })),
    rows.map(({ id, version }) => ({ id: Number(id), version })),
  );
});
