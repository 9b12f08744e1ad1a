import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSources } from '#ingest/load-sources.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import type { Source } from '#ingest/sources/source.ts';
import { FEEDS, feedOf } from '#sample/feeds.ts';
import { generateSample } from '#sample/generate.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { TRUTH_FILE, type TruthRow } from '#sample/writer.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

/** Sources whose ads are units of projects have other true facts. */
const OF_HOMES = FEEDS.filter(({ weight }) => weight > 0);
const LAST_DAY = '2026-03-10';
const AT = new Date(`${LAST_DAY}T12:00:00Z`);

const dir = folderOfFile();
let sources: Source[] = [];
const truth = new Map<string, TruthRow>();

test.before(async () => {
  await generateSample({
    dir,
    listings: 8_000,
    seed: 11,
    days: 3,
    until: LAST_DAY,
    since: '2026-02-09',
    hostUrl: 'http://127.0.0.1:9',
  });
  sources = await loadSources({ dataDir: dir, sources: SAMPLE_SOURCES });
  for (const line of (await readFile(join(dir, TRUTH_FILE), 'utf8')).trimEnd().split('\n')) {
    const row = JSON.parse(line) as TruthRow;
    truth.set(`${row.source}/${row.source_listing_id}`, row);
  }
});

async function feedRows(source: Source, at: Date): Promise<FeedRow[]> {
  const rows: FeedRow[] = [];
  for await (const row of source.rows({ at, signal: AbortSignal.timeout(60_000) })) rows.push(row);
  return rows;
}

/** Ids of the ads of a source that are live at the given time. */
function liveAds({ name }: Source, at: Date): string[] {
  const day = at.toISOString().slice(0, 10);
  return [...truth.values()]
    .filter(({ source, first_day, last_day }) => source === name && first_day <= day && (last_day ?? day) >= day)
    .map(({ source_listing_id }) => source_listing_id);
}

/** Compares a parsed and normalized feed with the true facts of its ads. */
async function readAgainstTruth(source: Source, at: Date) {
  const seen = new Set<string>();
  const wrong: string[] = [];
  const counts = { taken: 0, inNeighborhood: 0 };
  const dated = feedOf(source.name).columnOf('updated_at') !== undefined;
  for (const row of await feedRows(source, at)) {
    const result = row.ok ? normalize(source, row.raw, at) : row;
    const id = row.ok ? row.raw.source_listing_id : '';
    const real = truth.get(`${source.name}/${id}`);
    if (real === undefined && result.ok) wrong.push(`taken, but not true: ${id}`);
    if (real === undefined || seen.has(id)) continue;
    seen.add(id);
    if (!result.ok) {
      wrong.push(`${id}: ${result.reason} ${result.detail}`);
      continue;
    }
    counts.taken++;
    const { listing } = result as Extract<ReturnType<typeof normalize>, { ok: true }>;
    for (const field of ['city', 'listing_type', 'property_type'] as const) {
      if (listing[field] !== real[field]) wrong.push(`${id}: ${field} ${listing[field]}, truly ${real[field]}`);
    }
    if (listing.photos.length !== real.photos)
      wrong.push(`${id}: ${listing.photos.length} photos, truly ${real.photos}`);
    if ((listing.source_updated_at !== null) !== dated) wrong.push(`${id}: update time`);
    if (listing.neighborhood_id === real.neighborhood_id) counts.inNeighborhood++;
  }
  return { ...counts, good: seen.size, wrong, missing: liveAds(source, at).filter((id) => !seen.has(id)).length };
}

for (const { source: name } of OF_HOMES) {
  test(`the rows ingested from ${name} match the ground truth`, async (t) => {
    const source = sources.find((candidate) => candidate.name === name);
    if (source === undefined) return t.fail('not offered');
    const result = await readAgainstTruth(source, AT);
    t.true(result.good > 10);
    t.is(result.missing, 0);
    const share = (count: number) => count / result.good;
    t.true(share(result.taken) >= 0.99, result.wrong.slice(0, 5).join('\n'));
    t.true(share(result.wrong.length) <= 0.01, result.wrong.slice(0, 5).join('\n'));
    t.true(share(result.inNeighborhood) >= 0.97);
  });
}
