import { type IndexRecord, isIncomplete, lossOf } from '#domain/index-state.ts';
import { test } from '#test/test.ts';

const record: IndexRecord = { serving: 'a', documents: 1_000, run: 7, intended: null, intendedDocuments: 0 };
const moving: IndexRecord = { ...record, intended: 'b', intendedDocuments: 5 };
const settled = { version: 7, changing: false };
const shown = (index: string, documents: number, watermark: number | null = null) => ({ index, documents, watermark });

test('an index is lost if it is missing, empty, behind Postgres, or neither the serving nor the intended one', (t) => {
  t.is(lossOf(record, null, settled), 'is missing');
  t.is(lossOf(record, shown('a', 0), settled), 'is empty');
  t.regex(lossOf(record, shown('b', 1_000), settled) ?? '', /^was replaced by b/);
  t.is(lossOf(record, shown('a', 9, 4), { ...settled, watermark: 5 }), 'is behind Postgres');
  t.is(lossOf(record, shown('a', 9, 5), { ...settled, watermark: 5 }), null);
  t.is(lossOf(record, shown('a', 1), settled), null, 'a run that has ended may have withdrawn listings');
  t.is(lossOf(record, shown('a', 0), { version: 7, changing: true }), null, 'a run may remove the last document');
  t.is(lossOf({ ...record, documents: 0 }, shown('a', 0), settled), null, 'nothing was filled');
  t.is(lossOf(null, shown('a', 0), settled), null, 'nothing was recorded');
  t.is(lossOf(moving, shown('b', 5), settled), null, 'the alias has moved');
  t.is(lossOf(moving, shown('b', 0), settled), 'is empty');
});

test('an index is incomplete if it has fewer documents than were recorded, and no run has changed its tables since', (t) => {
  t.true(isIncomplete(record, shown('a', 999), settled));
  t.false(isIncomplete(record, shown('a', 1_000), settled));
  t.false(isIncomplete(record, shown('b', 999), settled), 'another index is lost or intended');
  t.false(isIncomplete(record, shown('a', 999), { version: 7, changing: true }), 'a run withdraws listings');
  t.false(isIncomplete({ ...record, run: 0 }, shown('a', 999), { version: 0, changing: false }), 'webhooks');
  t.false(
    isIncomplete({ ...record, run: 6 }, shown('a', 999), settled),
    'an import has not recorded its documents yet',
  );
});
