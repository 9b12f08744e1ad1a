import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts secrets that this service must read again. */
export interface Encryption {
  encrypt(text: string): Buffer;
  /** @throws Error if the bytes were modified or encrypted with another key */
  decrypt(bytes: Buffer): string;
}

/** Creates an AES-256-GCM encryption with a key derived for one purpose. Format: `nonce, tag, ciphertext`. */
export function createEncryption(pepper: string, purpose: string, random: (size: number) => Uint8Array): Encryption {
  const key = Buffer.from(hkdfSync('sha256', pepper, '', purpose, 32));
  return {
    encrypt(text) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    decrypt(bytes) {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/** Encrypts with the first encryption, and decrypts with the one whose key fits. */
export function firstOf([first, ...others]: readonly [Encryption, ...Encryption[]]): Encryption {
  return {
    encrypt: (text) => first.encrypt(text),
    decrypt(bytes) {
      for (const other of others) {
        try {
          return other.decrypt(bytes);
        } catch {
          // The value was encrypted with another key.
        }
      }
      return first.decrypt(bytes);
    },
  };
}

/** `id` is stored with each ciphertext. */
export interface RingKey {
  id: string;
  secret: string;
}

/**
 * Encrypts with the first key, and decrypts with the key whose id is in the ciphertext. Format: `id length, id, nonce,
 * tag, ciphertext`.
 */
export function createKeyring(
  keys: readonly RingKey[],
  purpose: string,
  random: (size: number) => Uint8Array,
): Encryption {
  const ring = keys.map(({ id, secret }) => ({ id, ...createEncryption(secret, purpose, random) }));
  const [newest] = ring;
  if (!newest) throw new Error('a keyring needs a key');
  const prefix = Buffer.from(newest.id);
  return {
    encrypt: (text) => Buffer.concat([Buffer.from([prefix.length]), prefix, newest.encrypt(text)]),
    decrypt(bytes) {
      const end = 1 + (bytes[0] ?? 0);
      const id = bytes.toString('utf8', 1, end);
      const [first, ...others] = ring.filter((key) => key.id === id);
      if (!first) throw new Error(`ENCRYPTION_KEYS has no key "${id}"`);
      return firstOf([first, ...others]).decrypt(bytes.subarray(end));
    },
  };
}
