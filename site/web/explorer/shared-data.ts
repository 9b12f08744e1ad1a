import type { City, Neighborhood } from '#domain/geography/places.ts';
import type { FacetCounts, KeyLimits } from '#src/site-data/responses.ts';
import { useData } from './api-requests.ts';
import type { Boundaries, Context } from './context.ts';
import { addressOf, data, nameOf } from './page-data.ts';
import type { SearchHistory } from './search-history.ts';
import { withValues } from './state.ts';

/** Has a stable identity, so that dependent values are not recomputed. */
const NONE: readonly never[] = [];

/** Loads what the parts of the explorer share: names, counts and the limits of the key. */
export function useSharedData(history: SearchHistory, listed: URLSearchParams | null, key: string) {
  const { values } = history.search;
  const city = values.get('city');
  const inCity = (operationId: string, more = {}) => (city === null ? null : addressOf(operationId, more, { city }));
  const cityList = useData<City[]>(addressOf('listCities'));
  const neighborhoods = useData<Neighborhood[]>(inCity('listNeighborhoods'));
  // A start whose requests failed has names, too.
  const cities = cityList.data ?? data.cities;
  const boundaries = useData<Boundaries>(inCity('listBoundaries', { simplified: 'true' }));
  // The count of a value ignores the chosen values of its filter.
  const counting = { fields: data.counted.join(), exclude_own: 'true' };
  const isCounted = city !== null && listed;
  const facets = useData<FacetCounts>(isCounted ? addressOf('listFacets', withValues(listed, counting)) : null);
  const limits = useData<KeyLimits>(key !== '' ? addressOf('getLimits') : null);
  const context: Context = {
    ...history,
    cities,
    neighborhoods: neighborhoods.data ?? NONE,
    boundaries: boundaries.data?.features ?? NONE,
    cityNameOf: (slug) => nameOf(cities.find((each) => each.slug === slug) ?? { name_en: slug, name_ar: null }),
    total: facets.data?.total ?? null,
    prices: facets.data?.facets.find(({ field }) => field === 'price')?.ranges ?? NONE,
    countOf: (filter, value) => {
      const counted = facets.data?.facets.find(({ field }) => field === filter);
      // Listings match only with all chosen amenities.
      if (!counted || (filter === 'amenities' && values.has(filter))) return null;
      return counted.values.find((each) => each.value === value)?.count ?? 0;
    },
  };
  return {
    context,
    places: {
      isReady: city === null || (neighborhoods.data !== null && !boundaries.loading),
      error: neighborhoods.error,
    },
    facets,
    limits,
    error: cityList.error ?? neighborhoods.error,
  };
}
