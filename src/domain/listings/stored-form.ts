/**
 * How an index keeps a listing, as bytes. Only this module knows: it writes them, and it cuts them out of search answers
 * without parsing, so that listings are served as they were written.
 *
 *     {"private":{"source":"…","source_listing_id":"…","photos":[…],"first_seen":1,"last_seen":2,…},"display":{…},…}
 *
 * The engine answers with `private` and `display` in the order they were written in. The markers that are searched for
 * cannot occur inside a text: their quotes are not escaped, and JSON escapes every quote inside a text.
 */

import type { Comparison } from '../deals.ts';
import { toDocument } from './document.ts';
import type { ListingDisplay, ListingPrivate, StoredListing } from './listing.ts';

/** A listing as the `listings` index takes it, JSON. */
export function writeListing(stored: StoredListing): string {
  const { display, private: hidden, ...indexed } = toDocument(stored);
  return write({ display, private: hidden }, indexed);
}

/**
 * A listing as the `deals` index takes it, JSON: the comparison goes into its private block.
 * @param indexed the blocks that deals are filtered and sorted by
 */
export function writeDeal(stored: StoredListing, comparison: Comparison, indexed: object): string {
  return write(stored, indexed, `,"deal":${JSON.stringify(comparison)}`);
}

function write({ display, private: hidden }: StoredListing, indexed: object, more = ''): string {
  const block = JSON.stringify(inOrder(hidden));
  return `{"private":${block.slice(0, -1)}${more}},"display":${JSON.stringify(display)},${JSON.stringify(indexed).slice(1)}`;
}

/** The private block with the fields first that `cutPrivate` cuts by. */
function inOrder({ source, source_listing_id, photos, first_seen, last_seen, ...rest }: ListingPrivate) {
  return { source, source_listing_id, photos, first_seen, last_seen, ...rest } satisfies ListingPrivate;
}

/** A hit of a search, cut out of the answer. */
export interface StoredHit {
  /** Digits. */
  id: string;
  /** The private block, JSON. */
  private: string;
  /** The display block, JSON without its closing brace, so that fields can follow. Part of the answer's memory. */
  display: Buffer;
}

export interface StoredHits {
  hits: StoredHit[];
  /** Whether the answer has a hit beyond the limit. */
  more: boolean;
  /** Sort values of the last hit, JSON without brackets; null where there is no hit. */
  lastSort: string | null;
}

const ID = Buffer.from('"_id":"');
const PRIVATE = Buffer.from('"_source":{"private":');
const DISPLAY = Buffer.from(',"display":');
// The braces that close the display block and the source make the marker rare; commas and quotes alone are everywhere.
const SORT = Buffer.from('}},"sort":[');
const QUOTE = 0x22;

/**
 * Cuts up to `limit` hits out of a search answer.
 * @throws Error when the answer is not in the stored form
 */
export function cutHits(answer: Buffer, limit: number): StoredHits {
  const hits: StoredHit[] = [];
  let sortStart = -1;
  let sortEnd = -1;
  let more = false;
  for (let at = answer.indexOf(ID); at !== -1; at = answer.indexOf(ID, sortEnd)) {
    if (hits.length === limit) {
      more = true;
      break;
    }
    const idStart = at + ID.length;
    const id = answer.toString('latin1', idStart, answer.indexOf(QUOTE, idStart));
    const source = answer.indexOf(PRIVATE, idStart);
    const privateStart = source + PRIVATE.length;
    const display = answer.indexOf(DISPLAY, privateStart);
    const sort = answer.indexOf(SORT, display);
    if (source === -1 || display === -1 || sort === -1)
      throw new Error('a hit is not in the form that the index stores');
    hits.push({
      id,
      private: answer.toString('utf8', privateStart, display),
      display: answer.subarray(display + DISPLAY.length, sort),
    });
    sortStart = sort + SORT.length;
    sortEnd = answer.indexOf(']', sortStart);
  }
  return { hits, more, lastSort: sortEnd === -1 ? null : answer.toString('latin1', sortStart, sortEnd) };
}

/** The display block of a hit as a value, where fields of it are needed. */
export function parseDisplay(display: Uint8Array): ListingDisplay {
  return JSON.parse(`${Buffer.from(display).toString('utf8')}}`) as ListingDisplay;
}

/** The fields of a private block that serving needs: texts as JSON, times in epoch seconds. */
export interface PrivateFields {
  source: string;
  sourceListingId: string;
  /** The keys of the photos, JSON without brackets. */
  photos: string;
  firstSeen: number;
  lastSeen: number;
}

const SOURCE = '{"source":';
const SOURCE_LISTING_ID = ',"source_listing_id":';
const PHOTOS = ',"photos":[';
const FIRST_SEEN = '],"first_seen":';
const LAST_SEEN = ',"last_seen":';
const DEAL = ',"deal":';

/**
 * Cuts the fields out of a private block: for a page of a hundred listings parsing takes longer than all else.
 * @throws Error when the block is not in the stored form
 */
export function cutPrivate(block: string): PrivateFields {
  const listingId = block.indexOf(SOURCE_LISTING_ID);
  const photos = block.indexOf(PHOTOS, listingId);
  const firstSeen = block.indexOf(FIRST_SEEN, photos);
  const lastSeen = block.indexOf(LAST_SEEN, firstSeen);
  if (!block.startsWith(SOURCE) || listingId === -1 || photos === -1 || firstSeen === -1 || lastSeen === -1)
    throw new Error('a private block is not in the form that the index stores');
  return {
    source: block.slice(SOURCE.length, listingId),
    sourceListingId: block.slice(listingId + SOURCE_LISTING_ID.length, photos),
    photos: block.slice(photos + PHOTOS.length, firstSeen),
    firstSeen: Number(block.slice(firstSeen + FIRST_SEEN.length, lastSeen)),
    lastSeen: Number.parseInt(block.slice(lastSeen + LAST_SEEN.length), 10),
  };
}

/**
 * Cuts the comparison out of the private block of a deal, JSON of a `Comparison`.
 * @throws Error when the block has none
 */
export function cutDeal(block: string): string {
  const deal = block.lastIndexOf(DEAL);
  if (deal === -1) throw new Error('a private block has no deal');
  return block.slice(deal + DEAL.length, -1);
}
