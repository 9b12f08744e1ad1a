import { hash } from 'node:crypto';

const known = new WeakMap<Uint8Array, string>();

/** Returns the SHA-256 digest in base64url, computed once for bytes that are sent again and again, such as documents. */
export function digestOf(bytes: Uint8Array): string {
  const digest = known.get(bytes) ?? hash('sha256', bytes, 'base64url');
  known.set(bytes, digest);
  return digest;
}
