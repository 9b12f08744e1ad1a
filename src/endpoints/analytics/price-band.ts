import {
  boolean,
  component,
  described,
  integer,
  nullable,
  number,
  object,
  oneOf,
  single,
  string,
} from '#domain/json-schema.ts';
import { AGES_SCHEMA } from '#domain/statistics/deals.ts';
import { difference, hundredths, percentage, priceBasis, rounded } from '#domain/statistics/figures.ts';
import {
  AREA_TOLERANCE_PCT,
  type Band,
  bandOf,
  CALIBRATION_VERSION,
  cohortOf,
  directionOf,
  GEOGRAPHIES,
  LOOK_BACK_DAYS,
  METHOD_VERSION,
  placementOf,
  STATUSES,
  subjectOf,
} from '#domain/statistics/price-band.ts';
import type { Quartiles } from '#domain/statistics/quantiles.ts';
import { dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { PRICES } from '#src/metering/prices.ts';
import { amount, askingSchema } from '../market/schemas.ts';
import { COMPARISON, findSubject, nearby, perSqm, validity, validitySchema } from './common.ts';
import { METHODS } from './methods.ts';

const quartilesSchema = object({ p25_sar: number, median_sar: number, p75_sar: number });

export const priceBand = defineEndpoint({
  path: '/v1/listings/{id}/price-band',
  operationId: 'getPriceBand',
  ...COMPARISON,
  summary: 'Get the price band of a listing',
  description: `Returns the quartiles of asking prices of similar homes nearby. ${METHODS.price_band} \`direction\` is \`below\` or \`above\` only if the price is outside of the 95% confidence interval of the median, otherwise \`inconclusive\`; the interval is a cluster bootstrap, with the ads of one building, compound or advertiser as a cluster. \`limited_evidence\` is true for bands based on little data. If there is no band, \`status\` states the reason. The calculation is deterministic: the same listings always result in the same band. The band is not a valuation.`,
  price: PRICES.price_band,
  response: single(
    object({
      listing_id: integer,
      status: oneOf(STATUSES),
      ...askingSchema,
      price_sar: amount,
      price_per_sqm_sar: amount,
      band: nullable(object({ price: quartilesSchema, price_per_sqm: quartilesSchema, spread_pct: amount })),
      position: nullable(
        object({
          diff_from_median_pct: amount,
          placement: oneOf(component('BandPlacement', ['below_band', 'within_band', 'above_band'])),
          direction: oneOf(component('BandDirection', ['below', 'above', 'inconclusive'])),
        }),
      ),
      stability: nullable(
        object({
          median_interval_sar: object({ low: number, high: number }),
          direction_stable: boolean,
          limited_evidence: boolean,
        }),
      ),
      cohort: nullable(
        object({
          listing_type: string,
          property_type: string,
          bedrooms: nullable(integer),
          geography: described(
            oneOf(GEOGRAPHIES),
            'Area of the comparison: a radius around the listing, or its neighborhood if it has no location.',
          ),
          radius_m: described(integer, 'Radius in meters; 0 if `geography` is `neighborhood`.'),
          look_back_days: integer,
          area_tolerance_pct: integer,
          age_years: described(
            nullable(AGES_SCHEMA),
            'Age range of the compared homes. Null if homes of all ages are compared: the listing states no age, or too few homes of its age are nearby.',
          ),
          distinct_units: integer,
          evidence_clusters: integer,
        }),
      ),
      methodology: object({
        version: string,
        calibration_version: string,
        method: string,
        comparison_id: nullable(string),
        ...validitySchema,
      }),
    }),
  ),
  load: async (call) => {
    const listing = await findSubject(call, call.path.id);
    const price = listing.price.yearly_sar;
    const found = subjectOf(listing);
    const subject = 'subject' in found ? found.subject : null;
    const cohort = subject === null ? null : cohortOf(subject, await nearby(call, subject));
    const band = subject === null || cohort === null ? null : bandOf(subject, cohort);
    const status = 'status' in found ? found.status : band === null ? 'insufficient_comparables' : 'available';
    return dataResponse({
      listing_id: listing.id,
      status,
      price_basis: priceBasis(listing.listing_type),
      price_source: 'asking',
      price_sar: price,
      price_per_sqm_sar: rounded(perSqm(price, listing.area_sqm)),
      ...(band === null || subject === null ? NO_BAND : presentBand(band, subject)),
      methodology: {
        version: METHOD_VERSION,
        calibration_version: CALIBRATION_VERSION,
        method: METHODS.price_band,
        comparison_id: band?.id ?? null,
        ...validity(call.now),
      },
    });
  },
  present: (_call, response) => response,
});

const NO_BAND = { band: null, position: null, stability: null, cohort: null };

type Subject = Extract<ReturnType<typeof subjectOf>, { subject: object }>['subject'];

function presentBand(band: Band, { listing_type, property_type, bedrooms, price }: Subject) {
  const { low, high } = band.interval;
  const direction = directionOf(price, band.interval);
  return {
    band: {
      price: inSar(band.price),
      price_per_sqm: inSar(band.price_per_sqm),
      spread_pct: percentage(band.price.p75 - band.price.p25, band.price.median),
    },
    position: {
      diff_from_median_pct: difference(price, band.price.median),
      placement: placementOf(price, band.price),
      direction,
    },
    stability: {
      median_interval_sar: { low: hundredths(low), high: hundredths(high) },
      direction_stable: direction !== 'inconclusive',
      limited_evidence: band.limited,
    },
    cohort: {
      listing_type,
      property_type,
      bedrooms,
      geography: band.radius === null ? ('neighborhood' as const) : ('radius' as const),
      radius_m: band.radius ?? 0,
      look_back_days: LOOK_BACK_DAYS,
      area_tolerance_pct: AREA_TOLERANCE_PCT,
      age_years: band.ages,
      distinct_units: band.units.length,
      evidence_clusters: band.clusters,
    },
  };
}

const inSar = ({ p25, median, p75 }: Quartiles) => ({
  p25_sar: hundredths(p25),
  median_sar: hundredths(median),
  p75_sar: hundredths(p75),
});
