import type { Presentation } from '#domain/listings/present.ts';
import { isoMicros } from '#domain/timestamps.ts';
import type { BytesAnswer, Call } from '#http/endpoint.ts';
import { listBytes, type Page } from '#http/pagination.ts';
import { BytePool, joinBytes } from '#search/byte-pool.ts';
import type { ListingPage } from '#search/listing-reader.ts';

/** How listings are presented to the caller of a request. */
export function presentationOf({ caller, services, now }: Pick<Call, 'caller' | 'services' | 'now'>): Presentation {
  const { siteUrl, cdnUrl } = services.config;
  return {
    siteUrl,
    cdnUrl,
    now,
    sourceLinks: caller.source_links,
    lastSeen: (source) => services.sourceClock.lastSeen(source),
  };
}

/** Memory of responses that are being sent. */
const responses = new BytePool();

/**
 * A page of listings as an answer.
 * @param page.watermark up to where the order of the page is published, in epoch microseconds
 * @param more what stands beside the listings and the pagination
 */
export function listingsAnswer(
  call: Pick<Call, 'caller' | 'services' | 'now'>,
  { page, found, watermark }: { page: Page; found: ListingPage; watermark?: number | undefined },
  more: Readonly<Record<string, unknown>> = {},
): BytesAnswer {
  return answerOf(found, () => {
    const { listings, more: hasMore, last } = found.present(page.size, presentationOf(call));
    const rows = listings.map(({ json }) => json);
    const pagination = page.pagination({ shown: rows.length, more: hasMore, last });
    const published = watermark === undefined ? {} : { watermark: isoMicros(watermark) };
    return listBytes(rows, { pagination: { ...pagination, ...published }, ...more });
  });
}

/** An answer whose bytes are partly a page's: copied, so that the page is freed whatever comes of it. */
export function answerOf(page: ListingPage, bytes: () => readonly Uint8Array[]): BytesAnswer {
  try {
    return { ...joinBytes(responses, bytes()) };
  } finally {
    page.free();
  }
}
