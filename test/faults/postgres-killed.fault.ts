import type { Fault } from './fault.ts';

export const fault: Fault = {
  title: 'Postgres is killed',
  loses: 'moments',
  happen: ({ signal }) => signal('Postgres', 'SIGKILL'),
};
