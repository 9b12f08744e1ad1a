/** Market statistics cover live listings updated within this many days. */
export const WINDOW_DAYS = 30;

export const DAY = 86_400_000;
const HOUR = 3_600_000;

declare const fullHour: unique symbol;

/**
 * Epoch milliseconds of a full hour. Only `hourOf` creates one: code that takes an `Hour` cannot depend on the minute, so that
 * all requests of one hour compile to one body and share one cached response.
 */
export type Hour = number & { readonly [fullHour]: true };

/** Returns the hour of a time. */
export const hourOf = (now: number): Hour => (Math.floor(now / HOUR) * HOUR) as Hour;

/** Returns the start of a window of days. */
export const windowStart = (hour: Hour, days: number = WINDOW_DAYS): number => hour - days * DAY;

/** Epoch milliseconds, `from` inclusive. */
export interface Window {
  from: number;
  to: number;
}

/** The window of a request: up to the time of the request, and back from its hour. */
export const marketWindow = (now: number, days: number = WINDOW_DAYS): Window => ({
  from: windowStart(hourOf(now), days),
  to: now,
});
