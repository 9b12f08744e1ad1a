import { IndexGuard } from '#stores/opensearch/index-guard.ts';
import { test } from '#test/test.ts';

const source = { version: 1, changing: false };
const record = (serving: string) => ({ serving, documents: 5, run: 1, intended: null, intendedDocuments: 0 });
const shown = (index: string) => ({
  index,
  documents: 5,
  digest: undefined,
  version: undefined,
  isBlocked: false,
  watermark: 7,
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
