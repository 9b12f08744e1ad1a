import { createHmac, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { component } from '#domain/json-schema.ts';

export const SECRET_KINDS = ['live', 'admin', 'test'] as const;
/** Keys of the kinds `connector` (a connection of an assistant) and `console` (a member in the console) have no secret (ADR 31). */
export const KEYLESS_KINDS = ['connector', 'console'] as const;
export const KEY_KINDS = component('KeyKind', [...SECRET_KINDS, ...KEYLESS_KINDS] as const);
export type KeyKind = (typeof KEY_KINDS)[number];
export type SecretKind = (typeof SECRET_KINDS)[number];

/** Whether keys of the kind administer the organization, and read no data. */
export const isAdminKind = (kind: KeyKind): boolean => kind === 'admin' || kind === 'console';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const KEY_PATTERN = /^svc_(live|admin|test)_[0-9A-Za-z]{36}$/;

export type RandomBytes = (size: number) => Uint8Array;

/** `svc_<kind>_`, 30 random base62 characters (178 bits), and a checksum of six. */
export function generateKey(kind: SecretKind, random: RandomBytes): string {
  let body = '';
  while (body.length < RANDOM_LENGTH) {
    for (const byte of random(RANDOM_LENGTH * 2)) {
      // Bytes from 248 = 4 * 62 would make the first characters of the alphabet more likely.
      if (byte < 248 && body.length < RANDOM_LENGTH) body += ALPHABET[byte % 62];
    }
  }
  const start = `svc_${kind}_${body}`;
  return start + checksum(start);
}

/** A mistyped key costs no query. */
export function isWellFormedKey(key: string): boolean {
  if (!KEY_PATTERN.test(key)) return false;
  return checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
}

export function findKeys(text: string): string[] {
  return [...text.matchAll(/svc_(live|admin|test)_[0-9A-Za-z]{36}/g)].map(([key]) => key).filter(isWellFormedKey);
}

/** A lookup by hash leaks no timing information. */
export function hashKey(key: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

export const pepperId = (pepper: string): string => hash('sha256', `pepper ${pepper}`).slice(0, 12);

function checksum(text: string): string {
  let value = crc32(text);
  let out = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    out = ALPHABET[value % 62] + out;
    value = Math.floor(value / 62);
  }
  return out;
}
