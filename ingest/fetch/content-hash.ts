import { shortHash } from '../hash.ts';
import type { RawListing } from '../normalize/listing.ts';

/**
 * Part of every hash. Raise it when `normalize`, the gazetteer or the stored record changes what a row becomes: the next
 * run then normalizes every ad again.
 */
const RECORD_VERSION = 3;

/** The hash of a mapped row, by which unchanged rows are recognized and not normalized again. */
export function contentHash(raw: RawListing): string {
  return shortHash(`${RECORD_VERSION}${JSON.stringify(raw)}`);
}
