import { type ApiProcess, startApi } from './api-process.ts';
import type { Corpus } from './corpus/corpus.ts';

/** The corpus was last updated twelve hours after its first run; statistics are requested this long after that. */
const AFTER_FIRST_RUN = 12 * 3_600_000;
/** Answers change with the hour, so most of it must be left. */
const INTO_THE_HOUR = 30_000;

/** The moment that market data of a corpus is asked for, epoch milliseconds. */
export const marketMoment = ({ manifest }: Corpus): number => Date.parse(manifest.at) + AFTER_FIRST_RUN + INTO_THE_HOUR;

/** The API, with its clock on the day of the listings. @param changes variables of its environment */
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
