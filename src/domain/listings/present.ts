import type { SortPosition } from '../sort-position.ts';
import { isoMicros, isoSeconds } from '../timestamps.ts';
import { firstModified } from './modified.ts';
import { cutHits, cutPrivate, type DigestedHit, type StoredHit } from './stored-form.ts';

/** Base URLs of the installation's pages and photos. */
export interface Addresses {
  siteUrl: string;
  cdnUrl: string;
}

/** Request-dependent input for presenting a listing. */
export interface Presentation extends Addresses {
  /** Whether the client's plan includes links to the original ads. */
  sourceLinks: boolean;
  /** Epoch milliseconds, the same time that the request's filters used. */
  now: number;
  /**
   * Returns when a source was last crawled completely, in epoch seconds. A complete crawl confirms that the source's
   * listings are live.
   */
  lastSeen(source: string): number | undefined;
}

/** A listing as JSON bytes in two parts, the second of which contains the time-dependent fields. */
export interface PresentedListing {
  id: number;
  /** The hit's sort values, as JSON without brackets. */
  sort: string;
  json: readonly [stored: Uint8Array, tail: Uint8Array];
}

/** A listing presented from the bytes in a search response. */
export interface PresentedHit extends PresentedListing {
  /** The private block in the stored form. */
  private: string;
}

export interface PresentedPage<Presented extends PresentedListing = PresentedListing> {
  listings: Presented[];
  /** Whether there was a row beyond `limit`. */
  more: boolean;
  /** Sort values of the last presented row. */
  last: SortPosition | null;
}

/** Presents the listings in a search response: stored bytes followed by rendered fields. */
export function presentSearchAnswer(
  answer: Buffer,
  limit: number,
  presentation: Presentation,
): PresentedPage<PresentedHit> {
  const { hits, more } = cutHits(answer, limit);
  return pageOf(presentHits(hits, presentation), more);
}

/** Presents up to `limit` hits. */
export function presentDigested(
  hits: readonly DigestedHit[],
  limit: number,
  presentation: Presentation,
): PresentedPage<PresentedHit> {
  return pageOf(presentHits(hits.slice(0, limit), presentation), hits.length > limit);
}

function pageOf<Presented extends PresentedListing>(listings: Presented[], more: boolean): PresentedPage<Presented> {
  const last = listings.at(-1);
  return { listings, more, last: last === undefined ? null : sortPosition(last.sort) };
}

function presentHits(hits: readonly StoredHit[], presentation: Presentation): PresentedHit[] {
  const lastFields = lastFieldsFor(presentation);
  return hits.map((hit): PresentedHit => {
    const { stable, link, ...facts } = behindStored(hit, presentation);
    const tail = Buffer.from(`${stable}${presentation.sourceLinks ? link : NO_LINK}${lastFields(facts)}`);
    return { id: Number(hit.id), sort: hit.sort, json: [hit.display, tail], private: hit.private };
  });
}

/** Input for the time-dependent fields. */
interface SeenFacts {
  /** Source name. */
  source: string;
  firstSeen: number;
  lastSeen: number;
}

/** A presented listing in its own memory, without time-dependent fields. */
export interface PreparedListing extends SeenFacts {
  id: number;
  bytes: Buffer;
  /** Number of bytes before the link to the original ad, which not every plan includes. */
  unlinked: number;
}

/** Prepares a hit so that it can be presented repeatedly. */
export function prepareListing(hit: StoredHit, addresses: Addresses): PreparedListing {
  const { stable, link, ...facts } = behindStored(hit, addresses);
  const behind = Buffer.from(`${stable}${link}`);
  // Allocated outside the buffer pool: a slice would keep the whole pool block in memory.
  const bytes = Buffer.allocUnsafeSlow(hit.display.length + behind.length);
  bytes.set(hit.display);
  bytes.set(behind, hit.display.length);
  // Copied, because a substring would keep the whole private block in memory.
  const source = Buffer.from(facts.source).toString();
  return { id: Number(hit.id), bytes, unlinked: bytes.length - Buffer.byteLength(link), ...facts, source };
}

/** A page row with a prepared listing. */
export interface PreparedRow {
  listing: PreparedListing;
  /** Sort values, as JSON without brackets. */
  sort: string;
}

/** Presents prepared listings. The result equals that of `presentSearchAnswer`. */
export function presentPrepared(
  rows: readonly PreparedRow[],
  more: boolean,
  presentation: Presentation,
): PresentedPage {
  const lastFields = lastFieldsFor(presentation);
  const { sourceLinks } = presentation;
  const listings = rows.map(({ listing, sort }): PresentedListing => {
    const end = lastFields(listing);
    return {
      id: listing.id,
      sort,
      json: sourceLinks
        ? [listing.bytes, Buffer.from(end, 'latin1')]
        : [listing.bytes.subarray(0, listing.unlinked), Buffer.from(`${NO_LINK}${end}`, 'latin1')],
    };
  });
  return pageOf(listings, more);
}

/** Returns the last two sort values, which belong to the requested sort. */
function sortPosition(values: string): SortPosition {
  const parts = values.split(',');
  return [Number(parts.at(-2)), Number(parts.at(-1))];
}

/**
 * Returns the fields that follow the stored bytes and do not depend on time, and the input for those that do.
 */
function behindStored(
  { id, private: block }: StoredHit,
  { siteUrl, cdnUrl }: Addresses,
): SeenFacts & { stable: string; link: string } {
  const { source: name, sourceListingId, photos, firstSeen, lastSeen, modified, quality } = cutPrivate(block);
  const modifiedAt = isoMicros(modified ?? firstModified(firstSeen, Number(id)));
  const images = photos === '' ? '' : `"${cdnUrl}/${photos.slice(1).split('","').join(`","${cdnUrl}/`)}`;
  return {
    stable: `,"quality":[${quality}],"modified_at":"${modifiedAt}","url":"${siteUrl}/listings/${id}","images":[${images}],"source":{"name":${name}`,
    link: `,"listing_id":${sourceListingId},"url":"${siteUrl}/r/${id}"`,
    source: name.includes('\\') ? (JSON.parse(name) as string) : name.slice(1, -1),
    firstSeen,
    lastSeen,
  };
}

const NO_LINK = ',"listing_id":null,"url":null';

/** Returns a function that writes the time-dependent fields and the closing braces of the source and the listing. */
function lastFieldsFor({ now, lastSeen: sourceRead }: Presentation): (facts: SeenFacts) => string {
  // Caches formatted times, because most listings on a page share one source's crawl time.
  const texts = new Map<number, string>();
  return ({ source, firstSeen, lastSeen }) => {
    const confirmed = Math.max(lastSeen, sourceRead(source) ?? 0);
    const text = texts.get(confirmed) ?? timestamp(confirmed);
    texts.set(confirmed, text);
    const days = Math.max(0, Math.floor((now / 1000 - firstSeen) / 86_400));
    return `},"last_seen_at":"${text}","days_on_market":${days}}`;
  };
}

/** Formats epoch seconds as `YYYY-MM-DDThh:mm:ssZ`. */
export const timestamp = (seconds: number): string => isoSeconds(new Date(seconds * 1000));
