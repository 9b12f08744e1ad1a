import type { HttpMiddleware } from '../context.ts';
import type { Endpoint } from '../endpoint.ts';
import type { KnownKey } from './known-keys.ts';
import { type CallerLimits, holdUp } from './rate-limit.ts';

/** Smaller responses are not counted where there is no key, so that probes of load balancers never meet the limit. */
const MIN_DOCUMENT_BYTES = 1_024;

const PER_KEY = 'This key received too many bytes of operations that cost no units.';
const PER_ADDRESS = 'Your address received too many bytes without a key.';

/**
 * Limits the bytes that GETs without a price may send: to a key, and without a key (the OpenAPI document) to an address. Counts
 * what is sent, after compression, and refuses before sending: calls in parallel exceed the limit by one response at most.
 */
export function limitFreeBytes({ documentBytes }: CallerLimits): HttpMiddleware {
  return async (context, next) => {
    const outerHeaders = new Set(context.res.getHeaderNames());
    await next();
    const { endpoint, knownKey, ip = null } = context.state;
    const { length = 0 } = context;
    if (context.method !== 'GET' || (endpoint && !isFree(endpoint))) return;
    let wait = 0;
    if (knownKey) {
      wait = knownKey.freeBytes.wait(performance.now());
      if (wait === 0) knownKey.freeBytes.take(performance.now(), length);
    } else if (length >= MIN_DOCUMENT_BYTES && context.response.type === 'application/json') {
      wait = documentBytes.wait(ip);
      if (wait === 0) documentBytes.take(ip, length);
    }
    if (wait === 0) return;
    // Not kept in memory while the caller waits. What remains is the state of a request that was not handled.
    context.body = null;
    for (const name of context.res.getHeaderNames()) if (!outerHeaders.has(name)) context.remove(name);
    await holdUp(wait, knownKey ? PER_KEY : PER_ADDRESS);
  };
}

/** Refuses a GET without a price of a key that is over its limit before any work. @throws ApiError rate_limited */
export async function checkFreeBytes(known: KnownKey | undefined, endpoint: Endpoint): Promise<void> {
  if (known && endpoint.method === 'GET' && isFree(endpoint))
    await holdUp(known.freeBytes.wait(performance.now()), PER_KEY);
}

const isFree = ({ price }: Endpoint): boolean => price.units === 0;
