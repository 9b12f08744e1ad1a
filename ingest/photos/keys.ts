import { hash } from 'node:crypto';
import { shortHash } from '../hash.ts';

export const urlHash = shortHash;

/** Returns an image's key in the CDN bucket. Equal bytes from two URLs are one object. */
export function photoKey(contentHash: string, extension: string): string {
  return `${contentHash.slice(0, 2)}/${contentHash.slice(2, 40)}.${extension}`;
}

/** Returns the key of a photo that is assumed to be on the CDN, derived from its URL. */
export function assumedKey(url: string): string {
  return photoKey(hash('sha256', url, 'hex'), 'jpg');
}
