import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Command, Reply, Side, Slice, SliceResult } from './protocol.ts';

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));

export type SliceOptions = Pick<Slice, 'side' | 'connections' | 'count'> & Partial<Slice>;

/** Generates load in a separate process, so that only processor time is shared with the measured service. */
export interface LoadGenerator {
  /** Replaces the sides. Their connections are opened on first use. */
  setSides(sides: Readonly<Record<string, Side>>): Promise<void>;
  run(slice: SliceOptions): Promise<SliceResult>;
  close(): Promise<void>;
}

export function startLoadGenerator(): LoadGenerator {
  const child: ChildProcess = fork(WORKER, { serialization: 'advanced' });
  let replied = Promise.withResolvers<Reply>();
  child.on('message', (reply: Reply) => replied.resolve(reply));
  child.on('exit', (code) => replied.reject(new Error(`the load generator exited (${code})`)));
  const send = async (command: Command): Promise<Reply> => {
    if (!child.connected) throw new Error('the load generator has exited');
    replied = Promise.withResolvers();
    child.send(command);
    const reply = await replied.promise;
    if (reply.type === 'error') throw new Error(`load generator: ${reply.message}`);
    return reply;
  };
  return {
    setSides: async (sides) => {
      await send({ type: 'sides', sides });
    },
    run: async (slice) => {
      const reply = await send({ type: 'slice', slice: { from: 0, pause: 0, ...slice } });
      if (reply.type !== 'result') throw new Error('the load generator sent no result');
      return reply.result;
    },
    close: async () => {
      if (!child.connected) return;
      const ended = once(child, 'exit');
      // Prevents an unhandled rejection if the caller no longer waits.
      replied.promise.catch(() => {});
      child.send({ type: 'stop' } satisfies Command);
      const limit = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(limit);
    },
  };
}
