import { hash } from 'node:crypto';

/** Returns the first 22 base64url characters (132 bits) of a SHA-256 hash. */
export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** Returns the column `listings.advertiser`: equal for all ads by one advertiser, by the key of its source. */
export const advertiserHash = (key: string): string => shortHash(key).slice(0, 12);
