import { arrayOf, integer, nullable, object, single, string } from '#domain/json-schema.ts';
import { isSmall, percentage, priceBasis, priceQuartiles, rounded } from '#domain/statistics/figures.ts';
import { medianOf, type PercentilesAnswer, quartilesOf } from '#domain/statistics/quantiles.ts';
import { defineEndpoint, type Parameter } from '#http/endpoint.ts';
import { compareBody, FEWEST_COMPARED, MAX_COMPARED } from '#queries/analytics/compare.ts';
import type { FilterValues } from '#queries/filters/table.ts';
import { cohortRows } from '#queries/market/cohort.ts';
import { cachedAggregation } from '#search/aggregation-cache.ts';
import { toParameter } from '../listings/parameters.ts';
import { type CohortStatistics, cohortAnswer } from '../market/cohort-answer.ts';
import { cohortFilters, neighborhoodNames } from '../market/request.ts';
import {
  amount,
  askingSchema,
  cohortSchema,
  namedNeighborhoodSchema,
  priceQuartilesSchema,
  sampleSchema,
  windowSchema,
} from '../market/schemas.ts';
import { yieldOf } from './rental-yield.ts';

interface Counts<Key> {
  buckets: readonly { key: Key; doc_count: number }[];
}

interface Asked {
  doc_count: number;
  price: PercentilesAnswer;
  price_per_sqm: PercentilesAnswer;
  area: PercentilesAnswer;
  mean_price: { value: number | null };
  amenities: Counts<string>;
  bedrooms: Counts<number>;
  property_types: Counts<string>;
}

interface CompareAnswer {
  aggregations: {
    neighborhoods: {
      buckets: readonly { key: string; asked: Asked; sale?: { doc_count: number; price: PercentilesAnswer } }[];
    };
  };
}

const rows = cohortRows('neighborhood_id_exclude');

const parameters: readonly Parameter[] = rows.map((row) => {
  const parameter = toParameter(row);
  if (row.name !== 'neighborhood_id') return parameter;
  return {
    ...parameter,
    required: true,
    description: `The ${FEWEST_COMPARED} to ${MAX_COMPARED} neighborhoods to compare, each once.`,
    schema: { ...parameter.schema, minItems: FEWEST_COMPARED, maxItems: MAX_COMPARED, uniqueItems: true },
  };
});

export const compareNeighborhoods = defineEndpoint<object, FilterValues, unknown, CohortStatistics>({
  method: 'GET',
  path: '/v1/market/neighborhoods/compare',
  operationId: 'compareNeighborhoods',
  area: 'Analytics',
  summary: 'Neighborhoods side by side',
  description:
    'Prices, areas, amenities, bedrooms and property types of two to five neighborhoods, in the order asked; for rentals the gross yield too. Shares are of the sample. Of live listings updated in the last 30 days, without those whose price or size is implausible.',
  audience: 'data',
  scope: 'analytics',
  units: () => 15,
  pathParameters: [],
  parameters,
  response: single(
    object({
      cohort: cohortSchema(rows),
      window: windowSchema,
      ...askingSchema,
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
          sale_sample_size: nullable(integer),
        }),
      ),
    }),
  ),
  errors: ['unknown_city', 'neighborhood_not_found'],
  prefetch: async (question) => {
    const filters = cohortFilters(question);
    const ids = filters.neighborhood_id as readonly number[];
    const rental = filters.listing_type === 'rent';
    const body = compareBody(filters, question.now);
    const cachedJson = await cachedAggregation<CompareAnswer>(
      question.services,
      'compare',
      body,
      ({ aggregations }) => {
        const found = new Map(aggregations.neighborhoods.buckets.map((bucket) => [Number(bucket.key), bucket]));
        const named = neighborhoodNames(question, filters.city);
        const neighborhoods = ids.map((id) => {
          const { asked, sale } = found.get(id) ?? { asked: EMPTY };
          return {
            ...named(id),
            ...presentAsked(asked),
            gross_yield_pct: sale ? yieldOf({ rent: asked, sale }).gross_yield_pct : null,
            sale_sample_size: rental ? (sale?.doc_count ?? 0) : null,
          };
        });
        return { neighborhoods };
      },
    );
    return { filters, cachedJson };
  },
  handle: async ({ now }, prefetch) => {
    const found = await prefetch;
    return cohortAnswer(found, now, priceBasis(found.filters.listing_type));
  },
});

const NONE = { buckets: [] };
const NO_VALUES = { values: [] };
/** A neighborhood that has no listing of the cohort is in no bucket. */
const EMPTY: Asked = {
  doc_count: 0,
  price: NO_VALUES,
  price_per_sqm: NO_VALUES,
  area: NO_VALUES,
  mean_price: { value: null },
  amenities: NONE,
  bedrooms: NONE,
  property_types: NONE,
};

function presentAsked(asked: Asked) {
  const size = asked.doc_count;
  const share = ({ doc_count }: { doc_count: number }): number | null => percentage(doc_count, size);
  const stated = asked.bedrooms.buckets.reduce((sum, { doc_count }) => sum + doc_count, 0);
  const silent = size - stated;
  return {
    sample_size: size,
    small_sample: isSmall(size),
    ...priceQuartiles(quartilesOf(asked.price, size)),
    mean_price_sar: rounded(asked.mean_price.value),
    median_price_per_sqm_sar: rounded(medianOf(asked.price_per_sqm)),
    median_area_sqm: rounded(medianOf(asked.area)),
    amenities: asked.amenities.buckets.map((bucket) => ({ amenity: bucket.key, share_pct: share(bucket) })),
    // Null: those that do not say, land and shops among them.
    bedrooms: [
      ...asked.bedrooms.buckets.map((bucket) => ({ bedrooms: bucket.key as number | null, share_pct: share(bucket) })),
      ...(silent > 0 ? [{ bedrooms: null, share_pct: percentage(silent, size) }] : []),
    ],
    property_types: asked.property_types.buckets.map((bucket) => ({
      property_type: bucket.key,
      share_pct: share(bucket),
    })),
  };
}
