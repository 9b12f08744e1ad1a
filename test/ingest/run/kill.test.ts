import { loadSources } from '#ingest/load-sources.ts';
import type { Progress } from '#ingest/run/report.ts';
import { generateSample } from '#sample/generate.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { readWatermark } from '#search/listing-index/watermark.ts';
import { createDatabase } from '#test/engines.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { randomKill, runKillable } from './killable.ts';
import { installation, openPipeline, type Pipeline, type Snapshot, withoutValues } from './pipeline.ts';

const CHILD = new URL('./one-run.ts', import.meta.url).pathname;
const DAYS = ['2026-04-10', '2026-04-11', '2026-04-12'];
/** Maximum number of kills per day before the run may complete. */
const KILLS = 2;

/** Returns the parts of a snapshot that do not depend on run times. */
function comparable({ documents, events, prices, listings, months, deals }: Snapshot): unknown {
  return { documents: withoutValues(documents), events, prices, listings, months, deals };
}

/** Returns ids and values of the documents in an index that is derived from the listings. */
async function derived({ client }: Pipeline, name: 'history' | 'deals'): Promise<unknown[]> {
  const index = client.aliases[name];
  await client.indices.refresh({ index });
  const docvalue_fields = ['on_market.last_month', 'on_market.price', 'stats.deal_gap_pct'];
  const { body } = await client.search({ index, body: { size: 10_000, _source: false, docvalue_fields } });
  return body.hits.hits.map(({ _id, fields }) => [_id, fields]).sort();
}

test('a run killed at any point and resumed gives the same index and the same events', async (t) => {
  t.timeout(170_000);
  const dir = await temporaryFolder(t);
  await generateSample({
    dir,
    listings: 2_500,
    seed: 11,
    days: DAYS.length,
    until: DAYS.at(-1) as string,
    hostUrl: 'http://photos.example',
  });
  const open = async (name: string) => {
    const { database, prefix, bucket } = installation(name);
    const url = await createDatabase(database);
    const pipeline = await openPipeline(url, prefix, bucket);
    t.teardown(() => pipeline.close());
    return { pipeline, args: [url, prefix, bucket, dir] };
  };
  const calm = await open('ingest-calm');
  const rough = await open('ingest-rough');
  const sources = await loadSources({ dataDir: dir, sources: SAMPLE_SOURCES });
  let killed = 0;
  for (const day of DAYS) {
    const at = `${day}T09:00:00Z`;
    /** Number of progress lines by stage. */
    const stages = new Map<string, number>();
    const count = ({ stage }: Progress) => stages.set(stage, (stages.get(stage) ?? 0) + 1);
    t.deepEqual((await calm.pipeline.run(sources, at, { onProgress: count })).failed, {});
    for (let attempt = 0; attempt < KILLS; attempt++) {
      const kill = randomKill(stages, attempt);
      const result = await runKillable(CHILD, [...rough.args, at], kill);
      if (result.completed) break;
      t.is(result.errors, '');
      t.log(`${day}: killed ${kill.delay} ms after "${result.last}"`);
      killed++;
    }
    t.deepEqual((await rough.pipeline.run(sources, at)).failed, {});
  }
  t.true(killed > 0);
  // Published values equal the indexed values, are unique, and are below the watermark.
  for (const { pipeline } of [calm, rough]) {
    const { documents } = await pipeline.snapshot();
    const values = documents.map(({ stored }) => stored.private.modified ?? Number.NaN);
    t.is(new Set(values).size, documents.length);
    t.true(Math.max(...values) <= ((await readWatermark(pipeline.client, pipeline.index.alias)) ?? Number.NaN));
    const { rows } = await pipeline.pool.query<{ id: number; modified: number }>(
      'select listing_id as id, modified from listing_publications where content is not null order by 1',
    );
    t.deepEqual(
      rows,
      documents.map(({ id, stored }) => ({ id: Number(id), modified: stored.private.modified ?? Number.NaN })),
    );
  }
  const [expected, actual] = [await calm.pipeline.snapshot(), await rough.pipeline.snapshot()];
  t.true(expected.documents.length > 1_000);
  t.true(expected.events.some(({ type }) => type === 'listing.price_changed'));
  t.true(expected.events.some(({ type }) => type === 'listing.delisted'));
  // If a run completed before it was killed, a second run at the same time follows, which changes only the run number.
  const runs = (await rough.pipeline.pool.query('select id, at from ingest_runs order by id')).rows;
  const numbers = new Map(
    runs.map(({ id, at }) => [id, DAYS.findIndex((day) => at.toISOString().startsWith(day)) + 1]),
  );
  const renumbered = (rows: Record<string, unknown>[]) =>
    rows.map((row) => {
      const copy = { ...row };
      for (const column of ['run_id', 'changed_run', 'content_run', 'listed_run']) {
        if (column in copy) copy[column] = numbers.get(copy[column] as number);
      }
      return copy;
    });
  t.deepEqual(
    comparable({ ...actual, events: renumbered(actual.events), listings: renumbered(actual.listings) }),
    comparable(expected),
  );
  for (const name of ['history', 'deals'] as const) {
    const documents = await derived(calm.pipeline, name);
    t.true(documents.length > 0, name);
    t.deepEqual(await derived(rough.pipeline, name), documents);
  }
});
