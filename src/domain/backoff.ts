export interface Backoff {
  firstMs: number;
  longestMs: number;
}

/**
 * Milliseconds after the nth failed attempt: doubled up to the maximum, minus up to half, so that concurrent callers do
 * not retry together.
 */
export function backoffMs({ firstMs, longestMs }: Backoff, failed: number, random: number): number {
  return Math.min(firstMs * 2 ** (failed - 1), longestMs) * (0.5 + random / 2);
}
