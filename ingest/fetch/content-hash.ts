import { hash } from 'node:crypto';
import type { RawListing } from '../normalize/listing.ts';

/**
 * Part of every fingerprint: raise it when `normalize`, the gazetteer or the stored record changes what a row becomes,
 * and the next run works every ad out again.
 */
const RECORD_VERSION = 1;

/** Tells whether an ad is as it was, from the mapped row, so that unchanged rows are not normalized. */
export function contentHash(raw: RawListing): string {
  return shortHash(`${RECORD_VERSION}${JSON.stringify(raw)}`);
}

/** 128 bits of SHA-256 in 22 characters. */
export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
