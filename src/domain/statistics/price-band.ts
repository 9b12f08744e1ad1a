import { hash } from 'node:crypto';
import type { LatLng } from '../geography/places.ts';
import { CAPS } from '../listings/caps.ts';
import type { ListingDisplay } from '../listings/listing.ts';
import type { PropertyType } from '../listings/vocabulary.ts';
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
  age: number | null;
}

/** Without coordinates, the place is a neighborhood. */
export type Subject<Place = LatLng | { neighborhood_id: number }> = Facts & Place;

export const GEOGRAPHIES = ['radius', 'neighborhood'] as const;

export const SHORT_STAYS = ['daily', 'weekly'] as const;

/** Raise it when the same listings would give another band. */
export const METHOD_VERSION = 'price-band-3';
/** Raise it with the constants below. */
export const CALIBRATION_VERSION = '2';

/** Meters; `cohortOf` selects one. */
const NEAR_RADII = [1_500, 3_000] as const;
export const LARGEST_RADIUS = 5_000;
export const RADII = [...NEAR_RADII, LARGEST_RADIUS] as const;
export const LOOK_BACK_DAYS = 90;
export const AREA_TOLERANCE_PCT = 25;
/** Nearest listings that are read. */
export const MAX_NEARBY = 300;

/** Both ends inclusive. */
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

export const agesAlike = (age: number | null): Ages | null =>
  age === null ? null : (AGE_CLASSES.find((ages) => isOfAges(age, ages)) ?? null);

const isOfAges = (age: number | null, { min, max }: Ages): boolean =>
  age !== null && age >= min && (max === null || age <= max);

/** Below `MINIMUM` there is no band; below `AMPLE` the evidence is limited. */
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

export interface Observation extends Clustered {
  id: number;
  price: number;
  area: number;
  bathrooms: number | null;
  age: number | null;
  /** Meters from the subject; 0 if it has no coordinates. */
  distance: number;
}

export type Cohort = NonNullable<ReturnType<typeof smallestCohort>>;

export interface Band extends Cohort {
  interval: Interval;
  /** So that the same comparison has the same id. */
  id: string;
}

export const UNSUPPORTED: Readonly<Partial<Record<PropertyType, Status>>> = {
  land: 'plot_area_only',
  farm: 'plot_area_only',
  residential_building: 'multi_unit',
  room: 'unsupported_cohort',
  rest_house: 'unsupported_cohort',
  chalet: 'unsupported_cohort',
};

export function subjectOf(listing: ListingDisplay): { subject: Subject & { price: number } } | { status: Status } {
  const { listing_category, property_type, price, location, bedrooms, area_sqm: area } = listing;
  const { lat, lng, neighborhood_id } = location;
  if (listing_category !== 'residential') return { status: 'not_residential' };
  const unsupported = UNSUPPORTED[property_type];
  if (unsupported !== undefined) return { status: unsupported };
  const short: readonly unknown[] = SHORT_STAYS;
  if (listing.listing_type === 'rent' && short.includes(price.as_posted?.frequency))
    return { status: 'unsupported_cohort' };
  if (price.yearly_sar === null || price.yearly_sar <= 0) return { status: 'no_price' };
  const point = lat === null || lng === null ? null : { lat, lng };
  const place = point ?? (neighborhood_id === null ? null : { neighborhood_id });
  if (place === null) return { status: 'no_location' };
  const [least, most] = CAPS[property_type].area;
  if (area === null || area < least || area > most) return { status: 'area_unusable' };
  // One room, regardless of its stated bedrooms.
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
      price: price.yearly_sar,
    },
  };
}

/**
 * A listing that states its age is compared with its age class, or with all ages if that has too few. All ages within 3
 * km come before the same class within 5 km, because prices differ more between neighborhoods than between ages.
 * @param nearby nearest first, unless the subject has no coordinates
 */
export function cohortOf(subject: Subject & { price: number }, nearby: readonly Observation[]): Cohort | null {
  const all = distinctUnits(subject, nearby);
  const ages = agesAlike(subject.age);
  const alike = ages && all.filter(({ age }) => isOfAges(age, ages));
  const isPlaced = !('neighborhood_id' in subject);
  // Otherwise complete up to the farthest one.
  const isComplete = !isPlaced || nearby.length < MAX_NEARBY;
  const known = isComplete ? Number.POSITIVE_INFINITY : Math.ceil(nearby.at(-1)?.distance ?? 0);
  for (const rings of isPlaced ? [NEAR_RADII, [LARGEST_RADIUS]] : [[Number.POSITIVE_INFINITY]]) {
    const cohort = (alike && smallestCohort(alike, rings, known, ages)) ?? smallestCohort(all, rings, known, null);
    if (cohort !== null) return cohort;
  }
  return null;
}

/** The first ring with ample evidence, otherwise the last with enough. */
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
    const clusterOf = clustersOf(units);
    const clusters = 1 + clusterOf.reduce((most, cluster) => Math.max(most, cluster), 0);
    const ample = units.length >= AMPLE.units && clusters >= AMPLE.clusters;
    const last = ring === rings.at(-1) || radius < ring;
    if ((!ample && !last) || clusters < MINIMUM.clusters) continue;
    return {
      units,
      clusterOf,
      price: exactQuartiles(units.map(({ price }) => price)),
      price_per_sqm: exactQuartiles(units.map(({ price, area }) => price / area).sort((a, b) => a - b)),
      radius: Number.isFinite(radius) ? radius : null,
      clusters,
      limited: !ample,
      ages,
    };
  }
  return null;
}

/** The bootstrap is seeded with the subject's id. */
export function bandOf(subject: Subject & { price: number }, cohort: Cohort): Band {
  const { units, clusterOf, radius } = cohort;
  const facts = units.map((unit, index) => [unit.id, unit.price, unit.area, clusterOf[index]]);
  const id = hash('sha256', JSON.stringify([METHOD_VERSION, CALIBRATION_VERSION, subject, radius, facts]));
  const prices = units.map(({ price }) => price);
  return {
    ...cohort,
    interval: medianInterval(prices, clusterOf, { random: randomFrom(String(subject.id)) }),
    id: `cmp_${id.slice(0, 24)}`,
  };
}

/** To about ten meters. */
export const dwellingKey = ({ lat, lng, area, price }: Pick<Observation, 'lat' | 'lng' | 'area' | 'price'>): string =>
  `${lat?.toFixed(4)} ${lng?.toFixed(4)} ${area} ${price}`;

/** With the number of bathrooms, which one of two ads may omit. */
export const unitKey = (observation: Omit<Observation, 'distance'>): string =>
  `${dwellingKey(observation)} ${observation.bathrooms}`;

function distinctUnits(subject: Subject & { price: number }, nearby: readonly Observation[]): Observation[] {
  const own = dwellingKey({ lat: null, lng: null, ...subject });
  const seen = new Set<string>();
  return nearby.filter((observation) => {
    const key = unitKey(observation);
    if (dwellingKey(observation) === own || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

export function directionOf(price: number, { low, high }: Interval): 'below' | 'above' | 'inconclusive' {
  if (price < low) return 'below';
  return price > high ? 'above' : 'inconclusive';
}

export function placementOf(price: number, { p25, p75 }: Quartiles): 'below_band' | 'within_band' | 'above_band' {
  if (price < p25) return 'below_band';
  return price > p75 ? 'above_band' : 'within_band';
}
