import { summaryBody } from '../../../queries/market/summary.ts';
import {
  arrayOf,
  integer,
  nullable,
  number,
  object,
  string,
  timestamp as timestampSchema,
} from '../../http/schemas.ts';
import { timestamp } from '../../listings/present.ts';
import { medianOf, type PercentilesAnswer, quartilesOf, roundestNear } from '../../market/quantiles.ts';
import { neighborhoodNames } from '../../market/request.ts';
import { amount, namedNeighborhoodSchema, priceQuartilesSchema, sampleSchema } from '../../market/schemas.ts';
import { isSmall, percentage, priceQuartiles, rounded } from '../../market/statistics.ts';
import { marketEndpoint } from './market-endpoint.ts';

interface Buckets<More = object> {
  buckets: readonly ({ key: string; doc_count: number } & More)[];
}

interface Aggregations {
  price: PercentilesAnswer;
  prices: { min: number | null; max: number | null; avg: number | null };
  price_per_sqm: PercentilesAnswer;
  area: PercentilesAnswer;
  areas: { value: number };
  updated: Buckets;
  last_updated: { value: number | null };
  property_types: Buckets<{ price: PercentilesAnswer }>;
  neighborhoods: Buckets;
  sources: Buckets;
}

export const marketSummary = marketEndpoint<Aggregations>({
  path: '/v1/market/summary',
  operationId: 'getMarketSummary',
  summary: 'A market at a glance',
  description:
    'Prices, areas and prices per square meter of a city, a neighborhood or any cohort of one, how fresh the listings are, and what they consist of: by property type, the ten neighborhoods with most listings, by source.',
  response: {
    ...priceQuartilesSchema,
    mean_price_sar: amount,
    median_price_per_sqm_sar: amount,
    median_area_sqm: amount,
    without_area_count: integer,
    freshness: object({
      last_updated_at: nullable(timestampSchema),
      updated_last_day_pct: nullable(number),
      updated_last_7_days_pct: nullable(number),
    }),
    property_types: arrayOf(
      object({ property_type: string, ...sampleSchema, share_pct: amount, median_price_sar: amount }),
    ),
    top_neighborhoods: arrayOf(object({ ...namedNeighborhoodSchema, sample_size: integer, share_pct: amount })),
    sources: arrayOf(object({ name: string, sample_size: integer, share_pct: amount })),
  },
  body: summaryBody,
  present: (found, { size, filters, call }) => {
    const settle = roundestNear(found.prices.min ?? 0, found.prices.max ?? Number.POSITIVE_INFINITY);
    const settleAny = roundestNear(0, Number.POSITIVE_INFINITY);
    const named = neighborhoodNames(call, filters.city);
    const updated = (key: string): number => found.updated.buckets.find((each) => each.key === key)?.doc_count ?? 0;
    const last = found.last_updated.value;
    return {
      ...priceQuartiles(quartilesOf(found.price, size, settle)),
      mean_price_sar: rounded(found.prices.avg),
      median_price_per_sqm_sar: rounded(medianOf(found.price_per_sqm)),
      median_area_sqm: rounded(medianOf(found.area, settleAny)),
      without_area_count: size - found.areas.value,
      freshness: {
        last_updated_at: last === null ? null : timestamp(Math.floor(last / 1000)),
        updated_last_day_pct: percentage(updated('day'), size),
        updated_last_7_days_pct: percentage(updated('week'), size),
      },
      property_types: found.property_types.buckets.map(({ key, doc_count, price }) => ({
        property_type: key,
        sample_size: doc_count,
        small_sample: isSmall(doc_count),
        share_pct: percentage(doc_count, size),
        median_price_sar: rounded(medianOf(price, settle)),
      })),
      top_neighborhoods: found.neighborhoods.buckets.map(({ key, doc_count }) => ({
        ...named(key),
        sample_size: doc_count,
        share_pct: percentage(doc_count, size),
      })),
      sources: found.sources.buckets.map(({ key, doc_count }) => ({
        name: key,
        sample_size: doc_count,
        share_pct: percentage(doc_count, size),
      })),
    };
  },
});
