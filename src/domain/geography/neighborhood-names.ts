import type { Places } from './reference.ts';

export interface NeighborhoodNames {
  neighborhood_id: number;
  name_en: string | null;
  name_ar: string | null;
}

/** Returns names by id. Both are null if the city lacks the neighborhood. */
export function neighborhoodNames(places: Pick<Places, 'neighborhoods'>, city: string) {
  const known = new Map(places.neighborhoods(city)?.map((each) => [each.id, each]));
  return (key: string | number): NeighborhoodNames => {
    const id = Number(key);
    const { name_en = null, name_ar = null } = known.get(id) ?? {};
    return { neighborhood_id: id, name_en, name_ar };
  };
}
