import { flatMeters } from '#domain/geography/distance.ts';
import { nearestNeighborhood } from '#domain/geography/locate.ts';
import {
  arrayOf,
  boolean,
  described,
  integer,
  nullable,
  number,
  object,
  oneOf,
  single,
  string,
} from '#domain/json-schema.ts';
import { HOME_TYPES, type PropertyType } from '#domain/listing-vocabulary.ts';
import { CAPS } from '#domain/listings/caps.ts';
import type { Interval } from '#domain/statistics/bootstrap.ts';
import {
  type Comparable,
  ESTIMATE_VERSION,
  type Estimate,
  type EstimateSubject,
  estimateOf,
} from '#domain/statistics/estimate.ts';
import { difference, hundredths, priceBasis } from '#domain/statistics/figures.ts';
import {
  AREA_TOLERANCE_PCT,
  comparedPrice,
  GEOGRAPHIES,
  homeOf,
  LARGEST_RADIUS,
  LOOK_BACK_DAYS,
  STATUSES,
  type Status,
} from '#domain/statistics/price-band.ts';
import type { ValueCheck } from '#domain/value-check.ts';
import { neighborhoodsOfCity, pointInCountry } from '#queries/filters/checks.ts';
import { rowOf } from '#queries/filters/table.ts';
import { dataResponse, defineEndpoint, type LoadCall, type Parameter } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { PRICES } from '#src/metering/prices.ts';
import type { ExpectedError } from '#stores/postgres/estimate-ledger.ts';
import { toParameter } from '../listings/parameters.ts';
import { amount, askingSchema } from '../market/schemas.ts';
import { latestRelation, latestRelationSchema, type PlacedHome } from './asking-vs-registered.ts';
import { ANALYTICS, COMPARISON, findSubject, nearby, validity, validitySchema } from './common.ts';
import { METHODS } from './methods.ts';

const NO_LISTING = 0;
/** Meters. A point farther from all neighborhoods of its city contradicts the city. */
const MAX_FROM_CITY = 25_000;
/** Meters. A point farther from the centers of all neighborhoods has none. */
const MAX_FROM_NEIGHBORHOOD = 3_000;

/** A neighborhood beside the point may contradict it. */
const pointInCity: ValueCheck<readonly [number, number]> = {
  code: 'invalid_value',
  refuse: (point, context) => {
    const { name, values, places } = context;
    const foreign = pointInCountry.refuse(point, context);
    if (foreign !== null) return foreign;
    if (values.neighborhood_id !== undefined)
      return () => `\`${name}\` and \`neighborhood_id\` both state the place. Send one of them.`;
    const [lat, lng] = point;
    const centers = (places.neighborhoods(String(values.city)) ?? []).flatMap(({ center }) => center ?? []);
    const meters = Math.min(...centers.map((center) => flatMeters({ lat, lng }, center)));
    if (centers.length === 0 || meters <= MAX_FROM_CITY) return null;
    return () =>
      `\`${name}\` is ${Math.round(meters / 1_000)} km from the nearest neighborhood of \`${String(values.city)}\`. Send the city of the point.`;
  },
};

const neighborhoodOfCity: ValueCheck<number> = {
  ...neighborhoodsOfCity,
  refuse: (id, context) => neighborhoodsOfCity.refuse([id], context),
};

const areaOfType: ValueCheck<number> = {
  code: 'invalid_value',
  refuse: (area, { name, values: { property_type } }) => {
    const [least, most] = CAPS[property_type as PropertyType]?.area ?? [area, area];
    if (area >= least && area <= most) return null;
    return () => `\`${name}\` of \`${String(property_type)}\` must be from ${least} to ${most} square meters.`;
  },
};

const count = (name: string, maximum: number, description: string, example: string) =>
  ({ name, schema: { type: 'integer', minimum: 0, maximum }, description, example }) as const satisfies Parameter;

