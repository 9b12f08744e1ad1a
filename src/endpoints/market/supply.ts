import {
  arrayOf,
  integer,
  nullable,
  number,
  object,
  string,
  timestamp as timestampSchema,
} from '#domain/json-schema.ts';
import { timestamp } from '#domain/listings/present.ts';
import { difference } from '#domain/statistics/figures.ts';
import { SPANS, supplyBody } from '#queries/market/supply.ts';
import { DAY } from '#queries/market/window.ts';
import { marketEndpoint } from './market-endpoint.ts';

interface Aggregations {
  first_seen: { buckets: Readonly<Record<string, { doc_count: number }>> };
}

const METHOD =
  'Counts the listings of the sample by when they were first seen. Those that have been withdrawn since are not among them, so that the earlier span counts somewhat low and changes read somewhat high.';

export const marketSupply = marketEndpoint<Aggregations>({
  path: '/v1/market/supply',
  operationId: 'getMarketSupply',
  summary: 'New supply',
  description: 'New listings of the last 7 days beside the 7 before, and of the last 30 beside the 30 before.',
  response: {
    periods: arrayOf(
      object({
        days: integer,
        from: timestampSchema,
        to: timestampSchema,
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
        from: timestamp((hour - days * DAY) / 1000),
        to: timestamp(hour / 1000),
        new_listings: count(`last_${days}`),
        previous_new_listings: count(`before_${days}`),
        change_pct: difference(count(`last_${days}`), count(`before_${days}`)),
      })),
      method: METHOD,
    };
  },
});
