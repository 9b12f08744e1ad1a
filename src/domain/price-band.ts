import { hash } from 'node:crypto';
import { CAPS } from './listings/caps.ts';
import type { ListingDisplay } from './listings/listing.ts';
import type { PropertyType } from './listings/vocabulary.ts';
import { type Interval, medianInterval } from './statistics/bootstrap.ts';
import { type Clustered, clustersOf } from './statistics/clusters.ts';
import { exactQuartiles, type Quartiles } from './statistics/quantiles.ts';
import { randomFrom } from './statistics/random.ts';

/** The facts of a listing that others are compared with. */
export interface Subject {
  id: number;
  city: string;
  listing_type: string;
  property_type: string;
  bedrooms: number | null;
  area: number;
  lat: number;
  lng: number;
}

/** Rents by the day or week are another market. */
export const SHORT_STAYS = ['daily', 'weekly'] as const;

/** To be raised when the same listings would give another band. */
export const METHOD_VERSION = 'price-band-1';
/** To be raised when one of the numbers below changes. */
export const CALIBRATION_VERSION = '1';

/** Radii in meters, tried in this order until one holds enough observations. */
export const RADII = [1_500, 3_000, 5_000] as const;
export const LARGEST_RADIUS = 5_000;
export const LOOK_BACK_DAYS = 90;
export const AREA_TOLERANCE_PCT = 25;
/** At most so many of the nearest listings are read. */
export const MAX_NEARBY = 150;

/** There is no band from less than the minimum; below the second pair the evidence is limited. */
const MINIMUM = { units: 10, clusters: 6 } as const;
const AMPLE = { units: 20, clusters: 12 } as const;

export const STATUSES = [
  'available',
  'insufficient_comparables',
  'unsupported_cohort',
  'plot_area_only',
  'area_unusable',
  'fields_unusable',
  'not_residential',
  'multi_unit',
  'no_price',
  'no_location',
] as const;
export type Status = (typeof STATUSES)[number];

/** A listing near the subject with the same type and bedrooms and about the same area. */
export interface Observation extends Clustered {
  id: number;
  price: number;
  area: number;
  bathrooms: number | null;
  /** Distance from the subject in meters. */
  distance: number;
}

export interface Band {
  price: Quartiles;
  price_per_sqm: Quartiles;
  interval: Interval;
  radius: number;
  units: number;
  clusters: number;
  limited: boolean;
  /** Equal for equal comparisons: subject, observations and method. */
  id: string;
}

const UNSUPPORTED: Readonly<Partial<Record<PropertyType, Status>>> = {
  land: 'plot_area_only',
  farm: 'plot_area_only',
  residential_building: 'multi_unit',
  room: 'unsupported_cohort',
  rest_house: 'unsupported_cohort',
  chalet: 'unsupported_cohort',
};

/** The facts that a comparison needs, or the reason why there can be none. */
export function subjectOf(listing: ListingDisplay): { subject: Subject & { price: number } } | { status: Status } {
  const { listing_category, property_type, price, location, bedrooms, area_sqm: area } = listing;
  const { lat, lng } = location;
  if (listing_category !== 'residential') return { status: 'not_residential' };
  const unsupported = UNSUPPORTED[property_type];
  if (unsupported !== undefined) return { status: unsupported };
  const short: readonly unknown[] = SHORT_STAYS;
  if (listing.listing_type === 'rent' && short.includes(price.as_posted?.frequency))
    return { status: 'unsupported_cohort' };
  if (price.yearly_sar === null || price.yearly_sar <= 0) return { status: 'no_price' };
  if (lat === null || lng === null) return { status: 'no_location' };
  const [least, most] = CAPS[property_type].area;
  if (area === null || area < least || area > most) return { status: 'area_unusable' };
  // A studio has one room, whatever is stated; of other homes the bedrooms must be known.
  const studio = property_type === 'studio';
  if (!studio && (bedrooms === null || bedrooms > CAPS[property_type].bedrooms)) return { status: 'fields_unusable' };
  return {
    subject: {
      id: listing.id,
      city: location.city,
      listing_type: listing.listing_type,
      property_type,
      bedrooms: studio ? null : bedrooms,
      area,
      lat,
      lng,
      price: price.yearly_sar,
    },
  };
}

/**
 * The band of the smallest radius that holds enough observations; null when none does. Pure: the random numbers of the
 * bootstrap are seeded by the comparison itself.
 * @param nearby nearest first
 */
export function bandOf(subject: Subject & { price: number }, nearby: readonly Observation[]): Band | null {
  const units = distinctUnits(subject, nearby);
  // When there are more listings than were read, only those up to the farthest one read are known.
  const known = nearby.length < MAX_NEARBY ? LARGEST_RADIUS : (nearby.at(-1)?.distance ?? 0);
  for (const ring of RADII) {
    const radius = Math.min(ring, Math.ceil(known));
    const inside = units.filter(({ distance }) => distance <= radius);
    const last = ring === LARGEST_RADIUS || radius < ring;
    if (inside.length < MINIMUM.units) continue;
    inside.sort((a, b) => a.price - b.price || a.id - b.id);
    const clusters = clustersOf(inside);
    const count = 1 + clusters.reduce((most, cluster) => Math.max(most, cluster), 0);
    const ample = inside.length >= AMPLE.units && count >= AMPLE.clusters;
    if (!ample && !last) continue;
    if (count < MINIMUM.clusters) continue;
    const facts = inside.map(({ id, price, area }, index) => [id, price, area, clusters[index]]);
    const id = hash('sha256', JSON.stringify([METHOD_VERSION, CALIBRATION_VERSION, subject, radius, facts]));
    const prices = inside.map(({ price }) => price);
    return {
      price: exactQuartiles(prices),
      price_per_sqm: exactQuartiles(inside.map(({ price, area }) => price / area).sort((a, b) => a - b)),
      interval: medianInterval(prices, clusters, { random: randomFrom(id) }),
      radius,
      units: inside.length,
      clusters: count,
      limited: !ample,
      id: `cmp_${id.slice(0, 24)}`,
    };
  }
  return null;
}

/** One observation for each dwelling: ads of one building with equal area, bathrooms and price are one dwelling. */
function distinctUnits(subject: Subject & { price: number }, nearby: readonly Observation[]): Observation[] {
  // A point rounded to about ten meters.
  const place = ({ lat, lng }: { lat: number; lng: number }): string => `${lat.toFixed(4)} ${lng.toFixed(4)}`;
  const own = `${place(subject)} ${subject.area} ${subject.price}`;
  const seen = new Set<string>();
  return nearby.filter((observation) => {
    const unit = `${place(observation)} ${observation.area} ${observation.price}`;
    const key = `${unit} ${observation.bathrooms}`;
    if (unit === own || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** `above` or `below` only when the interval of the median excludes the price. */
export function directionOf(price: number, { low, high }: Interval): 'below' | 'above' | 'inconclusive' {
  if (price < low) return 'below';
  return price > high ? 'above' : 'inconclusive';
}

/** The position of a price relative to the quartiles. */
export function placementOf(price: number, { p25, p75 }: Quartiles): 'below_band' | 'within_band' | 'above_band' {
  if (price < p25) return 'below_band';
  return price > p75 ? 'above_band' : 'within_band';
}
