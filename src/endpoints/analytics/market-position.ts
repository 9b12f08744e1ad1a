import { neighborhoodNames } from '#domain/geography/reference.ts';
import { arrayOf, boolean, component, integer, nullable, object, oneOf, single, string } from '#domain/json-schema.ts';
import {
  difference,
  isSmall,
  percentileRank,
  priceBasis,
  priceQuartiles,
  rounded,
  SMALL_SAMPLE,
} from '#domain/statistics/figures.ts';
import { medianOf, type PercentilesResult, quartilesOf, snapToRoundWithin } from '#domain/statistics/quantiles.ts';
import { marketPositionBody } from '#queries/analytics/cohorts.ts';
import { dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { PRICES } from '#src/metering/prices.ts';
import {
  amount,
  askingSchema,
  namedNeighborhoodSchema,
  priceQuartilesSchema,
  sampleOf,
  sampleSchema,
  windowOf,
  windowSchema,
} from '../market/schemas.ts';
import { searchIndex } from '../search-index.ts';
import { COMPARISON, findSubject, perSqm } from './common.ts';
import { METHODS } from './methods.ts';

interface Statistics {
  price: PercentilesResult;
  prices: { count: number; min: number | null; max: number | null };
  price_per_sqm: PercentilesResult;
  below?: { doc_count: number };
  equal?: { doc_count: number };
}

interface PositionResponse {
  aggregations: Statistics & { self: { doc_count: number }; neighborhood?: Statistics };
}

const placeSchema = {
  ...sampleSchema,
  ...priceQuartilesSchema,
  median_price_per_sqm_sar: amount,
  price_percentile: amount,
  diff_from_median_pct: amount,
} as const;

export const marketPosition = defineEndpoint({
  path: '/v1/listings/{id}/market-position',
  operationId: 'getMarketPosition',
  ...COMPARISON,
  summary: 'Get the market position of a listing',
  description: `${METHODS.market_position} \`price_percentile\` is the percentage of these listings with a lower asking price; a listing with an equal price counts as half. \`listing_in_sample\` states whether the listing itself meets these conditions and is therefore counted in \`sample_size\` and in the percentile. \`basis\` is the place that the top-level \`price_percentile\` and \`diff_from_median_pct\` refer to: the neighborhood if it has at least ${SMALL_SAMPLE} listings, otherwise the city.`,
  price: PRICES.market_position,
  response: single(
    object({
      listing_id: integer,
      ...askingSchema,
      price_sar: amount,
      price_per_sqm_sar: amount,
      cohort: object({
        city: string,
        listing_type: string,
        listing_category: string,
        property_type: string,
        neighborhood_ids: nullable(arrayOf(integer)),
        beds: nullable(integer),
      }),
      basis: oneOf(component('PositionBasis', ['neighborhood', 'city'])),
      price_percentile: amount,
      diff_from_median_pct: amount,
      neighborhood: nullable(object({ ...namedNeighborhoodSchema, ...placeSchema })),
      city: object(placeSchema),
      listing_in_sample: boolean,
      window: windowSchema,
      method: string,
    }),
  ),
  load: async (call) => {
    const listing = await findSubject(call, call.path.id);
    const { listing_type, listing_category, property_type, bedrooms, location } = listing;
    const price = listing.price.yearly_sar;
    const { city, neighborhood_id } = location;
    const cohort = { city, listing_type, listing_category, property_type };
    const beds = bedrooms === null ? {} : { beds: [bedrooms] };
    const filters = { ...cohort, property_type: [property_type], ...beds };
    const body = marketPositionBody({ id: listing.id, price, neighborhood: neighborhood_id, filters }, call.now);
    const { aggregations } = await searchIndex<PositionResponse>(call, 'listings', body);
    const { self, neighborhood: local } = aggregations;
    const inCity = placeOf(aggregations, price);
    const inNeighborhood = local ? placeOf(local, price) : null;
    const isLocal = inNeighborhood !== null && !isSmall(inNeighborhood.sample_size);
    const { price_percentile, diff_from_median_pct } = isLocal ? inNeighborhood : inCity;
    return dataResponse({
      listing_id: listing.id,
      price_basis: priceBasis(listing_type),
      price_source: 'asking',
      price_sar: price,
      price_per_sqm_sar: rounded(perSqm(price, listing.area_sqm)),
      cohort: {
        ...cohort,
        neighborhood_ids: neighborhood_id === null ? null : [neighborhood_id],
        beds: bedrooms,
      },
      basis: isLocal ? 'neighborhood' : 'city',
      price_percentile,
      diff_from_median_pct,
      neighborhood:
        neighborhood_id === null || inNeighborhood === null
          ? null
          : { ...neighborhoodNames(call.services.places, city)(neighborhood_id), ...inNeighborhood },
      city: inCity,
      listing_in_sample: self.doc_count > 0,
      window: windowOf(call.now),
      method: METHODS.market_position,
    });
  },
  present: (_call, response) => response,
});

function placeOf({ price, prices, price_per_sqm, below, equal }: Statistics, own: number | null) {
  const size = prices.count;
  const quartiles = quartilesOf(
    price,
    size,
    snapToRoundWithin(prices.min ?? 0, prices.max ?? Number.POSITIVE_INFINITY),
  );
  return {
    ...sampleOf(size),
    ...priceQuartiles(quartiles),
    median_price_per_sqm_sar: rounded(medianOf(price_per_sqm)),
    price_percentile: below && equal ? percentileRank(below.doc_count, equal.doc_count, size) : null,
    diff_from_median_pct: difference(own, quartiles?.median ?? null),
  };
}
