import { Random } from '#sample/random.ts';
import { startApi } from '../api-process.ts';
import { type Bench, figure, type PartResult } from '../bench.ts';
import { marketMoment } from '../corpus.ts';
import { LoadGenerator } from '../load/generator.ts';
import { summarize } from '../load/statistics.ts';
import { readCohorts } from '../requests/cohorts.ts';
import { getFromApi } from '../requests/listing-requests.ts';
import { drawMarketPath } from '../requests/market.ts';

const REQUESTS = 1_500;
const QUICK_REQUESTS = 50;
const WARM_UP = 100;

/** Measures market statistics of different cohorts, one at a time, which no cache contains. */
export async function statistics(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const cohorts = await readCohorts(corpus);
  const random = new Random(7, 0);
  const total = WARM_UP + (bench.quick ? QUICK_REQUESTS : REQUESTS);
  const paths = new Set<string>();
  while (paths.size < total) paths.add(drawMarketPath(cohorts, random));
  await using api = await startApi(corpus, { clock: marketMoment(corpus) });
  const measure = async (some: readonly string[]) => {
    const load = new LoadGenerator({ origin: api.origin, requests: some.map((path) => getFromApi(path, api)) });
    const slice = await load.run({ connections: 1, count: some.length });
    await load.close();
    return slice;
  };
  await measure([...paths].slice(0, WARM_UP));
  // Exclusions keep the cache out and nearly all listings in.
  const isWhole = (path: string): boolean => !/[?&](?:neighborhood_id|property_type|beds)=/.test(path);
  const [whole = [], parts = []] = [true, false].map((wanted) =>
    [...paths].slice(WARM_UP).filter((path) => isWhole(path) === wanted),
  );
  const ofWhole = await measure(whole);
  const { p50, p99, failures } = summarize([ofWhole, await measure(parts)]);
  const cities = summarize([ofWhole]);
  return {
    figures: [
      figure('p50', p50, 'ms'),
      figure('p99', p99, 'ms'),
      figure('p50, whole cities', cities.p50, 'ms'),
      figure('p99, whole cities', cities.p99, 'ms'),
      figure('requests that failed', failures),
    ],
    notes: [`${whole.length} of ${whole.length + parts.length} requests are for nearly all listings of a city.`],
  };
}
