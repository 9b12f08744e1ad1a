import { hash } from 'node:crypto';

/** Returns 128 bits of SHA-256 as 22 characters. */
export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
