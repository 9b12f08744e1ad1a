import { arrayOf, integer, nullable, object, string } from '#domain/json-schema.ts';
import { percentage, priceQuartiles, rounded } from '#domain/statistics/figures.ts';
import { medianOf, type PercentilesResult, quartilesOf } from '#domain/statistics/quantiles.ts';
import { compareBody, MAX_COMPARED, MIN_COMPARED } from '#queries/analytics/cohorts.ts';
import { cohortRows } from '#queries/market/cohort.ts';
import { PRICES } from '#src/metering/prices.ts';
import { toParameter } from '../listings/parameters.ts';
import { cohortEndpoint } from '../market/cohort-endpoint.ts';
import {
  amount,
  approximateSchema,
  askingSchema,
  namedNeighborhoodSchema,
  priceQuartilesSchema,
  sampleOf,
  sampleSchema,
} from '../market/schemas.ts';
import { ANALYTICS } from './common.ts';
import { type PricesByType, yieldOf } from './rental-yield.ts';

interface Counts<Key> {
  buckets: readonly { key: Key; doc_count: number }[];
}

interface CohortAggregations {
  doc_count: number;
  price: PercentilesResult;
  price_per_sqm: PercentilesResult;
  area: PercentilesResult;
  mean_price: { value: number | null };
  amenities: Counts<string>;
  bedrooms: Counts<number>;
  property_types: Counts<string>;
}

interface Aggregations {
  neighborhoods: { buckets: readonly { key: string; asked: CohortAggregations; yield?: PricesByType }[] };
}

const rows = cohortRows('neighborhood_id_exclude');

const parameters = rows.map((row) =>
  row.name === 'neighborhood_id'
    ? ({
        ...toParameter(row),
        required: true,
        description: `Ids of the ${MIN_COMPARED} to ${MAX_COMPARED} neighborhoods to compare, each given once.`,
        schema: { ...row.kind.schema(row), minItems: MIN_COMPARED, maxItems: MAX_COMPARED, uniqueItems: true },
      } as const)
    : toParameter(row),
);

export const compareNeighborhoods = cohortEndpoint({
  path: '/v1/market/neighborhoods/compare',
  operationId: 'compareNeighborhoods',
  ...ANALYTICS,
  summary: 'Compare neighborhoods',
  description:
    'Returns prices, areas, amenities, bedrooms and property types of two to five neighborhoods, in the requested order. For rentals, also returns the gross yield and its sample sizes, calculated as in `/market/rental-yield`: without `property_type`, only homes are included. Shares are percentages of the sample. Covers live listings updated in the last 30 days, except listings with an implausible price or size.',
  price: PRICES.compare,
  rows,
  parameters,
  response: {
    ...askingSchema,
    ...approximateSchema,
    neighborhoods: arrayOf(
      object({
        ...namedNeighborhoodSchema,
        ...sampleSchema,
        ...priceQuartilesSchema,
        mean_price_sar: amount,
        median_price_per_sqm_sar: amount,
        median_area_sqm: amount,
        amenities: arrayOf(object({ amenity: string, share_pct: amount })),
        bedrooms: arrayOf(object({ bedrooms: nullable(integer), share_pct: amount })),
        property_types: arrayOf(object({ property_type: string, share_pct: amount })),
        gross_yield_pct: amount,
        rent_sample_size: nullable(integer),
        sale_sample_size: nullable(integer),
      }),
    ),
  },
  body: compareBody,
  present: (aggregations: Aggregations, { filters, neighborhood }) => {
    const found = new Map(aggregations.neighborhoods.buckets.map((bucket) => [Number(bucket.key), bucket]));
    const rental = filters.listing_type === 'rent';
    const neighborhoods = filters.neighborhood_id?.map((id) => {
      const { asked: cohort, yield: sides } = found.get(id) ?? { asked: EMPTY };
      const yields = sides && yieldOf(sides);
      return {
        ...neighborhood(id),
        ...presentCohort(cohort),
        gross_yield_pct: yields?.gross_yield_pct ?? null,
        rent_sample_size: rental ? (yields?.rent_sample_size ?? 0) : null,
        sale_sample_size: rental ? (yields?.sale_sample_size ?? 0) : null,
      };
    });
    return { neighborhoods };
  },
});

const NONE = { buckets: [] };
const NO_VALUES = { ascending: [] };
/** A neighborhood without listings in the cohort has no bucket. */
const EMPTY: CohortAggregations = {
  doc_count: 0,
  price: NO_VALUES,
  price_per_sqm: NO_VALUES,
  area: NO_VALUES,
  mean_price: { value: null },
  amenities: NONE,
  bedrooms: NONE,
  property_types: NONE,
};

function presentCohort(cohort: CohortAggregations) {
  const size = cohort.doc_count;
  const share = ({ doc_count }: { doc_count: number }): number | null => percentage(doc_count, size);
  const stated = cohort.bedrooms.buckets.reduce((sum, { doc_count }) => sum + doc_count, 0);
  const unstated = size - stated;
  return {
    ...sampleOf(size),
    ...priceQuartiles(quartilesOf(cohort.price, size)),
    mean_price_sar: rounded(cohort.mean_price.value),
    median_price_per_sqm_sar: rounded(medianOf(cohort.price_per_sqm)),
    median_area_sqm: rounded(medianOf(cohort.area)),
    amenities: cohort.amenities.buckets.map((bucket) => ({ amenity: bucket.key, share_pct: share(bucket) })),
    // Null counts listings that state no bedrooms, such as land.
    bedrooms: [
      ...cohort.bedrooms.buckets.map((bucket) => ({ bedrooms: bucket.key as number | null, share_pct: share(bucket) })),
      ...(unstated > 0 ? [{ bedrooms: null, share_pct: percentage(unstated, size) }] : []),
    ],
    property_types: cohort.property_types.buckets.map((bucket) => ({
      property_type: bucket.key,
      share_pct: share(bucket),
    })),
  };
}
