import { loadSources } from '#ingest/load-sources.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { publicData, testWith } from './public-data.ts';

/** Minimum shares of accepted rows, and of accepted rows with a matched neighborhood; and whether rows have update times. */
const EXPECTED: Record<string, { taken: number; placed: number; dated: boolean }> = {
  aqar: { taken: 0.99, placed: 0.97, dated: true },
  sa_aqar: { taken: 0.99, placed: 0.97, dated: false },
  bayut: { taken: 0.95, placed: 0.85, dated: false },
};

for (const [name, least] of Object.entries(EXPECTED)) {
  testWith('listings')(`the public files of ${name} are read and placed`, async (t) => {
    const source = (await loadSources({ dataDir: publicData() })).find((candidate) => candidate.name === name);
    if (source === undefined) return t.fail('not offered');
    const at = new Date('2026-01-01');
    const counts = { rows: 0, taken: 0, named: 0, placed: 0, dated: 0, photos: 0 };
    for await (const row of source.rows({ at, signal: AbortSignal.timeout(60_000) })) {
      counts.rows++;
      const result = row.ok ? normalize(source, row.raw, at) : row;
      if (!row.ok || !result.ok || !('listing' in result)) continue;
      counts.taken++;
      counts.photos += result.listing.photos.length;
      if (result.listing.source_updated_at !== null) counts.dated++;
      if (row.raw.neighborhood) counts.named++;
      if (result.listing.neighborhood_id !== null) counts.placed++;
    }
    t.log(counts);
    t.true(counts.taken / counts.rows >= least.taken);
    t.true(counts.placed / counts.named >= least.placed);
    t.is(counts.photos, 0);
    t.is(counts.dated, least.dated ? counts.taken : 0);
  });
}
