const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Delays in milliseconds, by the number of failed attempts. */
const WAITS: readonly number[] = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];
/** Share of the delay, so that receivers that failed together are retried separately. */
const JITTER = 0.1;
/** That a receiver can request. */
const MAX_RETRY_AFTER_MS = 6 * HOUR;

/**
 * Returns milliseconds; null if there are no more attempts.
 * @param tries attempts so far
 * @param random from 0 to 1
 * @param retryAfter milliseconds that the receiver requested
 */
export function nextWait(tries: number, random: number, retryAfter: number | null): number | null {
  const wait = WAITS[tries - 1];
  if (wait === undefined) return null;
  return Math.round(Math.max(wait * (1 + JITTER * random), Math.min(retryAfter ?? 0, MAX_RETRY_AFTER_MS)));
}

/** Reads seconds or a date. Returns milliseconds, or null if the header is invalid. */
export function readRetryAfter(header: unknown, now: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = / GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

const FAST_MS = 1_000;

/**
 * Returns the parallel attempts allowed to a host: one at first, doubled with each fast response, so that unresponsive
 * new hosts cannot occupy many slots. One that takes eight seconds gets an eighth of `perHost`.
 * @param durationMs of the last attempt; infinite after a timeout
 */
export function nextCapacity(capacity: number, durationMs: number, perHost: number): number {
  const limit = Math.floor((perHost * FAST_MS) / Math.max(durationMs, FAST_MS));
  return Math.max(1, Math.min(limit, capacity * 2));
}
