import { METERS_PER_DEGREE, metersPerDegreeEast, unitVector } from '#domain/geography/distance.ts';
import { dwellingKey, type Observation, type Subject, unitKey } from '#domain/price-band.ts';

/** Side of a cell of the grid, in degrees of latitude: 500 m. */
const CELL_M = 500;
const CELL = CELL_M / METERS_PER_DEGREE;

/** A home as others are compared with it. */
export interface Home extends Omit<Observation, 'distance'> {
  /** Whether the price is that of the whole home, by its own text. Others are compared with it, and it is no deal. */
  whole: boolean;
}

/** What the homes of a market have in common. */
export type Market = Pick<Subject, 'city' | 'listing_type' | 'property_type' | 'bedrooms'>;

/**
 * The homes of one market in typed arrays, sorted by the cells of a grid, so that those within a distance lie in a few runs of
 * the arrays.
 */
export class Homes {
  readonly size: number;
  readonly market: Market;
  readonly home: readonly Home[];
  readonly id: Float64Array;
  readonly price: Float64Array;
  readonly area: Float64Array;
  /** -1 where not stated. */
  readonly age: Float64Array;
  /** Equal for ads of one dwelling, as `distinctUnits` finds them: with and without the bathrooms. */
  readonly unit: Int32Array;
  readonly dwelling: Int32Array;
  readonly #lat: Float64Array;
  readonly #lng: Float64Array;
  /** Points on the unit sphere, three numbers each: distances take a few multiplications, and are exact. */
  readonly #point: Float64Array;
  /** Cell of each home, ascending. */
  readonly #cell: Float64Array;
  readonly #columns: number;
  /** Width of a cell in degrees of longitude: nowhere in the city fewer meters than its height. */
  readonly #width: number;

  constructor(market: Market, homes: readonly Home[]) {
    this.market = market;
    this.size = homes.length;
    const polar = homes.reduce((most, { lat }) => Math.max(most, Math.abs(lat)), 0);
    this.#width = CELL_M / metersEast(polar);
    this.#columns = Math.ceil(360 / this.#width) + 1;
    const cells = Float64Array.from(homes, ({ lat, lng }) => this.#cellOf(lat, lng));
    const order = Uint32Array.from(homes, (_, index) => index).sort((a, b) => {
      const [first, second] = [homes[a] as Home, homes[b] as Home];
      return (cells[a] as number) - (cells[b] as number) || first.id - second.id;
    });
    const sorted = (read: (home: Home) => number): Float64Array =>
      Float64Array.from(order, (index) => read(homes[index] as Home));
    this.id = sorted((home) => home.id);
    this.price = sorted((home) => home.price);
    this.area = sorted((home) => home.area);
    this.age = sorted((home) => home.age ?? -1);
    this.home = Array.from(order, (index) => homes[index] as Home);
    this.unit = numbered(this.home, unitKey);
    this.dwelling = numbered(this.home, dwellingKey);
    this.#lat = sorted((home) => home.lat);
    this.#lng = sorted((home) => home.lng);
    this.#cell = Float64Array.from(order, (index) => cells[index] as number);
    this.#point = new Float64Array(this.size * 3);
    for (let index = 0; index < this.size; index++) {
      const [lat, lng] = [this.#lat[index] as number, this.#lng[index] as number];
      this.#point.set(unitVector({ lat, lng }), index * 3);
    }
  }

  /**
   * Puts the runs of homes that may lie within a radius of one into `runs`, begin and end in turn.
   * @returns how many numbers were put
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

  /** Square of the straight line between two homes on a sphere of radius 1: compare with `squaredChord`. */
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

  /** The first home in this cell or a later one. */
  #firstAt(cell: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#cell[middle] as number) < cell) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Meters in a degree of longitude, never nothing: a feed may state a point at a pole. */
const metersEast = (lat: number): number => Math.max(metersPerDegreeEast(lat), METERS_PER_DEGREE / 100);

/** Numbers that the runs of a circle of five kilometers can take: two for each row of the grid. */
export const MAX_RUNS = 64;

/** Equal numbers for homes with equal keys. */
function numbered(homes: readonly Home[], keyOf: (home: Home) => string): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(homes, (home) => {
    const key = keyOf(home);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}
