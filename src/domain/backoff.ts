export interface Backoff {
  /** Milliseconds before the second attempt, and the maximum. */
  firstMs: number;
  longestMs: number;
}

/**
 * Returns the milliseconds to wait after the nth failed attempt: doubled each time up to the maximum, reduced at random by
 * up to half, so that concurrent callers do not retry together. Pure.
 * @param random from 0 to 1; 1 reduces nothing
 */
export function backoffMs({ firstMs, longestMs }: Backoff, failed: number, random: number): number {
  return Math.min(firstMs * 2 ** (failed - 1), longestMs) * (0.5 + random / 2);
}
