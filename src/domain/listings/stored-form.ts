/**
 * The stored form of a listing, as bytes. Only this module writes the stored form. It extracts listings from search
 * responses without parsing, so that they are served as written.
 *
 * {"private":{"source":"…","source_listing_id":"…","photos":[…],"first_seen":1,"last_seen":2,…},"display":{…},…}
 *
 * The engine returns `private` and `display` in the order in which they were written. The markers that this module
 * searches for cannot occur inside a text: their quotes are not escaped, and JSON escapes every quote inside a text.
 *
 * A document in the `listings` index also has a `digest` of these bytes, as a doc value. It identifies the bytes in the
 * response to a search that requests digests instead of bytes.
 */

import { hash } from 'node:crypto';
import type { Comparison } from '../statistics/deals.ts';
import { toDocument } from './document.ts';
import type { ListingDisplay, StoredListing } from './listing.ts';

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
  // The fields that `cutPrivate` extracts come first. `JSON.stringify` omits those that are undefined.
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

/** A hit extracted from a search response. */
export interface StoredHit {
  /** Decimal digits. */
  id: string;
  /** The private block as JSON. */
  private: string;
  /**
   * The display block as JSON without its closing brace, so that fields can be appended. A view into the response
   * buffer.
   */
  display: Buffer;
  /** Sort values, as JSON without brackets. */
  sort: string;
}

/** A hit in the response to a search that also requested digests. */
export interface DigestedHit extends StoredHit {
  digest: string;
}

/** A hit in the response to a search that requested only digests. */
export type FoundHit = Pick<DigestedHit, 'id' | 'digest' | 'sort'>;

const ID = Buffer.from('"_id":"');
const PRIVATE = Buffer.from('"_source":{"private":');
const DISPLAY = Buffer.from(',"display":');
// The closing braces of the display block and the source make the marker rare. Commas and quotes alone are frequent.
const SORT = Buffer.from('}},"sort":[');
const DIGEST = Buffer.from('}},"fields":{"digest":[');
const DIGEST_END = Buffer.from(']},"sort":[');
const QUOTE = 0x22;

/**
 * Extracts up to `limit` hits from a search response.
 * @returns the hits, and whether there is a hit beyond the limit
 * @throws Error if the response is not in the stored form
 */
export function cutHits(answer: Buffer, limit: number): { hits: StoredHit[]; more: boolean } {
  const hits: StoredHit[] = [];
  let sortEnd = -1;
  let more = false;
  for (let at = answer.indexOf(ID); at !== -1; at = answer.indexOf(ID, sortEnd)) {
    if (hits.length === limit) {
      more = true;
      break;
    }
    const { hit, end } = cutHit(answer, at, SORT);
    sortEnd = answer.indexOf(']', end);
    hits.push({ ...hit, sort: answer.toString('latin1', end, sortEnd) });
  }
  return { hits, more };
}

/** Returns whether the hits in a response have digests. Documents from earlier releases have none. */
export const hasDigests = (answer: Buffer): boolean => answer.includes(DIGEST);

/**
 * Extracts all hits from the response to a search that requested digests and stored bytes.
 * @throws Error if the response is not in the stored form
 */
export function cutDigestedHits(answer: Buffer): DigestedHit[] {
  const hits: DigestedHit[] = [];
  let next = answer.indexOf(ID);
  while (next !== -1) {
    const { hit, end } = cutHit(answer, next, DIGEST);
    const digestEnd = answer.indexOf(DIGEST_END, end);
    const sortStart = digestEnd + DIGEST_END.length;
    const sortEnd = answer.indexOf(']', sortStart);
    next = answer.indexOf(ID, next + ID.length);
    if (digestEnd === -1 || sortEnd === -1 || (next !== -1 && sortEnd > next)) throw notInForm();
    hits.push({
      ...hit,
      digest: answer.toString('latin1', end, digestEnd),
      sort: answer.toString('latin1', sortStart, sortEnd),
    });
  }
  return hits;
}

/** Extracts the hit whose id marker is at `at`. `end` is the end of the marker after the hit's source. */
function cutHit(answer: Buffer, at: number, behind: Buffer): { hit: Omit<StoredHit, 'sort'>; end: number } {
  const idStart = at + ID.length;
  const source = answer.indexOf(PRIVATE, idStart);
  const privateStart = source + PRIVATE.length;
  const display = answer.indexOf(DISPLAY, privateStart);
  const displayEnd = answer.indexOf(behind, display);
  if (source === -1 || display === -1 || displayEnd === -1) throw notInForm();
  const hit = {
    id: answer.toString('latin1', idStart, answer.indexOf(QUOTE, idStart)),
    private: answer.toString('utf8', privateStart, display),
    display: answer.subarray(display + DISPLAY.length, displayEnd),
  };
  return { hit, end: displayEnd + behind.length };
}

