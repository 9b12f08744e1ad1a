import { once } from 'node:events';
import type { Fault } from './fault.ts';

export const fault: Fault = {
  title: '`npm start` is stopped with 60 searches in flight',
  order: 2,
  async happen({ main, second, load }) {
    // The other node is stopped first, because it uses the engines of `npm start`.
    const other = once(second.process, 'exit');
    second.process.kill('SIGTERM');
    await other;
    const exit = once(main.process, 'exit');
    await load.burst(main.url, 60);
    main.process.kill('SIGTERM');
    await exit;
  },
};
