import type { Bench, Figure, Part, PartResult } from '../bench.ts';
import { dropCorpus, openCorpus } from '../corpus/corpus.ts';
import type { IngestMeasurement } from '../corpus/ingest.ts';

/** Ingest figures, measured when the listings were made. */
export const dataPart: Part = {
  name: 'data',
  summary: 'ingest of the listings, and its memory at two sizes',
  run,
};

/** Share of the ads that change between runs. */
const CHANGING = 0.05;

async function run(bench: Bench): Promise<PartResult> {
  const { manifest } = await bench.corpus();
  const { first, unchanged } = manifest;
  // A corpus of a third of the size, built only to measure memory and then deleted.
  const small = await openCorpus(bench.context, Math.round(bench.options.listings / 3), true, CHANGING);
  const { manifest: less } = small;
  await dropCorpus(bench.context, small);

  const changed = less.changed as IngestMeasurement;
  const figures: Figure[] = [
    { name: 'first run, ads per second', value: first.rows_per_second, unit: '/s', target: { atLeast: 5_000 } },
    {
      name: 'unchanged run, ads per second',
      value: unchanged.rows_per_second,
      unit: '/s',
      target: { atLeast: 15_000 },
    },
    { name: 'peak resident memory, first run', value: first.peak_rss_mb, unit: 'MB', target: { atMost: 700 } },
    { name: 'peak resident memory, unchanged run', value: unchanged.peak_rss_mb, unit: 'MB', target: { atMost: 700 } },
    {
      name: `time of a run with ${CHANGING * 100}% changed ads over that of the first run, a third of the ads`,
      value: changed.seconds / less.first.seconds,
      unit: '',
    },
    {
      name: 'memory growth from a third of the ads to all',
      value: first.peak_rss_mb - less.first.peak_rss_mb,
      unit: 'MB',
    },
  ];
  const row = (what: string, { rows, seconds, rows_per_second, peak_rss_mb, stages }: IngestMeasurement) => [
    what,
    rows,
    seconds,
    rows_per_second,
    peak_rss_mb,
    Object.entries(stages)
      .map(([stage, took]) => `${stage} ${took.toFixed(1)}`)
      .join(', '),
  ];
  return {
    tables: [
      {
        title: 'Ingest without photos',
        head: ['Run', 'ads', 'seconds', '/s', 'peak MB', 'seconds of stages'],
        rows: [
          row('first', first),
          row('unchanged', unchanged),
          row('first, a third of the ads', less.first),
          row('unchanged, a third of the ads', less.unchanged),
          row(`${CHANGING * 100}% changed, a third of the ads`, changed),
        ],
      },
    ],
    figures,
    notes: [
      `Measured on ${manifest.made_at.slice(0, 10)}, when the listings were made (--reload rebuilds them): ${manifest.ads.toLocaleString('en')} ads became ${manifest.documents.toLocaleString('en')} listings in the index.`,
      'The run is a separate process. Sample feeds are served as files and as pages from another process. Photos count as already stored in the CDN bucket.',
    ],
  };
}
