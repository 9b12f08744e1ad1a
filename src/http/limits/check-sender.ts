import type { CallerLimits } from '#src/metering/limits.ts';
import type { HttpContext } from '../context.ts';
import type { Credential } from '../credentials.ts';
import { enforceRateLimit } from './enforce-rate-limit.ts';

const UNCHARGED = 'This key made too many calls that cost no units (free, invalid or refused calls).';
const UNKNOWN = 'Too many calls with unknown keys from your address.';

export type Sender = Awaited<ReturnType<typeof checkSenderLimits>>;

/** @throws ApiError rate_limited before parameters and body are decoded */
export async function checkSenderLimits(
  limits: CallerLimits,
  { state: { ip = null } }: HttpContext,
  { keyHash, secret }: Credential,
  mayCostUnits: boolean,
) {
  const name = keyHash.toString('base64url');
  if (limits.account(name)) await enforceRateLimit(limits.wait(name, mayCostUnits), UNCHARGED);
  else await enforceRateLimit(limits.unknownKeys.wait(ip), UNKNOWN);
  return { keyHash, name, secret };
}

/** Counts a call of 0 units. @throws ApiError rate_limited */
export async function enterUncharged(limits: CallerLimits, name: string): Promise<void> {
  await enforceRateLimit(limits.wait(name, false), UNCHARGED);
  limits.countUncharged(name, false);
}
