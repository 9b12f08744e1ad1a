import type { Services } from '#src/services.ts';
import type { Terms } from '../files.ts';

export function listingTerms({ config }: Pick<Services, 'config'>, caveats: readonly string[]): Terms {
  return {
    licence: {
      name: `${config.serviceName} data-use terms`,
      url: config.siteUrl,
      terms: [
        'Keep retrieved data for at most 30 days, then refresh or delete it. Aggregate statistics that cannot be reversed into listing-level data may be kept longer.',
        'Stop showing a listing within 7 days after the service stops returning it; delete it within 3 business days of a takedown notice.',
        `Where data is shown, name ${config.serviceName} with a link to ${config.siteUrl}; for a single listing link source.url or credit the source by name.`,
        'Listing text and images may carry personal data chosen by the advertiser: you are an independent controller of what you store.',
      ],
    },
    caveats: [
      'Prices are asking prices, not transaction prices. Data is third-party and may be incomplete or stale.',
      ...caveats,
    ],
    attribution: null,
  };
}
