import type { Services } from '#src/services.ts';

/**
 * Milliseconds until the searches of a request time out. A refund afterwards takes at most one second, so every response is
 * sent within ten seconds, regardless of the number of stores and searches.
 */
const REQUEST_LIMIT = 8_000;

/** Returns the deadline for the searches of a request that arrives now, as a time of `performance.now()`. */
export const requestDeadline = ({ config }: Pick<Services, 'config'>): number =>
  performance.now() + config.timeoutFactor * REQUEST_LIMIT;
