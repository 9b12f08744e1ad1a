import type { Random } from '#sample/random.ts';
import type { Cohort } from './cohorts.ts';
import { weighted } from './families.ts';
import { queryOf } from './listing-requests.ts';

/** The kinds of market data requests. */
const KINDS = [
  'summary',
  'price-distribution',
  'area-distribution',
  'supply',
  'vacancy',
  'neighborhoods',
  'rental-yield',
  'neighborhoods/compare',
] as const;

/** Comparisons of neighborhoods cover whole cities. */
const WHOLE_CITIES: readonly string[] = ['neighborhoods', 'rental-yield'];

/**
 * Draws the path of a market data request, mostly for a large city. Most differ in the two to four neighborhoods that
 * they exclude, so that nearly all the work remains but no response is cached.
 */
export function drawMarketPath(cohorts: readonly Cohort[], random: Random): string {
  const kind = random.pick(KINDS);
  const cohort = weighted(
    cohorts.filter(({ neighborhoods }) => neighborhoods.length >= 8),
    random,
  );
  const { city, listing_type, neighborhoods, property_types } = cohort;
  const some = (count: number): number[] => {
    const ids = new Set<number>();
    while (ids.size < count) ids.add(random.pick(neighborhoods));
    return [...ids];
  };
  const places = (): object => {
    if (kind === 'neighborhoods/compare') return { neighborhood_id: some(5) };
    if (!WHOLE_CITIES.includes(kind) && random.chance(1 / 3))
      return { neighborhood_id: some(random.chance(0.5) ? 1 : 3) };
    return { neighborhood_id_exclude: some(2 + Math.floor(random.between(0, 3))) };
  };
  const filters = {
    city,
    ...(kind === 'rental-yield' ? {} : { listing_type }),
    ...places(),
    ...(random.chance(0.4) ? { property_type: [random.pick(property_types)] } : {}),
    ...(random.chance(0.2) ? { beds: [Math.floor(random.between(2, 5))] } : {}),
  };
  return `/v1/market/${kind}?${queryOf(filters)}`;
}
