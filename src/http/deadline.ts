import type { Services } from '#src/services.ts';

/**
 * Milliseconds after which a request starts or waits for no search any more. What may follow, giving back its units, takes one
 * second: so every answer comes within ten, however many stores and searches a request needs.
 */
const REQUEST_LIMIT = 8_000;

/** When the searches of a request that comes now are given up, of `performance.now()`. */
export const requestDeadline = ({ config }: Pick<Services, 'config'>): number =>
  performance.now() + config.timeoutFactor * REQUEST_LIMIT;
