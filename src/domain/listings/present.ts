import type { SortPosition } from '#domain/sort-position.ts';

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
  /** What the index stores beside it, as JSON of a `ListingPrivate`. */
  hidden: string;
}

export interface PresentedPage {
  listings: PresentedListing[];
  /** Whether there was a row beyond `limit`. */
  more: boolean;
  /** Sort values of the last row presented. */
  last: SortPosition | null;
}

const ID = Buffer.from('"_id":"');
const SOURCE = Buffer.from('"_source":{"private":');
const DISPLAY = Buffer.from(',"display":');
// With the braces that close the display and the source: few others lie on the way, and commas and quotes are many.
const SORT = Buffer.from('}},"sort":[');
const QUOTE = 0x22;
const COMMA_BYTES = Buffer.from(',');

/**
 * Cuts the listings out of a search answer without parsing them: what the index stores is served byte for byte, and
 * only the fields that depend on the request are printed behind it. Safe because the quotes of the markers stand bare
 * only around keys: inside a JSON string they would be escaped.
 */
export function presentSearchAnswer(answer: Buffer, limit: number, presentation: Presentation): PresentedPage {
  const listings: PresentedListing[] = [];
  let sortStart = -1;
  let sortEnd = -1;
  let more = false;
  for (let at = answer.indexOf(ID); at !== -1; at = answer.indexOf(ID, sortEnd)) {
    if (listings.length === limit) {
      more = true;
      break;
    }
    const idStart = at + ID.length;
    const id = answer.toString('latin1', idStart, answer.indexOf(QUOTE, idStart));
    const source = answer.indexOf(SOURCE, idStart);
    const hiddenStart = source + SOURCE.length;
    const display = answer.indexOf(DISPLAY, hiddenStart);
    const sort = answer.indexOf(SORT, display);
    if (source === -1 || display === -1 || sort === -1)
      throw new Error('a hit is not in the form that the index stores');
    const hidden = answer.toString('utf8', hiddenStart, display);
    // From the display's opening brace up to its closing one, which comes behind the tail.
    const stored = answer.subarray(display + DISPLAY.length, sort);
    listings.push({ id: Number(id), json: [stored, Buffer.from(presentTail(id, hidden, presentation))], hidden });
    sortStart = sort + SORT.length;
    sortEnd = answer.indexOf(']', sortStart);
  }
  const last = sortEnd === -1 ? null : sortPosition(answer.toString('latin1', sortStart, sortEnd));
  return { listings, more, last };
}

/** The bytes of listings side by side, commas between them. */
export function joinListings(listings: readonly PresentedListing[]): Uint8Array[] {
  return listings.flatMap(({ json }, index) => (index === 0 ? json : [COMMA_BYTES, ...json]));
}

/** The last two of the sort values: the sort's own keys. */
function sortPosition(text: string): SortPosition {
  const values = text.split(',');
  return [Number(values.at(-2)), Number(values.at(-1))];
}

/** Between the fields of a `ListingPrivate`, in the order that `toDocument` writes them. */
const BEFORE_SOURCE = '{"source":';
const BEFORE_LISTING_ID = ',"source_listing_id":';
const BEFORE_PHOTOS = ',"photos":[';
const BEFORE_FIRST_SEEN = '],"first_seen":';
const BEFORE_LAST_SEEN = ',"last_seen":';

/**
 * The fields behind the stored ones, with the closing brace of the listing. Cut out of the stored JSON as well: for a page
 * of a hundred listings parsing took longer than all else.
 */
function presentTail(id: string, hidden: string, presentation: Presentation): string {
  const { siteUrl, cdnUrl, sourceLinks, now } = presentation;
  const listingId = hidden.indexOf(BEFORE_LISTING_ID);
  const photos = hidden.indexOf(BEFORE_PHOTOS, listingId);
  const firstSeen = hidden.indexOf(BEFORE_FIRST_SEEN, photos);
  const lastSeen = hidden.indexOf(BEFORE_LAST_SEEN, firstSeen);
  if (!hidden.startsWith(BEFORE_SOURCE) || listingId === -1 || photos === -1 || firstSeen === -1 || lastSeen === -1)
    throw new Error('what is stored beside a listing is not in the form that the index stores');

  const name = hidden.slice(BEFORE_SOURCE.length, listingId);
  const source = sourceLinks
    ? `${name},"listing_id":${hidden.slice(listingId + BEFORE_LISTING_ID.length, photos)},"url":"${siteUrl}/r/${id}"`
    : `${name},"listing_id":null,"url":null`;
  const keys = hidden.slice(photos + BEFORE_PHOTOS.length, firstSeen);
  const images = keys === '' ? '' : `"${cdnUrl}/${keys.slice(1).split('","').join(`","${cdnUrl}/`)}`;
  const since = Number(hidden.slice(firstSeen + BEFORE_FIRST_SEEN.length, lastSeen));
  const written = Number.parseInt(hidden.slice(lastSeen + BEFORE_LAST_SEEN.length), 10);
  const plainName = name.includes('\\') ? (JSON.parse(name) as string) : name.slice(1, -1);
  const confirmed = Math.max(written, presentation.lastSeen(plainName) ?? 0);
  const days = Math.max(0, Math.floor((now / 1000 - since) / 86_400));
  return `,"url":"${siteUrl}/listings/${id}","images":[${images}],"source":{"name":${source}},"last_seen_at":"${timestamp(confirmed)}","days_on_market":${days}}`;
}

const pad = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** `YYYY-MM-DDThh:mm:ssZ` of epoch seconds. */
export function timestamp(seconds: number): string {
  const date = new Date(seconds * 1000);
  return `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}T${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}Z`;
}
