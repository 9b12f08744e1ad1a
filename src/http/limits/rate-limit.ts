import { setTimeout as sleep } from 'node:timers/promises';
import { hashKey } from '#accounts/keys.ts';
import type { Services } from '#src/services.ts';
import type { HttpContext } from '../context.ts';
import { ApiError } from '../errors/api-error.ts';
import { AddressLimit, networkOf } from './address-limit.ts';
import { type KnownKey, KnownKeys } from './known-keys.ts';

/**
 * Delay of a 429 in milliseconds: a client that ignores Retry-After would otherwise keep the processor busy. The connection
 * limits bound concurrent calls.
 */
const REFUSAL_DELAY_MS = 100;
/** Delay of a refusal under overload in milliseconds: immediate retries would take capacity from other calls. */
const OVERLOAD_DELAY_MS = 250;

/** Limits that a process enforces before the charge. */
export interface CallerLimits {
  /** Calls with unknown keys, by address. Known keys are exempt. */
  unknownKeys: AddressLimit;
  /** Keys sent in URLs, by address; over the limit they are refused without a lookup. */
  exposedKeys: AddressLimit;
  /** Bytes of documents without a key, by address. */
  documentBytes: AddressLimit;
  knownKeys: KnownKeys;
}

export const createCallerLimits = ({
  unknownKeys,
  unchargedCalls,
  freeBytes,
}: Services['config']['limits']): CallerLimits => ({
  unknownKeys: new AddressLimit(unknownKeys),
  exposedKeys: new AddressLimit(unknownKeys),
  documentBytes: new AddressLimit(freeBytes),
  knownKeys: new KnownKeys(unchargedCalls, freeBytes),
});

/** Caller of a call that is not charged yet. */
export interface Sender {
  keyHash: Buffer;
  /** The hash as a string. */
  name: string;
  /**
   * Name under which calls share a queue: one for all keys of an organization, and one for all unknown keys of a network, so
   * that guessing keys cannot fill a queue.
   */
  queueName: string;
  /** The key, which is stored under another pepper if no key has this hash during a rotation. */
  key: string;
  /** Undefined for keys that were not charged recently. */
  known: KnownKey | undefined;
}

/** Refuses a sender over its limits before anything but the key is read. @throws ApiError rate_limited */
export async function checkSenderLimits(
  { config }: Services,
  limits: CallerLimits,
  { state: { ip = null } }: HttpContext,
  key: string,
  mayCostUnits: boolean,
): Promise<Sender> {
  const keyHash = hashKey(key, config.keyPepper);
  const name = keyHash.toString('latin1');
  const known = limits.knownKeys.get(name);
  const queueName = known ? `organization ${known.organizationId}` : `from ${networkOf(ip)}`;
  if (known) await enforceRateLimit(known.wait(performance.now(), mayCostUnits), UNCHARGED);
  else await enforceRateLimit(limits.unknownKeys.wait(ip), UNKNOWN);
  return { keyHash, name, queueName, key, known };
}

/** Counts a call of a known key that costs no units. @throws ApiError rate_limited if the key is over the limit */
export async function countUnchargedCall(known: KnownKey): Promise<void> {
  const now = performance.now();
  await enforceRateLimit(known.wait(now, false), UNCHARGED);
  known.countUnchargedCall(now);
}

/** Delays the refusal of a call under overload, so that the call is not retried immediately. */
export async function delayOverloadRefusal(admission: Promise<void>): Promise<void> {
  try {
    await admission;
  } catch (error) {
    await sleep(OVERLOAD_DELAY_MS);
    throw error;
  }
}

const UNCHARGED = 'Too many calls that cost no units (free, invalid or refused calls).';
const UNKNOWN = 'Too many calls with unknown keys from your address.';

/**
 * Refuses a caller that must wait, after a delay.
 * @param wait seconds until the caller may retry; 0 if it need not wait
 * @throws ApiError rate_limited
 */
export async function enforceRateLimit(wait: number, reason: string): Promise<void> {
  if (wait === 0) return;
  await sleep(REFUSAL_DELAY_MS);
  throw new ApiError('rate_limited', {
    message: `${reason} Retry after the seconds in Retry-After.`,
    retryAfterS: wait,
  });
}
