import { METERS_PER_DEGREE, metersPerDegreeEast, unitVector } from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { dwellingKey, type Observation, type Subject, unitKey } from '#domain/statistics/price-band.ts';

/** Meters. */
const CELL_M = 500;
const CELL = CELL_M / METERS_PER_DEGREE;

export interface Home extends Omit<Observation, 'distance'> {
  neighborhood: number | null;
  /** Whether no other home has its photos. */
  ownPhotos: boolean;
}

export type Market = Pick<Subject, 'city' | 'listing_type' | 'property_type' | 'bedrooms'>;

type Located = Home & LatLng;
const isLocated = (home: Home): home is Located => home.lat !== null && home.lng !== null;

/**
 * Homes in typed arrays, sorted by grid cell, so that the homes within a radius are in a few contiguous ranges. Homes
 * without a point come last and are compared with their neighborhood.
 */
export class Homes {
  readonly size: number;
  readonly located: number;
  readonly market: Market;
  readonly home: readonly Home[];
  readonly id: Float64Array;
  readonly price: Float64Array;
  readonly area: Float64Array;
  /** Age; -1 if not stated. */
  readonly age: Float64Array;
  /** Numeric ids of `unitKey` and `dwellingKey`. Only `unitKey` includes the number of bathrooms. */
  readonly unit: Int32Array;
  readonly dwelling: Int32Array;
  readonly #lat: Float64Array;
  readonly #lng: Float64Array;
  /** Points on the unit sphere, three values per home, so that exact distances need only a few multiplications. */
  readonly #point: Float64Array;
  /** Ascending. */
  readonly #cell: Float64Array;
  readonly #columns: number;
  /** Degrees of longitude: at least `CELL_M` at every latitude in the market. */
  readonly #width: number;

  /** Homes by neighborhood, newest first, for neighborhoods that contain a home without a point. */
  readonly #ofNeighborhood = new Map<number, number[]>();

  constructor(market: Market, homes: readonly Home[]) {
    this.market = market;
    this.size = homes.length;
    const points = homes.filter(isLocated);
    this.located = points.length;
    const polar = points.reduce((most, { lat }) => Math.max(most, Math.abs(lat)), 0);
    this.#width = CELL_M / metersEast(polar);
    this.#columns = Math.ceil(360 / this.#width) + 1;
    const cells = Float64Array.from(points, ({ lat, lng }) => this.#cellOf(lat, lng));
    const order = Uint32Array.from(points, (_, index) => index).sort((a, b) => {
      const [first, second] = [points[a] as Home, points[b] as Home];
      return (cells[a] as number) - (cells[b] as number) || first.id - second.id;
    });
    const lost = homes.filter((home) => !isLocated(home)).sort((a, b) => a.id - b.id);
    const sorted = Array.from(order, (index) => points[index] as Located);
    this.home = [...sorted, ...lost];
    const column = (read: (home: Home) => number): Float64Array => Float64Array.from(this.home, read);
    this.id = column((home) => home.id);
    this.price = column((home) => home.price);
    this.area = column((home) => home.area);
    this.age = column((home) => home.age ?? -1);
    this.unit = numbered(this.home, (home) => `${placeKey(home)} ${unitKey(home)}`);
    this.dwelling = numbered(this.home, (home) => `${placeKey(home)} ${dwellingKey(home)}`);
    this.#lat = Float64Array.from(sorted, ({ lat }) => lat);
    this.#lng = Float64Array.from(sorted, ({ lng }) => lng);
    this.#cell = Float64Array.from(order, (index) => cells[index] as number);
    this.#point = new Float64Array(this.located * 3);
    for (let index = 0; index < this.located; index++) {
      const [lat, lng] = [this.#lat[index] as number, this.#lng[index] as number];
      this.#point.set(unitVector({ lat, lng }), index * 3);
    }
    for (const { neighborhood } of lost) if (neighborhood !== null) this.#ofNeighborhood.set(neighborhood, []);
    if (lost.length > 0) {
      for (const [index, { neighborhood }] of this.home.entries())
        this.#ofNeighborhood.get(neighborhood ?? Number.NaN)?.push(index);
      for (const indexes of this.#ofNeighborhood.values())
        indexes.sort((a, b) => (this.id[b] as number) - (this.id[a] as number));
    }
  }

  /** Returns the neighborhood's homes, newest first, including the home itself. */
  neighborsOf(index: number): readonly number[] {
    return this.#ofNeighborhood.get(this.home[index]?.neighborhood ?? Number.NaN) ?? [];
  }

  /**
   * Writes starts and ends into `runs`.
   * @returns number of values
   */
  runsAround(index: number, radius: number, runs: Int32Array): number {
    const lat = this.#lat[index] as number;
    const lng = this.#lng[index] as number;
    const reach = radius / METERS_PER_DEGREE;
    const reachLng = radius / metersEast(Math.abs(lat) + reach);
    let length = 0;
    for (let row = Math.floor((lat - reach + 90) / CELL); row <= Math.floor((lat + reach + 90) / CELL); row++) {
      const begin = this.#firstAt(row * this.#columns + Math.floor((lng - reachLng + 180) / this.#width));
      const end = this.#firstAt(row * this.#columns + Math.floor((lng + reachLng + 180) / this.#width) + 1);
      if (end <= begin) continue;
      runs[length++] = begin;
      runs[length++] = end;
    }
    return length;
  }

  /** Returns the squared chord between two homes on the unit sphere. */
  separation(a: number, b: number): number {
    const point = this.#point;
    const x = (point[a * 3] as number) - (point[b * 3] as number);
    const y = (point[a * 3 + 1] as number) - (point[b * 3 + 1] as number);
    const z = (point[a * 3 + 2] as number) - (point[b * 3 + 2] as number);
    return x * x + y * y + z * z;
  }

  #cellOf(lat: number, lng: number): number {
    return Math.floor((lat + 90) / CELL) * this.#columns + Math.floor((lng + 180) / this.#width);
  }

  /** Returns the index of the first home in this cell or a later one. */
  #firstAt(cell: number): number {
    let low = 0;
    let high = this.located;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#cell[middle] as number) < cell) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Returns meters per degree. Never zero, because a feed may state a point at a pole. */
const metersEast = (lat: number): number => Math.max(metersPerDegreeEast(lat), METERS_PER_DEGREE / 100);

/** Maximum length of `runs` for a radius of five kilometers: two values per grid row. */
export const MAX_RUNS = 64;

/** Key of homes without a point, because dwelling keys contain only the point. */
const placeKey = ({ lat, neighborhood }: Home): string => (lat === null ? `in ${neighborhood}` : '');

/** Numbers homes equally for equal keys. */
function numbered(homes: readonly Home[], keyOf: (home: Home) => string): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(homes, (home) => {
    const key = keyOf(home);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}
