import { type Bench, figure, type PartResult, resultOf } from '../bench.ts';
import { measureInChild } from '../child.ts';
import { marketMoment } from '../corpus/corpus.ts';
import type { DealsMeasurement } from '../corpus/deals-process.ts';

const MODULE = new URL('../corpus/deals-process.ts', import.meta.url);
const MAX_SECONDS = { atMost: 120 };
const MAX_MB = { atMost: 1_024 };

/** Compares every listing with nearby listings. */
export async function deals(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const orders = { at: new Date(marketMoment(corpus)).toISOString() };
  const measured: DealsMeasurement[] = [];
  const times = bench.options.quick ? 1 : 3;
  for (let time = 0; time < times; time++)
    measured.push(
      await bench.screen.step(`Comparing all listings (${time + 1} of ${times})`, () =>
        measureInChild<typeof orders, DealsMeasurement>(MODULE, orders, { env: corpus.env, signal: bench.signal }),
      ),
    );
  const worst = (name: keyof DealsMeasurement): number => Math.max(...measured.map((each) => each[name]));
  // Includes writing the table and the index of deals. The stage is missing in a corpus that was built before deals
  // existed.
  const stage = corpus.manifest.first.stages.deals;
  return resultOf(
    'The comparison, in a separate process',
    ['Time', 'compared', 'deals', 'seconds', 'seconds reading', 'microseconds each', 'peak MB'],
    measured.map(({ compared, deals, seconds, reading_seconds, peak_rss_mb }, at) => [
      at + 1,
      compared,
      deals,
      seconds,
      reading_seconds,
      (seconds / Math.max(1, compared)) * 1e6,
      peak_rss_mb,
    ]),
    [
      figure('comparison of all listings', worst('seconds'), 's', MAX_SECONDS),
      figure('peak resident memory of the comparison', worst('peak_rss_mb'), 'MB', MAX_MB),
      ...(stage === undefined ? [] : [figure('the whole stage, in the first run', stage, 's', MAX_SECONDS)]),
    ],
    [
      'Residential listings with price, area and place, updated in the last 30 days, read from Postgres and compared by one thread. Figures are the worst of all repetitions. Denser listings have more neighbors to compare, up to a limit, so that scaling up from a smaller corpus underestimates the time.',
    ],
  );
}
