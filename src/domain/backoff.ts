export interface Backoff {
  /** Backoff in milliseconds before the second attempt, and maximum backoff. */
  firstMs: number;
  longestMs: number;
}

/**
 * Returns the backoff in milliseconds after the nth failed attempt. It doubles each time up to the maximum and is
 * reduced by random jitter of up to half, so that concurrent callers do not retry together. Pure.
 * @param random from 0 to 1; 1 means no reduction
 */
export function backoffMs({ firstMs, longestMs }: Backoff, failed: number, random: number): number {
  return Math.min(firstMs * 2 ** (failed - 1), longestMs) * (0.5 + random / 2);
}
