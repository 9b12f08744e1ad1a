import { type Bench, figure, type PartResult, resultOf } from '../bench.ts';
import { deleteStores, openCorpus } from '../corpus/corpus.ts';
import type { IngestMeasurement } from '../corpus/ingest-process.ts';

/** Share of the ads that change between runs. */
const CHANGING = 0.05;
const MAX_MB = { atMost: 700 };

/** Reports ingest figures that were measured when the corpus was built. */
export async function data(bench: Bench): Promise<PartResult> {
  const { manifest } = await bench.corpus();
  const { first, unchanged } = manifest;
  // A corpus of one third of the size, built only to measure memory and deleted afterwards.
  const small = await openCorpus(bench.context, Math.round(bench.options.listings / 3), true, CHANGING);
  const { manifest: less } = small;
  await deleteStores(bench.context, small);

  const changed = less.changed as IngestMeasurement;
  const ofChanged = `time of a run with ${CHANGING * 100}% changed ads over that of the first run, a third of the ads`;
  const runs: readonly [string, IngestMeasurement][] = [
    ['first', first],
    ['unchanged', unchanged],
    ['first, a third of the ads', less.first],
    ['unchanged, a third of the ads', less.unchanged],
    [`${CHANGING * 100}% changed, a third of the ads`, changed],
  ];
  return resultOf(
    'Ingest without photos',
    ['Run', 'ads', 'seconds', '/s', 'peak MB', 'seconds of stages'],
    runs.map(([what, { rows, seconds, rows_per_second, peak_rss_mb, stages }]) => [
      what,
      rows,
      seconds,
      rows_per_second,
      peak_rss_mb,
      Object.entries(stages)
        .map(([stage, took]) => `${stage} ${took.toFixed(1)}`)
        .join(', '),
    ]),
    [
      figure('first run, ads per second', first.rows_per_second, '/s', { atLeast: 5_000 }),
      figure('unchanged run, ads per second', unchanged.rows_per_second, '/s', { atLeast: 15_000 }),
      figure('peak resident memory, first run', first.peak_rss_mb, 'MB', MAX_MB),
      figure('peak resident memory, unchanged run', unchanged.peak_rss_mb, 'MB', MAX_MB),
      figure(ofChanged, changed.seconds / less.first.seconds),
      figure('memory growth from a third of the ads to all', first.peak_rss_mb - less.first.peak_rss_mb, 'MB'),
    ],
    [
      `Measured on ${manifest.made_at.slice(0, 10)}, when the listings were made (--reload rebuilds them): ${manifest.ads.toLocaleString('en')} ads became ${manifest.documents.toLocaleString('en')} listings in the index.`,
      'The run is a separate process. Sample feeds are served as files and as pages from another process. Photos count as already stored in the CDN bucket.',
    ],
  );
}
