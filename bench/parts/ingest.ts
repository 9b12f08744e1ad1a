import { type Bench, figure, type PartResult } from '../bench.ts';

const MAX_MB = { atMost: 700 };

/** Reports ingest figures that were measured when the listings were built. */
export async function ingest(bench: Bench): Promise<PartResult> {
  const { ads, documents, first, unchanged } = (await bench.corpus()).manifest;
  return {
    figures: [
      figure('first run, ads per second', first.rows_per_second, '/s', { atLeast: 5_000 }),
      figure('unchanged run, ads per second', unchanged.rows_per_second, '/s', { atLeast: 15_000 }),
      figure('peak resident memory, first run', first.peak_rss_mb, 'MB', MAX_MB),
      figure('peak resident memory, unchanged run', unchanged.peak_rss_mb, 'MB', MAX_MB),
    ],
    notes: [
      `Measured when the listings were built (--reload rebuilds them): ${ads.toLocaleString('en')} ads became ${documents.toLocaleString('en')} listings in the index.`,
      'The run is a separate process. Sample feeds are served as files and as pages from another process. Photos count as already stored in the CDN bucket.',
    ],
  };
}
