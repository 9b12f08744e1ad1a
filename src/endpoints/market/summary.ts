import { arrayOf, integer, nullable, number, object, string, timestamp } from '#domain/json-schema.ts';
import { timestamp as formatTimestamp } from '#domain/listings/present.ts';
import { percentage, priceQuartiles, rounded } from '#domain/statistics/figures.ts';
import { medianOf, type PercentilesResult, quartilesOf, snapToRoundWithin } from '#domain/statistics/quantiles.ts';
import { summaryBody } from '#queries/market/statistics.ts';
import { marketEndpoint } from './cohort-endpoint.ts';
import { amount, namedNeighborhoodSchema, priceQuartilesSchema } from './schemas.ts';

interface Buckets {
  buckets: readonly { key: string; doc_count: number }[];
}

interface Aggregations {
  price: PercentilesResult;
  prices: { min: number | null; max: number | null; avg: number | null };
  price_per_sqm: PercentilesResult;
  area: PercentilesResult;
  updated: Buckets;
  last_updated: { value: number | null };
  property_types: Buckets;
  neighborhoods: Buckets;
  sources: Buckets;
}

export const marketSummary = marketEndpoint<Aggregations>({
  path: '/v1/market/summary',
  operationId: 'getMarketSummary',
  summary: 'Get a market summary',
  description:
    'Returns prices, areas and prices per square meter of the listings that match the filters, their freshness, and their number by property type, by source, and in the ten neighborhoods with the most listings.',
  response: {
    ...priceQuartilesSchema,
    mean_price_sar: amount,
    median_price_per_sqm_sar: amount,
    median_area_sqm: amount,
    freshness: object({
      last_updated_at: nullable(timestamp),
      updated_last_7_days_pct: nullable(number),
    }),
    property_types: arrayOf(object({ property_type: string, sample_size: integer, share_pct: amount })),
    top_neighborhoods: arrayOf(object({ ...namedNeighborhoodSchema, sample_size: integer, share_pct: amount })),
    sources: arrayOf(object({ name: string, sample_size: integer, share_pct: amount })),
  },
  body: summaryBody,
  present: (found, { size, neighborhood }) => {
    const snapPriceToRound = snapToRoundWithin(found.prices.min ?? 0, found.prices.max ?? Number.POSITIVE_INFINITY);
    const snapAreaToRound = snapToRoundWithin(0, Number.POSITIVE_INFINITY);
    const last = found.last_updated.value;
    const counts = ({ buckets }: Buckets, named: (key: string) => object) =>
      buckets.map(({ key, doc_count }) => ({
        ...named(key),
        sample_size: doc_count,
        share_pct: percentage(doc_count, size),
      }));
    return {
      ...priceQuartiles(quartilesOf(found.price, size, snapPriceToRound)),
      mean_price_sar: rounded(found.prices.avg),
      median_price_per_sqm_sar: rounded(medianOf(found.price_per_sqm)),
      median_area_sqm: rounded(medianOf(found.area, snapAreaToRound)),
      freshness: {
        last_updated_at: last === null ? null : formatTimestamp(Math.floor(last / 1000)),
        updated_last_7_days_pct: percentage(found.updated.buckets[0]?.doc_count ?? 0, size),
      },
      property_types: counts(found.property_types, (key) => ({ property_type: key })),
      top_neighborhoods: counts(found.neighborhoods, neighborhood),
      sources: counts(found.sources, (name) => ({ name })),
    };
  },
});
