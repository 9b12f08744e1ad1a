import { METERS_PER_DEGREE, metersPerDegreeEast } from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';

const STRIDE = 1_000_000;

export class PointGrid<Item> {
  readonly #cells = new Map<number, Item[]>();
  /** Degrees. */
  readonly #side: number;

  constructor(cellMeters: number) {
    this.#side = cellMeters / METERS_PER_DEGREE;
  }

  /** Others can be added to the items in a cell. */
  cellOf({ lat, lng }: LatLng): Item[] {
    const key = this.#index(lat) * STRIDE + this.#index(lng);
    const items = this.#cells.get(key) ?? [];
    this.#cells.set(key, items);
    return items;
  }

  /** Yields the cells that a circle touches, from south to north. */
  *around({ lat, lng }: LatLng, meters: number): Generator<readonly Item[]> {
    const north = meters / METERS_PER_DEGREE;
    // Never zero, because a feed may state a point at a pole.
    const east = meters / Math.max(metersPerDegreeEast(Math.abs(lat) + north), METERS_PER_DEGREE / 100);
    for (let row = this.#index(lat - north); row <= this.#index(lat + north); row++)
      for (let column = this.#index(lng - east); column <= this.#index(lng + east); column++) {
        const items = this.#cells.get(row * STRIDE + column);
        if (items) yield items;
      }
  }

  #index(degrees: number): number {
    return Math.floor(degrees / this.#side);
  }
}
