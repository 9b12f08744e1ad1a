import { once } from 'node:events';
import type { Fault } from './fault.ts';

export const fault: Fault = {
  title: 'one of two API nodes is killed',
  order: 1,
  loses: 'calls',
  async happen({ second, load }) {
    const exit = once(second.process, 'exit');
    await load.burst(second.url, 30);
    second.process.kill('SIGKILL');
    await exit;
  },
};
