import type { Services } from '#src/services.ts';

/** Maximum time in milliseconds from the arrival of a call to its response. All times are multiplied by a factor. */
const CALL_MS = 9_500;
const LOAD_MS = 7_000;
/** Lookup of a key before a load or after a failed one. */
const LOOKUP_MS = 1_500;
const CHARGE_MS = 2_000;

type Configured = Pick<Services, 'config'>;

/** As a `performance.now()` timestamp. */
export const loadDeadline = ({ config }: Configured): number => performance.now() + config.timeoutFactor * LOAD_MS;

/** Milliseconds left for the statements of a call, given the deadline of its load. */
export const statementTimeouts = ({ config: { timeoutFactor } }: Configured, deadline: number) => {
  const left = Math.max(1, deadline + timeoutFactor * (CALL_MS - LOAD_MS) - performance.now());
  return { lookup: Math.min(left, timeoutFactor * LOOKUP_MS), charge: Math.min(left, timeoutFactor * CHARGE_MS) };
};
