import { isWellFormedKey } from '#src/accounts/keys.ts';
import type { HttpMiddleware } from './context.ts';
import { ApiError } from './errors/api-error.ts';

/** Requests without a key that begin in one turn of the event loop. */
const PER_TURN = 4;
/** Waiting requests, above which further ones are refused: a few seconds of pages. */
const MAX_WAITING = 500;
/** Load balancers request them, and they need almost no work. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Returns a function that resolves when its caller may begin: at most a few of them in each turn of the event loop, in
 * order. Between two turns, other requests are read and responses sent. @throws ApiError if too many wait
 */
export function createTurns(perTurn = PER_TURN, maxWaiting = MAX_WAITING): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isScheduled = false;
  const begin = (): void => {
    for (const next of waiting.splice(0, perTurn)) next();
    isScheduled = waiting.length > 0;
    if (isScheduled) setImmediate(begin);
  };
  return async () => {
    if (waiting.length >= maxWaiting) throw new ApiError('internal_error', { status: 503, retryAfterS: 1 });
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (!isScheduled) setImmediate(begin);
      isScheduled = true;
    });
  };
}

const turn = createTurns();

/**
 * Requests without a well-formed key take turns, so that, with any number of connections that request pages and documents, a call
 * with a key waits for a few of them and not for all.
 */
export const takeTurns: HttpMiddleware = async (context, next) => {
  const hasKey = isWellFormedKey(context.get('Authorization').replace(/^Bearer +/i, ''));
  const isInternal = context.state.isSite === true || context.state.internalKey !== undefined;
  if (!isInternal && !PROBES.has(context.path) && !hasKey) await turn();
  await next();
};
