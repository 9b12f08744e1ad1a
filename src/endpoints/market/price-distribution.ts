import { priceQuartiles, rounded } from '#domain/statistics/figures.ts';
import { distributionBody, priceMeasure } from '#queries/market/distribution.ts';
import { binsSchema, type DistributionAggregations, readDistribution } from './distribution.ts';
import { marketEndpoint } from './market-endpoint.ts';
import { amount, priceQuartilesSchema } from './schemas.ts';

export const priceDistribution = marketEndpoint<DistributionAggregations>({
  path: '/v1/market/price-distribution',
  operationId: 'getPriceDistribution',
  summary: 'Get the price distribution',
  description:
    'Returns a histogram of prices with bins of equal, rounded width, the percentiles and the mean. The lowest and highest 1% of the values can be in open-ended bins, whose `from` or `to` is null.',
  response: {
    mean_price_sar: amount,
    p5_price_sar: amount,
    p10_price_sar: amount,
    ...priceQuartilesSchema,
    p90_price_sar: amount,
    p95_price_sar: amount,
    min_price_sar: amount,
    max_price_sar: amount,
    bins: binsSchema,
  },
  body: (filters, hour) => distributionBody(priceMeasure(filters.listing_type), filters, hour),
  present: (aggregations, { filters }) => {
    const { quartiles, tails, values, bins } = readDistribution(aggregations, priceMeasure(filters.listing_type));
    return {
      mean_price_sar: rounded(values.avg),
      p5_price_sar: tails[5],
      p10_price_sar: tails[10],
      ...priceQuartiles(quartiles),
      p90_price_sar: tails[90],
      p95_price_sar: tails[95],
      min_price_sar: rounded(values.min),
      max_price_sar: rounded(values.max),
      bins,
    };
  },
});
