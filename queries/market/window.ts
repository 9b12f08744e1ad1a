/** Market statistics cover live listings that were updated within this many days. */
export const WINDOW_DAYS = 30;

export const DAY = 86_400_000;
const HOUR = 3_600_000;

declare const fullHour: unique symbol;

/**
 * Epoch milliseconds at a full hour. Only `hourOf` returns this type. Code that takes an `Hour` cannot depend on the
 * minute, so all requests within an hour compile to the same body and share one cached response.
 */
export type Hour = number & { readonly [fullHour]: true };

/** Returns the full hour that contains a time. */
export const hourOf = (now: number): Hour => (Math.floor(now / HOUR) * HOUR) as Hour;

/** Returns the start of a window in epoch milliseconds. */
export const windowStart = (hour: Hour, days: number = WINDOW_DAYS): number => hour - days * DAY;

/** An interval in epoch milliseconds. `from` is inclusive. */
export interface Window {
  from: number;
  to: number;
}

/** Returns the window of a request: from `days` before the request's full hour to the time of the request. */
export const marketWindow = (now: number, days: number = WINDOW_DAYS): Window => ({
  from: windowStart(hourOf(now), days),
  to: now,
});
