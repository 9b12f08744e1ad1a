import { arrayOf, object } from '#domain/json-schema.ts';
import { priceQuartiles, rounded } from '#domain/statistics/figures.ts';
import { medianOf, type PercentilesResult, quartilesOf } from '#domain/statistics/quantiles.ts';
import { neighborhoodsBody } from '#queries/market/statistics.ts';
import { marketEndpoint } from './cohort-endpoint.ts';
import { amount, namedNeighborhoodSchema, priceQuartilesSchema, sampleOf, sampleSchema } from './schemas.ts';

interface Aggregations {
  neighborhoods: {
    buckets: readonly { key: string; doc_count: number; price: PercentilesResult; price_per_sqm: PercentilesResult }[];
  };
}

export const marketNeighborhoods = marketEndpoint<Aggregations>({
  path: '/v1/market/neighborhoods',
  operationId: 'listMarketNeighborhoods',
  summary: 'Rank neighborhoods by price',
  description:
    'Returns every neighborhood of the city with listings that match the filters, highest median price first. Listings without a neighborhood are counted only in the total `sample_size`.',
  response: {
    neighborhoods: arrayOf(
      object({
        ...namedNeighborhoodSchema,
        ...sampleSchema,
        ...priceQuartilesSchema,
        median_price_per_sqm_sar: amount,
      }),
    ),
  },
  cost: 'large',
  body: neighborhoodsBody,
  present: ({ neighborhoods }, { neighborhood }) => {
    const rows = neighborhoods.buckets.map(({ key, doc_count, price, price_per_sqm }) => ({
      ...neighborhood(key),
      ...sampleOf(doc_count),
      ...priceQuartiles(quartilesOf(price, doc_count)),
      median_price_per_sqm_sar: rounded(medianOf(price_per_sqm)),
    }));
    rows.sort(
      (a, b) =>
        (b.median_price_sar ?? 0) - (a.median_price_sar ?? 0) ||
        b.sample_size - a.sample_size ||
        a.neighborhood_id - b.neighborhood_id,
    );
    return { neighborhoods: rows };
  },
});
