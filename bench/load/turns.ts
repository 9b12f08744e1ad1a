import type { Bench } from '../bench.ts';
import type { LoadGenerator } from './generator.ts';
import type { SliceResult } from './protocol.ts';
import { percentile } from './statistics.ts';

export interface TurnOptions {
  connections: number;
  rounds: number;
  /** Requests of a slice. */
  count: number;
  /** Where in the lists the first slice begins; each round goes on where the one before ended. */
  from: number;
  /** Before every slice, outside of its time. */
  before?: (side: string) => Promise<void>;
}

/**
 * Sides take turns, and no round repeats a request of an earlier one.
 * @throws Error when a request fails
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

/** Milliseconds within which the share `at` (0 to 1) of all requests were answered. */
export function latencyAt(slices: readonly SliceResult[], at: number): number {
  const all = Float64Array.from(slices.flatMap(({ latencies }) => [...latencies]));
  return percentile(all.sort(), at);
}

/** Requests after which the compilers of Node and Java have seen enough of a way through the code. */
const WARM = 6_000;

/** Sends each side requests that nobody times: both engines' code is compiled as it runs, in a service within its first minute. */
export async function warmUp(
  { load, options }: Pick<Bench, 'load' | 'options'>,
  sides: readonly string[],
): Promise<void> {
  for (const side of sides) await load.run({ side, connections: 8, count: options.quick ? WARM / 10 : WARM });
}
