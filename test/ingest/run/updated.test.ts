import test from 'ava';
import { ad, ads, type Pipeline, startPipeline, testSource } from './pipeline.ts';

let pipeline: Pipeline;
test.before(async () => {
  pipeline = await startPipeline('updated');
});
test.after.always(() => pipeline?.close());

const DAYS = ['2026-05-02T03:00:00Z', '2026-05-03T03:00:00Z', '2026-05-04T03:00:00Z'] as const;
const OLD = '2026-04-01T08:00:00Z';
const OLDER = '2026-03-15T08:00:00Z';

const updatedAt = async (source: string, id: string): Promise<string | undefined> =>
  (await pipeline.document((await pipeline.listing(source, id)).id))?.display.updated_at;

test('updated_at changes to the detection time only for changes and relistings without a source time', async (t) => {
  const source = testSource('edited');
  const left = ads(6, 'left');
  source.feed = [
    ...ads(12, 'same'),
    ...left,
    ...Array.from({ length: 6 }, (_, at) => ad(`cut${at}`, { price: 50_000 })),
    ...['dated', 'stale', 'bumped', 'backdated', 'retitled'].map((id) => ad(id, { price: 60_000 })),
  ];
  await pipeline.run([source], DAYS[0]);

  source.feed = [
    ...ads(12, 'same'),
    ...Array.from({ length: 6 }, (_, at) => ad(`cut${at}`, { price: 45_000, updated_at: OLDER })),
    ad('dated', { price: 55_000, updated_at: '2026-05-02T12:00:00Z' }),
    ad('stale', { price: 55_000 }),
    ad('bumped', { price: 60_000, updated_at: '2026-05-01T12:00:00Z' }),
    ad('backdated', { price: 60_000, updated_at: OLDER }),
    ad('retitled', { price: 60_000, title: 'شقة بعنوان آخر', updated_at: OLDER }),
    ad('added', { updated_at: OLDER }),
  ];
  await pipeline.run([source], DAYS[1]);
  for (let at = 0; at < 6; at++) t.is(await updatedAt('edited', `cut${at}`), DAYS[1], 'a price cut with an older time');
  t.is(await updatedAt('edited', 'stale'), DAYS[1], 'a price cut with an unchanged time');
  t.is(await updatedAt('edited', 'retitled'), DAYS[1]);
  t.is(await updatedAt('edited', 'dated'), '2026-05-02T12:00:00Z', 'a change with a time of the source');
  t.is(await updatedAt('edited', 'bumped'), '2026-05-01T12:00:00Z');
  t.is(await updatedAt('edited', 'backdated'), OLD, 'an earlier time without another change is no update');
  t.is(await updatedAt('edited', 'same1'), OLD);
  t.is(await updatedAt('edited', 'added'), OLDER);

  source.feed = [...source.feed, ...left.slice(0, 5), ad('left5', { price: 70_000, updated_at: OLDER })];
  await pipeline.run([source], DAYS[2]);
  for (let at = 0; at < 6; at++) t.is(await updatedAt('edited', `left${at}`), DAYS[2], 'relisted');
  t.is(await updatedAt('edited', 'cut0'), DAYS[1]);
});
