import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';

/** Duration of the stall in milliseconds. It is longer than the timeout of a charge. */
const STALL = 4_500;

export const fault: Fault = {
  title: 'Postgres is unresponsive, and a node is killed',
  order: 1,
  loses: 'calls',
  async happen({ second, signal }) {
    await signal('Postgres', 'SIGSTOP');
    await sleep(STALL);
    const exit = once(second.process, 'exit');
    second.process.kill('SIGKILL');
    await exit;
    await signal('Postgres', 'SIGCONT');
  },
};
