import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../errors/api-error.ts';

/** In milliseconds. A client that ignores `Retry-After` would keep the processor busy. */
const REFUSAL_DELAY_MS = 100;

/** @throws ApiError rate_limited after a delay */
export async function enforceRateLimit(wait: number, reason: string): Promise<void> {
  if (wait === 0) return;
  await sleep(REFUSAL_DELAY_MS);
  throw new ApiError('rate_limited', { message: `${reason} Retry after ${wait} seconds.`, retryAfterS: wait });
}
