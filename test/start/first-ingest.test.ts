import { ingestFirst } from '#start/first-ingest.ts';
import type { Ingest } from '#start/ingest.ts';
import type { Screen } from '#start/screen.ts';
import { test } from '#test/test.ts';
import { ad, ads, startPipeline, testSource } from '../ingest/run/pipeline.ts';

test('the first ingest of custom feeds prints the results by source, and the second prints nothing', async (t) => {
  const pipeline = await startPipeline('first-ingest');
  t.teardown(pipeline.close);
  const [portal, office, broken] = [testSource('portal'), testSource('office'), testSource('broken')];
  const home = { area: 143, price: 61_000, bedrooms: 2, floor: '2', lat: 24.8123, lng: 46.6123 };
  portal.feed = [...ads(10, 'usual'), ad('shared', home), ad('nowhere', { city: 'Atlantis', lat: null, lng: null })];
  office.feed = [...ads(2, 'bare', { photos: [] }), ad('same', home)];
  broken.feed = [...ads(1, 'some'), new Error('the feed ends in the middle of a row')];
  const sources = [portal, office, broken];
  const ingest: Ingest = {
    sources: sources.map(({ name }) => name),
    pool: pipeline.pool,
    listingIndex: pipeline.index,
    fill: async () => {},
    repair: async () => {},
    isRepairDue: async () => false,
    run: ({ onProgress, signal }) =>
      pipeline.run(sources, '2026-04-02T03:00:00Z', { signal, ...(onProgress && { onProgress }) }),
    verifyPhotos: () => Promise.reject(new Error('not called')),
    close: async () => {},
  };
  const said: string[] = [];
  const screen: Screen = {
    say: (line) => said.push(line),
    step: (_, work) => work(),
    progress: () => ({ update() {}, end() {} }),
  };
  const first = () => ingestFirst(ingest, pipeline.pool, screen, new AbortController().signal);

  await first();
  const lines = said
    .join('\n')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' '));
  const cells = (source: string) =>
    (lines.find((line) => line.includes(`${source} │`)) ?? '').split('│').map((cell) => cell.trim());
  // Columns: source, read, rejected, live, merged, hidden, found.
  t.deepEqual(cells('portal').slice(1, 8), ['portal', '12', '1 unknown_city', '11', '0', '', '11']);
  t.deepEqual(cells('office').slice(1, 5), ['office', '3', '', '3']);
  t.is(cells('office')[5], '1', 'a home that is also in the portal feed is merged');
  t.regex(cells('office')[6] ?? '', /2 of 3 hidden: no photos/);
  t.is(cells('office')[7], '0');
  t.true(lines.includes('broken: the feed ends in the middle of a row'));

  said.length = 0;
  await first();
  t.deepEqual(said, []);
});
