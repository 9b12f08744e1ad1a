import { type City, DIRECTIONS, type Direction, type Neighborhood, type PlaceCheck } from './places.ts';

/** One consistent snapshot of the served places. */
export interface PlaceData {
  cities: readonly City[];
  neighborhoods: readonly Neighborhood[];
}

/** Cities and neighborhoods in memory, refreshed periodically, so that requests do not read them from the index. */
export class Places implements PlaceCheck {
  readonly #load: () => Promise<PlaceData>;
  #cities = new Map<string, City>();
  #neighborhoods = new Map<string, Neighborhood[]>();
  /** Neighborhoods by id, for each city. */
  #byId = new Map<string, ReadonlyMap<number, Neighborhood>>();

  constructor(load: () => Promise<PlaceData>) {
    this.#load = load;
  }

  /** Reloads the snapshot. If the reload fails, the previous snapshot is kept. */
  async refresh(): Promise<void> {
    const data = await this.#load();
    // An empty result means that the index was lost and is being rebuilt.
    if (data.cities.length === 0 && this.#cities.size > 0) throw new Error('no city was found where there were some');
    const byCity = Map.groupBy(data.neighborhoods, ({ city }) => city);
    this.#cities = new Map(data.cities.map((city) => [city.slug, city]));
    this.#neighborhoods = new Map(data.cities.map(({ slug }) => [slug, byCity.get(slug) ?? []]));
    this.#byId = new Map(
      [...this.#neighborhoods].map(([city, all]) => [city, new Map(all.map((each) => [each.id, each]))]),
    );
  }

  cities(): City[] {
    return [...this.#cities.values()];
  }

  hasCity(slug: string): boolean {
    return this.#cities.has(slug);
  }

  /** Returns undefined if the city does not exist. */
  neighborhoods(city: string): readonly Neighborhood[] | undefined {
    return this.#neighborhoods.get(city);
  }

  neighborhood(id: number, city?: string): Neighborhood | undefined {
    const cities = city === undefined ? [...this.#byId.keys()] : [city];
    return cities.map((slug) => this.#byId.get(slug)?.get(id)).find((found) => found !== undefined);
  }

  /** Returns the directions of the neighborhoods in a city, or undefined if the city does not exist. */
  directions(city: string): readonly Direction[] | undefined {
    const neighborhoods = this.#neighborhoods.get(city);
    if (!neighborhoods) return undefined;
    const used = new Set(neighborhoods.map((neighborhood) => neighborhood.direction_id));
    return DIRECTIONS.filter((direction) => used.has(direction.id));
  }
}
