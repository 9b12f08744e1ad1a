import { loadSources } from '#ingest/load-sources.ts';
import { generateSample, sampleTruth } from '#sample/generate.ts';
import { startSampleHost } from '#sample/host.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { startPipeline } from '../run/pipeline.ts';

const DAYS = ['2026-04-18', '2026-04-20'];

/** Returns the number of pairs within groups of the given sizes. */
const pairs = (sizes: Iterable<number>) => [...sizes].reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);

function sizes<Key>(keys: Iterable<Key>): Iterable<number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts.values();
}

test('clusters match the true homes of the sample over several days of changes', async (t) => {
  t.timeout(170_000);
  const dir = await temporaryFolder(t);
  const host = await startSampleHost({ dir, port: 0 });
  const pipeline = await startPipeline('ingest-truth');
  t.teardown(async () => {
    await host.close();
    await pipeline.close();
  });
  const until = DAYS.at(-1) as string;
  await generateSample({ dir, listings: 8_000, seed: 5, days: 3, until, hostUrl: 'http://photos.example' });
  const sources = await loadSources({ dataDir: dir, feedHostUrl: host.url, sources: SAMPLE_SOURCES });
  t.true(sources.length >= 14);
  for (const day of DAYS) t.deepEqual((await pipeline.run(sources, `${day}T12:00:00Z`)).failed, {});
  const { rows } = await pipeline.pool.query<{ id: number; key: string; leader: number; neighborhood_id: number }>(
    `select id, source || '/' || source_listing_id as key, coalesce(duplicate_of, id) as leader, neighborhood_id
       from listings where withdrawn_at is null`,
  );
  const found = new Map(rows.map((row) => [row.key, row]));
  const ads: { property: number; leader: number }[] = [];
  let placed = 0;
  for await (const truth of sampleTruth(dir)) {
    const row = found.get(`${truth.source}/${String(truth.source_listing_id).trim()}`);
    if (truth.last_day === null) t.truthy(row, `${truth.source} ${truth.source_listing_id} is live and not there`);
    if (!row) continue;
    ads.push({ property: truth.property, leader: row.leader });
    if (row.neighborhood_id === truth.neighborhood_id) placed++;
  }
  t.is(ads.length, rows.length, 'every live ad is in the truth');
  const right = pairs(sizes(ads.map(({ property, leader }) => `${property}/${leader}`)));
  const precision = right / pairs(sizes(ads.map(({ leader }) => leader)));
  const recall = right / pairs(sizes(ads.map(({ property }) => property)));
  t.log({ precision, recall, neighborhoods: placed / ads.length, ads: ads.length });
  t.true(precision >= 0.98, `precision ${precision}`);
  t.true(recall >= 0.93, `recall ${recall}`);
  t.true(placed / ads.length >= 0.97);
  // Counts duplicates that reference another duplicate instead of a leader.
  const { rows: chains } = await pipeline.pool.query(
    `select d.id from listings d join listings l on l.id = d.duplicate_of
      where d.withdrawn_at is null and (l.duplicate_of is not null or l.withdrawn_at is not null)`,
  );
  t.deepEqual(chains, []);
});
