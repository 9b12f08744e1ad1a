import type { Fault } from './fault.ts';
import { stall } from './stall.ts';

export const fault: Fault = {
  title: 'S3 is unresponsive for 4 s, three times',
  happen: (stage) => stall(stage, ['S3']),
};