const homeParameters = [
  toParameter(rowOf('city')),
  toParameter(rowOf('listing_type')),
  {
    name: 'property_type',
    schema: { type: 'string', enum: HOME_TYPES },
    description: 'Property type of the home.',
    required: true,
    example: 'apartment',
  },
  {
    name: 'area',
    schema: { type: 'number', minimum: 1, maximum: 1e6 },
    description: 'Area of the home in square meters.',
    required: true,
    example: '145',
    check: areaOfType,
  },
  {
    ...toParameter(rowOf('near')),
    description:
      'Location of the home as a point `lat,lng` in degrees, latitude first. Required without `neighborhood_id`.',
    sampled: true,
    check: pointInCity,
  },
  {
    ...toParameter(rowOf('neighborhood_id')),
    schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
    description:
      'Neighborhood of the home, if its point is unknown. The estimate then uses the homes of this neighborhood.',
    example: '1001',
    check: neighborhoodOfCity,
  },
  count('beds', 20, 'Number of bedrooms.', '3'),
  count('age', 100, 'Age of the building in years; 0 for a new one.', '4'),
] as const satisfies readonly Parameter[];

const rangeSchema = object({ low: number, high: number });

const estimateSchema = {
  status: oneOf(STATUSES),
  ...askingSchema,
  estimate: nullable(
    object({
      price_sar: number,
      price_per_sqm_sar: number,
      interval_80_sar: rangeSchema,
      interval_50_sar: rangeSchema,
      limited_evidence: boolean,
    }),
  ),
  evidence: nullable(
    object({
      geography: oneOf(GEOGRAPHIES),
      radius_m: described(integer, 'Largest distance in meters; 0 if `geography` is `neighborhood`.'),
      look_back_days: integer,
      area_tolerance_pct: integer,
      distinct_units: integer,
      evidence_clusters: integer,
    }),
  ),
  expected_error: nullable(
    object({
      city: nullable(string),
      sample_size: integer,
      median_error_pct: number,
      within_10_pct: number,
      within_20_pct: number,
    }),
  ),
  comparables: arrayOf(
    object({
      listing_id: integer,
      price_sar: number,
      area_sqm: number,
      bedrooms: nullable(integer),
      bathrooms: nullable(integer),
      age_years: nullable(integer),
      distance_m: nullable(integer),
      weight_pct: number,
      area_adjustment_sar: number,
      adjusted_price_sar: number,
    }),
  ),
  asking_vs_registered: latestRelationSchema,
  methodology: object({ version: string, method: string, ...validitySchema }),
} as const;

const DESCRIPTION = `${METHODS.estimate} If there is no estimate, \`status\` states the reason. The estimate is not a valuation.`;

export const marketEstimate = defineEndpoint({
  path: '/v1/market/estimate',
  operationId: 'estimatePrice',
  ...ANALYTICS,
  queue: 'statistics',
  summary: 'Estimate the price of a home by its attributes',
  description: `Estimates the asking price or the yearly rent of a home that need not be advertised. ${DESCRIPTION}`,
  price: PRICES.estimate,
  parameters: homeParameters,
  response: single(object(estimateSchema)),
  load: async (call) => {
    const { near, neighborhood_id, beds = null, age = null, ...home } = call.query;
    const place = near ? { lat: near[0], lng: near[1] } : neighborhood_id === undefined ? null : { neighborhood_id };
    if (place === null) {
      const message = 'The place of the home is required: `near` or `neighborhood_id`.';
      throw new ApiError('missing_parameter', { param: 'near', message });
    }
    // A studio has one room.
    const bedrooms = home.property_type === 'studio' ? null : beds;
    const subject = { ...home, ...place, id: NO_LISTING, price: null, bedrooms, age };
    const nearest = near && nearestNeighborhood(home.city, { lat: near[0], lng: near[1] }, MAX_FROM_NEIGHBORHOOD);
    const district = neighborhood_id ?? nearest?.id ?? null;
    return dataResponse(await respond(call, { ...home, neighborhood_id: district }, { subject }));
  },
  present: (_call, response) => response,
});

