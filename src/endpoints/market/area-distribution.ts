import { integer } from '#domain/json-schema.ts';
import { rounded } from '#domain/statistics/figures.ts';
import { AREA, distributionBody } from '#queries/market/distribution.ts';
import { binsSchema, type DistributionAggregations, readDistribution } from './distribution.ts';
import { marketEndpoint } from './market-endpoint.ts';
import { amount } from './schemas.ts';

export const areaDistribution = marketEndpoint<DistributionAggregations>({
  path: '/v1/market/area-distribution',
  operationId: 'getAreaDistribution',
  summary: 'How areas are spread',
  description:
    'Bins of one round width in square meters with percentiles and the mean, of the listings that state an area; `without_area_count` says how many do not, and shares are of those that do. The one in a hundred at either end may be in a bin that is open at that end (`from` or `to` null).',
  response: {
    without_area_count: integer,
    mean_area_sqm: amount,
    p5_area_sqm: amount,
    p10_area_sqm: amount,
    p25_area_sqm: amount,
    median_area_sqm: amount,
    p75_area_sqm: amount,
    p90_area_sqm: amount,
    p95_area_sqm: amount,
    min_area_sqm: amount,
    max_area_sqm: amount,
    bins: binsSchema,
  },
  body: (filters, hour) => distributionBody(AREA, filters, hour),
  present: (aggregations, { size }) => {
    const { quartiles, tails, values, bins } = readDistribution(aggregations, AREA);
    return {
      without_area_count: size - values.count,
      mean_area_sqm: rounded(values.avg),
      p5_area_sqm: tails[5],
      p10_area_sqm: tails[10],
      p25_area_sqm: rounded(quartiles?.p25),
      median_area_sqm: rounded(quartiles?.median),
      p75_area_sqm: rounded(quartiles?.p75),
      p90_area_sqm: tails[90],
      p95_area_sqm: tails[95],
      min_area_sqm: rounded(values.min),
      max_area_sqm: rounded(values.max),
      bins,
    };
  },
});
