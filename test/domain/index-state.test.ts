import fc from 'fast-check';
import { type IndexRecord, isPlausible, judgeIndex, type ShownIndex } from '#domain/index-state.ts';
import { test } from '#test/test.ts';

const record: IndexRecord = { mark: 'a', documents: 1_000, dataVersion: 7, nextMark: null, nextDocuments: null };
const settled = { version: 7, changing: false };

test('a missing index counts as lost, regardless of its record', (t) => {
  t.is(judgeIndex(record, null, settled), 'lost');
  t.is(judgeIndex(null, null, settled), 'lost');
});

test('an index is short if over 1% and over 20 documents are missing, unless its tables are changing', (t) => {
  const shown = (documents: number): ShownIndex => ({ mark: 'a', documents });
  t.is(judgeIndex(record, shown(979), settled), 'short');
  t.is(judgeIndex(record, shown(980), settled), 'serves');
  t.is(judgeIndex({ ...record, documents: 100_000 }, shown(99_001), settled), 'serves');
  t.is(judgeIndex({ ...record, documents: 100_000 }, shown(98_999), settled), 'short');
  t.is(judgeIndex(record, shown(0), { version: 7, changing: true }), 'serves');
  t.is(judgeIndex(record, shown(0), { version: 8, changing: false }), 'serves', 'a run that keeps no record has ended');
  t.is(judgeIndex(record, shown(5_000), settled), 'serves');
});

test('an empty index that replaced a recorded index counts as lost, even during a run', (t) => {
  const empty: ShownIndex = { mark: null, documents: 0 };
  t.is(judgeIndex(record, empty, { version: 7, changing: true }), 'lost');
  t.is(judgeIndex(record, empty, settled), 'lost');
  t.is(judgeIndex(record, { mark: 'b', documents: 0 }, settled), 'lost', 'also one that has a mark');
  t.is(judgeIndex(record, { mark: null, documents: 500 }, settled), 'lost', 'or that was filled in part');
  t.is(judgeIndex(record, { mark: null, documents: 1_000 }, settled), 'unverified');
  t.is(judgeIndex(record, empty, { version: 8, changing: false }), 'unverified', 'the tables decide');
  t.false(isPlausible(0, 1));
  t.true(isPlausible(0, 0));
});

/** Model of an installation: tables, the index behind the alias, and the record of the index. */
interface World {
  rows: number;
  run: number;
  changing: boolean;
  shown: { mark: string | null; documents: number; holds: number };
  record: IndexRecord | null;
  snapshot: World['shown'] | null;
  previous: World['shown'] | null;
  marks: number;
}

/** Operations of a month. An operation with `at` is killed after `at` points, or completes if it has no more points. */
type Step =
  | { kind: 'run' | 'old-run'; change: number; at: number }
  | { kind: 'swap' | 'old-swap'; at: number }
  | { kind: 'rollback' | 'snapshot' | 'restore-snapshot' | 'adopt' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('run' as const, 'old-run' as const),
    change: fc.integer({ min: -300, max: 300 }),
    at: fc.nat(4),
  }),
  fc.record({ kind: fc.constantFrom('swap' as const, 'old-swap' as const), at: fc.nat(4) }),
  fc.record({
    kind: fc.constantFrom('rollback' as const, 'snapshot' as const, 'restore-snapshot' as const, 'adopt' as const),
  }),
);

const recorded = (world: World): IndexRecord =>
  world.record ?? { mark: null, documents: null, dataVersion: null, nextMark: null, nextDocuments: null };

/** Returns the points of a step in order. A killed process executes only the points before the kill. */
function pointsOf(world: World, { kind, ...rest }: Step): (() => void)[] {
  const change = 'change' in rest ? Math.max(rest.change, 1 - world.rows) : 0;
  const settle = (): void => {
    const { mark, documents } = world.shown;
    world.record = { mark, documents, dataVersion: world.shown.holds, nextMark: null, nextDocuments: null };
  };
  switch (kind) {
    case 'run':
    case 'old-run':
      return [
        () => {
          world.changing = true;
          world.run++;
          world.rows += change;
        },
        () => Object.assign(world.shown, { documents: world.rows, holds: world.run }),
        // Releases without records do not have this point.
        () => (kind === 'run' && world.shown.mark !== null ? settle() : undefined),
        () => {
          world.changing = false;
        },
      ];
    case 'swap': {
      if (world.changing) return [];
      const next = { mark: `m${world.marks++}`, documents: world.rows, holds: world.run };
      return [
        () => {
          world.record = { ...recorded(world), nextMark: next.mark, nextDocuments: next.documents };
        },
        () => {
          world.previous = { ...world.shown };
          world.shown = next;
        },
        settle,
      ];
    }
    case 'old-swap':
      return world.changing
        ? []
        : [
            () => {
              world.previous = { ...world.shown };
              world.shown = { mark: null, documents: world.rows, holds: world.run };
            },
          ];
    case 'rollback':
      return [
        () => {
          // A rollback first updates the previous index to the current data.
          if (world.previous && !world.changing)
            world.shown = { ...world.previous, documents: world.rows, holds: world.run };
        },
      ];
    case 'snapshot':
      return [
        () => {
          world.snapshot = { ...world.shown };
        },
      ];
    case 'restore-snapshot':
      return [
        () => {
          // Only a current snapshot is restored: the guard does not detect stale data if no documents are missing.
          if (world.snapshot?.holds === world.run && !world.changing) world.shown = { ...world.snapshot };
        },
      ];
    case 'adopt':
      return [
        () => {
          if (
            world.changing ||
            judgeIndex(world.record, world.shown, { version: world.run, changing: false }) !== 'unverified'
          )
            return;
          world.shown.mark ??= `m${world.marks++}`;
          settle();
        },
      ];
  }
}

/** Returns true if the guard allows reads of the index. */
function mayRead(world: World): boolean {
  const verdict = judgeIndex(world.record, world.shown, { version: world.run, changing: world.changing });
  if (verdict === 'unverified')
    return (world.shown.mark !== null && world.shown.documents > 0) || isPlausible(world.shown.documents, world.rows);
  return verdict === 'serves';
}

test('in any sequence of runs, swaps, rollbacks, snapshots and kills, healthy indexes are accepted and lost ones refused', (t) => {
  let judged = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 60, maxLength: 90 }), fc.integer({ min: 1, max: 5_000 }), (steps, rows) => {
      const world: World = {
        rows,
        run: 1,
        changing: false,
        shown: { mark: null, documents: rows, holds: 1 },
        record: null,
        snapshot: null,
        previous: null,
        marks: 0,
      };
      for (const each of steps) {
        // The next run completes an interrupted run under the same run number.
        if (world.changing) {
          Object.assign(world.shown, { documents: world.rows, holds: world.run });
          if (world.shown.mark !== null)
            world.record = {
              mark: world.shown.mark,
              documents: world.rows,
              dataVersion: world.run,
              nextMark: null,
              nextDocuments: null,
            };
          world.changing = false;
        }
        const points = pointsOf(world, each);
        const last = 'at' in each ? each.at : points.length;
        for (const point of points.slice(0, last)) {
          point();
          judged++;
          if (!mayRead(world)) return false;
        }
        // A missing index is always refused. An empty index is refused unless a run is in progress.
        const source = { version: world.run, changing: world.changing };
        if (judgeIndex(world.record, null, source) !== 'lost') return false;
        const empty = { ...world, shown: { mark: null, documents: 0, holds: 0 } };
        if (!world.changing && mayRead(empty)) return false;
      }
      return true;
    }),
    { numRuns: 500 },
  );
  t.true(judged > 10_000);
});
