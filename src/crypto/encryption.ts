import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts what the database must not hold in plain text but the service must read again. */
export interface Encryption {
  encrypt(text: string): Buffer;
  /** @throws Error when the bytes were changed or written under another pepper */
  decrypt(bytes: Buffer): string;
}

/** AES-256-GCM under a key derived from the pepper for one purpose: `nonce, tag, ciphertext`. */
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
