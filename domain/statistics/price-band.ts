import { hash } from 'node:crypto';
import type { LatLng } from '../geography/places.ts';
import { component } from '../json-schema.ts';
import type { PropertyType } from '../listing-vocabulary.ts';
import { CAPS } from '../listings/caps.ts';
import type { ListingDisplay } from '../listings/listing.ts';
import { type Interval, medianInterval } from './bootstrap.ts';
import { type Clustered, clustersOf } from './clusters.ts';
import { exactQuartiles, type Quartiles } from './quantiles.ts';
import { randomFrom } from './random.ts';

interface Facts {
  id: number;
  city: string;
  listing_type: string;
  property_type: string;
  bedrooms: number | null;
  area: number;
  /** Years; null if not stated. */
  age: number | null;
}

/** A home to compare. Its place is a point or, for estimates, a neighborhood. */
export type Subject<Place = LatLng | { neighborhood_id: number }> = Facts & Place;
/** `neighborhood` only for estimates. */
export const GEOGRAPHIES = component('CohortGeography', ['radius', 'neighborhood'] as const);

/** A listing whose price is compared. */
export type BandSubject = Subject<LatLng> & { price: number };

/** Rents of short stays belong to another market. */
export const SHORT_STAYS = ['daily', 'weekly'] as const;

/** Version of the method. Raise it when the same listings would give another band. */
export const METHOD_VERSION = 'price-band-4';
/** Version of the constants below. Raise it with them. */
export const CALIBRATION_VERSION = '2';

/** Radii in meters of the rings around the subject; `cohortOf` selects one. */
const NEAR_RADII = [1_500, 3_000] as const;
export const LARGEST_RADIUS = 5_000;
export const RADII = [...NEAR_RADII, LARGEST_RADIUS] as const;
export const LOOK_BACK_DAYS = 90;
export const AREA_TOLERANCE_PCT = 25;
/** Number of nearest listings that are read for a band. */
export const MAX_NEARBY = 300;

/** A range of years, both ends inclusive; `max` is null for an open end. */
export interface Ages {
  min: number;
  max: number | null;
}

/**
 * In advertised apartment prices in Riyadh, a neighborhood's median per square meter falls by 3% until the second year,
 * by 10% until the sixth and by 18% after that.
 */
export const AGE_CLASSES: readonly Ages[] = [
  { min: 0, max: 2 },
  { min: 3, max: 6 },
  { min: 7, max: 14 },
  { min: 15, max: null },
];

/** Returns the class of similar ages, or null if the age is not stated. */
const agesAlike = (age: number | null): Ages | null =>
  age === null ? null : (AGE_CLASSES.find((ages) => isOfAges(age, ages)) ?? null);

const isOfAges = (age: number | null, { min, max }: Ages): boolean =>
  age !== null && age >= min && (max === null || age <= max);

/** Below `MINIMUM` there is no band; below `AMPLE` the evidence is limited. */
export const MINIMUM = { units: 10, clusters: 6 } as const;
export const AMPLE = { units: 20, clusters: 12 } as const;

export const STATUSES = component('PriceBandStatus', [
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
] as const);
export type Status = (typeof STATUSES)[number];

export interface Observation extends Clustered {
  id: number;
  price: number;
  area: number;
  bathrooms: number | null;
  age: number | null;
  /** Meters from the subject; 0 if the subject has no coordinates. */
  distance: number;
  /** `keysOf` the observation, for one that is compared with many subjects. */
  keys?: Keys;
}

interface Keys {
  dwelling: string;
  /** Includes the number of bathrooms, which one of two ads may omit. */
  unit: string;
}

export type Cohort = NonNullable<ReturnType<typeof smallestCohort>>;

export type Band = ReturnType<typeof bandOf>;

export const UNSUPPORTED: Readonly<Partial<Record<PropertyType, Status>>> = {
  land: 'plot_area_only',
  farm: 'plot_area_only',
  residential_building: 'multi_unit',
  room: 'unsupported_cohort',
  rest_house: 'unsupported_cohort',
  chalet: 'unsupported_cohort',
};

export function subjectOf(listing: ListingDisplay): { subject: BandSubject } | { status: Status } {
  const found = homeOf(listing);
  if ('status' in found) return found;
  const { subject } = found;
  if (!('lat' in subject)) return { status: 'no_location' };
  const price = comparedPrice(listing);
  return price === null ? { status: 'no_price' } : { subject: { ...subject, price } };
}

export const comparedPrice = ({ price: { yearly_sar } }: ListingDisplay): number | null =>
  yearly_sar === null || yearly_sar <= 0 ? null : yearly_sar;

/** Returns what is compared of a listing besides its price, or the reason why no comparison is possible. */
export function homeOf(listing: ListingDisplay): { subject: Subject } | { status: Status } {
  const { listing_category, property_type, price, location, bedrooms, area_sqm: area } = listing;
  const { lat, lng, neighborhood_id } = location;
  if (listing_category !== 'residential') return { status: 'not_residential' };
  const unsupported = UNSUPPORTED[property_type];
  if (unsupported !== undefined) return { status: unsupported };
  const short: readonly unknown[] = SHORT_STAYS;
  if (listing.listing_type === 'rent' && short.includes(price.as_posted?.frequency))
    return { status: 'unsupported_cohort' };
  const point = lat === null || lng === null ? null : { lat, lng };
  const place = point ?? (neighborhood_id === null ? null : { neighborhood_id });
  if (place === null) return { status: 'no_location' };
  const [least, most] = CAPS[property_type].area;
  if (area === null || area < least || area > most) return { status: 'area_unusable' };
  // A studio has one room, regardless of its stated bedrooms. Other homes must state their number.
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
      age: listing.age_years,
      ...place,
    },
  };
}

