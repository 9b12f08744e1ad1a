const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Milliseconds between an attempt that failed and the next. */
export const WAITS: readonly number[] = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];
export const ATTEMPTS = WAITS.length + 1;
/** What is added to a wait at most, as a share of it: receivers that failed together are not called together again. */
const JITTER = 0.1;
/** A receiver cannot put its deliveries off for longer than the schedule itself does. */
const LONGEST = 6 * HOUR;

/**
 * Milliseconds until the next attempt; null when there is none left. Pure.
 * @param tries attempts made, at least 1
 * @param random from 0 to 1
 * @param retryAfter milliseconds that the receiver asked for
 */
export function nextWait(tries: number, random: number, retryAfter: number | null): number | null {
  const wait = WAITS[tries - 1];
  if (wait === undefined) return null;
  return Math.round(Math.max(wait * (1 + JITTER * random), Math.min(retryAfter ?? 0, LONGEST)));
}

/** Milliseconds that a `Retry-After` asks for: seconds or a date. Null for anything else. Pure. */
export function readRetryAfter(header: unknown, now: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = / GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
