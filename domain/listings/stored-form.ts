/**
 * The stored form of a listing.
 * {"private":{"source":"…","source_listing_id":"…","photos":[…],"first_seen":1,"last_seen":2,…},"display":{…},…} A
 * document of `listings` also has a `digest` of these bytes as a doc value.
 */

import { hash } from 'node:crypto';
import type { Comparison } from './comparison.ts';
import { toDocument } from './document.ts';
import type { StoredListing } from './listing.ts';

export function writeListing(stored: StoredListing): string {
  const { display, private: hidden, ...indexed } = toDocument(stored);
  const kept = writeKept({ display, private: hidden });
  return `${kept},${JSON.stringify(indexed).slice(1, -1)},"digest":${digestOf(kept)}}`;
}

export function writeDeal(stored: StoredListing, comparison: Comparison, indexed: object): string {
  return `${writeKept(stored, `,"deal":${JSON.stringify(comparison)}`)},${JSON.stringify(indexed).slice(1)}`;
}

function writeKept({ display, private: hidden }: StoredListing, more = ''): string {
  // The order determines the digest. `JSON.stringify` omits undefined fields.
  const { source, source_listing_id, photos, first_seen, last_seen, modified, quality } = hidden;
  const leading = { source, source_listing_id, photos, first_seen, last_seen, modified, quality };
  const block = JSON.stringify({ ...leading, ...hidden });
  return `{"private":${block.slice(0, -1)}${more}},"display":${JSON.stringify(display)}`;
}

/**
 * Returns a 64-bit digest as decimal digits. The hash is cryptographic, so that a collision takes billions of attempts.
 */
function digestOf(kept: string): string {
  return hash('sha256', kept, 'buffer').readBigInt64BE().toString();
}

export interface StoredHit {
  _source: StoredListing;
  sort: readonly unknown[];
  fields?: Digests;
}

export interface DealHit extends StoredHit {
  _source: StoredListing & { private: { deal: Comparison } };
}

/** A hit of a search whose last sort value is the id. */
export interface DigestHit {
  sort: readonly unknown[];
  /** Undefined for documents of earlier releases, which lack the digest. */
  fields?: Digests;
}

interface Digests {
  digest: readonly [string];
}

export interface ListingsResponse<Hit = StoredHit> {
  hits: { hits: readonly Hit[] };
}