/**
 * A listing that states its age is compared with its age class, or with all ages if that has too few. All ages within 3
 * km come before the same class within 5 km, because prices differ more between neighborhoods than between ages.
 * @param nearby nearest first
 * @param isUseful if given, null is also returned if no units of which the cohort is chosen are useful
 */
export function cohortOf(
  subject: BandSubject,
  nearby: readonly Observation[],
  isUseful?: (units: readonly Observation[]) => boolean,
): Cohort | null {
  const all = distinctUnits(subject, nearby);
  const ages = agesAlike(subject.age);
  const alike = ages && all.filter(({ age }) => isOfAges(age, ages));
  // If there are more listings than were read, the observations are complete only up to the farthest one.
  const isComplete = nearby.length < MAX_NEARBY;
  const known = isComplete ? Number.POSITIVE_INFINITY : Math.ceil(nearby.at(-1)?.distance ?? 0);
  const within = (units: readonly Observation[]) =>
    RADII.some((ring) => isUseful?.(units.filter(({ distance }) => distance <= Math.min(ring, known))));
  if (isUseful && !within(all) && !(alike && within(alike))) return null;
  for (const rings of [NEAR_RADII, [LARGEST_RADIUS]]) {
    const cohort = (alike && smallestCohort(alike, rings, known, ages)) ?? smallestCohort(all, rings, known, null);
    if (cohort !== null) return cohort;
  }
  return null;
}

/** Returns the first ring with ample evidence, otherwise the last one with enough. */
function smallestCohort(
  observations: readonly Observation[],
  rings: readonly number[],
  known: number,
  ages: Ages | null,
) {
  for (const ring of rings) {
    const radius = Math.min(ring, known);
    const units = observations.filter(({ distance }) => distance <= radius);
    if (units.length < MINIMUM.units) continue;
    units.sort((a, b) => a.price - b.price || a.id - b.id);
    const { clusterOf, clusters } = clustersOf(units);
    const ample = units.length >= AMPLE.units && clusters >= AMPLE.clusters;
    const last = ring === rings.at(-1) || radius < ring;
    if ((!ample && !last) || clusters < MINIMUM.clusters) continue;
    return {
      units,
      clusterOf,
      price: exactQuartiles(units.map(({ price }) => price)),
      price_per_sqm: exactQuartiles(units.map(({ price, area }) => price / area).sort((a, b) => a - b)),
      /** Meters. */
      radius,
      clusters,
      limited: !ample,
      // Null if all ages are compared.
      ages,
    };
  }
  return null;
}

/** Computes the band. Equal input gives an equal band, because the bootstrap is seeded with the subject's id. */
export function bandOf(subject: BandSubject, cohort: Cohort) {
  const { units, clusterOf, radius } = cohort;
  const facts = units.map((unit, index) => [unit.id, unit.price, unit.area, clusterOf[index]]);
  const id = hash('sha256', JSON.stringify([METHOD_VERSION, CALIBRATION_VERSION, subject, radius, facts]));
  const prices = units.map(({ price }) => price);
  return {
    ...cohort,
    interval: medianInterval(prices, clusterOf, { random: randomFrom(String(subject.id)) }),
    // The same comparison has the same id.
    id: `cmp_${id.slice(0, 24)}`,
  };
}

/**
 * Identifies a dwelling by its location to about ten meters, area and price. Without coordinates, only by area and
 * price.
 */
export const dwellingKey = ({
  lat,
  lng,
  area,
  price,
}: Pick<Observation, 'lat' | 'lng' | 'area'> & { price: number | null }): string =>
  `${lat?.toFixed(4)} ${lng?.toFixed(4)} ${area} ${price}`;

export function keysOf(observation: Omit<Observation, 'distance' | 'keys'>): Keys {
  const dwelling = dwellingKey(observation);
  return { dwelling, unit: `${dwelling} ${observation.bathrooms}` };
}

export function distinctUnits<Unit extends Observation>(
  subject: Subject & { price: number | null },
  nearby: readonly Unit[],
): Unit[] {
  const own = dwellingKey({ lat: null, lng: null, ...subject });
  const seen = new Set<string>();
  return nearby.filter((observation) => {
    const { dwelling, unit } = observation.keys ?? keysOf(observation);
    if (dwelling === own || seen.has(unit)) return false;
    seen.add(unit);
    return true;
  });
}

/** Returns `above` or `below` only if the median's confidence interval excludes the price. */
export function directionOf(price: number, { low, high }: Interval): 'below' | 'above' | 'inconclusive' {
  if (price < low) return 'below';
  return price > high ? 'above' : 'inconclusive';
}

export function placementOf(price: number, { p25, p75 }: Quartiles): 'below_band' | 'within_band' | 'above_band' {
  if (price < p25) return 'below_band';
  return price > p75 ? 'above_band' : 'within_band';
}
