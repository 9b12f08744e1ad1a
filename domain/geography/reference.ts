import { CITIES, NEIGHBORHOODS } from './gazetteer.ts';
import { type City, DIRECTIONS, type Direction, type Neighborhood, type PlaceCheck } from './places.ts';

interface PlaceData {
  cities: readonly City[];
  neighborhoods: readonly Neighborhood[];
}

export class Places implements PlaceCheck {
  #cities = new Map<string, City>();
  #neighborhoods = new Map<string, Neighborhood[]>();

  constructor(data: PlaceData = { cities: CITIES, neighborhoods: NEIGHBORHOODS }) {
    this.replace(data);
  }

  replace({ cities, neighborhoods }: PlaceData): void {
    const byCity = Map.groupBy(neighborhoods, ({ city }) => city);
    this.#cities = new Map(cities.map((city) => [city.slug, city]));
    this.#neighborhoods = new Map(cities.map(({ slug }) => [slug, byCity.get(slug) ?? []]));
  }

  cities(): City[] {
    return [...this.#cities.values()];
  }

  hasCity(slug: string): boolean {
    return this.#cities.has(slug);
  }

  neighborhoods(city: string): readonly Neighborhood[] | undefined {
    return this.#neighborhoods.get(city);
  }

  neighborhood(id: number, city?: string): Neighborhood | undefined {
    const all = city === undefined ? [...this.#neighborhoods.values()].flat() : this.#neighborhoods.get(city);
    return all?.find((each) => each.id === id);
  }

  directions(city: string): readonly Direction[] | undefined {
    const neighborhoods = this.#neighborhoods.get(city);
    if (!neighborhoods) return undefined;
    const used = new Set(neighborhoods.map((neighborhood) => neighborhood.direction_id));
    return DIRECTIONS.filter((direction) => used.has(direction.id));
  }
}

export type NeighborhoodNames = ReturnType<ReturnType<typeof neighborhoodNames>>;

/** Returns names by id. Both are null if the city lacks the neighborhood. */
export function neighborhoodNames(places: Pick<Places, 'neighborhoods'>, city: string) {
  const known = new Map(places.neighborhoods(city)?.map((each) => [each.id, each]));
  return (key: string | number) => {
    const id = Number(key);
    const { name_en = null, name_ar = null } = known.get(id) ?? {};
    return { neighborhood_id: id, name_en, name_ar };
  };
}
