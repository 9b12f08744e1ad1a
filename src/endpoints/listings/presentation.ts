import type { Presentation } from '#domain/listings/present.ts';
import type { Call } from '#http/endpoint.ts';

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
