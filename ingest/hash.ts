import { hash } from 'node:crypto';

/** Returns the first 22 base64url characters (132 bits) of a SHA-256 hash. */
export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** Returns the column `listings.advertiser`: equal for all ads by one advertiser, by the key of its source. */
export const advertiserHash = (key: string): string => shortHash(key).slice(0, 12);

/** Returns an image's key in the CDN bucket. Equal bytes from two URLs are one object. */
export function photoKey(contentHash: string, extension: string): string {
  return `${contentHash.slice(0, 2)}/${contentHash.slice(2, 40)}.${extension}`;
}

/** Returns the key of a photo that is assumed to be on the CDN, derived from its URL. */
export const assumedKey = (url: string): string => photoKey(hash('sha256', url, 'hex'), 'jpg');
