import { hash } from 'node:crypto';
import { shortHash } from '../hash.ts';

export const urlHash = shortHash;

/** Equal bytes from two URLs are one object. */
export function photoKey(contentHash: string, extension: string): string {
  return `${contentHash.slice(0, 2)}/${contentHash.slice(2, 40)}.${extension}`;
}

/** For a photo that is assumed to be on the CDN. */
export function assumedKey(url: string): string {
  return photoKey(hash('sha256', url, 'hex'), 'jpg');
}
