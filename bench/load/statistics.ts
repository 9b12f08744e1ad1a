/** Returns the quantile `at` (0 to 1) of sorted numbers by the nearest-rank method. */
export function percentile(sorted: Float64Array, at: number): number {
  if (sorted.length === 0) return Number.NaN;
  const rank = Math.ceil(at * sorted.length);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1] as number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] as number;
  return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
