import { hash } from 'node:crypto';

/** Returns the first 22 base64url characters (132 bits) of a SHA-256 hash. */
export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
