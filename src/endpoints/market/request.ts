import { timestamp } from '#domain/listings/present.ts';
import { marketWindow, WINDOW_DAYS } from '#queries/market/window.ts';

/** Returns the time window of the statistics, in response format. */
export function windowOf(now: number) {
  const { from, to } = marketWindow(now);
  return { updated_within_days: WINDOW_DAYS, from: timestamp(from / 1000), to: timestamp(to / 1000) };
}
