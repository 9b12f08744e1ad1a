import type { Boundaries } from '#domain/geography/boundaries.ts';
import { messageOf } from '#domain/message-of.ts';
import type { NormalizeResult, RawListing, ReadSettings } from '../normalize/listing.ts';
import { normalize } from '../normalize/normalize.ts';
import { feedId, readScalar } from '../normalize/plain-values.ts';

export const VALID_ID = /^[^\p{Cc}]{1,200}$/u;

/** A row that cannot be normalized is rejected and does not affect others. */
export function readAd(
  source: ReadSettings & { name: string },
  raw: RawListing,
  at: Date,
  boundaries?: Boundaries,
): NormalizeResult {
  if (feedId(raw.source_listing_id) === '') return { ok: false, reason: 'missing_id', detail: 'the row has no id' };
  if (!VALID_ID.test(String(readScalar(raw.source_listing_id)).trim()))
    return { ok: false, reason: 'malformed_row', detail: 'the id has control characters' };
  try {
    return normalize(source, raw, at, boundaries);
  } catch (error) {
    return { ok: false, reason: 'malformed_row', detail: messageOf(error) };
  }
}
