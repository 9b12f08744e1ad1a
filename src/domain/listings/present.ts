import type { SortPosition } from '../sort-position.ts';
import { isoMicros } from '../timestamps.ts';
import { firstModified } from './modified.ts';
import { cutHits, cutPrivate, type DigestedHit, type StoredHit } from './stored-form.ts';

/** Addresses of the installation's pages and photos. */
export interface Addresses {
  siteUrl: string;
  cdnUrl: string;
}

/** The request-dependent input of a presented listing. */
export interface Presentation extends Addresses {
  /** Whether the plan includes links to the original ads. */
  sourceLinks: boolean;
  /** Epoch milliseconds, equal to the time that the filters of the request used. */
  now: number;
  /** Returns the epoch seconds of the last complete crawl of a source, which confirmed its live listings. */
  lastSeen(source: string): number | undefined;
}

/** A listing as JSON bytes: the part that does not depend on the request, followed by the part that does. */
export interface PresentedListing {
  id: number;
  /** Sort values of the hit in its search, JSON without brackets. */
  sort: string;
  json: readonly [stored: Uint8Array, tail: Uint8Array];
}

/** A listing presented from the bytes of a search response. */
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

/** Presents the listings of a search response: stored bytes and request-dependent fields. */
export function presentSearchAnswer(
  answer: Buffer,
  limit: number,
  presentation: Presentation,
): PresentedPage<PresentedHit> {
  const { hits, more } = cutHits(answer, limit);
  return pageOf(presentHits(hits, presentation), more);
}

/** Presents the first hits of a page within the memory of the response. */
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

/** The input of the request-dependent fields. */
interface SeenFacts {
  /** Name of the source. */
  source: string;
  firstSeen: number;
  lastSeen: number;
}

/** A presented listing in its own memory, without the request-dependent fields. */
export interface PreparedListing extends SeenFacts {
  id: number;
  bytes: Buffer;
  /** Number of bytes before the link to the ad, which not every plan includes. */
  unlinked: number;
}

/** Prepares a hit for repeated presentation. */
export function prepareListing(hit: StoredHit, addresses: Addresses): PreparedListing {
  const { stable, link, ...facts } = behindStored(hit, addresses);
  const behind = Buffer.from(`${stable}${link}`);
  // An allocation of exact size: a slice of the pool would retain its neighbors.
  const bytes = Buffer.allocUnsafeSlow(hit.display.length + behind.length);
  bytes.set(hit.display);
  bytes.set(behind, hit.display.length);
  // A copy: a substring of the private block would retain all of it.
  const source = Buffer.from(facts.source).toString();
  return { id: Number(hit.id), bytes, unlinked: bytes.length - Buffer.byteLength(link), ...facts, source };
}

/** A row of a page of prepared listings. */
export interface PreparedRow {
  listing: PreparedListing;
  /** Sort values, JSON without brackets. */
  sort: string;
}

/** Presents prepared listings, with the same result as `presentSearchAnswer`. */
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

/** Returns the last two sort values: those of the sort itself. */
function sortPosition(values: string): SortPosition {
  const parts = values.split(',');
  return [Number(parts.at(-2)), Number(parts.at(-1))];
}

/** Returns the fields after the stored bytes that do not depend on the request, and the input of those that do. */
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

/** Writes the time-dependent fields, with the closing braces of the source and of the listing. */
function lastFieldsFor({ now, lastSeen: sourceRead }: Presentation): (facts: SeenFacts) => string {
  // Most listings of a page share a crawl of one source.
  const texts = new Map<number, string>();
  return ({ source, firstSeen, lastSeen }) => {
    const confirmed = Math.max(lastSeen, sourceRead(source) ?? 0);
    const text = texts.get(confirmed) ?? timestamp(confirmed);
    texts.set(confirmed, text);
    const days = Math.max(0, Math.floor((now / 1000 - firstSeen) / 86_400));
    return `},"last_seen_at":"${text}","days_on_market":${days}}`;
  };
}

const pad = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** Formats epoch seconds as `YYYY-MM-DDThh:mm:ssZ`. */
export function timestamp(seconds: number): string {
  const date = new Date(seconds * 1000);
  return `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}T${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}Z`;
}
