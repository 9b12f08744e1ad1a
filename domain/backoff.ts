export interface Backoff {
  // Milliseconds before the second attempt, and the longest delay.
  firstMs: number;
  longestMs: number;
}

/**
 * Returns the milliseconds to wait after the nth failed attempt: doubled up to the maximum, minus random jitter of up
 * to half, so that concurrent callers do not retry together.
 * @param random from 0 to 1; 1 means no reduction
 */
export function backoffMs({ firstMs, longestMs }: Backoff, failed: number, random: number): number {
  return Math.min(firstMs * 2 ** (failed - 1), longestMs) * (0.5 + random / 2);
}
