import type { Services } from '#src/services.ts';

/**
 * Timeout in milliseconds for all searches of a request together. A subsequent refund takes at most one second, so
 * every response is sent within ten seconds, regardless of the number of datastores and searches.
 */
const REQUEST_LIMIT = 8_000;

/** Returns the deadline for the searches of a request that arrives now, as a `performance.now()` timestamp. */
export const requestDeadline = ({ config }: Pick<Services, 'config'>): number =>
  performance.now() + config.timeoutFactor * REQUEST_LIMIT;
