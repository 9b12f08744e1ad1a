import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { Progress, Stage } from '#ingest/run/run-report.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { readWatermark } from '#stores/opensearch/listing-index/listing-index.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { randomKill, runKillable } from './killable.ts';
import { ad, ads, startPipeline, testSource, withoutValues } from './pipeline.ts';

const START = Date.parse('2026-03-01T03:00:00Z');
const DAY_MS = 86_400_000;
const timeOf = (day: number): string => new Date(START + day * 20 * DAY_MS).toISOString();
const RUN = new URL('./run-feeds.ts', import.meta.url).pathname;

/** What happens to the run of a day. */
export interface Day {
  /** Leaves the writes to indexes to the next run. */
  followed?: true;
  /** The stage in which the run is stopped. The next run resumes it first, and must stop at an earlier stage, if at all. */
  stopAt?: Stage;
  /** Number of times that the process of the run is killed at a random point, at most. */
  kills?: number;
}

/** The feed for a day: ads are added, removed, relisted, repriced, advertised twice or far below the market, or lose their photos. */
function feedOf(day: number, size: number): FeedRow[] {
  const moving = Array.from({ length: 40 * size }, (_, at) =>
    ad(`moving${at}`, { price: 40_000 + ((at * 7 + day * (at % 3)) % 50) * 500, photos: photosOf(at, day) }),
  );
  const home = (id: string, at: number, price: number) =>
    ad(id, { price, area: 110 + at, bedrooms: 3, lat: 24.75 + at * 0.001, lng: 46.65 });
  const twin = { title: 'شقة في برج', area: 143, floor: '2', lat: 24.8123, lng: 46.6123, price: 61_000, bedrooms: 3 };
  return [
    ...ads(60 * size, 'kept', { updated_at: undefined }),
    ...moving,
    ...Array.from({ length: 60 * size }, (_, at) => ad(`passing${at}`)).filter((_, at) => (at + day) % 4 < 2),
    ...ads(5 * day, 'late'),
    ...Array.from({ length: 40 }, (_, at) => home(`market${at}`, at, 60_000 + 300 * at)),
    home('deal', 20, 44_000 - 500 * day),
    ...['one', 'two'].flatMap((id, at) => ((at + day) % 3 === 0 ? [] : [ad(id, twin)])),
  ];
}

const photosOf = (at: number, day: number): string[] =>
  at % 8 === day % 8 ? [] : [`https://photos.example/moving${at}.jpg`];

/** Returns the served state after the runs of all days, with the number of the day in place of that of the run. */
export async function stateAfter(t: ExecutionContext, name: string, days: readonly Day[], size = 1) {
  const pipeline = await startPipeline(name);
  t.teardown(() => pipeline.close());
  const source = testSource('daily');
  const file = join(await temporaryFolder(t), 'feeds.json');
  /** Number of progress lines by stage. */
  const lines = new Map<string, number>();
  const count = ({ stage }: Progress) => lines.set(stage, (lines.get(stage) ?? 0) + 1);
  for (const [day, { followed = false, stopAt, kills = 0 }] of days.entries()) {
    source.feed = feedOf(day, size);
    if (stopAt !== undefined) {
      const stop = new AbortController();
      const onProgress = ({ stage }: Progress) => {
        if (stage !== stopAt) return;
        stop.abort(new Error('stopped'));
        throw stop.signal.reason;
      };
      const stopped = pipeline.run([source], timeOf(day), { followed, signal: stop.signal, onProgress });
      await t.throwsAsync(stopped, { message: 'stopped' });
      // A resumed run reads its feed only if it was stopped there.
      if (stopAt !== 'fetch') continue;
    }
    await writeFile(file, JSON.stringify({ [source.name]: source.feed }));
    for (let attempt = 0; attempt < kills; attempt++) {
      const { databaseUrl, prefix, bucket } = pipeline;
      const kill = randomKill(lines, attempt);
      const run = await runKillable(RUN, [databaseUrl, prefix, bucket, file, timeOf(day)], kill);
      if (run.completed) break;
      t.is(run.errors, '');
      t.log(`${timeOf(day)}: killed ${kill.delay} ms after "${run.last}"`);
    }
    const { stages, failed } = await pipeline.run([source], timeOf(day), { followed, onProgress: count });
    t.deepEqual(failed, {});
    const index = stages.find(({ stage }) => stage === 'index');
    t.is(Number(index?.details.documents_left ?? 0), followed ? 1 : 0);
  }
  const snapshot = await pipeline.snapshot();
  const published = snapshot.documents.map(({ id, stored }) => ({ id: Number(id), modified: stored.private.modified }));
  const { rows } = await pipeline.pool.query(
    'select listing_id as id, modified from listing_publications where content is not null order by 1',
  );
  t.deepEqual(rows, published);
  const values = published.map(({ modified }) => modified ?? Number.NaN);
  t.is(new Set(values).size, published.length);
  t.true(Math.max(...values) <= ((await readWatermark(pipeline.client, pipeline.index.alias)) ?? Number.NaN));
  const runs = await pipeline.pool.query<{ id: number; at: Date }>('select id, at from ingest_runs');
  const dayOf = new Map(runs.rows.map(({ id, at }) => [id, at.toISOString()]));
  const renumbered = (table: Record<string, unknown>[]) =>
    table.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          /^(?:\w+_run|run_id)$/.test(column) ? dayOf.get(value as number) : value,
        ]),
      ),
    );
  return {
    ...snapshot,
    documents: withoutValues(snapshot.documents),
    events: renumbered(snapshot.events),
    prices: renumbered(snapshot.prices),
    listings: renumbered(snapshot.listings),
    // Deals depend on the previous run only, so their versions may differ.
    deals: snapshot.deals.map(({ version, ...deal }) => deal),
    history: await pipeline.documents('history'),
  };
}
