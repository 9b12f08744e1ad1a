import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';

export const fault: Fault = {
  title: 'no fault, for comparison',
  order: -1,
  happen: () => sleep(5_000),
};
