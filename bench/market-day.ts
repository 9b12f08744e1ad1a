import { type ApiProcess, startApi } from './api-process.ts';
import type { Corpus } from './corpus/corpus.ts';

/**
 * The corpus was last updated twelve hours after its first run. Statistics are requested this long after the first run.
 */
const AFTER_FIRST_RUN = 12 * 3_600_000;
/** Statistics change every hour, so measurements start early in the hour. */
const INTO_THE_HOUR = 30_000;

/** Time of the market data requests for a corpus, in epoch milliseconds. */
export const marketMoment = ({ manifest }: Corpus): number => Date.parse(manifest.at) + AFTER_FIRST_RUN + INTO_THE_HOUR;

/** Starts the API with its clock on the day of the listings. @param changes extra environment variables */
export function startApiOnTheDay(
  corpus: Corpus,
  profileDir: string | null = null,
  changes: Readonly<Record<string, string>> = {},
): Promise<ApiProcess> {
  const env = {
    ...corpus.env,
    ...changes,
    BENCH_CLOCK: new Date(marketMoment(corpus)).toISOString(),
    NODE_OPTIONS: `--import=${new URL('./moved-clock.ts', import.meta.url).href}`,
  };
  return startApi({ ...corpus, env }, profileDir);
}
