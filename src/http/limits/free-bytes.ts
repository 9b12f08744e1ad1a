import type { CallerLimits } from '#src/metering/limits.ts';
import type { HttpMiddleware } from '../context.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Sender } from './check-sender.ts';
import { enforceRateLimit } from './enforce-rate-limit.ts';

/** In bytes. Smaller responses without a key are exempt, such as those to load balancer probes. */
const MIN_DOCUMENT_BYTES = 1_024;

const PER_KEY = 'This key received too many bytes from operations that cost no units.';
const PER_ADDRESS = 'Your address received too many bytes without a key.';

/** Compressed bytes are counted before they are sent: concurrent calls exceed the limit by at most one response. */
export function limitFreeBytes({ documentBytes, freeBytes }: CallerLimits): HttpMiddleware {
  return async (context, next) => {
    const outerHeaders = new Set(context.res.getHeaderNames());
    await next();
    const { endpoint, keyName, isSite, ip = null } = context.state;
    const { length = 0 } = context;
    if (isSite || !['GET', 'HEAD'].includes(context.method) || (endpoint && !isFree(endpoint))) return;
    const isDocument = length >= MIN_DOCUMENT_BYTES && context.response.type === 'application/json';
    if (keyName === undefined && !isDocument) return;
    const [limit, caller] = keyName === undefined ? [documentBytes, ip] : [freeBytes, keyName];
    const wait = limit.wait(caller);
    if (wait === 0) {
      limit.take(caller, length);
      return;
    }
    // The body is released before the delay, and the headers that the handler set are removed.
    context.body = null;
    for (const name of context.res.getHeaderNames()) if (!outerHeaders.has(name)) context.remove(name);
    await enforceRateLimit(wait, keyName === undefined ? PER_ADDRESS : PER_KEY);
  };
}

/** @throws ApiError rate_limited before any work is done */
export async function checkFreeBytes(limits: CallerLimits, { name }: Sender, endpoint: Endpoint): Promise<void> {
  if (endpoint.method === 'GET' && isFree(endpoint)) await enforceRateLimit(limits.freeBytes.wait(name), PER_KEY);
}

const isFree = ({ price }: Endpoint): boolean => price.units === 0;
