import { METERS_PER_DEGREE, metersPerDegreeEast } from '../geography/distance.ts';
import type { LatLng } from '../geography/places.ts';
import type { Interval } from './bootstrap.ts';
import { clustersOf } from './clusters.ts';
import { AMPLE, distinctUnits, MINIMUM, type Observation, type Subject } from './price-band.ts';

/** Version of the method and its constants. Raise it when the same listings would give another estimate. */
export const ESTIMATE_VERSION = 'estimate-1';

/** Differences at which the weight of a comparable falls to 1/e. */
const REACH = {
  meters: 400,
  /** Difference of natural logarithms: 7% of the area. */
  area: 0.07,
  bedrooms: 1.5,
  /** Difference of square roots of years: a new building differs from one of a year as one of 4 years from one of 9. */
  age: 0.5,
} as const;
/** Reduces the weight by half if only one of two homes states its age or its bedrooms. */
const UNSTATED = Math.LN2;

/** An ad so near, of about the same area, may be of the home itself. */
export const SAME_HOME = { meters: 50, areaPct: 3 } as const;

export const MAX_COMPARABLES = 40;
/** A home with 10% more area costs 4.9% more. */
export const AREA_ELASTICITY = 0.5;

const pointOf = (subject: EstimateSubject): LatLng | null => ('lat' in subject ? subject : null);

interface Attributes {
  area: number;
  bedrooms: number | null;
  /** Years. */
  age: number | null;
}

/** A home to estimate. The price identifies its own ads; null for a home that is not advertised. */
export type EstimateSubject = Subject & { price: number | null };
export type Neighbor = Observation & Attributes & { floors?: readonly string[] };

export type Estimate = NonNullable<ReturnType<typeof estimateOf>>;
export type Comparable = Estimate['comparables'][number];

/**
 * Separates the ads that may be of a home with a point. What one of them does not state, such as the rooms, does not
 * distinguish them.
 * @param ids listings that are ads of the home, regardless of their attributes
 */
export function separateSameHome(
  subject: EstimateSubject & { floor: string | null },
  nearby: readonly Neighbor[],
  ids: readonly number[],
): { same: Neighbor[]; others: Neighbor[] } {
  const { area, bedrooms, floor } = subject;
  const isSame = (ad: Neighbor): boolean =>
    'lat' in subject &&
    ad.distance <= SAME_HOME.meters &&
    Math.abs(ad.area - area) <= (area * SAME_HOME.areaPct) / 100 &&
    (bedrooms === null || ad.bedrooms === null || ad.bedrooms === bedrooms) &&
    (floor === null || !ad.floors?.length || ad.floors.includes(floor));
  const { same = [], others = [] } = Object.groupBy(nearby, (ad) =>
    ids.includes(ad.id) || isSame(ad) ? 'same' : 'others',
  );
  return { same, others };
}

/**
 * Estimates the asking price of a home: the weighted median of the prices of its neighbors, adjusted to its area.
 * `docs/estimate.md` documents the method. Equal input gives an equal estimate.
 * @param origin from which distances count; by default the point of the home
 * @returns null if there are too few
 */
export function estimateOf(
  subject: EstimateSubject,
  nearby: readonly Neighbor[],
  origin: LatLng | null = pointOf(subject),
) {
  const neighbors = distinctUnits(subject, nearby).sort((a, b) => a.id - b.id);
  const { clusters } = clustersOf(neighbors);
  if (neighbors.length < MINIMUM.units || clusters < MINIMUM.clusters) return null;

  const own = homeOf({ lat: null, lng: null, ...subject }, null);
  const homes = neighbors.map((neighbor) => homeOf(neighbor, origin));
  const weights = Float64Array.from(homes, (home) => weightOf(own, home));
  const shares = keepLargest(weights);
  const total = shares.reduce((sum, weight) => sum + weight, 0);
  const adjusted = neighbors.map(({ price, area }) => price * (subject.area / area) ** AREA_ELASTICITY);
  // Also the order of the prices adjusted to another area.
  const order = Uint32Array.from(homes, (_, index) => index).sort(
    (a, b) => (adjusted[a] as number) - (adjusted[b] as number),
  );
  const price = adjusted[weightedMedian(order, shares)] as number;
  const places = neighbors.map(({ lat, lng }) => ({ lat, lng, compound: null, advertiser: null }));
  const errors = errorsOf(homes, adjusted, order, shares, clustersOf(places).clusterOf);
  return {
    price,
    // Contain the price with a probability of 80% and 50%.
    interval80: intervalOf(price, errors, 0.8),
    interval50: intervalOf(price, errors, 0.5),
    comparables: neighbors
      .map((neighbor, index) => ({
        neighbor,
        // Share of the weights of all comparables.
        weight: (shares[index] as number) / total,
        adjusted: adjusted[index] as number,
      }))
      .filter(({ weight }) => weight > 0)
      .sort((a, b) => b.weight - a.weight || a.neighbor.id - b.neighbor.id),
    units: neighbors.length,
    clusters,
    limited: neighbors.length < AMPLE.units || clusters < AMPLE.clusters,
  };
}

