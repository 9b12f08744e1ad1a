const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Milliseconds between a failed attempt and the next one. */
export const WAITS: readonly number[] = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];
export const ATTEMPTS = WAITS.length + 1;
/**
 * Maximum random addition to a wait, as a share of it, so that receivers that failed at the same time are not all called
 * again at the same time.
 */
const JITTER = 0.1;
/** Maximum wait in milliseconds that a receiver can request. Equal to the longest wait of the schedule. */
const MAX_RETRY_AFTER_MS = 6 * HOUR;

/**
 * Returns the milliseconds until the next attempt, or null if there is none. Pure.
 * @param tries number of attempts so far, at least 1
 * @param random from 0 to 1
 * @param retryAfter milliseconds requested by the receiver
 */
export function nextWait(tries: number, random: number, retryAfter: number | null): number | null {
  const wait = WAITS[tries - 1];
  if (wait === undefined) return null;
  return Math.round(Math.max(wait * (1 + JITTER * random), Math.min(retryAfter ?? 0, MAX_RETRY_AFTER_MS)));
}

/** Parses a `Retry-After` header, in seconds or as a date, into milliseconds. Returns null for other values. Pure. */
export function readRetryAfter(header: unknown, now: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = / GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
