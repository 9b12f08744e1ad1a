import { hash } from 'node:crypto';
import { shortHash } from '../hash.ts';

/** Returns the key of a photo's address in the table `photos`. */
export const urlHash = shortHash;

/** Returns the key of an image in the CDN bucket, from its bytes. The same image from two addresses is one object. */
export function photoKey(contentHash: string, extension: string): string {
  return `${contentHash.slice(0, 2)}/${contentHash.slice(2, 40)}.${extension}`;
}

/** Returns the key of a photo that is assumed to be on the CDN, from its address. */
export function assumedKey(url: string): string {
  return photoKey(hash('sha256', url, 'hex'), 'jpg');
}
