import type { RandomBytes } from '#src/accounts/keys.ts';
import { createKeyring, type Encryption, type RingKey } from '#stores/crypto/encryption.ts';

/** Returns 256 random bits in the form of Standard Webhooks, whose prefix secret scanners detect. */
export const newSecret = (random: RandomBytes): string => `whsec_${Buffer.from(random(32)).toString('base64')}`;

export const secretEncryption = (keys: readonly RingKey[], random: RandomBytes): Encryption =>
  createKeyring(keys, 'webhook secrets', random);
