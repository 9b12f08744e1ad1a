import type { SortPosition } from '../sort-position.ts';
import { cutHits, cutPrivate } from './stored-form.ts';

/** What a listing's last fields depend on. */
export interface Presentation {
  siteUrl: string;
  cdnUrl: string;
  /** Whether the plan shows where an ad was found. */
  sourceLinks: boolean;
  /** Epoch milliseconds, as the filters of the same request saw it. */
  now: number;
  /** Epoch seconds at which a source was last read completely: its live listings were confirmed then. */
  lastSeen(source: string): number | undefined;
}

/** One listing as JSON bytes: what the index stores, and behind it what the request decides. */
export interface PresentedListing {
  id: number;
  json: readonly [stored: Uint8Array, tail: Uint8Array];
  /** Its private block in the stored form. */
  private: string;
}

export interface PresentedPage {
  listings: PresentedListing[];
  /** Whether there was a row beyond `limit`. */
  more: boolean;
  /** Sort values of the last row presented. */
  last: SortPosition | null;
}

/** The listings of a search answer as they are served: the stored bytes, and the fields that depend on the request. */
export function presentSearchAnswer(answer: Buffer, limit: number, presentation: Presentation): PresentedPage {
  const { hits, more, lastSort } = cutHits(answer, limit);
  const listings = hits.map(({ id, private: block, display }): PresentedListing => {
    const tail = Buffer.from(presentTail(id, block, presentation));
    return { id: Number(id), json: [display, tail], private: block };
  });
  return { listings, more, last: lastSort === null ? null : sortPosition(lastSort) };
}

/** The last two of the sort values: the sort's own keys. */
function sortPosition(values: string): SortPosition {
  const parts = values.split(',');
  return [Number(parts.at(-2)), Number(parts.at(-1))];
}

/** The fields that depend on the request, with the closing brace of the listing. */
function presentTail(id: string, block: string, presentation: Presentation): string {
  const { siteUrl, cdnUrl, sourceLinks, now } = presentation;
  const { source: name, sourceListingId, photos, firstSeen, lastSeen } = cutPrivate(block);
  const source = sourceLinks
    ? `${name},"listing_id":${sourceListingId},"url":"${siteUrl}/r/${id}"`
    : `${name},"listing_id":null,"url":null`;
  const images = photos === '' ? '' : `"${cdnUrl}/${photos.slice(1).split('","').join(`","${cdnUrl}/`)}`;
  const plainName = name.includes('\\') ? (JSON.parse(name) as string) : name.slice(1, -1);
  const confirmed = Math.max(lastSeen, presentation.lastSeen(plainName) ?? 0);
  const days = Math.max(0, Math.floor((now / 1000 - firstSeen) / 86_400));
  return `,"url":"${siteUrl}/listings/${id}","images":[${images}],"source":{"name":${source}},"last_seen_at":"${timestamp(confirmed)}","days_on_market":${days}}`;
}

const pad = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** `YYYY-MM-DDThh:mm:ssZ` of epoch seconds. */
export function timestamp(seconds: number): string {
  const date = new Date(seconds * 1000);
  return `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}T${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}Z`;
}
