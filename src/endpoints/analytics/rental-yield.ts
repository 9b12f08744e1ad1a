import { arrayOf, integer, number, object, oneOf, single, string } from '#domain/json-schema.ts';
import { HOME_TYPES } from '#domain/listings/vocabulary.ts';
import { isSmall, percentage, rounded, SMALL_SAMPLE } from '#domain/statistics/figures.ts';
import { medianOf, type PercentilesResult, snapToRoundWithin } from '#domain/statistics/quantiles.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { PRICES } from '#metering/prices.ts';
import { rentalYieldBody } from '#queries/analytics/rental-yield.ts';
import { cohortRows } from '#queries/market/cohort.ts';
import { toParameter } from '../listings/parameters.ts';
import { serveCohortStatistics } from '../market/cohort-statistics.ts';
import { amount, cohortSchema, namedNeighborhoodSchema, windowSchema } from '../market/schemas.ts';

interface Side {
  doc_count: number;
  price: PercentilesResult;
}
export interface Sides {
  rent: Side;
  sale: Side;
}
interface Aggregations extends Sides {
  property_types: { buckets: readonly { key: string; rent: { doc_count: number }; sale: { doc_count: number } }[] };
  neighborhoods: { buckets: readonly (Sides & { key: string })[] };
}

const rows = cohortRows('listing_type');

const yieldSchema = {
  rent_sample_size: integer,
  sale_sample_size: integer,
  median_yearly_rent_sar: amount,
  median_sale_price_sar: amount,
} as const;

export const rentalYield = defineEndpoint({
  method: 'GET',
  path: '/v1/market/rental-yield',
  operationId: 'getRentalYield',
  area: 'Analytics',
  summary: 'Gross rental yield by neighborhood',
  description: `The median yearly rent over the median price of the same cohort for sale, in percent, highest first. Before any costs. Where there are fewer than ${SMALL_SAMPLE} listings to rent or for sale a neighborhood is left out, and counted in \`suppressed_neighborhoods\`. Without a \`property_type\` it is of homes (${HOME_TYPES.join(', ')}), or of everything commercial with \`listing_category=commercial\`; \`property_types\` says how many of each type are on either side. Give \`property_type\` and \`beds\` where these differ: otherwise the homes to rent are others than those for sale. Of live listings updated in the last 30 days, without those whose price or size is implausible.`,
  audience: 'data',
  scope: 'analytics',
  price: PRICES.rental_yield,
  load: 'shared',
  pathParameters: [],
  parameters: rows.map((row) => toParameter(row)),
  response: single(
    object({
      cohort: cohortSchema(rows),
      window: windowSchema,
      price_source: oneOf(['asking']),
      price_basis: oneOf(['yearly_rent_over_total_price']),
      min_sample_size: integer,
      property_types: arrayOf(object({ property_type: string, rent_sample_size: integer, sale_sample_size: integer })),
      city: object({ ...yieldSchema, gross_yield_pct: amount }),
      neighborhoods: arrayOf(object({ ...namedNeighborhoodSchema, ...yieldSchema, gross_yield_pct: number })),
      suppressed_neighborhoods: integer,
    }),
  ),
  errors: [],
  ...serveCohortStatistics<Aggregations>({
    name: 'rental-yield',
    cost: 'large',
    body: rentalYieldBody,
    present: ({ neighborhoods, property_types, ...city }, { neighborhood }) => {
      const all = neighborhoods.buckets.map((sides) => ({ ...neighborhood(sides.key), ...yieldOf(sides) }));
      const shown = all.filter(({ gross_yield_pct }) => gross_yield_pct !== null);
      shown.sort(
        (a, b) => (b.gross_yield_pct ?? 0) - (a.gross_yield_pct ?? 0) || a.neighborhood_id - b.neighborhood_id,
      );
      return {
        min_sample_size: SMALL_SAMPLE,
        property_types: property_types.buckets.map(({ key, rent, sale }) => ({
          property_type: key,
          rent_sample_size: rent.doc_count,
          sale_sample_size: sale.doc_count,
        })),
        city: yieldOf(city, snapToRoundWithin(0, Number.POSITIVE_INFINITY)),
        neighborhoods: shown,
        suppressed_neighborhoods: all.length - shown.length,
      };
    },
    priceBasis: () => 'yearly_rent_over_total_price',
  }),
});

/** Both medians and the yield, which is null where either sample is small. */
export function yieldOf({ rent, sale }: Sides, snapToRound?: (value: number) => number) {
  const rentMedian = medianOf(rent.price, snapToRound);
  const saleMedian = medianOf(sale.price, snapToRound);
  const small = isSmall(rent.doc_count) || isSmall(sale.doc_count);
  return {
    rent_sample_size: rent.doc_count,
    sale_sample_size: sale.doc_count,
    median_yearly_rent_sar: rounded(rentMedian),
    median_sale_price_sar: rounded(saleMedian),
    gross_yield_pct: small || rentMedian === null || saleMedian === null ? null : percentage(rentMedian, saleMedian),
  };
}
