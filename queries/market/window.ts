/** Days in statistics of live listings. */
export const WINDOW_DAYS = 30;

export const DAY = 86_400_000;
const HOUR = 3_600_000;

declare const fullHour: unique symbol;

/**
 * Epoch milliseconds at a full hour. Only `hourOf` returns it, so that code with an `Hour` cannot depend on the minute:
 * all requests within an hour share one cached response.
 */
export type Hour = number & { readonly [fullHour]: true };

export const hourOf = (now: number): Hour => (Math.floor(now / HOUR) * HOUR) as Hour;

/** Epoch milliseconds. */
export const windowStart = (hour: Hour, days: number = WINDOW_DAYS): number => hour - days * DAY;

/** An interval in epoch milliseconds; `from` is inclusive. */
export interface Window {
  from: number;
  to: number;
}

/** Returns the window from `days` before the full hour to the time of the request. */
export const marketWindow = (now: number, days: number = WINDOW_DAYS): Window => ({
  from: windowStart(hourOf(now), days),
  to: now,
});
