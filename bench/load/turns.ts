import type { Bench } from '../bench.ts';
import type { LoadGenerator } from './generator.ts';
import type { SliceResult } from './protocol.ts';
import { percentile } from './statistics.ts';

export interface TurnOptions {
  connections: number;
  rounds: number;
  /** Requests per slice. */
  count: number;
  /** Index of the first request of the first slice. Each round continues where the previous one ended. */
  from: number;
  /** Called before every slice, outside of the measured time. */
  before?: (side: string) => Promise<void>;
}

/**
 * Measures sides alternately. No round repeats a request of an earlier one.
 * @throws Error if a request fails
 */
export async function takeTurns(
  load: LoadGenerator,
  names: readonly string[],
  { connections, rounds, count, from, before = async () => {} }: TurnOptions,
): Promise<Record<string, SliceResult[]>> {
  const results: Record<string, SliceResult[]> = Object.fromEntries(names.map((side) => [side, []]));
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? names : [...names].reverse()) {
      await before(side);
      const slice = await load.run({ side, connections, count, from: from + round * count });
      if (slice.failures > 0)
        throw new Error(`${slice.failures} of ${count} requests failed (${side}): ${slice.examples.join('; ')}`);
      results[side]?.push(slice);
    }
  }
  return results;
}

/** Latency in milliseconds at the quantile `at` (0 to 1) of all requests. */
export function latencyAt(slices: readonly SliceResult[], at: number): number {
  const all = Float64Array.from(slices.flatMap(({ latencies }) => [...latencies]));
  return percentile(all.sort(), at);
}

/** Requests after which the JIT compilers of Node and Java have optimized a code path. */
const WARM = 6_000;

/**
 * Sends unmeasured requests to each side, because Node and Java compile code while it runs; a service does so within its first
 * minute.
 */
export async function warmUp(
  { load, options }: Pick<Bench, 'load' | 'options'>,
  sides: readonly string[],
): Promise<void> {
  for (const side of sides) await load.run({ side, connections: 8, count: options.quick ? WARM / 10 : WARM });
}
