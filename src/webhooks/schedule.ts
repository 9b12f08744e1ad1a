const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Milliseconds between an attempt that failed and the next. */
export const WAITS: readonly number[] = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];
export const ATTEMPTS = WAITS.length + 1;
/**
 * Maximum random addition to a wait, as a share of it, so that receivers that failed together are not called together again.
 */
const JITTER = 0.1;
/** A receiver cannot put its deliveries off for longer than the schedule itself does. */
const LONGEST = 6 * HOUR;

/**
 * Returns the milliseconds until the next attempt, or null if none is left. Pure.
 * @param tries attempts made, at least 1
 * @param random from 0 to 1
 * @param retryAfter milliseconds requested by the receiver
 */
export function nextWait(tries: number, random: number, retryAfter: number | null): number | null {
  const wait = WAITS[tries - 1];
  if (wait === undefined) return null;
  return Math.round(Math.max(wait * (1 + JITTER * random), Math.min(retryAfter ?? 0, LONGEST)));
}

/** Returns the milliseconds of a `Retry-After` header, in seconds or as a date; null for other values. Pure. */
export function readRetryAfter(header: unknown, now: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = / GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
