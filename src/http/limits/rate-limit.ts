import { setTimeout as sleep } from 'node:timers/promises';
import { hashKey } from '#accounts/keys.ts';
import { ApiError } from '#domain/errors.ts';
import type { Services } from '#src/services.ts';
import type { HttpContext } from '../context.ts';
import { AddressLimit, networkOf } from './address-limit.ts';
import { type KnownKey, KnownKeys } from './known-keys.ts';

/**
 * Milliseconds until a caller beyond its limits is told so: one that does not heed Retry-After would otherwise keep the
 * processor busy with refusals. A connection has few calls handled at once.
 */
const REFUSAL_DELAY = 100;
/** The same for calls refused under overload: the more connections repeat them at once, the less is left for other calls. */
const OVERLOAD_DELAY = 250;

/** What a process knows of callers before Postgres is asked. */
export interface CallerLimits {
  /** Keys that do not exist, by address. Those that are known to exist are not held up by it. */
  unknownKeys: AddressLimit;
  /** Keys where they do not belong, by address; beyond it they are refused without being looked up. */
  exposedKeys: AddressLimit;
  /** Bytes of documents that need no key, by address. */
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

/** Whose call it is, as far as that is known before Postgres is asked. */
export interface Sender {
  keyHash: Buffer;
  /** The hash as a text. */
  name: string;
  /**
   * Calls of one queue name share turns: all keys of an organization, and all keys of a network that are not recognized yet,
   * so that guessing keys cannot fill a queue.
   */
  queueName: string;
  /** Undefined for a key that Postgres has not recognized of late. */
  known: KnownKey | undefined;
}

/**
 * Makes a sender beyond its limits wait, before anything of the request but its key is read.
 * @throws ApiError rate_limited when it is beyond them
 */
export async function holdUpSender(
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
  if (known) await holdUp(known.wait(performance.now(), mayCostUnits), UNCHARGED);
  else await holdUp(limits.unknownKeys.wait(ip), UNKNOWN);
  return { keyHash, name, queueName, known };
}

/** Counts a call of a known key that costs no units. @throws ApiError rate_limited when there were too many */
export async function takeUncharged(known: KnownKey): Promise<void> {
  const now = performance.now();
  await holdUp(known.wait(now, false), UNCHARGED);
  known.takeUncharged(now);
}

/** Delays a refusal that costs next to nothing, as its sender would otherwise repeat it at once. */
export async function holdUpRefusal(admission: Promise<void>): Promise<void> {
  try {
    await admission;
  } catch (error) {
    await sleep(OVERLOAD_DELAY);
    throw error;
  }
}

const UNCHARGED = 'Too many calls that cost no units: free, invalid or refused ones.';
const UNKNOWN = 'Too many keys that do not exist came from your address.';

/** Refuses a caller that has to wait, after a delay. @throws ApiError rate_limited unless `wait`, in seconds, is 0 */
export async function holdUp(wait: number, reason: string): Promise<void> {
  if (wait === 0) return;
  await sleep(REFUSAL_DELAY);
  throw new ApiError('rate_limited', {
    message: `${reason} Wait as many seconds as Retry-After says.`,
    headers: { 'Retry-After': String(wait) },
  });
}
