import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Command, Flow, FlowResult, Reply, Side, Slice, SliceResult } from './protocol.ts';
import { median, percentile } from './statistics.ts';

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** Generates load in a separate process, so that only processor time is shared with the measured service. */
export interface LoadGenerator {
  /** Replaces the sides. Their connections are opened on first use. */
  setSides(sides: Readonly<Record<string, Side>>): Promise<void>;
  run(slice: Pick<Slice, 'side' | 'connections' | 'count'> & Partial<Slice>): Promise<SliceResult>;
  /** Runs flows concurrently and waits for their last responses. */
  runFlows(flows: readonly Flow[], seconds: number): Promise<FlowResult[]>;
  close(): Promise<void>;
}

export function startLoadGenerator(): LoadGenerator {
  const child: ChildProcess = fork(WORKER, { serialization: 'advanced' });
  let answered = Promise.withResolvers<Reply>();
  child.on('message', (reply: Reply) => answered.resolve(reply));
  child.on('exit', (code) => answered.reject(new Error(`the load generator exited (${code})`)));
  const ask = async (command: Command): Promise<Reply> => {
    if (!child.connected) throw new Error('the load generator has exited');
    answered = Promise.withResolvers();
    child.send(command);
    const reply = await answered.promise;
    if (reply.type === 'error') throw new Error(`load generator: ${reply.message}`);
    return reply;
  };
  return {
    setSides: async (sides) => {
      await ask({ type: 'sides', sides });
    },
    run: async (slice) => {
      const reply = await ask({ type: 'slice', slice: { from: 0, pause: 0, ...slice } });
      if (reply.type !== 'result') throw new Error('the load generator sent no result');
      return reply.result;
    },
    runFlows: async (flows, seconds) => {
      const reply = await ask({ type: 'flows', flows, seconds });
      if (reply.type !== 'flows') throw new Error('the load generator sent no result');
      return reply.results;
    },
    close: async () => {
      if (!child.connected) return;
      const ended = once(child, 'exit');
      // Prevents an unhandled rejection if the caller no longer waits.
      answered.promise.catch(() => {});
      child.send({ type: 'stop' } satisfies Command);
      const limit = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(limit);
    },
  };
}

/** Results of one side of a comparison. */
export interface SideSummary {
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Requests per second, median of the rounds. */
  per_second: number;
  rounds: number[];
  requests: number;
  failures: number;
}

export interface Comparison {
  sides: Record<string, SideSummary>;
  /** Throughput of `a` divided by that of `b`: the median of the ratios of each round. */
  ratio(a: string, b: string): number;
}

export interface CompareOptions {
  connections: number;
  rounds: number;
  /** Milliseconds per slice. */
  sliceMs: number;
  /** Slices are whole multiples of the list length, so that all sides get the same requests. */
  listLength: number;
  /** Each slice is one pass over the list, so that it repeats no request. */
  once?: boolean;
  /** Called before every slice, outside of the measured time. */
  before?: (side: string) => Promise<void>;
}

/**
 * Measures sides alternately (A B A B ...), so that other load on the machine affects all of them. The order is
 * reversed every round.
 * @throws Error if a request fails, because figures of failing requests are meaningless
 */
export async function compare(
  load: LoadGenerator,
  names: readonly string[],
  options: CompareOptions,
): Promise<Comparison> {
  const { connections, rounds, sliceMs, listLength, before = async () => {} } = options;
  const counts = new Map<string, number>();
  for (const side of names) {
    await before(side);
    await run(load, { side, connections, count: listLength });
    await before(side);
    const { seconds } = await run(load, { side, connections, count: listLength });
    const passes = options.once ? 1 : Math.max(1, Math.round(sliceMs / 1000 / seconds));
    counts.set(side, listLength * passes);
  }
  const results = new Map<string, SliceResult[]>(names.map((side) => [side, []]));
  // A list longer than a slice continues in the next slice.
  const from = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? names : [...names].reverse()) {
      await before(side);
      const count = counts.get(side) as number;
      const start = from.get(side) ?? 0;
      results.get(side)?.push(await run(load, { side, connections, count, from: start }));
      from.set(side, start + count);
    }
  }
  const sides = Object.fromEntries(names.map((side) => [side, summarize(results.get(side) as SliceResult[])]));
  return {
    sides,
    ratio: (a, b) => {
      const [of, to] = [sides[a], sides[b]];
      if (!of || !to) throw new Error(`unknown side: one of ${a}, ${b}`);
      return median(of.rounds.map((value, round) => value / (to.rounds[round] as number)));
    },
  };
}

async function run(load: LoadGenerator, slice: Parameters<LoadGenerator['run']>[0]): Promise<SliceResult> {
  const result = await load.run(slice);
  if (result.failures > 0)
    throw new Error(
      `${result.failures} of ${slice.count} requests failed (${slice.side}): ${result.examples.join('; ')}`,
    );
  return result;
}

/** Column headings for `timesOf` with sides of these names. */
export const timeHeads = (...names: readonly string[]): string[] =>
  names.flatMap((name) => [`${name} p50`, 'p99', '/s']);

/** Table columns per side: p50, p99, requests per second. */
export const timesOf = (sides: readonly SideSummary[]): number[] =>
  sides.flatMap(({ p50, p99, per_second }) => [p50, p99, per_second]);

export function summarize(slices: readonly SliceResult[]): SideSummary {
  const all = new Float64Array(slices.reduce((sum, { latencies }) => sum + latencies.length, 0));
  let at = 0;
  for (const { latencies } of slices) {
    all.set(latencies, at);
    at += latencies.length;
  }
  all.sort();
  const rounds = slices.map(({ latencies, seconds }) => latencies.length / seconds);
  return {
    p50: percentile(all, 0.5),
    p99: percentile(all, 0.99),
    per_second: median(rounds),
    rounds,
    requests: all.length,
    failures: slices.reduce((sum, { failures }) => sum + failures, 0),
  };
}
