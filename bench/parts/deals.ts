import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Bench, Figure, Part, PartResult } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import type { DealsMeasurement, DealsMessage } from '../corpus/deals-process.ts';
import { marketMoment } from '../market-day.ts';

const PROCESS = fileURLToPath(new URL('../corpus/deals-process.ts', import.meta.url));
const FULL_SIZE = 500_000;
const MAX_SECONDS = 120;
const MAX_MB = 1_024;

/** Compares every listing with nearby listings. */
export const dealsPart: Part = {
  name: 'deals',
  summary: 'seconds and memory of the comparison of all listings',
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const measured: DealsMeasurement[] = [];
  const times = bench.options.quick ? 1 : 3;
  for (let time = 0; time < times; time++)
    measured.push(
      await bench.screen.step(`Comparing all listings (${time + 1} of ${times})`, () => measure(corpus, bench.signal)),
    );
  const worst = (read: (each: DealsMeasurement) => number): number => Math.max(...measured.map(read));
  const seconds = worst((each) => each.seconds);
  const { first, listings } = corpus.manifest;
  const stage = first.stages.deals;
  const figures: Figure[] = [
    { name: 'comparison of all listings', value: seconds, unit: 's', target: { atMost: MAX_SECONDS } },
    {
      name: 'peak resident memory of the comparison',
      value: worst((each) => each.peak_rss_mb),
      unit: 'MB',
      target: { atMost: MAX_MB },
    },
    // Includes writing the table and the index of deals. A corpus built before deals existed lacks the stage.
    ...(stage === undefined
      ? []
      : [{ name: 'the whole stage, in the first run', value: stage, unit: 's', target: { atMost: MAX_SECONDS } }]),
    ...(listings < FULL_SIZE
      ? [
          {
            name: `comparison, scaled to ${FULL_SIZE.toLocaleString('en')} listings`,
            value: (seconds * FULL_SIZE) / listings,
            unit: 's',
          },
        ]
      : []),
  ];
  return {
    tables: [
      {
        title: 'The comparison, in a separate process',
        head: ['Time', 'compared', 'deals', 'seconds', 'seconds reading', 'microseconds each', 'peak MB'],
        rows: measured.map((each, at) => [
          at + 1,
          each.compared,
          each.deals,
          each.seconds,
          each.reading_seconds,
          (each.seconds / Math.max(1, each.compared)) * 1e6,
          each.peak_rss_mb,
        ]),
      },
    ],
    figures,
    notes: [
      'Residential listings with price, area and place, updated in the last 30 days, read from Postgres and compared by one thread. Figures are the worst of all repetitions. Denser listings have more neighbors to compare, up to a limit, so that scaling up from a smaller corpus underestimates the time.',
    ],
  };
}

function measure(corpus: Corpus, signal: AbortSignal): Promise<DealsMeasurement> {
  const result = Promise.withResolvers<DealsMeasurement>();
  const child = fork(PROCESS, { env: { ...process.env, ...corpus.env } });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  child.on('message', (message: DealsMessage) => {
    if (message.type === 'done') result.resolve(message.measured);
    else result.reject(new Error(`the comparison failed: ${message.message}`));
  });
  child.once('exit', (code, by) => result.reject(new Error(`the comparison process exited (${by ?? code})`)));
  child.send({ at: new Date(marketMoment(corpus)).toISOString() });
  return result.promise.finally(() => signal.removeEventListener('abort', stop));
}
