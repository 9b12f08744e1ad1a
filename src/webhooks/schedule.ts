const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Retry delays in milliseconds, by the number of failed attempts. */
export const WAITS: readonly number[] = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];
export const ATTEMPTS = WAITS.length + 1;
/** Maximum jitter, as a share of the delay, so that receivers that failed together are retried separately. */
const JITTER = 0.1;
/** Maximum delay in milliseconds that a receiver can request, equal to the longest delay in the schedule. */
const MAX_RETRY_AFTER_MS = 6 * HOUR;

/**
 * Returns the delay before the next attempt in milliseconds, or null if there are no more attempts. Pure.
 * @param tries number of attempts so far, at least 1
 * @param random random number from 0 to 1
 * @param retryAfter delay in milliseconds that the receiver requested
 */
export function nextWait(tries: number, random: number, retryAfter: number | null): number | null {
  const wait = WAITS[tries - 1];
  if (wait === undefined) return null;
  return Math.round(Math.max(wait * (1 + JITTER * random), Math.min(retryAfter ?? 0, MAX_RETRY_AFTER_MS)));
}

/** Parses a `Retry-After` header in seconds or as a date. Returns milliseconds, or null if it is invalid. Pure. */
export function readRetryAfter(header: unknown, now: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = / GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Maximum duration of a fast attempt in milliseconds. */
const FAST_MS = 1_000;

/**
 * Returns the number of parallel attempts allowed to a host after its last attempt. The number starts at one and
 * doubles with each fast response, so that unresponsive new hosts cannot occupy many slots. Slow hosts get
 * proportionally fewer attempts: a host that takes eight seconds to respond gets an eighth of `perHost`. The minimum is
 * one. Pure.
 * @param capacity previous number
 * @param durationMs duration of the last attempt in milliseconds; infinite after a timeout
 */
export function nextCapacity(capacity: number, durationMs: number, perHost: number): number {
  const limit = Math.floor((perHost * FAST_MS) / Math.max(durationMs, FAST_MS));
  return Math.max(1, Math.min(limit, capacity * 2));
}
