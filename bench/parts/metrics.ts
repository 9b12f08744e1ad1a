import { freePort } from '#embedded/ports.ts';
import { startApi } from '../api-process.ts';
import { type Bench, figure, type PartResult, resultOf } from '../bench.ts';
import { marketMoment } from '../corpus/corpus.ts';
import { compare } from '../load/compare.ts';
import { timeHeads, timesOf } from '../load/statistics.ts';
import { readCohorts } from '../requests/cohorts.ts';
import { mixedPaths } from '../requests/mixed.ts';
import { apiSide } from '../requests/sides.ts';

const CONNECTIONS = 16;
const REQUESTS = 480;
const CANDIDATES = 10 * REQUESTS;
/** Milliseconds between scrapes, as Prometheus usually has, and per slice, so that a slice has two scrapes. */
const SCRAPE_EVERY_MS = 15_000;
const SLICE_MS = 30_000;
const SCRAPES = 100;
const MAX_COST = 0.01;

/** Compares throughput with and without scrapes of `/metrics`, and measures the processor time of a scrape. */
export async function metrics(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const port = await freePort();
  await using api = await startApi(corpus, {
    profileDir: bench.options.profileDir,
    clock: marketMoment(corpus),
    changes: { METRICS_PORT: String(port) },
  });
  const scrape = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const paths = [...(await mixedPaths(corpus, await readCohorts(corpus), CANDIDATES))]
    // Pages of listings: statistics would be refused at this rate, and boxes may lie outside the country.
    .filter((path) => path.startsWith('/v1/listings?') && !path.includes('bbox'))
    .slice(0, REQUESTS);
  await bench.load.setSides({ scraped: apiSide(api, paths), plain: apiSide(api, paths) });
  let timer: NodeJS.Timeout | undefined;
  const { sides, ratio } = await compare(bench, ['scraped', 'plain'], {
    connections: CONNECTIONS,
    count: paths.length,
    sliceMs: bench.options.quick ? bench.sliceMs : SLICE_MS,
    before: async (name) => {
      clearInterval(timer);
      if (name !== 'scraped') return;
      await scrape();
      timer = setInterval(() => void scrape(), SCRAPE_EVERY_MS);
    },
  }).finally(() => clearInterval(timer));
  const before = processorSeconds(await scrape());
  let text = '';
  for (let count = 0; count < SCRAPES; count++) text = await scrape();
  const seconds = (processorSeconds(text) - before) / SCRAPES;
  const share = seconds / (SCRAPE_EVERY_MS / 1_000);
  return resultOf(
    `${CONNECTIONS} connections`,
    timeHeads('scraped', 'plain'),
    [timesOf(sides.scraped, sides.plain)],
    [
      figure('throughput with scrapes over that without', ratio('scraped', 'plain'), 'x'),
      figure('processor time of a scrape', seconds * 1_000, 'ms'),
      figure('share of a processor at a scrape every 15 s', share, '', { atMost: MAX_COST }),
      figure('size of a scrape', text.length / 1_024, 'KB'),
    ],
    [
      'The ratio of throughput varies more between rounds than a scrape costs, so the processor time is compared with the target.',
    ],
  );
}

const processorSeconds = (metrics: string): number =>
  Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1] ?? Number.NaN);
