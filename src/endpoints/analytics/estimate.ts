import { flatMeters } from '#domain/geography/distance.ts';
import { nearestNeighborhood } from '#domain/geography/locate.ts';
import type { LatLng } from '#domain/geography/places.ts';
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
import type { Interval } from '#domain/statistics/bootstrap.ts';
import {
  type Comparable,
  ESTIMATE_VERSION,
  type Estimate,
  type EstimateSubject,
  estimateOf,
  type Neighbor,
  SAME_HOME,
  separateSameHome,
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
  type Subject,
} from '#domain/statistics/price-band.ts';
import { dataResponse, defineEndpoint, type LoadCall } from '#src/http/endpoint.ts';
import { PRICES } from '#src/metering/prices.ts';
import type { ExpectedError } from '#stores/postgres/estimate-ledger.ts';
import { amount, askingSchema } from '../market/schemas.ts';
import { latestRelation, latestRelationSchema, type PlacedHome } from './asking-vs-registered.ts';
import { ANALYTICS, COMPARISON, findSubject, nearby, validity, validitySchema } from './common.ts';
import { type HomeQuery, homeParameters, placeMissing } from './home-parameters.ts';
import { METHODS } from './methods.ts';

const NO_LISTING = 0;
/** Meters. A point farther from the centers of all neighborhoods has none. */
const MAX_FROM_NEIGHBORHOOD = 3_000;

const rangeSchema = object({ low: number, high: number });

export const estimateSchema = {
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
  same_home: described(
    arrayOf(object({ listing_id: integer, price_sar: number })),
    'Ads that may be of the home itself, with their prices. They are no evidence. Empty for `GET /listings/{id}/estimate`, which excludes the own ads of the listing.',
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
  description: `Estimates the asking price or the yearly rent of a home that need not be advertised. Ads that may be of the home itself are no evidence: with a point, those within ${SAME_HOME.meters} m and ${SAME_HOME.areaPct}% of the area, with the same bedrooms and no other floor; also those in \`exclude_listing_id\`. They are in \`same_home\`. ${DESCRIPTION}`,
  price: PRICES.estimate,
  parameters: homeParameters,
  response: single(object(estimateSchema)),
  load: async (call) => dataResponse(await estimateHome(call, call.query)),
  hasResult: ({ body }) => body.data.estimate !== null,
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
  hasResult: ({ body }) => body.data.estimate !== null,
  present: (_call, response) => response,
});

/** @throws ApiError missing_parameter */
export async function estimateHome(
  call: Pick<LoadCall, 'services' | 'now' | 'deadline' | 'requester'>,
  query: HomeQuery,
) {
  const { near, neighborhood_id, beds = null, age = null, floor = null, exclude_listing_id: ids = [], ...home } = query;
  const place = near ? { lat: near[0], lng: near[1] } : neighborhood_id === undefined ? null : { neighborhood_id };
  if (place === null) throw placeMissing('near');
  // A studio has one room.
  const bedrooms = home.property_type === 'studio' ? null : beds;
  const subject = { ...home, ...place, id: NO_LISTING, price: null, bedrooms, age };
  const nearest = near && nearestNeighborhood(home.city, { lat: near[0], lng: near[1] }, MAX_FROM_NEIGHBORHOOD);
  const district = neighborhood_id ?? nearest?.id ?? null;
  return respond(call, { ...home, neighborhood_id: district }, { subject }, { floor, ids });
}

/**
 * @param found the home, or why there is no estimate
 * @param own attributes and ids of the home's own ads
 */
async function respond(
  call: Pick<LoadCall, 'services' | 'now' | 'deadline' | 'requester'>,
  home: PlacedHome,
  found: { subject: EstimateSubject } | { status: Status },
  own: OwnAds | null = null,
) {
  const subject = 'subject' in found ? found.subject : null;
  const [{ estimate, same, origin }, errors, relation] = await Promise.all([
    subject === null ? NOTHING : findEstimate(call, subject, own),
    subject === null ? [] : call.services.expectedErrors.read(),
    latestRelation(call, home),
  ]);
  const status = 'status' in found ? found.status : estimate === null ? 'insufficient_comparables' : 'available';
  return {
    status,
    price_source: 'asking' as const,
    price_basis: priceBasis(home.listing_type),
    ...(subject === null || estimate === null ? NO_ESTIMATE : presentEstimate(subject, estimate, origin !== null)),
    same_home: same.map(({ id, price }) => ({ listing_id: id, price_sar: price })),
    expected_error: subject === null || estimate === null ? null : expectedError(subject, errors),
    asking_vs_registered: relation,
    methodology: { version: ESTIMATE_VERSION, method: METHODS.estimate, ...validity(call.now) },
  };
}

interface OwnAds {
  floor: string | null;
  ids: readonly number[];
}

interface EstimateResult {
  estimate: Estimate | null;
  same: readonly Neighbor[];
  /** Null if the homes of a neighborhood are compared without distances. */
  origin: LatLng | null;
}

const NOTHING: EstimateResult = { estimate: null, same: [], origin: null };

/** A home without a point whose neighborhood has too few homes is estimated with those around the center. */
async function findEstimate(
  call: Pick<LoadCall, 'services' | 'now' | 'deadline'>,
  subject: EstimateSubject,
  own: OwnAds | null,
): Promise<EstimateResult> {
  // Homes with other bedrooms are evidence with a smaller weight.
  const read = (place: Subject): Promise<Neighbor[]> => nearby(call, { ...place, bedrooms: null });
  const estimate = (ads: readonly Neighbor[], origin: LatLng | null): EstimateResult => {
    if (own === null) return { estimate: estimateOf(subject, ads, origin), same: [], origin };
    const { same, others } = separateSameHome({ ...subject, floor: own.floor }, ads, own.ids);
    return { estimate: estimateOf(subject, others, origin), same, origin };
  };
  if ('lat' in subject) return estimate(await read(subject), subject);
  const { neighborhood_id, ...facts } = subject;
  const local = await read(subject);
  const found = estimate(local, null);
  const { center = null } =
    call.services.places.neighborhoods(facts.city)?.find(({ id }) => id === neighborhood_id) ?? {};
  if (found.estimate !== null || center === null) return found;
  const known = new Set(local.map(({ id }) => id));
  const around = (await read({ ...facts, ...center })).filter(({ id }) => !known.has(id));
  const placed = local.map((ad) =>
    ad.lat === null || ad.lng === null ? ad : { ...ad, distance: flatMeters(center, { lat: ad.lat, lng: ad.lng }) },
  );
  return estimate([...placed, ...around], center);
}

/** Returns the error of past estimates for the type, in the city if enough were scored there. */
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

function presentEstimate(subject: EstimateSubject, { price, ...found }: Estimate, isPlaced: boolean) {
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
  const { id, price, area, bedrooms, bathrooms, age, distance, lat } = neighbor;
  return {
    listing_id: id,
    price_sar: price,
    area_sqm: area,
    bedrooms,
    bathrooms,
    age_years: age,
    distance_m: isPlaced && lat !== null ? Math.round(distance) : null,
    weight_pct: hundredths(weight * 100),
    area_adjustment_sar: hundredths(adjusted - price),
    adjusted_price_sar: hundredths(adjusted),
  };
}