/** Attributes on the scale of `REACH`, so that a difference of 1 has the weight 1/e. NaN for those not stated. */
interface Home {
  /** 0 if the subject has no point. */
  x: number;
  y: number;
  area: number;
  bedrooms: number;
  age: number;
}

function homeOf(
  { lat, lng, area, bedrooms, age }: Attributes & { lat: number | null; lng: number | null },
  origin: LatLng | null,
): Home {
  const isPlaced = origin !== null && lat !== null && lng !== null;
  return {
    x: isPlaced ? ((lng - origin.lng) * metersPerDegreeEast(origin.lat)) / REACH.meters : 0,
    y: isPlaced ? ((lat - origin.lat) * METERS_PER_DEGREE) / REACH.meters : 0,
    area: Math.log(area) / REACH.area,
    bedrooms: (bedrooms ?? Number.NaN) / REACH.bedrooms,
    age: Math.sqrt(age ?? Number.NaN) / REACH.age,
  };
}

const weightOf = (home: Home, other: Home): number =>
  Math.exp(
    -Math.sqrt((home.x - other.x) ** 2 + (home.y - other.y) ** 2) -
      Math.abs(home.area - other.area) -
      gap(home.bedrooms, other.bedrooms) -
      gap(home.age, other.age),
  );

function gap(a: number, b: number): number {
  const difference = Math.abs(a - b);
  if (!Number.isNaN(difference)) return difference;
  return Number.isNaN(a) && Number.isNaN(b) ? 0 : UNSTATED;
}

/** Sets the weights of all but `MAX_COMPARABLES` to 0. Of equal weights, the first ones are kept. */
function keepLargest(weights: Float64Array): Float64Array {
  if (weights.length <= MAX_COMPARABLES) return weights;
  const limit = Float64Array.from(weights).sort()[weights.length - MAX_COMPARABLES] as number;
  let ties = MAX_COMPARABLES - weights.reduce((count, weight) => count + (weight > limit ? 1 : 0), 0);
  return weights.map((weight) => (weight > limit || (weight === limit && ties-- > 0) ? weight : 0));
}

function weightedMedian(order: Uint32Array, weights: Float64Array): number {
  const half = weights.reduce((sum, weight) => sum + weight, 0) / 2;
  let reached = 0;
  for (const index of order) {
    reached += weights[index] as number;
    if (reached >= half && reached > 0) return index;
  }
  throw new RangeError('a median needs a weight');
}

/** Estimates each comparable without its building. Returns the errors of the logarithm, ascending. */
function errorsOf(
  homes: readonly Home[],
  adjusted: readonly number[],
  order: Uint32Array,
  shares: Float64Array,
  buildings: Uint32Array,
): Float64Array {
  const errors: number[] = [];
  const weights = new Float64Array(homes.length);
  for (const [index, share] of shares.entries()) {
    if (share === 0) continue;
    const home = homes[index] as Home;
    for (let other = 0; other < homes.length; other++)
      weights[other] = buildings[other] === buildings[index] ? 0 : weightOf(home, homes[other] as Home);
    const expected = adjusted[weightedMedian(order, keepLargest(weights))] as number;
    errors.push(Math.abs(Math.log((adjusted[index] as number) / expected)));
  }
  return Float64Array.from(errors).sort();
}

/**
 * Contains the price with this probability, if the error of the subject and these errors are exchangeable (conformal
 * prediction).
 */
function intervalOf(price: number, errors: Float64Array, probability: number): Interval {
  const rank = Math.min(Math.ceil((errors.length + 1) * probability), errors.length);
  const factor = Math.exp(errors[rank - 1] as number);
  return { low: price / factor, high: price * factor };
}
