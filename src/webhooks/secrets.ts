import type { RandomBytes } from '#accounts/keys.ts';
import { createKeyring, type Encryption, type RingKey } from '#crypto/encryption.ts';

/** A signing secret: 256 random bits behind a prefix that scanners of leaked secrets know. */
export const newSecret = (random: RandomBytes): string => `whsec_${Buffer.from(random(32)).toString('base64url')}`;

/** How signing secrets are stored. */
export const secretEncryption = (keys: readonly RingKey[], random: RandomBytes): Encryption =>
  createKeyring(keys, 'webhook secrets', random);
