export interface Backoff {
  /** Milliseconds before the second attempt, and at most. */
  firstMs: number;
  longestMs: number;
}

/**
 * Milliseconds to wait after the nth failed attempt: twice as long each time, up to the longest, of which a random part up to
 * half is left out, so that several callers do not retry together. Pure.
 * @param random from 0 to 1; 1 leaves nothing out
 */
export function backoffMs({ firstMs, longestMs }: Backoff, failed: number, random: number): number {
  return Math.min(firstMs * 2 ** (failed - 1), longestMs) * (0.5 + random / 2);
}
