import type { Presentation } from '#domain/listings/present.ts';
import { isoMicros } from '#domain/timestamps.ts';
import type { BytesResponse, Call } from '#http/endpoint.ts';
import { listBytes, type Page } from '#http/pagination.ts';
import { BytePool, joinBytes } from '#search/byte-pool.ts';
import type { ListingPage } from '#search/listing-reader.ts';

/** Returns the settings for presenting listings to the caller. */
export function presentationOf({
  caller,
  services,
  now,
}: Pick<Call, 'services' | 'now'> & { caller: Pick<Call['caller'], 'source_links'> }): Presentation {
  const { siteUrl, cdnUrl } = services.config;
  return {
    siteUrl,
    cdnUrl,
    now,
    sourceLinks: caller.source_links,
    lastSeen: (source) => services.sourceClock.lastSeen(source),
  };
}

/** Buffers for responses that are being sent. */
const responses = new BytePool();

/**
 * Renders a page of listings as a response.
 * @param page.watermark epoch microseconds up to which the sort order is complete
 * @param more properties in addition to the listings and the pagination
 */
export function listingsResponse(
  call: Pick<Call, 'caller' | 'services' | 'now'>,
  { page, found, watermark }: { page: Page; found: ListingPage; watermark?: number | undefined },
  more: Readonly<Record<string, unknown>> = {},
): BytesResponse {
  return respondWith(found, () => {
    const { listings, more: hasMore, last } = found.present(page.size, presentationOf(call));
    const rows = listings.map(({ json }) => json);
    const pagination = page.pagination({ shown: rows.length, more: hasMore, last });
    const published = watermark === undefined ? {} : { watermark: isoMicros(watermark) };
    return listBytes(rows, { pagination: { ...pagination, ...published }, ...more });
  });
}

/**
 * Returns a response with a copy of the page's bytes and frees the page, so that it is freed even if the response is
 * never sent.
 */
export function respondWith(page: ListingPage, bytes: () => readonly Uint8Array[]): BytesResponse {
  try {
    return { ...joinBytes(responses, bytes()) };
  } finally {
    page.free();
  }
}
