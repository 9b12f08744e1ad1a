import type { Fault } from './fault.ts';

export const fault: Fault = {
  title: 'S3 is killed',
  happen: ({ signal }) => signal('S3', 'SIGKILL'),
};
