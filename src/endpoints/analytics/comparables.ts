import { metersBetween } from '#domain/geography/distance.ts';
import { arrayOf, boolean, component, integer, nullable, number, object, single, string } from '#domain/json-schema.ts';
import type { ListingDisplay } from '#domain/listings/listing.ts';
import { LISTING_SCHEMA } from '#domain/listings/listing-schema.ts';
import type { ListingsResponse } from '#domain/listings/stored-form.ts';
import { areaRange, circleOf, MAX_DISTANCE } from '#domain/statistics/deals.ts';
import { difference, hundredths, priceBasis, rounded } from '#domain/statistics/figures.ts';
import { quantile } from '#domain/statistics/quantiles.ts';
import { circlesBody, comparablesBody, type Subject } from '#queries/analytics/comparables.ts';
import { ascendingColumns, type ColumnsResult } from '#queries/market/collected.ts';
import { dataResponse, defineEndpoint, type LoadCall, type Parameter } from '#src/http/endpoint.ts';
import { PRICES } from '#src/metering/prices.ts';
import { listingsOf } from '../listings/presentation.ts';
import { amount, askingSchema, sampleOf, sampleSchema } from '../market/schemas.ts';
import { searchIndex } from '../search-index.ts';
import { COMPARISON, findSubject } from './common.ts';
import { METHODS } from './methods.ts';

const limitParameter = {
  name: 'limit',
  schema: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
  description: 'Maximum number of comparables to return. The `summary` covers all comparables that meet the criteria.',
  example: '10',
} as const satisfies Parameter;

const REASONS = ['no_location', 'area_unusable', 'insufficient_comparables'] as const;

export const comparables = defineEndpoint({
  path: '/v1/listings/{id}/comparables',
  operationId: 'listComparables',
  ...COMPARISON,
  summary: 'Find comparable listings',
  description: `${METHODS.comparables} Listings with the same number of bedrooms come first, then the nearest in distance and area. If no comparison is possible, \`unavailable_reason\` states the reason.`,
  price: PRICES.comparables,
  parameters: [limitParameter],
  response: single(
    object({
      listing_id: integer,
      ...askingSchema,
      unavailable_reason: {
        type: ['string', 'null'],
        enum: component('ComparablesUnavailableReason', [...REASONS, null]),
      },
      criteria: object({
        max_distance_m: integer,
        area_range_sqm: nullable(object({ min: number, max: number })),
        same_bedrooms: boolean,
      }),
      summary: object({
        ...sampleSchema,
        median_price_sar: amount,
        listing_price_sar: amount,
        diff_from_median_pct: amount,
      }),
      comparables: arrayOf(
        object({
          listing: LISTING_SCHEMA,
          similarity: object({ distance_m: integer, area_diff_pct: amount, price_diff_pct: amount }),
        }),
      ),
      method: string,
    }),
  ),
  load: async (call) => {
    const display = await findSubject(call, call.path.id);
    const subject = subjectOf(display);
    const found = typeof subject === 'string' ? null : await findAlike(call, subject, call.query.limit);
    return { display, subject, found };
  },
  present: (call, { display, subject, found }) => {
    const reason = typeof subject === 'string' ? subject : found?.size === 0 ? 'insufficient_comparables' : null;
    const price = display.price.yearly_sar;
    const median = found?.median ?? null;
    const hits = found?.hits ?? [];
    const listings = listingsOf(call, hits);
    return dataResponse({
      listing_id: display.id,
      price_basis: priceBasis(display.listing_type),
      price_source: 'asking',
      unavailable_reason: reason,
      criteria: {
        max_distance_m: found?.circle.radius ?? MAX_DISTANCE,
        area_range_sqm: typeof subject === 'string' ? null : presentRange(areaRange(subject.area)),
        same_bedrooms: found?.circle.sameBedrooms ?? false,
      },
      summary: {
        ...sampleOf(found?.size ?? 0),
        median_price_sar: rounded(median),
        listing_price_sar: price,
        diff_from_median_pct: difference(price, median),
      },
      comparables: hits.map(({ _source: { display: other } }, at) => ({
        listing: listings[at],
        similarity: similarity(display, other),
      })),
      method: METHODS.comparables,
    });
  },
});

/** The properties that a comparison needs, or why there is none. */
function subjectOf({ id, listing_type, property_type, bedrooms, area_sqm, location }: ListingDisplay) {
  const { city, lat, lng } = location;
  if (lat === null || lng === null) return 'no_location' as const;
  if (area_sqm === null || area_sqm <= 0) return 'area_unusable' as const;
  return { id, city, listing_type, property_type, bedrooms, area: area_sqm, lat, lng } satisfies Subject;
}

interface CirclesResponse {
  aggregations: { circles: { buckets: readonly { doc_count: number }[] } };
}

interface Aggregations {
  prices: ColumnsResult;
}

async function findAlike(call: Pick<LoadCall, 'services' | 'now' | 'deadline'>, subject: Subject, limit: number) {
  const { aggregations } = await searchIndex<CirclesResponse>(call, 'listings', circlesBody(subject, call.now));
  const circle = circleOf(aggregations.circles.buckets.map(({ doc_count }) => doc_count));
  const answer = await searchIndex<ListingsResponse & { aggregations: Aggregations }>(
    call,
    'listings',
    comparablesBody(subject, circle, limit, call.now),
  );
  const prices = ascendingColumns(answer.aggregations.prices, 1)[0] ?? [];
  const median = prices.length === 0 ? null : quantile(prices, 0.5);
  return { circle, size: prices.length, median, hits: answer.hits.hits.slice(0, limit) };
}

function similarity(own: ListingDisplay, other: ListingDisplay) {
  const from = { lat: own.location.lat ?? 0, lng: own.location.lng ?? 0 };
  const to = { lat: other.location.lat ?? 0, lng: other.location.lng ?? 0 };
  return {
    distance_m: Math.round(metersBetween(from, to)),
    area_diff_pct: difference(other.area_sqm, own.area_sqm),
    price_diff_pct: difference(other.price.yearly_sar, own.price.yearly_sar),
  };
}

const presentRange = ({ min, max }: { min: number; max: number }) => ({ min: hundredths(min), max: hundredths(max) });
