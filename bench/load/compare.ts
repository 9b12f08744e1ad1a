import type { Bench } from '../bench.ts';
import { LoadGenerator, type LoadTarget, type SliceOptions, type SliceResult } from './generator.ts';
import { median, type Summary, summarize } from './statistics.ts';

interface Comparison<Name extends string> {
  sides: Record<Name, Summary>;
  /** Throughput of `a` divided by that of `b`: the median ratio of adjacent slices. */
  ratio(a: Name, b: Name): number;
}

interface CompareOptions {
  connections: number;
  /** Requests per pass. A slice is filled with whole passes. */
  count: number;
  /** Number of requests to send before, unmeasured, to compile code and fill caches. */
  warmUp?: number;
}

/** Number of requests after which the JIT compilers of Node and Java have optimized a code path. */
export const WARM = 6_000;

/**
 * Measures sides alternately (A B A B ...), so that other load on the machine affects all of them equally. The order is
 * reversed every round.
 * @throws Error if a request fails, because figures for failing requests are meaningless
 */
export async function compare<Name extends string>(
  { quick, signal }: Pick<Bench, 'quick' | 'signal'>,
  given: Readonly<Record<Name, LoadTarget>>,
  { connections, count, warmUp = 0 }: CompareOptions,
): Promise<Comparison<Name>> {
  const [rounds, sliceSeconds] = quick ? [3, 0.5] : [9, 1.5];
  const sides = Object.entries<LoadTarget>(given).map(([name, side]) => {
    const load = new LoadGenerator(side);
    return { name: name as Name, load, passes: 1, slices: [] as SliceResult[] };
  });
  try {
    for (const side of sides) {
      if (warmUp > 0) await runWithoutFailure(side, { connections: 8, count: quick ? warmUp / 10 : warmUp });
      await runWithoutFailure(side, { connections, count });
      const { seconds } = await runWithoutFailure(side, { connections, count });
      side.passes = Math.max(1, Math.round(sliceSeconds / seconds));
    }
    for (let round = 0; round < rounds; round++) {
      signal.throwIfAborted();
      for (const side of round % 2 === 0 ? sides : sides.toReversed())
        side.slices.push(await runWithoutFailure(side, { connections, count: count * side.passes }));
    }
  } finally {
    for (const { load } of sides) await load.close();
  }
  const results = Object.fromEntries(sides.map(({ name, slices }) => [name, summarize(slices)])) as Record<
    Name,
    Summary
  >;
  return {
    sides: results,
    ratio: (a, b) => median(results[a].slices.map((rate, round) => rate / (results[b].slices[round] as number))),
  };
}

/** @throws Error with examples if a request fails */
async function runWithoutFailure(
  { name, load }: { name: string; load: LoadGenerator },
  options: SliceOptions,
): Promise<SliceResult> {
  const result = await load.run(options);
  if (result.failures === 0) return result;
  throw new Error(`${result.failures} of ${options.count} requests failed (${name}): ${result.examples.join('; ')}`);
}
