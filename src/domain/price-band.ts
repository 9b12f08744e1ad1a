import { hash } from 'node:crypto';
import { CAPS } from './listings/caps.ts';
import type { ListingDisplay } from './listings/listing.ts';
import type { PropertyType } from './listings/vocabulary.ts';
import { type Interval, medianInterval } from './statistics/bootstrap.ts';
import { type Clustered, clustersOf } from './statistics/clusters.ts';
import { exactQuartiles, type Quartiles } from './statistics/quantiles.ts';
import { randomFrom } from './statistics/random.ts';

/** The facts of a listing that others are held against. */
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

/** A dwelling let by the day or week is another trade. */
export const SHORT_STAYS = ['daily', 'weekly'] as const;

/** Raised when the same listings would give another band. */
export const METHOD_VERSION = 'price-band-1';
/** Raised when a number below is set anew. */
export const CALIBRATION_VERSION = '1';

/** Radii in meters, tried in turn until one holds enough. */
export const RADII = [1_500, 3_000, 5_000] as const;
export const LARGEST_RADIUS = 5_000;
export const LOOK_BACK_DAYS = 90;
export const AREA_TOLERANCE_PCT = 25;
/** Of nearest listings so many are looked at. */
export const MAX_NEARBY = 150;

/** No band is drawn from less; evidence is limited below the second pair. */
const LEAST = { units: 10, clusters: 6 } as const;
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

/** A listing near the subject, of its type, bedrooms and about its area. */
export interface Observation extends Clustered {
  id: number;
  price: number;
  area: number;
  bathrooms: number | null;
  /** Meters from the subject. */
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
  /** The same for the same comparison: subject, observations and method. */
  id: string;
}

const WHY_NOT: Readonly<Partial<Record<PropertyType, Status>>> = {
  land: 'plot_area_only',
  farm: 'plot_area_only',
  residential_building: 'multi_unit',
  room: 'unsupported_cohort',
  rest_house: 'unsupported_cohort',
  chalet: 'unsupported_cohort',
};

/** The facts a comparison needs, or why there can be none. */
export function subjectOf(listing: ListingDisplay): { subject: Subject & { price: number } } | { status: Status } {
  const { listing_category, property_type, price, location, bedrooms, area_sqm: area } = listing;
  const { lat, lng } = location;
  if (listing_category !== 'residential') return { status: 'not_residential' };
  const why = WHY_NOT[property_type];
  if (why !== undefined) return { status: why };
  const short: readonly unknown[] = SHORT_STAYS;
  if (listing.listing_type === 'rent' && short.includes(price.as_posted?.frequency))
    return { status: 'unsupported_cohort' };
  if (price.yearly_sar === null || price.yearly_sar <= 0) return { status: 'no_price' };
  if (lat === null || lng === null) return { status: 'no_location' };
  const [least, most] = CAPS[property_type].area;
  if (area === null || area < least || area > most) return { status: 'area_unusable' };
  // A studio is one room whatever is said of its bedrooms; elsewhere they must be known.
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
 * The band of the nearest ring that holds enough, null where none does. Pure: what is random follows from the
 * comparison itself.
 * @param nearby nearest first
 */
export function bandOf(subject: Subject & { price: number }, nearby: readonly Observation[]): Band | null {
  const units = distinctUnits(subject, nearby);
  // Where more is near than was looked at, the farthest one looked at bounds what is known.
  const known = nearby.length < MAX_NEARBY ? LARGEST_RADIUS : (nearby.at(-1)?.distance ?? 0);
  for (const ring of RADII) {
    const radius = Math.min(ring, Math.ceil(known));
    const inside = units.filter(({ distance }) => distance <= radius);
    const last = ring === LARGEST_RADIUS || radius < ring;
    if (inside.length < LEAST.units) continue;
    inside.sort((a, b) => a.price - b.price || a.id - b.id);
    const clusters = clustersOf(inside);
    const count = 1 + clusters.reduce((most, cluster) => Math.max(most, cluster), 0);
    const ample = inside.length >= AMPLE.units && count >= AMPLE.clusters;
    if (!ample && !last) continue;
    if (count < LEAST.clusters) continue;
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

/** One observation a dwelling: ads of one building that agree in area, baths and price are the same, told twice. */
function distinctUnits(subject: Subject & { price: number }, nearby: readonly Observation[]): Observation[] {
  const place = ({ lat, lng }: { lat: number; lng: number }): string => `${lat.toFixed(4)} ${lng.toFixed(4)}`;
  const own = `${place(subject)} ${subject.area} ${subject.price}`;
  const seen = new Set<string>();
  return nearby.filter((observation) => {
    // A place to about ten meters.
    const unit = `${place(observation)} ${observation.area} ${observation.price}`;
    const key = `${unit} ${observation.bathrooms}`;
    if (unit === own || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Above or below only when the interval of the median excludes the price. */
export function directionOf(price: number, { low, high }: Interval): 'below' | 'above' | 'inconclusive' {
  if (price < low) return 'below';
  return price > high ? 'above' : 'inconclusive';
}

/** Where a price lies beside the quartiles. */
export function placementOf(price: number, { p25, p75 }: Quartiles): 'below_band' | 'within_band' | 'above_band' {
  if (price < p25) return 'below_band';
  return price > p75 ? 'above_band' : 'within_band';
}
