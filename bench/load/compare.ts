import type { Bench } from '../bench.ts';
import type { LoadGenerator, SliceOptions } from './generator.ts';
import type { SliceResult } from './protocol.ts';
import { median, type Summary, summarize } from './statistics.ts';

interface Comparison<Name extends string> {
  sides: Record<Name, Summary>;
  /** Throughput of `a` divided by that of `b`: the median ratio of adjacent slices. */
  ratio(a: Name, b: Name): number;
}

interface CompareOptions {
  connections: number;
  /** Requests per slice, or per pass if `repeated`. */
  count: number;
  /** Slice duration in milliseconds, filled with whole passes. If undefined, slices have different requests. */
  sliceMs?: number;
  /** Index of the first request of the first slice. */
  from?: number;
  /** Number of slices per side, by default that of the bench. */
  rounds?: number;
  /** Called before every slice, outside of the measured time. */
  before?: ((side: string) => Promise<void>) | undefined;
}

/**
 * Measures sides alternately (A B A B ...), so that other load on the machine affects all of them equally. The order is
 * reversed every round. The first pass is an unmeasured warm-up, which opens connections and triggers JIT compilation.
 * @throws Error if a request fails, because figures for failing requests are meaningless
 */
export async function compare<Name extends string>(
  bench: Pick<Bench, 'load' | 'rounds' | 'signal'>,
  names: readonly Name[],
  { connections, count, sliceMs, from = 0, rounds = bench.rounds, before = async () => {} }: CompareOptions,
): Promise<Comparison<Name>> {
  const { load, signal } = bench;
  const results = Object.fromEntries(names.map((side) => [side, []])) as unknown as Record<Name, SliceResult[]>;
  const counts = new Map<Name, number>();
  for (const side of names) {
    await before(side);
    await runWithoutFailure(load, { side, connections, count });
    counts.set(side, count);
    if (sliceMs === undefined) continue;
    await before(side);
    const { seconds } = await runWithoutFailure(load, { side, connections, count });
    counts.set(side, count * Math.max(1, Math.round(sliceMs / 1000 / seconds)));
  }
  for (let round = 0; round < rounds; round++) {
    signal.throwIfAborted();
    for (const side of round % 2 === 0 ? names : [...names].reverse()) {
      await before(side);
      const own = counts.get(side) as number;
      const slice = { side, connections, count: own, from: from + round * own };
      results[side].push(await runWithoutFailure(load, slice));
    }
  }
  const sides = Object.fromEntries(names.map((side) => [side, summarize(results[side])])) as Record<Name, Summary>;
  return {
    sides,
    ratio: (a, b) => median(sides[a].slices.map((rate, round) => rate / (sides[b].slices[round] as number))),
  };
}

/** @throws Error with examples if a request fails */
async function runWithoutFailure(load: LoadGenerator, slice: SliceOptions): Promise<SliceResult> {
  const result = await load.run(slice);
  if (result.failures === 0) return result;
  throw new Error(
    `${result.failures} of ${slice.count} requests failed (${slice.side}): ${result.examples.join('; ')}`,
  );
}

/** Number of requests after which the JIT compilers of Node and Java have optimized a code path. */
export const WARM = 6_000;

/** Sends unmeasured requests to each side, because Node and Java compile code while it runs. */
export async function warmUp(
  { load, options }: Pick<Bench, 'load' | 'options'>,
  sides: readonly string[],
): Promise<void> {
  for (const side of sides) await load.run({ side, connections: 8, count: options.quick ? WARM / 10 : WARM });
}
