import fc from 'fast-check';
import { releaseSource } from '#ingest/run/held-sources.ts';
import { test } from '#test/test.ts';
import { project, testProjects } from '../off-plan/ground.ts';
import { ad, type Overrides, type Pipeline, startPipeline, testSource } from './pipeline.ts';

let pipeline: Awaited<ReturnType<typeof startPipeline>>;
test.before(async () => {
  pipeline = await startPipeline('ingest-held');
});
test.after(() => pipeline.close());

let clock = Date.parse('2026-04-02T03:00:00Z');

/** One run: which of twelve entries the feed lists, and whether an operator first releases a held feed. */
interface Step {
  listed: readonly number[];
  release: boolean;
}

const steps = fc.array(
  fc.record({
    listed: fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { maxLength: 12 }),
    release: fc.boolean(),
  }),
  { minLength: 2, maxLength: 6 },
);

/** Models a feed over several runs: the live entries, and whether the last complete run confirmed each entry. */
function createModel() {
  const live = new Map<number, boolean>();
  let held = false;
  let released = false;
  return {
    live,
    isHeld: () => held,
    release: () => {
      released = true;
    },
    /** @returns the reason why the feed is held; null if the run is complete */
    run(listed: readonly number[]): string | null {
      const confirmed = [...live].filter(([, confirmed]) => confirmed).map(([id]) => id);
      const missing = confirmed.filter((id) => !listed.includes(id));
      for (const id of listed) if (!live.has(id)) live.set(id, false);
      held = missing.length * 2 > confirmed.length && !released;
      if (held) return `${missing.length} of ${confirmed.length} ads are gone`;
      for (const id of live.keys()) if (!listed.includes(id)) live.delete(id);
      for (const id of live.keys()) live.set(id, true);
      released = false;
      return null;
    },
  };
}

interface Feed {
  name: string;
  list(ids: readonly number[]): Parameters<Pipeline['run']>[0];
  overrides: Overrides;
  /** Returns the feed ids of entries that are not withdrawn. */
  live(): Promise<number[]>;
}

async function followsModel(feed: Feed, sequence: readonly Step[]): Promise<void> {
  const model = createModel();
  for (const { listed, release } of sequence) {
    if (release && model.isHeld()) {
      await releaseSource(pipeline.pool, feed.name);
      model.release();
    }
    clock += 43_200_000;
    const report = await pipeline.run(feed.list(listed), new Date(clock).toISOString(), feed.overrides);
    const reason = report.held[feed.name] ?? null;
    const expected = model.run(listed);
    const said = /^(\d+) of (\d+)/.exec(reason ?? '0 of 0');
    if (Number(said?.[1]) > Number(said?.[2])) throw new Error(`more ads are missing than exist: ${reason}`);
    if ((reason?.split(' from')[0] ?? null) !== expected) throw new Error(`${reason}, expected ${expected}`);
    const ids = [...model.live.keys()].sort((a, b) => a - b).join();
    const found = (await feed.live()).sort((a, b) => a - b).join();
    if (found !== ids) throw new Error(`live: ${found}, expected ${ids}`);
  }
}

const liveIds = async (table: string, id: string, source: string): Promise<number[]> =>
  (
    await pipeline.pool.query<{ id: string }>(
      `select ${id} as id from ${table} where source = $1 and withdrawn_at is null`,
      [source],
    )
  ).rows.map((row) => Number(row.id.slice(1)));

let names = 0;
function adFeed(): Feed {
  const source = testSource(`held_${names++}`);
  return {
    name: source.name,
    overrides: {},
    list: (ids) => {
      source.feed = ids.map((id) => ad(`h${id}`));
      return [source];
    },
    live: () => liveIds('listings', 'source_listing_id', source.name),
  };
}

function projectFeed(): Feed {
  const source = testProjects(`held_${names++}`);
  return {
    name: `${source.name}/projects`,
    overrides: { projectSources: [source] },
    list: (ids) => {
      source.feed = ids.map((id) => project(`p${id}`));
      return [];
    },
    live: () => liveIds('off_plan_records', 'source_project_id', source.name),
  };
}

const all = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const run = (listed: number[], release = false): Step => ({ listed, release });

test('all counts for a held feed cover the same ads, for any sequence of runs', async (t) => {
  const replaced = [run(all(0, 4)), run(all(4, 12)), run(all(4, 12)), run([]), run(all(4, 12), true)];
  const relisted = [run(all(0, 6)), run(all(0, 3)), run(all(3, 9)), run(all(6, 12)), run([], true)];
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(steps, (sequence) => followsModel(adFeed(), sequence)),
      { numRuns: 10, examples: [[replaced], [relisted]] },
    ),
  );
});

test('held project feeds follow the same rules', async (t) => {
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(steps, (sequence) => followsModel(projectFeed(), sequence)),
      { numRuns: 5, examples: [[[run(all(0, 4)), run(all(4, 12)), run([]), run(all(4, 12), true)]]] },
    ),
  );
});
