import { startChild } from '../child.ts';
import type { Command, Reply, Side, Slice, SliceResult } from './protocol.ts';

export type SliceOptions = Pick<Slice, 'side' | 'connections' | 'count'> & Partial<Slice>;

/** Generates load in a separate process, so that only processor time is shared with the measured service. */
export interface LoadGenerator {
  /** Replaces the sides. Their connections are opened on first use. */
  setSides(sides: Readonly<Record<string, Side>>): Promise<void>;
  run(slice: SliceOptions): Promise<SliceResult>;
  close(): void;
}

export async function startLoadGenerator(): Promise<LoadGenerator> {
  const child = await startChild(new URL('./generator-process.ts', import.meta.url), {}, { serialization: 'advanced' });
  const send = async <Result>(command: Command): Promise<Result> => {
    const reply = await child.call<Reply>(command);
    if ('error' in reply) throw new Error(`load generator: ${reply.error}`);
    return reply.result as Result;
  };
  return {
    setSides: (sides) => send({ sides }),
    run: (slice) => send({ slice: { from: 0, pause: 0, ...slice } }),
    close: child.kill,
  };
}
