import { type Box, COUNTRY, overlapsCountry, swapAxes } from '#domain/geography/country.ts';
import { cityCandidates } from '#domain/geography/places.ts';
import type { ValueCheck } from '#domain/value-check.ts';

/** Maximum number of cities that an error message lists. */
const MAX_NAMED = 3;

/** Accepts only cities that the service covers. */
export const coveredCity = (code: 'unknown_city' | 'city_not_found'): ValueCheck<string> => ({
  code,
  refuse: (slug, { places, explain }) =>
    places.hasCity(slug) ? null : () => explain(cityCandidates(places), (each) => places.hasCity(String(each))),
});

/** Accepts only ids of neighborhoods in the given cities. Without a city, accepts any neighborhood. */
export const neighborhoodsOfCity: ValueCheck<readonly number[]> = {
  code: 'neighborhood_not_found',
  refuse: (ids, { name, places, values: { city = [] } }) => {
    const cities = [city].flat().map(String);
    const missing = ids.find((id) =>
      cities.length === 0 ? !places.neighborhood(id) : !cities.some((slug) => places.neighborhood(id, slug)),
    );
    if (missing === undefined) return null;
    return () => {
      const other = places.neighborhood(missing);
      const problem = other
        ? `\`${name}\` ${missing} (${other.name_en}) is in \`${other.city}\`, not in ${listCities(cities)}.`
        : `\`${name}\` ${missing} does not exist.`;
      const [only] = cities;
      return cities.length === 1
        ? `${problem} GET /cities/${only}/neighborhoods lists the ids of \`${only}\`.`
        : `${problem} GET /cities/{city}/neighborhoods lists the ids of a city.`;
    };
  },
};

function listCities(cities: readonly string[]): string {
  const named = cities.slice(0, MAX_NAMED).map((city) => `\`${city}\``);
  return cities.length > MAX_NAMED ? `${named.join(', ')}, …` : named.join(' or ');
}

/**
 * Accepts only boxes that overlap Saudi Arabia. The error message distinguishes boxes with swapped coordinates
 * (latitude first) from boxes elsewhere.
 */
export const boxInCountry: ValueCheck<Box> = {
  code: 'invalid_value',
  refuse: (box, { name, notation }) => {
    if (overlapsCountry(box)) return null;
    return () => {
      const swapped = swapAxes(box);
      const written = notation === 'url' ? swapped.join(',') : JSON.stringify(swapped);
      if (overlapsCountry(swapped))
        return `\`${name}\` has latitude before longitude. The order is min_lng,min_lat,max_lng,max_lat: use ${written}.`;
      const { west, east, south, north } = COUNTRY;
      return `\`${name}\` is outside Saudi Arabia, which extends from longitude ${west} to ${east} and from latitude ${south} to ${north}. The order is min_lng,min_lat,max_lng,max_lat.`;
    };
  },
};
