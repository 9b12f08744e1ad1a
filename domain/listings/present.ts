import type { SortPosition } from '../sort-position.ts';
import { isoMicros, isoSeconds } from '../timestamps.ts';
import { derivedFields } from './derived.ts';
import type { StoredListing } from './listing.ts';
import type { StoredHit } from './stored-form.ts';

export interface Addresses {
  siteUrl: string;
  cdnUrl: string;
}

export interface Presentation extends Addresses {
  sourceLinks: boolean;
  /** Names of the fields to present besides `id`; all if omitted. */
  fields?: readonly string[] | undefined;
  /** Epoch milliseconds, as in the request's filters. */
  now: number;
  /** Returns the epoch seconds of the last complete crawl, which confirms that the source's listings are live. */
  lastSeen(source: string): number | undefined;
}

export type PreparedListing = ReturnType<typeof prepareListing>;

export interface PreparedRow {
  listing: PreparedListing;
  sort: readonly unknown[];
}

/**
 * A listing as JSON bytes. The second part has the time-dependent fields, unless fields are selected, and the closing
 * brace.
 */
export interface PresentedListing {
  id: number;
  sort: readonly unknown[];
  json: readonly [prepared: Uint8Array, tail: Uint8Array];
}

/** Renders a listing as JSON bytes, without the fields that depend on the time of the request. */
export function prepareListing({ display, private: hidden }: StoredListing, { siteUrl, cdnUrl }: Addresses) {
  const { id } = display;
  const { source, source_listing_id, photos, first_seen, last_seen, modified, quality = [] } = hidden;
  const stable = JSON.stringify({
    ...display,
    ...derivedFields(display, hidden),
    quality,
    modified_at: isoMicros(modified),
    url: `${siteUrl}/listings/${id}`,
    images: photos.map((photo) => `${cdnUrl}/${photo}`),
    source: { name: source },
  });
  const link = `,"listing_id":${JSON.stringify(source_listing_id)},"url":"${siteUrl}/r/${id}"`;
  const text = `${stable.slice(0, -2)}${link}`;
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  // Without the link to the original ad, which not every plan includes.
  const unlinked = bytes.length - Buffer.byteLength(link);
  return { id, bytes, unlinked, source, firstSeen: first_seen, lastSeen: last_seen };
}

export const prepareHits = (hits: readonly StoredHit[], addresses: Addresses): PreparedRow[] =>
  hits.map(({ _source, sort }) => ({ listing: prepareListing(_source, addresses), sort }));

const NO_LINK = ',"listing_id":null,"url":null';

/** Presents prepared listings. The time-dependent fields and the closing braces follow the prepared bytes. */
export function presentRows(
  rows: readonly PreparedRow[],
  { now, sourceLinks, fields, lastSeen: sourceRead }: Presentation,
): PresentedListing[] {
  const selected = fields && new Set(['id', ...fields]);
  return rows.map(({ listing: { id, bytes, unlinked, source, firstSeen, lastSeen }, sort }) => {
    const confirmed = Math.max(lastSeen, sourceRead(source) ?? 0);
    const days = Math.max(0, Math.floor((now / 1000 - firstSeen) / 86_400));
    const tail = `${sourceLinks ? '' : NO_LINK}},"last_seen_at":"${timestamp(confirmed)}","days_on_market":${days}}`;
    const prepared = sourceLinks ? bytes : bytes.subarray(0, unlinked);
    const json = selected
      ? select(`${prepared.toString('latin1')}${tail}`, selected)
      : ([prepared, Buffer.from(tail, 'latin1')] as const);
    return { id, sort, json };
  });
}

/**
 * Selects fields of a listing in JSON.
 * @param listing with one character per byte, so that texts are neither decoded nor encoded
 */
function select(listing: string, names: ReadonlySet<string>): PresentedListing['json'] {
  const fields = JSON.parse(listing) as Readonly<Record<string, unknown>>;
  const shown: Record<string, unknown> = {};
  for (const name in fields) if (names.has(name)) shown[name] = fields[name];
  return [Buffer.from(JSON.stringify(shown).slice(0, -1), 'latin1'), CLOSE];
}

const CLOSE = Buffer.from('}');

/** The last two sort values, which belong to the requested sort. */
export const positionOf = ({ sort }: Pick<PreparedRow, 'sort'>): SortPosition => [
  Number(sort.at(-2)),
  Number(sort.at(-1)),
];

export const timestamp = (seconds: number): string => isoSeconds(new Date(seconds * 1000));
