import type { Fault } from './fault.ts';

export const fault: Fault = {
  title: 'OpenSearch is killed',
  happen: ({ signal }) => signal('OpenSearch', 'SIGKILL'),
};