const notInForm = (): Error => new Error('a hit is not in the form that the index stores');

const FOUND = '{"_index":"';
const FOUND_DIGEST = ',"fields":{"digest":[';
const FOUND_SORT = ']},"sort":[';

/**
 * Extracts all hits from the response to a search that requested only digests and sorted by id last. The engine then
 * reads no stored field, and the id is the last sort value. City names are the only free text in the response, so it is
 * parsed as a string, which is faster for small pieces.
 * @throws Error if the response has another form
 */
export function cutFound(answer: Buffer): FoundHit[] {
  const text = answer.toString('latin1');
  const found: FoundHit[] = [];
  let next = text.indexOf(FOUND);
  while (next !== -1) {
    const digest = text.indexOf(FOUND_DIGEST, next);
    next = text.indexOf(FOUND, next + FOUND.length);
    const digestEnd = text.indexOf(FOUND_SORT, digest);
    const sortStart = digestEnd + FOUND_SORT.length;
    const sortEnd = text.indexOf(']', sortStart);
    if (digest === -1 || digestEnd === -1 || sortEnd === -1 || (next !== -1 && sortEnd > next)) throw notInForm();
    const sort = text.slice(sortStart, sortEnd);
    const id = sort.slice(sort.lastIndexOf(',') + 1);
    found.push({ id, digest: text.slice(digest + FOUND_DIGEST.length, digestEnd), sort });
  }
  return found;
}

/** Parses a hit's display block. */
export function parseDisplay(display: Uint8Array): ListingDisplay {
  return JSON.parse(`${Buffer.from(display).toString('utf8')}}`) as ListingDisplay;
}

const SOURCE = '{"source":';
const SOURCE_LISTING_ID = ',"source_listing_id":';
const PHOTOS = ',"photos":[';
const FIRST_SEEN = '],"first_seen":';
const LAST_SEEN = ',"last_seen":';
const MODIFIED = ',"modified":';
const QUALITY = ',"quality":[';
const DEAL = ',"deal":';

/**
 * Extracts the fields that are needed to serve a listing from a private block, without parsing it, because parsing a
 * page of a hundred listings would take longer than all other work.
 * @returns strings as JSON, lists as JSON without brackets, times in epoch seconds; `modified` in epoch microseconds, or
 * null in documents of earlier versions
 * @throws Error if the block is not in the stored form
 */
export function cutPrivate(block: string) {
  const listingId = block.indexOf(SOURCE_LISTING_ID);
  const photos = block.indexOf(PHOTOS, listingId);
  const firstSeen = block.indexOf(FIRST_SEEN, photos);
  const lastSeen = block.indexOf(LAST_SEEN, firstSeen);
  const modified = block.indexOf(MODIFIED, lastSeen);
  const quality = block.indexOf(QUALITY, lastSeen);
  if (!block.startsWith(SOURCE) || listingId === -1 || photos === -1 || firstSeen === -1 || lastSeen === -1)
    throw new Error('a private block is not in the form that the index stores');
  return {
    source: block.slice(SOURCE.length, listingId),
    sourceListingId: block.slice(listingId + SOURCE_LISTING_ID.length, photos),
    photos: block.slice(photos + PHOTOS.length, firstSeen),
    firstSeen: Number(block.slice(firstSeen + FIRST_SEEN.length, lastSeen)),
    lastSeen: Number.parseInt(block.slice(lastSeen + LAST_SEEN.length), 10),
    modified: modified === -1 ? null : Number.parseInt(block.slice(modified + MODIFIED.length), 10),
    quality: quality === -1 ? '' : block.slice(quality + QUALITY.length, block.indexOf(']', quality)),
  };
}

/**
 * Extracts the comparison, JSON of a `Comparison`, from a deal's private block.
 * @throws Error if the block has none
 */
export function cutDeal(block: string): string {
  const deal = block.lastIndexOf(DEAL);
  if (deal === -1) throw new Error('a private block has no deal');
  return block.slice(deal + DEAL.length, -1);
}
