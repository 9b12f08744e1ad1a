import type { ServedIndex } from '#domain/index-state.ts';
import { createLogger } from '#observability/logger.ts';
import { IndexGuard } from '#search/index-guard.ts';
import { eventually } from '#test/eventually.ts';
import { test } from '#test/test.ts';
import { indexesWorker } from '#workers/indexes.ts';

const source = { version: 1, changing: false };
const record = (serving: string) => ({ serving, documents: 5, run: 1, intended: null, intendedDocuments: 0 });
const shown = (index: string) => ({ index, documents: 5, digest: undefined, watermark: 7 });

for (const [listings, isRepairDue, expected] of [
  [null, false, ['listings']],
  ['another', false, ['listings']],
  ['serving', false, []],
  ['serving', true, ['repair']],
] as const)
  test(`with ${listings ?? 'no'} index behind the alias, and ${isRepairDue ? 'after' : 'without'} a restore, the worker starts [${expected}]`, async (t) => {
    const done: string[] = [];
    let checked = false;
    const others = ['history', 'deals', 'transactions', 'projects', 'developers', 'webhooks'] as const;
    const indexGuard = new IndexGuard({
      shown: async () =>
        new Map<ServedIndex, ReturnType<typeof shown>>([
          ...others.map((name) => [name, shown('other')] as const),
          ...(listings === null ? [] : ([['listings', shown(listings)]] as const)),
        ]),
      registry: async () =>
        new Map<ServedIndex, { record: ReturnType<typeof record>; source: typeof source }>([
          ...others.map((name) => [name, { record: record('other'), source }] as const),
          ['listings', { record: record('serving'), source }],
        ]),
    });
    const stop = await indexesWorker.start({
      indexGuard,
      logger: createLogger('silent'),
      ingest: {
        isRepairDue: async () => {
          checked = true;
          return isRepairDue;
        },
        repair: async () => Boolean(done.push('repair')),
        fill: async (name: string) => Boolean(done.push(name)),
      },
    } as unknown as Parameters<typeof indexesWorker.start>[0]);
    await eventually(() => checked);
    await stop();
    t.deepEqual(done, [...expected]);
  });

test('the guard accepts the index of the records before, if a fill ends between its two reads', async (t) => {
  let recorded = 'old';
  const guard = new IndexGuard({
    shown: async () => new Map([['listings', shown('old')]]),
    registry: async () => new Map([['listings', { record: record(recorded), source }]]),
  });
  await guard.refresh();
  recorded = 'new';
  await guard.refresh();
  t.false(guard.due().includes('listings'));
  await guard.refresh();
  t.true(guard.due().includes('listings'));
});

test('an index that lost some documents is filled, and searched meanwhile', async (t) => {
  let documents = 4;
  let version = 1;
  const guard = new IndexGuard({
    shown: async () => new Map([['listings', { ...shown('serving'), documents }]]),
    registry: async () => new Map([['listings', { record: record('serving'), source: { ...source, version } }]]),
  });
  await guard.refresh();
  t.false(guard.due().includes('listings'), 'a run may have written between the count and the record');
  await guard.refresh();
  t.true(guard.due().includes('listings'));
  t.notThrows(() => guard.check('listings'));
  version = 2;
  await guard.refresh();
  t.false(guard.due().includes('listings'), 'a run has ended since the check before');
  documents = 5;
  await guard.refresh();
  t.false(guard.due().includes('listings'));
});
