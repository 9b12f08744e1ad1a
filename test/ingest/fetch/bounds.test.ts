import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { batchesOf } from '#ingest/fetch/batches.ts';
import { excerptOf } from '#ingest/fetch/excerpt.ts';
import { RejectLog } from '#ingest/fetch/reject-log.ts';
import { XmlRecords } from '#ingest/sources/kinds/xml-records.ts';
import { test } from '#test/test.ts';

const MEGABYTE = 1024 ** 2;

function heapBytes(): number {
  setFlagsFromString('--expose_gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test('memory does not depend on the size of rejected rows', async (t) => {
  const rows = 300;
  async function* feed() {
    for (let at = 0; at < rows; at++)
      yield { row: { title: `${at} ${'a'.repeat(MEGABYTE)}`, more: ['b'.repeat(MEGABYTE)] } };
    return 'the end';
  }
  const log = new RejectLog();
  const before = heapBytes();
  let most = 0;
  for await (const batch of batchesOf(feed())) {
    most = Math.max(most, batch.length);
    for (const { row } of batch) {
      log.add('missing_id', 'the row has no id', row);
      log.add('malformed_row', row.title, row.title);
    }
  }
  t.true(most <= 3, `batches of up to ${most} rows`);
  t.is(log.list.length, 2 * rows);
  t.true(heapBytes() - before < 20 * MEGABYTE);
});

test('an excerpt of a row is the start of its JSON, whatever its depth', (t) => {
  const row = {
    id: 7,
    tags: ['a', null, undefined],
    text: 'شقة "1"\n',
    none: undefined,
    more: { yes: true, big: 1e21 },
  };
  t.is(excerptOf(row, 2_000), JSON.stringify(row));
  t.is(excerptOf(row, 20), JSON.stringify(row).slice(0, 20));
  const deep = JSON.parse(`${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`) as unknown;
  t.true(excerptOf(deep, 2_000).length < 100);
  t.is(excerptOf('a\0b\ud800', 10), 'ab\ufffd');
});

test('a tag without an end takes linear time', (t) => {
  for (const part of ['a', 'a ', ' a="b"', ' "', "='", '<', '<b', '<b c="'])
    for (const chunk of [1_400, 128 * 1024]) {
      const text = `<ads><ad><${part.repeat(300_000 / part.length)}`;
      const started = process.threadCpuUsage();
      const records = new XmlRecords({ name: 'feed', parent: 'ads', record: 'ad', maxRecordBytes: MEGABYTE });
      for (let at = 0; at < text.length; at += chunk) for (const _ of records.read(text.slice(at, at + chunk)));
      const { user } = process.threadCpuUsage(started);
      t.true(user < 2_000_000, `${JSON.stringify(part)} in chunks of ${chunk}: ${user / 1_000} ms`);
    }
});
