import { timestamp } from '#domain/listings/present.ts';
import type { Call } from '#http/endpoint.ts';
import { marketWindow, WINDOW_DAYS } from '#queries/market/window.ts';
import { indexNames } from '#search/client.ts';

/** Returns the time window of the statistics, in response format. */
export function windowOf(now: number) {
  const { from, to } = marketWindow(now);
  return { updated_within_days: WINDOW_DAYS, from: timestamp(from / 1000), to: timestamp(to / 1000) };
}

/** Sends one search to the listings index. */
export function queryListings<T>(
  { services, deadline }: Pick<Call, 'services' | 'deadline'>,
  body: Readonly<Record<string, unknown>>,
) {
  return services.search.search<T>(indexNames(services.config.opensearch.indexPrefix).listings, body, { deadline });
}
