import { type Bench, figure, type PartResult } from '../bench.ts';

/** Reports ingest figures that were measured when the listings were built. */
export async function ingest(bench: Bench): Promise<PartResult> {
  const { ads, documents, first, unchanged } = (await bench.corpus()).manifest;
  return {
    figures: [
      figure('first run, ads per second', first.rows_per_second, '/s'),
      figure('unchanged run, ads per second', unchanged.rows_per_second, '/s'),
      figure('peak resident memory, first run', first.peak_rss_mb, 'MB'),
      figure('peak resident memory, unchanged run', unchanged.peak_rss_mb, 'MB'),
    ],
    notes: [
      `Measured when the listings were built (--reload rebuilds them): ${ads.toLocaleString('en')} ads became ${documents.toLocaleString('en')} listings in the index.`,
    ],
  };
}
