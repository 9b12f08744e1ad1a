/** Market statistics look at live listings that were updated within so many days. */
export const WINDOW_DAYS = 30;

export const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Epoch milliseconds, `from` included. */
export interface Window {
  from: number;
  to: number;
}

/** The hour that has begun: requests of one hour compile to one body, so that the engine's request cache answers them. */
export const hourOf = (now: number): number => Math.floor(now / HOUR) * HOUR;

/** The window of a request. It reaches up to the request itself, and back from the hour that it fell in. */
export function marketWindow(now: number, days: number = WINDOW_DAYS): Window {
  return { from: hourOf(now) - days * DAY, to: now };
}
