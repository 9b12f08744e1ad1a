import { arrayOf, described, integer, number, object, oneOf, string } from '#domain/json-schema.ts';
import { HOME_TYPES } from '#domain/listing-vocabulary.ts';
import { isSmall, percentage, rounded, SMALL_SAMPLE } from '#domain/statistics/figures.ts';
import { medianOf, type PercentilesResult, snapToRoundWithin } from '#domain/statistics/quantiles.ts';
import { rentalYieldBody } from '#queries/analytics/cohorts.ts';
import { cohortRows } from '#queries/market/cohort.ts';
import { PRICES } from '#src/metering/prices.ts';
import { cohortEndpoint } from '../market/cohort-endpoint.ts';
import { amount, approximateSchema, namedNeighborhoodSchema } from '../market/schemas.ts';
import { ANALYTICS } from './common.ts';

interface PriceBucket {
  doc_count: number;
  price: PercentilesResult;
}
export interface PricesByType {
  property_types: { buckets: readonly { key: string; rent: PriceBucket; sale: PriceBucket }[] };
}
interface Aggregations extends PricesByType {
  neighborhoods: { buckets: readonly (PricesByType & { key: string })[] };
}

const rows = cohortRows('listing_type');

const medianSchema = {
  rent_sample_size: integer,
  sale_sample_size: integer,
  median_yearly_rent_sar: amount,
  median_sale_price_sar: amount,
} as const;

const yieldSchema = {
  ...medianSchema,
  by_type: described(
    arrayOf(object({ property_type: string, ...medianSchema, gross_yield_pct: number })),
    'Included property types with their medians.',
  ),
} as const;

export const rentalYield = cohortEndpoint({
  path: '/v1/market/rental-yield',
  operationId: 'getRentalYield',
  ...ANALYTICS,
  summary: 'Get gross rental yields by neighborhood',
  description: `Returns gross yields in percent, highest first: the median yearly rent divided by the median sale price of the same cohort. Expenses are not deducted. A yield is calculated per property type; the yield of a city or neighborhood is their mean, weighted by the smaller of the rent and sale samples, and its medians are weighted the same way. Types with fewer than ${SMALL_SAMPLE} listings for rent or for sale are excluded: \`by_type\` lists the included types, and sample sizes count only these. A neighborhood without an included type is omitted and counted in \`suppressed_neighborhoods\`. Without \`property_type\`, yields cover homes (${HOME_TYPES.join(', ')}), or all commercial types with \`listing_category=commercial\`; \`property_types\` counts the listings of each type for rent and for sale. Set \`beds\` to compare homes of the same size: homes for rent and homes for sale can differ in size. Covers live listings updated in the last 30 days, except listings with an implausible price or size.`,
  price: PRICES.rental_yield,
  rows,
  response: {
    price_source: oneOf(['asking']),
    price_basis: oneOf(['yearly_rent_over_total_price']),
    ...approximateSchema,
    min_sample_size: integer,
    property_types: arrayOf(object({ property_type: string, rent_sample_size: integer, sale_sample_size: integer })),
    city: object({ ...yieldSchema, gross_yield_pct: amount }),
    neighborhoods: arrayOf(object({ ...namedNeighborhoodSchema, ...yieldSchema, gross_yield_pct: number })),
    suppressed_neighborhoods: integer,
  },
  body: rentalYieldBody,
  present: ({ neighborhoods, property_types }: Aggregations, { neighborhood }) => {
    const all = neighborhoods.buckets.map((bucket) => ({ ...neighborhood(bucket.key), ...yieldOf(bucket) }));
    const shown = all.filter(({ gross_yield_pct }) => gross_yield_pct !== null);
    shown.sort((a, b) => (b.gross_yield_pct ?? 0) - (a.gross_yield_pct ?? 0) || a.neighborhood_id - b.neighborhood_id);
    return {
      min_sample_size: SMALL_SAMPLE,
      property_types: property_types.buckets.map(({ key, rent, sale }) => ({
        property_type: key,
        rent_sample_size: rent.doc_count,
        sale_sample_size: sale.doc_count,
      })),
      city: yieldOf({ property_types }, snapToRoundWithin(0, Number.POSITIVE_INFINITY)),
      neighborhoods: shown,
      suppressed_neighborhoods: all.length - shown.length,
    };
  },
  priceBasis: 'yearly_rent_over_total_price',
});

/**
 * The mean over property types, weighted by the smaller of the rent and sale samples, as are the medians. Null if no
 * type has large enough samples of both.
 */
export function yieldOf({ property_types }: PricesByType, snapToRound?: (value: number) => number) {
  const types = property_types.buckets.flatMap(({ key, rent, sale }) => {
    const rentMedian = medianOf(rent.price, snapToRound);
    const saleMedian = medianOf(sale.price, snapToRound);
    if (isSmall(rent.doc_count) || isSmall(sale.doc_count) || rentMedian === null || !saleMedian) return [];
    const [rents, sales] = [rent.doc_count, sale.doc_count];
    return [{ key, rents, sales, rentMedian, saleMedian, weight: Math.min(rents, sales) }];
  });
  type Type = (typeof types)[number];
  const sum = (value: (type: Type) => number): number => types.reduce((total, type) => total + value(type), 0);
  const weight = sum((type) => type.weight);
  const mean = (value: (type: Type) => number): number | null =>
    weight === 0 ? null : rounded(sum((type) => value(type) * type.weight) / weight);
  return {
    rent_sample_size: sum(({ rents }) => rents),
    sale_sample_size: sum(({ sales }) => sales),
    median_yearly_rent_sar: mean(({ rentMedian }) => rentMedian),
    median_sale_price_sar: mean(({ saleMedian }) => saleMedian),
    gross_yield_pct: mean(({ rentMedian, saleMedian }) => (rentMedian / saleMedian) * 100),
    by_type: types.map(({ key, rents, sales, rentMedian, saleMedian }) => ({
      property_type: key,
      rent_sample_size: rents,
      sale_sample_size: sales,
      median_yearly_rent_sar: rounded(rentMedian),
      median_sale_price_sar: rounded(saleMedian),
      gross_yield_pct: percentage(rentMedian, saleMedian),
    })),
  };
}