export const listingEstimate = defineEndpoint({
  path: '/v1/listings/{id}/estimate',
  operationId: 'estimateListingPrice',
  ...COMPARISON,
  summary: 'Estimate the price of a listing',
  description: `Estimates the asking price or the yearly rent of an advertised home without its own ads. ${DESCRIPTION}`,
  price: PRICES.estimate,
  response: single(
    object({ listing_id: integer, price_sar: amount, diff_from_estimate_pct: amount, ...estimateSchema }),
  ),
  load: async (call) => {
    const listing = await findSubject(call, call.path.id);
    const price = comparedPrice(listing);
    const found = homeOf(listing);
    const subject = 'status' in found ? found : { subject: { ...found.subject, price } };
    const { city, neighborhood_id } = listing.location;
    const estimated = await respond(call, { ...listing, city, neighborhood_id }, subject);
    return dataResponse({
      listing_id: listing.id,
      price_sar: price,
      diff_from_estimate_pct: difference(price, estimated.estimate?.price_sar ?? null),
      ...estimated,
    });
  },
  present: (_call, response) => response,
});

/** @param found the home, or why there is no estimate */
async function respond(
  call: Pick<LoadCall, 'services' | 'now' | 'deadline' | 'requester'>,
  home: PlacedHome,
  found: { subject: EstimateSubject } | { status: Status },
) {
  const subject = 'subject' in found ? found.subject : null;
  // Homes with other bedrooms are evidence with a smaller weight.
  const [neighbors, errors, relation] = await Promise.all([
    subject === null ? [] : nearby(call, { ...subject, bedrooms: null }),
    subject === null ? [] : call.services.expectedErrors.read(),
    latestRelation(call, home),
  ]);
  const estimate = subject === null ? null : estimateOf(subject, neighbors);
  const status = 'status' in found ? found.status : estimate === null ? 'insufficient_comparables' : 'available';
  return {
    status,
    price_source: 'asking' as const,
    price_basis: priceBasis(home.listing_type),
    ...(subject === null || estimate === null ? NO_ESTIMATE : presentEstimate(subject, estimate)),
    expected_error: subject === null || estimate === null ? null : expectedError(subject, errors),
    asking_vs_registered: relation,
    methodology: { version: ESTIMATE_VERSION, method: METHODS.estimate, ...validity(call.now) },
  };
}

/** Of past estimates for the type, in the city if enough were scored there. */
function expectedError({ city, listing_type, property_type }: EstimateSubject, errors: readonly ExpectedError[]) {
  const found = errors.find(
    (error) =>
      (error.city === city || error.city === null) &&
      error.listing_type === listing_type &&
      error.property_type === property_type,
  );
  return found === undefined
    ? null
    : {
        city: found.city,
        sample_size: found.sample_size,
        median_error_pct: hundredths(found.median_error * 100),
        within_10_pct: hundredths(found.within_10 * 100),
        within_20_pct: hundredths(found.within_20 * 100),
      };
}

const NO_ESTIMATE = { estimate: null, evidence: null, comparables: [] } as const;

function presentEstimate(subject: EstimateSubject, { price, ...found }: Estimate) {
  const isPlaced = 'lat' in subject;
  return {
    estimate: {
      price_sar: hundredths(price),
      price_per_sqm_sar: hundredths(price / subject.area),
      interval_80_sar: inSar(found.interval80),
      interval_50_sar: inSar(found.interval50),
      limited_evidence: found.limited,
    },
    evidence: {
      geography: isPlaced ? ('radius' as const) : ('neighborhood' as const),
      radius_m: isPlaced ? LARGEST_RADIUS : 0,
      look_back_days: LOOK_BACK_DAYS,
      area_tolerance_pct: AREA_TOLERANCE_PCT,
      distinct_units: found.units,
      evidence_clusters: found.clusters,
    },
    comparables: found.comparables.map((comparable) => presentComparable(comparable, isPlaced)),
  };
}

const inSar = ({ low, high }: Interval): Interval => ({ low: hundredths(low), high: hundredths(high) });

function presentComparable({ neighbor, weight, adjusted }: Comparable, isPlaced: boolean) {
  const { id, price, area, bedrooms, bathrooms, age, distance } = neighbor;
  return {
    listing_id: id,
    price_sar: price,
    area_sqm: area,
    bedrooms,
    bathrooms,
    age_years: age,
    distance_m: isPlaced ? Math.round(distance) : null,
    weight_pct: hundredths(weight * 100),
    area_adjustment_sar: hundredths(adjusted - price),
    adjusted_price_sar: hundredths(adjusted),
  };
}
