import type { PlaceCheck } from '#domain/geography/places.ts';

/** A place check that accepts every city and neighborhood. */
export const ANY_PLACE: PlaceCheck = {
  hasCity: () => true,
  cities: () => [],
  neighborhoods: () => [],
  neighborhood: (id, city = 'somewhere') => ({
    id,
    city,
    slug: `n${id}`,
    name_en: `Neighborhood ${id}`,
    name_ar: `حي ${id}`,
    direction_id: null,
    center: null,
    aliases: [],
  }),
};
