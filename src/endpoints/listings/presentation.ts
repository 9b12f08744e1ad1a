import type { Presentation } from '#domain/listings/present.ts';
import type { Answer, Call } from '#http/endpoint.ts';
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

/** An answer whose bytes are partly a page's: copied, so that the page is freed whatever comes of it. */
export function answerOf(page: ListingPage, bytes: () => readonly Uint8Array[]): Answer {
  try {
    return { body: undefined, ...joinBytes(responses, bytes()) };
  } finally {
    page.free();
  }
}
