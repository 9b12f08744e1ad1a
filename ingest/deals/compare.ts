import { CIRCLES, type Comparison, MAX_AREA, MIN_AREA, MIN_GAP, MIN_SAMPLE } from '#domain/deals.ts';
import { squaredChord } from '#domain/geography/distance.ts';
import { hundredths } from '#domain/statistics/figures.ts';
import { exactQuartiles } from '#domain/statistics/quantiles.ts';
import { type Homes, MAX_RUNS } from './homes.ts';

/**
 * Homes considered for one comparison. Where more are near, they are sampled evenly: a feed that puts a whole city on one
 * point must not make the work quadratic.
 */
const MAX_CONSIDERED = 1_024;

/** Compares every home of a set with its comparables. Yields those that are deals. */
export function* findDeals(homes: Homes): Generator<{ id: number; comparison: Comparison }> {
  const prices = new Float64Array(MAX_CONSIDERED);
  const perSqm = new Float64Array(MAX_CONSIDERED);
  const runs = new Int32Array(MAX_RUNS);
  for (let index = 0; index < homes.size; index++) {
    const area = homes.area[index] as number;
    for (const { radius, sameBedrooms } of CIRCLES) {
      const size = gather(homes, index, radius, sameBedrooms, runs, prices, perSqm);
      if (size < MIN_SAMPLE) continue;
      const price = homes.price[index] as number;
      // Most are no deals, which shows without sorting.
      if (!canBeDeal(prices, size, price) || !canBeDeal(perSqm, size, price / area)) break;
      const comparison = compare(price, area, prices.subarray(0, size), perSqm.subarray(0, size), radius, sameBedrooms);
      if (comparison.gap_pct >= MIN_GAP) yield { id: homes.id[index] as number, comparison };
      break;
    }
  }
}

/** Puts prices and prices per square meter of the comparables within a radius into the arrays. @returns how many there are */
function gather(
  homes: Homes,
  index: number,
  radius: number,
  sameBedrooms: boolean,
  runs: Int32Array,
  prices: Float64Array,
  perSqm: Float64Array,
): number {
  const { price, area, bedrooms } = homes;
  const maxSeparation = squaredChord(radius);
  const smallest = (area[index] as number) * MIN_AREA;
  const largest = (area[index] as number) * MAX_AREA;
  const rooms = bedrooms[index] as number;
  const length = homes.runsAround(index, radius, runs);
  let near = 0;
  for (let at = 0; at < length; at += 2) near += (runs[at + 1] as number) - (runs[at] as number);
  const step = Math.ceil(near / MAX_CONSIDERED);
  let skip = 0;
  let size = 0;
  for (let at = 0; at < length; at += 2) {
    const end = runs[at + 1] as number;
    let other = (runs[at] as number) + skip;
    for (; other < end; other += step) {
      if (other === index) continue;
      if (sameBedrooms && bedrooms[other] !== rooms) continue;
      const otherArea = area[other] as number;
      if (otherArea < smallest || otherArea > largest) continue;
      if (homes.separation(index, other) > maxSeparation) continue;
      prices[size] = price[other] as number;
      perSqm[size] = (price[other] as number) / otherArea;
      size++;
    }
    skip = other - end;
  }
  return size;
}

/** Whether the median of the values can lie so far above a value that it is a deal: at least half of them must. */
function canBeDeal(values: Float64Array, size: number, value: number): boolean {
  // A little lower, because the gap that decides is rounded.
  const bound = value / (1 - (MIN_GAP - 0.1) / 100);
  let above = 0;
  for (let index = 0; index < size; index++) if ((values[index] as number) >= bound) above++;
  return above * 2 >= size;
}

/** The arrays are sorted in place. */
function compare(
  price: number,
  area: number,
  prices: Float64Array,
  perSqm: Float64Array,
  radius: number,
  sameBedrooms: boolean,
): Comparison {
  const quartiles = exactQuartiles(prices.sort());
  const { median } = exactQuartiles(perSqm.sort());
  const priceGap = hundredths((1 - price / quartiles.median) * 100);
  const perSqmGap = hundredths((1 - price / area / median) * 100);
  return {
    gap_pct: Math.min(priceGap, perSqmGap),
    diff_from_median_pct: -priceGap,
    price_per_sqm_diff_from_median_pct: -perSqmGap,
    median_price_sar: hundredths(quartiles.median),
    p25_price_sar: hundredths(quartiles.p25),
    p75_price_sar: hundredths(quartiles.p75),
    median_price_per_sqm_sar: hundredths(median),
    sample_size: prices.length,
    criteria: {
      max_distance_m: radius,
      area_range_sqm: { min: hundredths(area * MIN_AREA), max: hundredths(area * MAX_AREA) },
      same_bedrooms: sameBedrooms,
    },
  };
}
