import { integer } from '#domain/json-schema.ts';
import { rounded } from '#domain/statistics/figures.ts';
import { AREA, distributionBody } from '#queries/market/distribution.ts';
import { binsSchema, type DistributionAggregations, readDistribution } from './distribution.ts';
import { marketEndpoint } from './market-endpoint.ts';
import { amount } from './schemas.ts';

export const areaDistribution = marketEndpoint<DistributionAggregations>({
  path: '/v1/market/area-distribution',
  operationId: 'getAreaDistribution',
  summary: 'Get the area distribution',
  description:
    'Returns a histogram of areas in square meters with bins of equal, rounded width, the percentiles and the mean. Listings that state no area are excluded from these figures and counted in `without_area_count`. The lowest and highest 1% of the values can be in open-ended bins, whose `from` or `to` is null.',
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
