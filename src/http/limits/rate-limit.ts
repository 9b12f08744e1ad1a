import { setTimeout as sleep } from 'node:timers/promises';
import { hashKey } from '#accounts/keys.ts';
import type { Services } from '#src/services.ts';
import type { HttpContext } from '../context.ts';
import { ApiError } from '../errors/api-error.ts';
import { AddressLimit } from './address-limit.ts';
import { type KnownKey, KnownKeys } from './known-keys.ts';

/**
 * Delay in milliseconds of a 429 response for an in-process limit. Without it, a client that ignores `Retry-After`
 * would keep the processor busy. The connection limits bound the number of delayed calls.
 */
const REFUSAL_DELAY_MS = 100;

/** In-process limits by address and by key. */
export type CallerLimits = ReturnType<typeof createCallerLimits>;

export const createCallerLimits = ({
  unknownKeys,
  unchargedCalls,
  freeBytes,
  pageViews,
}: Services['config']['limits']) => ({
  /** Limits calls with unknown keys by address. Keys that Postgres has recognized are exempt. */
  unknownKeys: new AddressLimit(unknownKeys),
  /** Limits lookups of exposed keys by address. Over the limit, the call is refused without a lookup. */
  exposedKeys: new AddressLimit(unknownKeys),
  /** Limits response bytes of documents that require no key, by address. */
  documentBytes: new AddressLimit(freeBytes),
  /** Limits pages that query the datastores, and links to ads, by address. */
  pageViews: new AddressLimit(pageViews),
  knownKeys: new KnownKeys(unchargedCalls, freeBytes),
});

/** The caller before the call is charged. */
export type Sender = Awaited<ReturnType<typeof checkSenderLimits>>;

/**
 * Refuses a sender over its limits before the parameters and the body are decoded.
 * @throws ApiError rate_limited
 */
export async function checkSenderLimits(
  { config }: Services,
  limits: CallerLimits,
  { state: { ip = null } }: HttpContext,
  key: string,
  mayCostUnits: boolean,
) {
  const keyHash = hashKey(key, config.keyPepper);
  const name = keyHash.toString('latin1');
  // Undefined if Postgres has not recognized the key recently.
  const known = limits.knownKeys.get(name);
  if (known) await enforceRateLimit(known.wait(performance.now(), mayCostUnits), UNCHARGED);
  else await enforceRateLimit(limits.unknownKeys.wait(ip), UNKNOWN);
  // The key itself is needed to rehash it if it is stored under the old pepper.
  return { keyHash, name, key, known };
}

/**
 * Counts a call that costs no units toward the limit of its key. @throws ApiError rate_limited if the key is over the
 * limit
 */
export async function countUnchargedCall(known: KnownKey): Promise<void> {
  const now = performance.now();
  await enforceRateLimit(known.wait(now, false), UNCHARGED);
  known.countUncharged(now, false);
}

const UNCHARGED = 'This key made too many calls that cost no units (free, invalid or refused calls).';
const UNKNOWN = 'Too many calls with unknown keys from your address.';

/**
 * Refuses a caller over a rate limit, after a delay.
 * @param wait seconds until the caller may retry; 0 if the caller is within the limit
 * @throws ApiError rate_limited
 */
export async function enforceRateLimit(wait: number, reason: string): Promise<void> {
  if (wait === 0) return;
  await sleep(REFUSAL_DELAY_MS);
  throw new ApiError('rate_limited', {
    message: `${reason} Retry after ${wait} seconds.`,
    retryAfterS: wait,
  });
}
