import type { SliceResult } from './generator.ts';

/** Returns the quantile `at` (0 to 1) of numbers by the nearest-rank method. */
export function percentile(numbers: Iterable<number>, at: number): number {
  const sorted = Float64Array.from(numbers).sort();
  if (sorted.length === 0) return Number.NaN;
  const rank = Math.ceil(at * sorted.length);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1] as number;
}

export const median = (values: Iterable<number>): number => percentile(values, 0.5);

/** Latencies are in milliseconds and cover all requests. */
export interface Summary {
  p50: number;
  p99: number;
  /** Median of the slices' requests per second. */
  per_second: number;
  /** Requests per second of each slice. */
  slices: number[];
  failures: number;
}

export function summarize(slices: readonly SliceResult[]): Summary {
  const all = Float64Array.from(slices.flatMap(({ latencies }) => [...latencies]));
  const rates = slices.map(({ latencies, seconds }) => latencies.length / seconds);
  return {
    p50: percentile(all, 0.5),
    p99: percentile(all, 0.99),
    per_second: median(rates),
    slices: rates,
    failures: slices.reduce((sum, { failures }) => sum + failures, 0),
  };
}
