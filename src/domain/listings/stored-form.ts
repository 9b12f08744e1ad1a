/**
 * The stored form of a listing. Only this module writes it.
 *
 * {"private":{"source":"…","source_listing_id":"…","photos":[…],"first_seen":1,"last_seen":2,…},"display":{…},…}
 *
 * A document in the `listings` index also has a `digest` of these bytes, as a doc value. It identifies the stored
 * listing in the response to a search that requests digests instead of documents.
 */

import { hash } from 'node:crypto';
import type { Comparison } from '../statistics/deals.ts';
import { toDocument } from './document.ts';
import type { StoredListing } from './listing.ts';

/** Writes a listing as JSON for the `listings` index. */
export function writeListing(stored: StoredListing): string {
  const { display, private: hidden, ...indexed } = toDocument(stored);
  const kept = writeKept({ display, private: hidden });
  return `${kept},${JSON.stringify(indexed).slice(1, -1)},"digest":${digestOf(kept)}}`;
}

/** Returns the digest of a listing in the `listings` index: a 64-bit integer as decimal digits. */
export function storedDigest(stored: StoredListing): string {
  return digestOf(writeKept(stored));
}

/**
 * Writes a listing as JSON for the `deals` index, with the comparison in the private block.
 * @param indexed blocks for the deals' filters and sort orders
 */
export function writeDeal(stored: StoredListing, comparison: Comparison, indexed: object): string {
  return `${writeKept(stored, `,"deal":${JSON.stringify(comparison)}`)},${JSON.stringify(indexed).slice(1)}`;
}

/** Writes the stored form without its closing brace. */
function writeKept({ display, private: hidden }: StoredListing, more = ''): string {
  // The order determines the digest. `JSON.stringify` omits fields that are undefined.
  const { source, source_listing_id, photos, first_seen, last_seen, modified, quality } = hidden;
  const leading = { source, source_listing_id, photos, first_seen, last_seen, modified, quality };
  const block = JSON.stringify({ ...leading, ...hidden });
  return `{"private":${block.slice(0, -1)}${more}},"display":${JSON.stringify(display)}`;
}

/**
 * A listing's old and new contents have the same digest once in 2^64 cases. The hash is cryptographic, so an attacker
 * needs billions of attempts to find a pair, and the only effect would be an outdated version of the attacker's
 * own listing.
 */
function digestOf(kept: string): string {
  return hash('sha256', kept, 'buffer').readBigInt64BE().toString();
}

/** A hit of a search for stored listings. */
export interface StoredHit {
  _source: StoredListing;
  sort: readonly unknown[];
  fields?: Digests;
}

/** A hit of a search for stored deals. */
export interface DealHit extends StoredHit {
  _source: StoredListing & { private: { deal: Comparison } };
}

/** A hit of a search for digests, sorted by the id last. */
export interface FoundHit {
  sort: readonly unknown[];
  /** Missing in documents of earlier releases. */
  fields?: Digests;
}

interface Digests {
  /** Decimal digits. */
  digest: readonly [string];
}

/** Response to a search for listings. */
export interface ListingsAnswer<Hit = StoredHit> {
  hits: { hits: readonly Hit[] };
}
