import { type PreparedRow, type Presentation, positionOf, presentRows } from '#domain/listings/present.ts';
import { isoMicros } from '#domain/timestamps.ts';
import type { EndpointResponse, PresentCall } from '#http/endpoint.ts';
import { listBytes, type Page } from '#http/pagination.ts';
import { BytePool, joinBytes } from '#search/byte-pool.ts';

export function presentationOf({
  caller,
  services,
  now,
}: Pick<PresentCall, 'services' | 'now'> & { caller: Pick<PresentCall['caller'], 'source_links'> }): Presentation {
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

/** Returns a response with a copy of the given bytes in pooled memory. */
export const bytesResponse = (bytes: readonly Uint8Array[]): EndpointResponse<never> => joinBytes(responses, bytes);

/**
 * Renders a page of listings.
 * @param page.watermark epoch microseconds up to which the sort order is complete
 * @param more properties in addition to the listings and the pagination
 */
export function listingsResponse(
  call: Pick<PresentCall, 'caller' | 'services' | 'now'>,
  { page, rows, watermark }: { page: Page; rows: readonly PreparedRow[]; watermark?: number | undefined },
  more: Readonly<Record<string, unknown>> = {},
): EndpointResponse<never> {
  const shown = rows.slice(0, page.size);
  const last = shown.at(-1);
  const pagination = page.pagination({
    shown: shown.length,
    more: rows.length > shown.length,
    last: last ? positionOf(last) : null,
  });
  const published = watermark === undefined ? {} : { watermark: isoMicros(watermark) };
  const listings = presentRows(shown, presentationOf(call)).map(({ json }) => json);
  return bytesResponse(listBytes(listings, { pagination: { ...pagination, ...published }, ...more }));
}
