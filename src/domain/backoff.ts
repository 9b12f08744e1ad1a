export interface Backoff {
  /** Before the second attempt, and maximum. */
  firstMs: number;
  longestMs: number;
}

/**
 * Milliseconds after the nth failed attempt. Doubles up to the maximum, minus random jitter of up to half, so that
 * concurrent callers do not retry together. Pure.
 * @param random from 0 to 1; 1 means no reduction
 */
export function backoffMs({ firstMs, longestMs }: Backoff, failed: number, random: number): number {
  return Math.min(firstMs * 2 ** (failed - 1), longestMs) * (0.5 + random / 2);
}
