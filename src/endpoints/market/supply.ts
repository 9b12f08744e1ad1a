import { arrayOf, integer, nullable, number, object, string, timestamp } from '#domain/json-schema.ts';
import { timestamp as formatTimestamp } from '#domain/listings/present.ts';
import { difference } from '#domain/statistics/figures.ts';
import { SPANS, supplyBody } from '#queries/market/statistics.ts';
import { DAY } from '#queries/market/window.ts';
import { marketEndpoint } from './cohort-endpoint.ts';

interface Aggregations {
  first_seen: { buckets: Readonly<Record<string, { doc_count: number }>> };
}

const METHOD =
  'Counts the listings of the sample by when they were first seen. Listings withdrawn since then are not counted, so counts of the earlier period are somewhat low and changes somewhat high.';

export const marketSupply = marketEndpoint<Aggregations>({
  path: '/v1/market/supply',
  operationId: 'getMarketSupply',
  summary: 'Get new supply',
  description:
    'Returns the number of new listings in the last 7 days and the 7 days before, and in the last 30 days and the 30 days before.',
  response: {
    periods: arrayOf(
      object({
        days: integer,
        from: timestamp,
        to: timestamp,
        new_listings: integer,
        previous_new_listings: integer,
        change_pct: nullable(number),
      }),
    ),
    method: string,
  },
  body: supplyBody,
  present: ({ first_seen }, { hour }) => {
    const count = (key: string): number => first_seen.buckets[key]?.doc_count ?? 0;
    return {
      periods: SPANS.map((days) => ({
        days,
        from: formatTimestamp((hour - days * DAY) / 1000),
        to: formatTimestamp(hour / 1000),
        new_listings: count(`last_${days}`),
        previous_new_listings: count(`before_${days}`),
        change_pct: difference(count(`last_${days}`), count(`before_${days}`)),
      })),
      method: METHOD,
    };
  },
});
