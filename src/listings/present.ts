import type { SortPosition } from '../../queries/listings/search.ts';
import type { ListingPrivate } from './listing.ts';

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

export interface PresentedPage {
  /** JSON of each listing, in pieces, the commas between listings included. */
  pieces: Uint8Array[];
  count: number;
  /** Whether there was a row beyond `limit`. */
  more: boolean;
  /** Sort values of the last row presented. */
  last: SortPosition | null;
}

const SOURCE = Buffer.from('"_source":{"private":');
const DISPLAY = Buffer.from(',"display":{"id":');
const SORT = Buffer.from(',"sort":[');
const COMMA = 0x2c;
const COMMA_BYTES = Buffer.from(',');

/**
 * Cuts the listings out of a search answer without parsing them: what the index stores is served byte for byte, and
 * only the fields that depend on the request are printed behind it. Safe because the quotes of the markers stand bare
 * only around keys: inside a JSON string they would be escaped.
 */
export function presentSearchAnswer(answer: Buffer, limit: number, presentation: Presentation): PresentedPage {
  const pieces: Uint8Array[] = [];
  let count = 0;
  let last: SortPosition | null = null;
  let at = answer.indexOf(SOURCE);
  while (at !== -1) {
    if (count === limit) return { pieces, count, more: true, last };
    const hiddenStart = at + SOURCE.length;
    const display = answer.indexOf(DISPLAY, hiddenStart);
    const sort = answer.indexOf(SORT, display);
    if (display === -1 || sort === -1) throw new Error('a hit is not in the form that the index stores');
    const hidden = JSON.parse(answer.toString('utf8', hiddenStart, display)) as ListingPrivate;
    const idStart = display + DISPLAY.length;
    const id = answer.latin1Slice(idStart, answer.indexOf(COMMA, idStart));
    if (count > 0) pieces.push(COMMA_BYTES);
    // From the display's opening brace up to its closing one; the source's own closing brace follows that.
    pieces.push(answer.subarray(display + 11, sort - 2), Buffer.from(presentTail(id, hidden, presentation)));
    count++;
    const sortEnd = answer.indexOf(']', sort);
    last = sortPosition(answer.latin1Slice(sort + SORT.length, sortEnd));
    at = answer.indexOf(SOURCE, sortEnd);
  }
  return { pieces, count, more: false, last };
}

/** The last two of the sort values: the sort's own keys. */
function sortPosition(text: string): SortPosition {
  const values = text.split(',');
  return [Number(values.at(-2)), Number(values.at(-1))];
}

/** The fields behind the stored ones, with the closing brace of the listing. */
function presentTail(id: string, hidden: ListingPrivate, presentation: Presentation): string {
  const { siteUrl, cdnUrl, sourceLinks, now } = presentation;
  const images = hidden.photos.length === 0 ? '' : `"${cdnUrl}/${hidden.photos.join(`","${cdnUrl}/`)}"`;
  const source = sourceLinks
    ? `${JSON.stringify(hidden.source)},"listing_id":${JSON.stringify(hidden.source_listing_id)},"url":"${siteUrl}/r/${id}"`
    : `${JSON.stringify(hidden.source)},"listing_id":null,"url":null`;
  const lastSeen = Math.max(hidden.last_seen, presentation.lastSeen(hidden.source) ?? 0);
  const days = Math.max(0, Math.floor((now / 1000 - hidden.first_seen) / 86_400));
  return `,"url":"${siteUrl}/listings/${id}","images":[${images}],"source":{"name":${source}},"last_seen_at":"${timestamp(lastSeen)}","days_on_market":${days}}`;
}

const pad = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** `YYYY-MM-DDThh:mm:ssZ` of epoch seconds. */
export function timestamp(seconds: number): string {
  const date = new Date(seconds * 1000);
  return `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}T${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}Z`;
}
